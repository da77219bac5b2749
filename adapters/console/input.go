package console

import (
	"context"
	"io"
	"time"

	"hiss/adapters/talk"
)

// read is what came of reading a line.
type read struct {
	line talk.Line
	err  error
}

// input reads lines in a goroutine of its own, each only when it is asked for.
type input struct {
	in      io.Reader
	ask     chan struct{}
	lines   chan read
	pending bool          // a line was asked for and hasn't come
	ended   chan struct{} // closed when the goroutine has ended
}

func newInput(in io.Reader, r *talk.Reader) *input {
	i := &input{in: in, ask: make(chan struct{}), lines: make(chan read, 1), ended: make(chan struct{})}
	go i.serve(r)
	return i
}

func (i *input) serve(r *talk.Reader) {
	defer close(i.ended)
	for range i.ask {
		l, err := r.Next()
		i.lines <- read{line: l, err: err} // there is room: nobody asks twice
	}
}

// next waits for a line. It returns false if ctx or broken ends before.
func (i *input) next(ctx context.Context, broken <-chan struct{}) (read, bool) {
	if ctx.Err() != nil {
		return read{}, false
	}
	i.ask <- struct{}{}
	i.pending = true
	select {
	case r := <-i.lines:
		i.pending = false
		return r, true
	case <-ctx.Done():
	case <-broken:
	}
	return read{}, false
}

// stop ends the goroutine and waits for it, unless it is in a read that can't
// be interrupted: then it ends with that read.
func (i *input) stop() {
	close(i.ask)
	if i.pending {
		d, ok := i.in.(interface{ SetReadDeadline(time.Time) error })
		if !ok || d.SetReadDeadline(time.Unix(1, 0)) != nil {
			return
		}
		// An input that took the deadline takes it off again; if not, it is
		// read no more anyway.
		defer func() { _ = d.SetReadDeadline(time.Time{}) }()
	}
	<-i.ended
}
