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
	err  error // settled when done is closed
	done chan struct{}
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
		batch := w.take(together)
		if len(batch) == 0 {
			return
		}
		if err := w.commit(batch); err != nil {
			w.giveUp()
		}
	}
}

// take returns the head of the line, at most n writes.
func (w *writer) take(n int) []*pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	n = min(len(w.line), n)
	batch := w.line[:n:n]
	if w.line = w.line[n:]; len(w.line) == 0 {
		w.line = nil
	}
	return batch
}

// giveUp is for when the file can't be written: if Close waits, it shall not
// wait for each of those in the line to find out by themselves.
func (w *writer) giveUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stopped {
		return
	}
	for _, p := range w.line {
		p.err = notWritten(ErrClosed)
		close(p.done)
	}
	w.line = nil
}

// commit runs writes in one transaction and answers each. Those that come while
// it's at it are let in: whom the last commit has released come one by one, and
// would be late for a commit that began with the first of them. Its error is
// that of the transaction, which everyone in it has been given.
func (w *writer) commit(batch []*pending) error {
	err := w.link.transaction(func() error {
		for next := batch; len(next) > 0; {
			for _, p := range next {
				if err := w.run(p); err != nil {
					return err
				}
			}
			next = w.take(together - len(batch))
			batch = append(batch, next...)
		}
		return nil
	})
	if err != nil {
		err = fmt.Errorf("committing %d writes: %w", len(batch), err)
	}
	for _, p := range batch {
		if err != nil {
			p.err = err
		}
		close(p.done)
	}
	return err
}

// run runs one write. Its error concerns all that share the transaction; what
// concerns the write alone is noted for its caller.
func (w *writer) run(p *pending) error {
	if p.err = p.ctx.Err(); p.err != nil {
		return nil // its caller has gone
	}
	err := p.f(w.link)
	if err != nil && !lonely(err) {
		return err
	}
	if err != nil {
		p.err = notWritten(err)
	}
	return nil
}
