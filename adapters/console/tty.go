package console

import (
	"os"
	"os/user"

	"golang.org/x/term"
)

// Attach sets what the config tells about the terminal: In, Out and Err, and
// whether a person types there. It looks at TERM and NO_COLOR by getenv: a dumb
// terminal is neither edited nor coloured.
func (c *Config) Attach(in, out, errs *os.File, getenv func(string) string) {
	c.In, c.Out, c.Err = in, out, errs
	c.Interactive = IsTerminal(in) && IsTerminal(out)
	c.ErrShown = IsTerminal(errs)
	if !c.Interactive || getenv("TERM") == "dumb" {
		return
	}
	c.Colours = getenv("NO_COLOR") == ""
	c.Raw = func() (func() error, error) {
		was, err := term.MakeRaw(int(in.Fd()))
		if err != nil {
			return nil, err
		}
		return func() error { return term.Restore(int(in.Fd()), was) }, nil
	}
	c.Size = func() (int, int, error) { return term.GetSize(int(out.Fd())) }
}

// IsTerminal reports whether a person may be looking at a file.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Login returns who is logged in. A container may know no names.
func Login() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "guest"
}
