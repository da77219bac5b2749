package store

import (
	"context"
	"fmt"
	"sync"
)

// together is how many writes share a commit at most: beyond it the first
// would wait for the last without the disk being any faster.
const together = 256

// pending is a write that waits for its commit.
type pending struct {
	ctx  context.Context
	f    func(*link) error
	err  error
	done chan struct{} // closed when err is set, for good
}

// writer is the one goroutine that writes, and the line before it.
type writer struct {
	link    *link // the goroutine's alone until it has ended
	wake    chan struct{}
	running sync.WaitGroup

	mu      sync.Mutex
	line    []*pending
	stopped bool // no more are taken
}

func startWriter(l *link) *writer {
	w := &writer{link: l, wake: make(chan struct{}, 1)}
	w.running.Go(w.loop)
	return w
}

// do puts a write in the line and waits for its commit, or for the end of ctx:
// then the write may still land.
func (w *writer) do(ctx context.Context, f func(*link) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := &pending{ctx: ctx, f: f, done: make(chan struct{})}
	w.mu.Lock()
	if w.stopped {
		w.mu.Unlock()
		return notWritten(ErrClosed)
	}
	w.line = append(w.line, p)
	select {
	case w.wake <- struct{}{}:
	default: // it has been woken already
	}
	w.mu.Unlock()
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop takes no more writes and returns when the goroutine has ended. It is
// called once.
func (w *writer) stop() {
	w.mu.Lock()
	w.stopped = true
	close(w.wake)
	w.mu.Unlock()
	w.running.Wait()
}

// loop commits what waits until it is stopped and nothing does.
func (w *writer) loop() {
	for range w.wake {
		w.drain()
	}
	w.drain()
}

func (w *writer) drain() {
	for {
		batch, stopped := w.take()
		if len(batch) == 0 {
			return
		}
		if err := w.commit(batch); err != nil && stopped {
			w.refuse()
		}
	}
}

// take returns the head of the line.
func (w *writer) take() ([]*pending, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.line), together)
	batch := w.line[:n:n]
	if w.line = w.line[n:]; len(w.line) == 0 {
		w.line = nil
	}
	return batch, w.stopped
}

// refuse answers everyone who still waits when the file can't be written any
// more and Close waits for them.
func (w *writer) refuse() {
	for batch, _ := w.take(); len(batch) > 0; batch, _ = w.take() {
		for _, p := range batch {
			p.answer(notWritten(ErrClosed))
		}
	}
}

// commit runs writes in one transaction and answers each. Its error is that of
// the transaction, which everyone in it has been given.
func (w *writer) commit(batch []*pending) error {
	errs := make([]error, len(batch))
	err := w.link.transaction(func() error {
		for i, p := range batch {
			if errs[i] = p.ctx.Err(); errs[i] != nil {
				continue // its caller has gone
			}
			if err := p.f(w.link); err != nil && !lonely(err) {
				return err
			} else if err != nil {
				errs[i] = notWritten(err)
			}
		}
		return nil
	})
	if err != nil {
		err = fmt.Errorf("committing %d writes: %w", len(batch), err)
	}
	for i, p := range batch {
		if err != nil {
			p.answer(err)
		} else {
			p.answer(errs[i])
		}
	}
	return err
}

func (p *pending) answer(err error) {
	p.err = err
	close(p.done)
}
