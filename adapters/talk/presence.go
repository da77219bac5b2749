package talk

import (
	"context"
	"fmt"

	"hiss/bot"
)

// Reachable reports whether people can be reached: always, unless a directive
// says otherwise.
func (s *Session) Reachable() bool {
	s.away.Lock()
	defer s.away.Unlock()
	return !s.outside
}

func (s *Session) reach(inside bool) {
	s.away.Lock()
	defer s.away.Unlock()
	s.outside = !inside
}

// Member reports whether somebody is in a chat: everybody is, but who a directive
// says is gone, until they say something again.
func (s *Session) Member(_ context.Context, chat bot.ChatID, user bot.UserID) (bool, error) {
	if chat.Adapter() != s.config.Adapter {
		return false, fmt.Errorf("%s is no chat of %s", chat, s.config.Adapter)
	}
	s.away.Lock()
	defer s.away.Unlock()
	return !s.gone[user], nil
}

// leaves notes that somebody has left, or is there again.
func (s *Session) leaves(name string, gone bool) {
	s.away.Lock()
	defer s.away.Unlock()
	if gone {
		s.gone[UserOf(s.config.Adapter, name).ID] = true
	} else {
		delete(s.gone, UserOf(s.config.Adapter, name).ID)
	}
}
