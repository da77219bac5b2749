package telegram_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// direct obeys a directive. Those about a chat may name it first.
func (s *stage) direct(word string, args []string, text string) error {
	chat := s.chats[""]
	if len(args) > 0 && strings.HasPrefix(args[0], "#") {
		id, ok := s.chats[args[0][1:]]
		if !ok {
			return fmt.Errorf("there is no chat %s", args[0])
		}
		chat, args = id, args[1:]
	}
	arg := strings.Join(args, " ")
	switch word {
	case "dice", "seed", "full":
		return s.rig.Direct(s.t.Context(), word, args)
	case "wait", "pace":
		return s.time(word, arg)
	case "stop":
		return s.halt()
	case "pictures":
		s.pictures = true
		return s.restart("restart")
	case "start", "restart":
		return s.restart(word)
	case "hold", "release", "again", "heal", "dressing", "privacy":
		return s.switched(word)
	case "jump", "delete":
		return s.number(word, chat, arg)
	case "user":
		return s.describe(text)
	case "admins", "join", "leave", "remove", "vanish", "block", "unblock":
		return s.move(word, chat, args)
	case "bot":
		s.api.setStatus(chat, 0, arg)
	case "mute":
		s.api.mute(chat, slices.DeleteFunc([]string{arg}, func(s string) bool { return s == "" })...)
	case "topic":
		return s.topic(chat, args)
	case "migrate":
		return s.migrate(chat)
	case "sends":
		return s.sends(where(chat), arg)
	case "reaches":
		s.reaches()
	case "asks":
		s.asksFor(where(chat).Chat, arg)
	case "fail":
		return s.fail(args)
	case "fault":
		if !s.api.forgive(arg) {
			return fmt.Errorf("no fault has %q; there are %q", arg, s.api.faults())
		}
	default:
		return errors.New("there is no such directive; script_test.go lists those that there are")
	}
	return nil
}

// time passes, or changes how fast people are.
func (s *stage) time(word, arg string) error {
	d, err := time.ParseDuration(arg)
	if err != nil || d < 0 {
		return errors.New("it takes a span of time, such as 90s")
	}
	if word == "pace" {
		s.speed = d
		return nil
	}
	s.pass(d)
	return nil
}

func (s *stage) restart(word string) error {
	if word == "restart" {
		if err := s.halt(); err != nil {
			return err
		}
	}
	s.api.newRun()
	s.start()
	return nil
}

// switched obeys what takes no more words, or no others.
func (s *stage) switched(word string) error {
	switch word {
	case "hold":
		s.held = true
		s.api.hold()
	case "release":
		s.held = false
		s.api.release()
	case "again":
		s.api.again()
	case "heal":
		s.api.heal()
	case "dressing":
		s.dressing = true
	case "privacy":
		s.api.mu.Lock()
		s.api.privacy = false
		s.api.mu.Unlock()
	}
	return nil
}

func (s *stage) number(word string, chat int64, arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return errors.New("it takes a number")
	}
	if word == "jump" {
		s.api.jump(int64(n))
		return nil
	}
	if !slices.ContainsFunc(s.api.messages(chat), func(m message) bool { return m.ID == n }) {
		return fmt.Errorf("there is no message %d", n)
	}
	s.api.remove(chat, n)
	return nil
}

// describe changes somebody's account, by its JSON.
func (s *stage) describe(text string) error {
	name, body, _ := strings.Cut(text, " {")
	id := s.person(name)
	s.api.mu.Lock()
	u := *s.api.users[id]
	s.api.mu.Unlock()
	if err := json.Unmarshal([]byte("{"+body), &u); err != nil {
		return err
	}
	u.ID = id
	s.api.addUser(u)
	return nil
}

// move obeys what is about people and a chat.
func (s *stage) move(word string, chat int64, names []string) error {
	ids := make([]int64, len(names))
	for i, name := range names {
		ids[i] = s.person(name)
	}
	if word == "admins" {
		s.api.setAdmins(chat, ids...)
		return nil
	}
	for _, id := range ids {
		switch word {
		case "join":
			s.api.join(chat, id)
		case "leave":
			s.api.leave(chat, id, id)
		case "remove":
			s.api.leave(chat, id, s.person("owner"))
		case "vanish":
			s.api.leaveUnseen(chat, id)
		case "block":
			s.api.setStatus(s.private(id), id, "kicked")
		case "unblock":
			s.api.setStatus(s.private(id), id, "member")
		}
	}
	return nil
}

func (s *stage) topic(chat int64, args []string) error {
	if len(args) == 2 {
		if n, err := strconv.Atoi(args[0]); err == nil && (args[1] == "open" || args[1] == "closed") {
			s.api.openTopic(chat, n, args[1] == "open")
			return nil
		}
	}
	return errors.New(`it takes a number, and "open" or "closed"`)
}

// migrate gives a group another id. Its name goes along.
func (s *stage) migrate(chat int64) error {
	for name, id := range s.chats {
		if id == chat {
			s.chats[name] = chat - 100000
			s.api.migrate(chat, chat-100000)
			return nil
		}
	}
	return errors.New("it takes a chat")
}

// fail reads how often and how a method fails.
func (s *stage) fail(args []string) error {
	if len(args) < 3 {
		return errors.New("it takes a method, how often, and what happens")
	}
	times, err := strconv.Atoi(args[1])
	var f failure
	for i := 2; i < len(args) && err == nil; i++ {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch args[i] {
		case "cut":
			f.cut = true
		case "garbage":
			f.garbage = true
		case "late":
			f.afterWork = true
		case "slow":
			f.delay, err = time.ParseDuration(next)
			i++
		case "redirect":
			f.redirect = "https://elsewhere.example/"
		case "429":
			f.status = 429
			f.retryAfter, err = strconv.Atoi(next)
			i++
		default:
			f.status, err = strconv.Atoi(args[i])
		}
	}
	method := args[0]
	if method == "all" {
		method = ""
	}
	if err == nil {
		s.api.fail(method, times, f)
	}
	return err
}
