package telegram

import "sync"

// sideBySide is how many chats' updates are handled at a time.
const sideBySide = 64

// lanes handle what comes from one chat one after the other, and chats side by
// side. A lane takes a goroutine only while something waits in it. It is safe
// for concurrent use.
type lanes struct {
	mu      sync.Mutex
	waiting map[int64][]func()
	slots   chan struct{}
	work    sync.WaitGroup
}

func newLanes() *lanes {
	return &lanes{waiting: make(map[int64][]func()), slots: make(chan struct{}, sideBySide)}
}

// add puts something to do at the end of a chat's lane.
func (l *lanes) add(chat int64, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue, busy := l.waiting[chat]
	l.waiting[chat] = append(queue, do)
	if !busy {
		l.work.Go(func() { l.run(chat) })
	}
}

// run does all that waits in a lane.
func (l *lanes) run(chat int64) {
	for {
		l.mu.Lock()
		queue := l.waiting[chat]
		if len(queue) == 0 {
			delete(l.waiting, chat)
			l.mu.Unlock()
			return
		}
		do := queue[0]
		l.waiting[chat] = queue[1:]
		l.mu.Unlock()
		l.slots <- struct{}{}
		do()
		<-l.slots
	}
}

// wait waits until all lanes are empty.
func (l *lanes) wait() { l.work.Wait() }
