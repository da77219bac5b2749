package console

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"hiss/adapters/talk"
	"hiss/bot"
)

// screen is where messages are written and lines come from: plain output and
// input, or a line editor on both.
type screen struct {
	config  Config
	out     io.Writer // through the editor, if there is one
	err     io.Writer
	printer talk.Printer
	lines   *talk.Reader
	editor  *term.Terminal // nil if lines aren't edited
	wire    wire           // what the editor reads and writes
	restore func() error
}

// openScreen prepares the terminal. Whoever calls it closes the screen.
func openScreen(c Config, out *output) (*screen, error) {
	s := &screen{
		config: c, out: out, err: c.Err,
		printer: talk.Printer{Signs: c.Interactive, Colours: c.Interactive && c.Colours},
	}
	if !c.Interactive || c.Raw == nil {
		s.lines = talk.NewReader(c.In)
		return s, nil
	}
	restore, err := c.Raw()
	if err != nil {
		return nil, fmt.Errorf("switching the terminal to line editing: %w", err)
	}
	s.restore = restore
	s.wire = wire{c.In, out}
	s.editor = term.NewTerminal(s.wire, "")
	s.editor.SetBracketedPasteMode(true)
	s.out = s.editor
	if c.ErrShown {
		s.err = s.editor
	}
	s.lines = talk.NewLineReader(s.edit)
	return s, nil
}

// close gives the terminal back as it was.
func (s *screen) close() error {
	if s.editor == nil {
		return nil
	}
	s.editor.SetBracketedPasteMode(false)
	// Past the editor, which would write its prompt again below. Whoever is
	// gone needs neither.
	_, _ = io.WriteString(s.wire.out, "\r\n")
	if err := s.restore(); err != nil {
		return fmt.Errorf("giving the terminal back: %w", err)
	}
	return nil
}

// deliver writes a message in one piece.
func (s *screen) deliver(d talk.Delivery) error {
	_, err := io.WriteString(s.out, s.printer.Print(d))
	return err
}

// greet says where one is, to a person.
func (s *screen) greet() error {
	if !s.config.Interactive {
		return nil
	}
	_, err := fmt.Fprintf(s.out, "Hiss: Snakes and Ladders in this terminal, kept in %s. You are %s.\n"+
		"Enter presses the [button]; asha: /join speaks for Asha; /help; Ctrl-D leaves.\n",
		talk.Clean(s.config.Database), talk.Clean(s.config.Login))
	return err
}

// prompt shows who says what is typed next without a name.
func (s *screen) prompt(speaker string) {
	if s.editor == nil {
		return
	}
	s.editor.SetPrompt(talk.Clean(speaker) + "> ")
	if s.config.Size == nil {
		return
	}
	if columns, rows, err := s.config.Size(); err == nil && columns > 0 {
		_ = s.editor.SetSize(columns, rows) // what it can't repaint, the next write to it tells
	}
}

// edit returns a line that was typed. One that was pasted is a line as well.
func (s *screen) edit() (string, error) {
	line, err := s.editor.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	return line, err
}

// wire is what the line editor reads and writes.
type wire struct {
	in  io.Reader
	out io.Writer
}

// Read refuses to read nothing, which the editor would ask for again and again
// once a key without an end has filled its buffer.
func (w wire) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, errors.New("the terminal sent a key that has no end")
	}
	return w.in.Read(p)
}

func (w wire) Write(p []byte) (int, error) { return w.out.Write(p) }

// openFile opens a file to be attached: one that has an end, not a pipe or a
// device.
func openFile(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", name)
	}
	return os.Open(name)
}

// commands returns what can be typed behind a slash.
func commands(h bot.Handler) map[string]bot.Command {
	all := map[string]bot.Command{}
	for _, c := range h.Commands() {
		all[c.Name] = c
	}
	return all
}
