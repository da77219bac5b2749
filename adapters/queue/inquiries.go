package queue

import (
	"context"
	"errors"
	"time"
)

// How long an inquiry may take, waiting included, and how soon after one the next
// may leave.
const (
	inquiryLimit = 5 * time.Second
	inquiryPause = 100 * time.Millisecond
)

var errLater = errors.New("the platform wants to be asked later")

// Inquiries are what a platform is asked beside all that is told: one at a time,
// unhurried, and none while it wants to be left alone. They are safe for
// concurrent use.
type Inquiries struct {
	ctx  context.Context // of all of them
	turn chan time.Time  // holds from when on the next may leave, unless one is on its way
}

// NewInquiries returns inquiries that are given up when ctx ends.
func NewInquiries(ctx context.Context) *Inquiries {
	q := &Inquiries{ctx: ctx, turn: make(chan time.Time, 1)}
	q.turn <- time.Time{}
	return q
}

// Make makes an inquiry when it's its turn, which returns how long the platform
// wants to be left alone after it. One that can't be made and answered within five
// seconds is given up, with an error.
func (q *Inquiries) Make(ctx context.Context, ask func(context.Context) (rest time.Duration, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, inquiryLimit)
	defer cancel()
	defer context.AfterFunc(q.ctx, cancel)()
	var next time.Time
	select {
	case next = <-q.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { q.turn <- next }()
	if end, _ := ctx.Deadline(); next.After(end) {
		return errLater
	}
	timer := time.NewTimer(time.Until(next))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	rest, err := ask(ctx)
	next = time.Now().Add(max(rest, inquiryPause))
	return err
}
