package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// errStuck ends a write that nobody reads.
var errStuck = errors.New("nobody reads what is written")

// output writes until a first write fails; then all others fail too. A write
// may take as long as it likes while ctx lives, and Grace longer.
type output struct {
	ctx    context.Context
	w      io.Writer
	broken chan struct{} // closed when a write has failed

	mu     sync.Mutex
	failed error
}

func newOutput(ctx context.Context, w io.Writer) *output {
	return &output{ctx: ctx, w: w, broken: make(chan struct{})}
}

// Write writes p. When it gives up, the goroutine of the write stays behind
// with a copy of p, for nothing can end it but its reader.
func (o *output) Write(p []byte) (int, error) {
	if err := o.err(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func(p []byte) {
		_, err := o.w.Write(p)
		done <- err
	}(append([]byte(nil), p...))
	err := o.wait(done)
	if err != nil {
		return 0, o.fail(err)
	}
	return len(p), nil
}

func (o *output) wait(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-o.ctx.Done():
	}
	grace := time.NewTimer(Grace)
	defer grace.Stop()
	select {
	case err := <-done:
		return err
	case <-grace.C:
		return errStuck
	}
}

// fail keeps the first error.
func (o *output) fail(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		o.failed = fmt.Errorf("writing: %w", err)
		close(o.broken)
	}
	return o.failed
}

// err returns why nothing can be written any more, or nil.
func (o *output) err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}
