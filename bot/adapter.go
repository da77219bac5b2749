package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Handler turns requests into answers. It is safe for concurrent use: requests
// of different channels run side by side, those of one channel are handed over
// in the order in which they arrived.
type Handler interface {
	// Started tells that an adapter can send from now on, before its first
	// request. What its channels missed while nobody was running is sent by it
	// before Started returns.
	Started(context.Context, Adapter)
	// Commands returns the table of commands, for menus and registration.
	Commands() []Command
	// About says what the bot is for, in at most 120 and at most 500
	// characters, for its page on a platform.
	About() (short, long string)
	// Handle does what was asked. Whatever the answer promises is on disk
	// when it returns. It never panics and always answers.
	Handle(context.Context, Request) Answer
	// Move tells that a chat has got a new id: everything that belongs to it
	// goes along. Doing it twice is harmless.
	Move(ctx context.Context, from, to ChatID) error
	// Back tells that the bot can write in a chat again where it couldn't: what
	// its channels missed is sent.
	Back(ctx context.Context, chat ChatID) error
	// Left tells that somebody isn't in a chat any more: their seats there are
	// given up, and the channels told. Doing it twice is harmless.
	Left(ctx context.Context, chat ChatID, u User) error
}

// Adapter connects one platform.
type Adapter interface {
	// Name is the platform's short name, the prefix of its ids.
	Name() string
	// Run tells the handler that it has started, then takes in requests and
	// delivers answers until ctx ends or the platform's input does. It returns
	// when its last answer is out.
	Run(context.Context, Handler) error
	// Send puts what nobody asked for in line behind what its channel is being
	// told already. What an Asker would read is left out. An error says that it
	// wasn't taken; that it was delivered, Answer.Told says. It may be called
	// only while Run runs, from any goroutine.
	Send(context.Context, Channel, Answer) error
	// Reachable reports whether people can reach the bot at the moment, and it
	// them, as far as that is known. It's false before the first contact, and after
	// one that was lost for more than a few seconds. It's cheap, and may be called
	// at any time from any goroutine.
	Reachable() bool
	// Member asks the platform whether somebody is in a chat. An error says that
	// it isn't known. It takes at most five seconds and delays no message, but may
	// have to wait for its like, so it's asked only where the answer matters, and
	// never under a lock. It may be called only while Run runs, from any goroutine.
	Member(ctx context.Context, chat ChatID, user UserID) (bool, error)
}

// Notes are what an adapter must still know after a restart, such as a hash of
// the commands that it registered. Get returns nil for a key never put.
type Notes interface {
	Get(key string) ([]byte, error)
	Put(key string, value []byte) error
}

// Run runs adapters side by side until all have returned, which they do when ctx
// ends. One that fails stops none of the others; failed, unless it's nil, is told
// of it at once. The error joins what each of them returned.
func Run(ctx context.Context, h Handler, failed func(Adapter, error), adapters ...Adapter) error {
	errs := make([]error, len(adapters))
	var running sync.WaitGroup
	for i, a := range adapters {
		running.Go(func() {
			if err := a.Run(ctx, h); err != nil {
				errs[i] = fmt.Errorf("%s: %w", a.Name(), err)
				if failed != nil {
					failed(a, err)
				}
			}
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
