package discord_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

var mannered = regexp.MustCompile(`^(.*) \((file|fills in)(?: ([^()]*))?\)$`)

// speak lets somebody do something.
func (s *stage) speak(l talk.Line) error {
	manner, of := "", ""
	if m := mannered.FindStringSubmatch(l.Name); m != nil {
		l.Name, manner, of = m[1], m[2], m[3]
	}
	if l.Name == "" {
		return errors.New("nobody is named")
	}
	who := s.person(l.Name)
	c, err := s.place(l.Channel, who)
	if err != nil {
		return err
	}
	if manner == "fills in" {
		values := map[string]string{}
		for one := range strings.SplitSeq(l.Text, ", ") {
			name, value, _ := strings.Cut(one, "=")
			values[name] = strings.ReplaceAll(value, " / ", "\n")
		}
		return s.api.submit(who, values)
	}
	if label, back, ok := talk.ParsePress(l.Text); ok {
		return s.press(c, who, label, back)
	}
	if id, ok := strings.CutPrefix(l.Text, "{"); ok {
		m, _, err := s.findButton(c, who, "", 0)
		if err != nil {
			return err
		}
		id = strings.TrimSuffix(id, "}")
		return s.api.press(c, m, who, id, id)
	}
	line, ok := strings.CutPrefix(l.Text, "/")
	words := strings.Fields(line)
	if !ok || len(words) == 0 {
		return errors.New("the bot doesn't hear what is said, only commands and buttons")
	}
	given := typing{words: words, half: strings.HasSuffix(line, "…"), people: map[string]*user{}}
	for _, word := range words {
		if _, name, ok := strings.Cut(word, "@"); ok {
			given.people[name] = s.person(name)
		}
	}
	if manner == "file" {
		data, err := os.ReadFile(filepath.Join("testdata", of))
		if err != nil {
			return err
		}
		given.file = &upload{name: filepath.Base(of), data: data}
	}
	return s.api.slash(c, who, given)
}

// place returns the channel of a name, which may be somebody's private chat.
func (s *stage) place(name string, who *user) (*channel, error) {
	if name == "dm" {
		return s.api.direct(who), nil
	}
	c := s.places[name]
	if c == nil {
		return nil, fmt.Errorf("there is no channel #%s", name)
	}
	return c, nil
}

// press lets somebody press a button of a place.
func (s *stage) press(c *channel, who *user, label string, back int) error {
	m, b, err := s.findButton(c, who, label, back)
	switch {
	case err != nil:
		return err
	case b.ID == "" || b.Disabled:
		return fmt.Errorf("[%s] can't be pressed; it leads to %q", b.words(), b.URL)
	}
	return s.api.press(c, m, who, b.ID, b.words())
}

// findButton returns the newest message of a place that somebody sees a button
// on, or one so many before that, and the button. Going back finds those that had
// it once, too: a client may still show them. Without a label, any button will
// do.
func (s *stage) findButton(c *channel, who *user, label string, back int) (string, button, error) {
	now := map[string]bool{}
	for _, m := range s.api.messages(c, who) {
		_, now[m.id] = fitting(m.buttons(), label)
	}
	had := map[string]button{}
	var ids []string
	for _, e := range s.api.seen(0) {
		if e.channel != c || e.kind != "send" && e.kind != "edit" || e.message.reader != nil && e.message.reader != who {
			continue
		}
		if b, ok := fitting(e.message.buttons(), label); ok {
			had[e.message.id] = b
			ids = append(slices.DeleteFunc(ids, func(id string) bool { return id == e.message.id }), e.message.id)
		}
	}
	slices.Sort(ids)
	shown := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !now[id] })
	if back == 0 {
		ids = shown
	} else if len(shown) > 0 {
		ids = ids[:slices.Index(ids, shown[len(shown)-1])+1]
	} else {
		ids = append(ids, "")
	}
	if back >= len(ids) {
		return "", button{}, fmt.Errorf("there is no button [%s] so far back", label)
	}
	id := ids[len(ids)-1-back]
	return id, had[id], nil
}

// fitting returns the button whose words are the label's, or else the first
// whose words begin with them.
func fitting(rows [][]button, label string) (found button, ok bool) {
	for _, row := range rows {
		for _, b := range row {
			if b.Label == label || b.words() == label {
				return b, true
			}
			letters := strings.TrimLeftFunc(b.Label, func(r rune) bool { return r > 127 || r == ' ' })
			if !ok && (strings.HasPrefix(b.Label, label) || strings.HasPrefix(letters, label)) {
				found, ok = b, true
			}
		}
	}
	return found, ok
}

var username = regexp.MustCompile(`^[a-z0-9_.]{2,32}$`)

// person returns the account of a name, made when it's first asked for: its
// username if it could be one, and what everybody sees otherwise.
func (s *stage) person(name string) *user {
	if u := s.people[name]; u != nil {
		return u
	}
	n := 11 + len(s.people)
	u := user{ID: fmt.Sprint(200000000000000000 + n), Username: fmt.Sprintf("user%d", n), Global: name}
	if username.MatchString(name) {
		u.Username, u.Global = name, ""
	}
	s.people[name] = s.api.addUser(u)
	return s.people[name]
}
