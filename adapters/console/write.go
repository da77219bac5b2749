package console

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Output takes the name of the file to write, behind a flag, out of some arguments.
// There are no other flags. A name that ends otherwise than such files do is refused.
func Output(args []string, flag, ending string) (others []string, file string, err error) {
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		switch {
		case name == "-"+flag || name == "--"+flag:
			if !given && i+1 < len(args) {
				i++
				value = args[i]
			}
			if value == "" || file != "" {
				return nil, "", fmt.Errorf("-%s takes the name of one file to write", flag)
			}
			if has := filepath.Ext(value); has != "" && !strings.EqualFold(has, ending) {
				return nil, "", fmt.Errorf("-%s writes a %s file, not a %s one: give it a name that ends in %s", flag, ending, has, ending)
			}
			file = value
		case len(name) > 1 && strings.HasPrefix(name, "-"):
			return nil, "", fmt.Errorf("there's no flag %q here, only -%s; --help says more", name, flag)
		default:
			others = append(others, args[i])
		}
	}
	return others, file, nil
}

// Read returns what a file says, up to so many bytes.
func Read(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// Write writes a file, but never over those that it was made from.
func Write(out string, data []byte, from ...string) error {
	there, err := os.Stat(out)
	for _, name := range from {
		if source, broken := os.Stat(name); err == nil && broken == nil && os.SameFile(there, source) {
			return fmt.Errorf("%s is what it would be made from; give the file another name", out)
		}
	}
	return os.WriteFile(out, data, 0o644)
}
