package queue

import (
	"context"
	"sync"
	"time"
)

// Crew works on lines: a goroutine for each line while something is in it. It is
// safe for concurrent use.
type Crew struct {
	ctx     context.Context // of all that is done
	stop    context.CancelFunc
	closing chan struct{}
	work    sync.WaitGroup
}

// NewCrew returns a crew that works until Close.
func NewCrew() *Crew {
	c := &Crew{closing: make(chan struct{})}
	c.ctx, c.stop = context.WithCancel(context.Background())
	return c
}

// Context is the context of all that is done. It ends with the crew's work.
func (c *Crew) Context() context.Context { return c.ctx }

// Serve lets somebody work on a line: do what next returns until there's nothing
// more. When next says to wait, it's asked again after that time, when wake is
// sent something, and when the crew begins to close. What next returns is called
// without any lock.
func (c *Crew) Serve(wake <-chan struct{}, next func(now time.Time) (do func(context.Context), wait time.Duration, more bool)) {
	c.work.Go(func() {
		timer := time.NewTimer(0)
		defer timer.Stop()
		closing := c.closing
		for {
			do, wait, more := next(time.Now())
			switch {
			case !more:
				return
			case do != nil:
				do(c.ctx)
				continue
			}
			timer.Reset(wait)
			select {
			case <-timer.C:
			case <-wake:
			case <-closing: // some of it isn't waited for any more
				closing = nil
			case <-c.ctx.Done():
			}
		}
	})
}

// Closing reports whether only what is urgent is still done.
func (c *Crew) Closing() bool {
	select {
	case <-c.closing:
		return true
	default:
		return false
	}
}

// Ended reports whether nothing is done any more.
func (c *Crew) Ended() bool { return c.ctx.Err() != nil }

// Close lets the lines say what they can in that time, and others end what they
// do meanwhile; then all work ends. It may be called once.
func (c *Crew) Close(limit time.Duration, others ...func()) {
	close(c.closing)
	timer := time.AfterFunc(limit, c.stop)
	for _, f := range others {
		f()
	}
	c.work.Wait()
	timer.Stop()
	c.stop()
}
