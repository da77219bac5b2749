package talk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Fault is a line that can't be read or obeyed, told to whoever wrote it. It
// has changed nothing.
type Fault struct {
	Line int // its number, 0 if unknown
	What string
}

// Error returns the fault with its line's number.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.What
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.What)
}

// Reader reads lines one after the other. It is not safe for concurrent use.
type Reader struct {
	next   func() (string, error)
	number int
	raw    string
	// above is set while the line above was the bot's, in the channel of that
	// name.
	above   bool
	channel string
}

// NewReader returns a Reader of the lines of r. It holds no more than one of
// them in memory, and of one that is too long not even that.
func NewReader(r io.Reader) *Reader {
	b := bufio.NewReaderSize(r, MaxLine+len("\r\n"))
	return NewLineReader(func() (string, error) { return readLine(b) })
}

// NewLineReader returns a Reader of what next returns, such as the lines that
// somebody edits in a terminal. An error of next ends the reading unless it is
// a *Fault.
func NewLineReader(next func() (string, error)) *Reader { return &Reader{next: next} }

// Next reads a line. A *Fault tells that this one can't be read, and any other
// error that there are no more.
func (r *Reader) Next() (Line, error) {
	raw, err := r.next()
	if fault, ok := errors.AsType[*Fault](err); ok {
		r.number++
		r.raw, r.above = "", false
		fault.Line = r.number
		return Line{}, fault
	}
	if err != nil {
		return Line{}, err
	}
	r.number++
	if r.number == 1 {
		raw = strings.TrimPrefix(raw, "\ufeff") // some editors begin a file with it
	}
	r.raw = raw
	l, err := r.parse(raw)
	if err != nil {
		return Line{}, &Fault{Line: r.number, What: err.Error()}
	}
	l.Number = r.number
	return l, nil
}

// Raw returns the line that Next read last, as it stood.
func (r *Reader) Raw() string { return r.raw }

// parse reads a line by those above it.
func (r *Reader) parse(raw string) (Line, error) {
	if channel, ok := indented(raw); ok {
		if !r.above || channel != r.channel {
			r.above = false
			return Line{}, errors.New("it is indented like a further line of the bot's, and no such line stands above it")
		}
		return Line{Kind: Output, Channel: channel}, nil
	}
	l, err := Parse(raw)
	r.above, r.channel = err == nil && l.Kind == Output, l.Channel
	return l, err
}

// indent begins the further lines of a message, after its channel.
const indent = "     "

// indented tells whether a line is a further one of a message, and in which
// channel.
func indented(raw string) (channel string, ok bool) {
	if name, found := strings.CutPrefix(raw, "#"); found {
		channel, raw, found = strings.Cut(name, " ")
		if !found || channel == "" {
			return "", false
		}
	}
	return channel, strings.HasPrefix(raw, indent) && strings.TrimSpace(raw) != ""
}

// readLine reads up to a line break. The last line may lack it. Of a line that
// doesn't fit into the buffer all is read and nothing kept.
func readLine(b *bufio.Reader) (string, error) {
	line, err := b.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		for err == bufio.ErrBufferFull {
			_, err = b.ReadSlice('\n')
		}
		if err == nil || err == io.EOF {
			err = &Fault{What: errTooLong.Error()}
		}
		return "", err
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		return "", err
	}
	text := strings.TrimSuffix(string(line), "\n")
	return strings.TrimSuffix(text, "\r"), nil
}
