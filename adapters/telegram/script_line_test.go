package telegram_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hiss/adapters/talk"
)

// isOutput tells whether a line of a transcript is the bot's.
func isOutput(line string) bool {
	return regexp.MustCompile(`^(#\S+ )?(bot( |:)|     )`).MatchString(line)
}

// line does what a line of a transcript asks for, after having written it down.
func (s *stage) line(line string) error {
	l, err := talk.Parse(line)
	if err == nil && l.Kind == talk.Spoken && !s.held {
		s.pass(s.speed)
		s.show() // what came of the line before
	}
	s.out.WriteString(line + "\n")
	if err != nil {
		return err
	}
	s.acted = time.Now()
	switch l.Kind {
	case talk.Spoken:
		return s.speak(l)
	case talk.Directive:
		return s.direct(l.Word, strings.Fields(l.Text), l.Text)
	}
	return nil
}

// manner is how something is said: a word and what belongs to it.
type manner struct{ word, of string }

const manners = `(?:(?:reply|edits|file|naming) [^(),]*|anonymous|channel|forwarded|photo|gone)`

var mannered = regexp.MustCompile(`^(.*) \((` + manners + `(?:, ` + manners + `)*)\)$`)

// speak lets somebody say or press something.
func (s *stage) speak(l talk.Line) error {
	var how []manner
	if m := mannered.FindStringSubmatch(l.Name); m != nil {
		l.Name = m[1]
		for one := range strings.SplitSeq(m[2], ", ") {
			word, of, _ := strings.Cut(one, " ")
			how = append(how, manner{word, of})
		}
	}
	if l.Name == "" {
		return errors.New("nobody is named")
	}
	who := s.person(l.Name)
	name, topicName, _ := strings.Cut(l.Channel, "/")
	chat, ok := s.chats[name]
	if name == "dm" {
		chat, ok = s.private(who), true
	}
	topic, err := strconv.Atoi("0" + topicName)
	if !ok || err != nil {
		return fmt.Errorf("there is no chat #%s", l.Channel)
	}
	if label, back, ok := talk.ParsePress(l.Text); ok {
		return s.press(chat, topic, who, label, back, how)
	}
	if data, ok := strings.CutPrefix(l.Text, "{"); ok {
		id, _, err := s.findButton(chat, topic, "", 0)
		if err == nil {
			s.api.tapData(chat, who, id, strings.TrimSuffix(data, "}"))
		}
		return err
	}
	return s.write(chat, topic, who, l.Text, how)
}

// write lets somebody write a message.
func (s *stage) write(chat int64, topic int, who int64, text string, how []manner) error {
	options := []func(*botAPI, *message){inTopic(topic)}
	for _, h := range how {
		if h.word == "edits" {
			m, err := s.message(chat, h.of)
			if err == nil {
				s.api.rewrite(m, text)
			}
			return err
		}
		option, err := s.option(chat, h)
		if err != nil {
			return err
		}
		options = append(options, option)
	}
	s.api.say(chat, who, text, options...)
	return nil
}

// option returns what a manner makes of a message.
func (s *stage) option(chat int64, how manner) (func(*botAPI, *message), error) {
	switch how.word {
	case "anonymous":
		return anonymously(chat), nil
	case "channel":
		return asChannel(-100999, "News"), nil
	case "forwarded":
		return forwarded(), nil
	case "naming":
		return naming(how.of, s.person(how.of)), nil
	case "photo":
		return showing(picture(s.t, 8, 8)), nil
	case "file":
		data, err := os.ReadFile(filepath.Join("testdata", how.of))
		return attaching(filepath.Base(how.of), data), err
	case "reply":
		m, err := s.message(chat, how.of)
		return replying(m), err
	}
	return nil, fmt.Errorf("nothing is said so: %s", how.word)
}

// message returns a message of a chat by its number.
func (s *stage) message(chat int64, number string) (message, error) {
	id, err := strconv.Atoi(number)
	i := slices.IndexFunc(s.api.messages(chat), func(m message) bool { return m.ID == id })
	if err != nil || i < 0 {
		return message{}, fmt.Errorf("there is no message %s", number)
	}
	return s.api.messages(chat)[i], nil
}

// press lets somebody press a button of a place.
func (s *stage) press(chat int64, topic int, who int64, label string, back int, how []manner) error {
	id, b, err := s.findButton(chat, topic, label, back)
	switch {
	case err != nil:
		return err
	case b.Data == "":
		return fmt.Errorf("[%s] leads to %s", b.Text, b.URL)
	case len(how) > 0 && how[0].word == "gone":
		s.api.tapGone(chat, who, id, b.Data)
	default:
		s.api.tapAs(chat, who, id, b)
	}
	return nil
}

// findButton returns the newest message of a place that has a button, so many
// back, and the button. Going back finds those that had it once, too: a client
// may still show them. Without a label, any button will do.
func (s *stage) findButton(chat int64, topic int, label string, back int) (int, button, error) {
	now := map[int]bool{}
	for _, m := range s.api.messages(chat) {
		_, now[m.ID] = fitting(m.Keyboard, label)
	}
	had := map[int]button{}
	var ids []int
	for _, e := range s.api.seen(0) {
		if e.chat != chat || e.topic != topic || e.kind != "send" && e.kind != "edit" {
			continue
		}
		if b, ok := fitting(&keyboard{e.buttons}, label); ok {
			had[e.message] = b
			ids = append(slices.DeleteFunc(ids, func(id int) bool { return id == e.message }), e.message)
		}
	}
	slices.Sort(ids)
	if back == 0 {
		ids = slices.DeleteFunc(ids, func(id int) bool { return !now[id] })
	}
	if back >= len(ids) {
		return 0, button{}, fmt.Errorf("there is no button [%s] so far back", label)
	}
	id := ids[len(ids)-1-back]
	return id, had[id], nil
}

// fitting returns the button whose words are the label's, or else the first
// whose words begin with them.
func fitting(k *keyboard, label string) (found button, ok bool) {
	if k == nil {
		return button{}, false
	}
	for _, row := range k.Rows {
		for _, b := range row {
			words := strings.TrimLeftFunc(b.Text, func(r rune) bool { return !isWordy(string(r)) })
			if words == label || b.Text == label {
				return b, true
			}
			if !ok && strings.HasPrefix(words, label) {
				found, ok = b, true
			}
		}
	}
	return found, ok
}

// person returns the account of a name, made when it's first asked for.
func (s *stage) person(name string) int64 {
	if id, ok := s.people[name]; ok {
		return id
	}
	id := int64(11 + len(s.people))
	s.people[name] = id
	u := user{ID: id, FirstName: name, LanguageCode: "en"}
	if regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{2,}$`).MatchString(name) {
		u.Username = name
	}
	s.api.addUser(u)
	return id
}

// private returns somebody's chat with the bot.
func (s *stage) private(who int64) int64 {
	s.api.mu.Lock()
	known := s.api.chats[who] != nil
	s.api.mu.Unlock()
	if !known {
		s.api.addChat(chat{place: place{ID: who, Type: "private"}})
	}
	return who
}
