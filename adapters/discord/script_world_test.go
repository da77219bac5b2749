package discord_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// direct obeys a directive. Those about a place may name it first.
func (s *stage) direct(word string, args []string, text string) error {
	c := s.places[""]
	if len(args) > 0 && strings.HasPrefix(args[0], "#") {
		if c = s.places[args[0][1:]]; c == nil {
			return fmt.Errorf("there is no channel %s", args[0])
		}
		args = args[1:]
	}
	arg := strings.Join(args, " ")
	switch word {
	case "dice", "seed", "full":
		return s.rig.Direct(s.t.Context(), word, args)
	case "wait", "pace", "slow":
		return s.time(word, arg)
	case "stop":
		return s.halt()
	case "pictures":
		s.pictures = true
		return s.restart("restart")
	case "start", "restart":
		return s.restart(word)
	case "hold", "release", "again", "heal", "dressing":
		return s.switched(word)
	case "drop", "reconnect", "close", "invalid", "forget", "deaf", "hearing", "outage":
		return s.gateway(word, arg)
	case "archive", "lock", "open", "remove":
		return s.thread(word, c)
	case "delete":
		return s.delete(c, arg)
	case "user":
		return s.describe(text)
	case "admins", "nick", "join", "leave", "block", "unblock":
		return s.move(word, c.guild, args)
	case "bot":
		return s.bot(c.guild, arg)
	case "deny":
		return s.deny(c, args)
	case "sends":
		return s.sends(where(c), arg)
	case "reaches":
		s.reaches()
	case "asks":
		s.asksFor(where(c).Chat, arg)
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

// time passes, or changes how fast people and the engine are.
func (s *stage) time(word, arg string) error {
	d, err := time.ParseDuration(arg)
	if err != nil || d < 0 {
		return errors.New("it takes a span of time, such as 90s")
	}
	switch word {
	case "pace":
		s.speed = d
	case "slow":
		s.mu.Lock()
		s.slow = d
		s.mu.Unlock()
	default:
		s.pass(d)
	}
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

// switched obeys what takes no more words.
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
	}
	return nil
}

// gateway lets something happen to the connection.
func (s *stage) gateway(word, arg string) error {
	switch word {
	case "drop":
		s.api.cut()
	case "reconnect":
		s.api.order(frame{Op: 7})
	case "close":
		code, err := strconv.Atoi(arg)
		if err != nil {
			return errors.New("it takes a code, such as 4000")
		}
		s.api.order(frame{code: code})
	case "invalid":
		s.api.invalidate(arg == "resumable")
	case "forget":
		s.api.forget()
	case "deaf", "hearing":
		s.api.setDeaf(word == "deaf")
	case "outage":
		s.api.outage(arg != "over")
	}
	return nil
}

func (s *stage) thread(word string, c *channel) error {
	switch {
	case word == "remove":
		s.api.deleteChannel(c)
	case c.kind != thread:
		return errors.New("it takes a thread, such as #thread")
	default:
		s.api.setThread(c, word != "open", word == "lock")
	}
	return nil
}

// delete removes a message of a channel by its number.
func (s *stage) delete(c *channel, arg string) error {
	all := s.api.messages(c, nil)
	i := slices.IndexFunc(all, func(m message) bool { return strconv.Itoa(m.number) == arg })
	if i < 0 {
		return fmt.Errorf("there is no message %s", arg)
	}
	s.api.remove(c, all[i].id)
	return nil
}

// describe changes somebody's account, by its JSON.
func (s *stage) describe(text string) error {
	name, body, _ := strings.Cut(text, " {")
	u := s.person(name)
	s.api.mu.Lock()
	defer s.api.mu.Unlock()
	return json.Unmarshal([]byte("{"+body), u)
}

// move obeys what is about people and a server.
func (s *stage) move(word string, g *guild, names []string) error {
	if len(names) == 0 {
		return errors.New("it takes names")
	}
	if word == "nick" {
		s.api.setMember(g, s.person(names[0]), func(m *member) { m.nick = strings.Join(names[1:], " ") })
		return nil
	}
	for _, name := range names {
		u := s.person(name)
		switch word {
		case "admins":
			s.api.setMember(g, u, func(m *member) { m.may |= administrator })
		case "join":
			s.api.setMember(g, u, func(*member) {})
		case "leave":
			s.api.leave(g, u)
		case "block", "unblock":
			c := s.api.direct(u)
			s.api.mu.Lock()
			c.closed = word == "block"
			s.api.mu.Unlock()
		}
	}
	return nil
}

// bot changes whether the bot is in a server.
func (s *stage) bot(g *guild, how string) error {
	switch how {
	case "removed", "added":
		s.api.setGone(g, how == "removed")
	case "lost":
		s.api.setLost(g)
	default:
		return errors.New(`it takes "removed", "added" or "lost"`)
	}
	return nil
}

// deny takes rights from the bot, and gives it back all others.
func (s *stage) deny(c *channel, names []string) error {
	may := int64(usual)
	for _, name := range names {
		right, ok := rights()[name]
		if !ok {
			return fmt.Errorf("there is no right %s", name)
		}
		may &^= right
	}
	s.api.setRights(c, may)
	return nil
}

// fail reads how often and how a call fails.
func (s *stage) fail(args []string) error {
	if len(args) < 3 {
		return errors.New("it takes a call, how often, and what happens")
	}
	call := strings.ReplaceAll(args[0], "-", " ")
	if call == "all" {
		call = ""
	} else if call != "file" && !slices.ContainsFunc(routeTable(), func(r *route) bool { return r.name == call }) {
		return fmt.Errorf("there is no call %q", call)
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
		case "global":
			f.global = true
		case "slow":
			f.delay, err = time.ParseDuration(next)
			i++
		case "429":
			f.status = 429
			var seconds float64
			seconds, err = strconv.ParseFloat(next, 64)
			f.after = time.Duration(seconds * float64(time.Second))
			i++
		default:
			f.status, err = strconv.Atoi(args[i])
		}
	}
	if err == nil {
		s.api.fail(call, times, f)
	}
	return err
}
