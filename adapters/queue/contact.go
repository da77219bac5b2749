package queue

import (
	"sync"
	"time"
)

// brief is how long contact may be lost before it counts: connections end and are
// taken up again all the time.
const brief = 5 * time.Second

// Always is for contacts that nothing is regularly heard of.
const Always = 100 * 365 * 24 * time.Hour

// Contact tells whether the other side is reached, by what was heard of it. Of the
// zero Contact nothing was heard yet. It is safe for concurrent use.
type Contact struct {
	mu    sync.Mutex
	until time.Time // it counts as reached so long
}

// Heard notes that the other side was heard, and is to be heard again within
// that time.
func (c *Contact) Heard(again time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Now().Add(again + brief)
}

// Missed notes that it couldn't be reached, or didn't answer.
func (c *Contact) Missed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if soon := time.Now().Add(brief); c.until.After(soon) {
		c.until = soon
	}
}

// End notes that nobody listens any more.
func (c *Contact) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Time{}
}

// Reached reports whether the other side is reached, as far as that is known.
func (c *Contact) Reached() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Before(c.until)
}
