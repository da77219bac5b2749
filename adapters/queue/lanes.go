// Package queue is how the adapters of platforms keep order: what comes from one
// channel is handled one after the other, channels side by side (Lanes), and
// what waits to be told leaves in order, as few messages (Post); and how they know
// whether their platform is there (Contact), and ask it things (Inquiries). It
// knows no platform.
package queue

import (
	"sync"
	"time"
)

// Lanes handle what comes from one channel one after the other, and channels
// side by side. A lane takes a goroutine only while something waits in it. They
// are safe for concurrent use.
type Lanes[K comparable] struct {
	mu      sync.Mutex
	waiting map[K][]func()
	slots   chan struct{}
	work    sync.WaitGroup
}

// NewLanes returns lanes of which that many are worked on at a time.
func NewLanes[K comparable](sideBySide int) *Lanes[K] {
	return &Lanes[K]{waiting: make(map[K][]func()), slots: make(chan struct{}, sideBySide)}
}

// Add puts something to do at the end of a channel's lane.
func (l *Lanes[K]) Add(channel K, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue, busy := l.waiting[channel]
	l.waiting[channel] = append(queue, do)
	if !busy {
		l.work.Go(func() { l.run(channel) })
	}
}

// run does all that waits in a lane.
func (l *Lanes[K]) run(channel K) {
	for {
		l.mu.Lock()
		queue := l.waiting[channel]
		if len(queue) == 0 {
			delete(l.waiting, channel)
			l.mu.Unlock()
			return
		}
		do := queue[0]
		l.waiting[channel] = queue[1:]
		l.mu.Unlock()
		l.slots <- struct{}{}
		do()
		<-l.slots
	}
}

// Wait waits until all lanes are empty. Nothing may be added meanwhile.
func (l *Lanes[K]) Wait() { l.work.Wait() }

// WaitFor is Wait, but for so long at most. It reports whether the lanes are
// empty.
func (l *Lanes[K]) WaitFor(limit time.Duration) bool {
	empty := make(chan struct{})
	go func() { // it ends with the lanes
		l.Wait()
		close(empty)
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-empty:
		return true
	case <-timer.C:
		return false
	}
}
