package talk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hiss/bot"
)

// speak does what somebody said: a command, a press, what they were asked for,
// or talk that nobody listens to.
func (s *Session) speak(ctx context.Context, l Line) error {
	name := l.Name
	if name == "" {
		name = s.speaker
	}
	if name == "" {
		return faultf(`nobody has spoken yet, so this line needs a name before it, as "asha: /join"`)
	}
	s.speaker = name
	s.spoken[name] = true
	s.leaves(name, false)
	channel := ChannelOf(s.config.Adapter, l.Channel)
	if label, back, ok := ParsePress(l.Text); ok {
		return s.pressNamed(ctx, channel, name, label, back)
	}
	if !strings.HasPrefix(l.Text, "/") {
		return s.reply(ctx, channel, name, l.Text)
	}
	command, _, args := bot.ParseLine(l.Text)
	if command == "" {
		return nil
	}
	r := s.request(channel, name)
	r.Command, r.Args = command, args
	r.Mentions = s.mentions(l.Text)
	return s.ask(ctx, r)
}

// asked is who was asked a question, and where.
type asked struct {
	channel bot.Channel
	user    bot.UserID
}

// reply answers the question that somebody was asked, with the file that waits
// or else with the text. Without a question it's talk, and so it is once they
// have asked for something else.
func (s *Session) reply(ctx context.Context, channel bot.Channel, name, text string) error {
	q, open := s.asked[asked{channel, UserOf(s.config.Adapter, name).ID}]
	if !open || text == "" && s.attached == nil {
		return nil
	}
	r := s.request(channel, name)
	r.Command, _, r.Args = bot.ParseLine(q.Line)
	if s.attached == nil {
		s.attached = bot.Written(text)
	}
	return s.ask(ctx, r)
}

// pressNamed presses the button that has these words on it.
func (s *Session) pressNamed(ctx context.Context, channel bot.Channel, name, label string, back int) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	b, found := s.shelf(channel).find(UserOf(s.config.Adapter, name).ID, label, back)
	s.leave()
	if !found {
		return faultf("%s sees no button [%s] that far back", Quote(name), Clean(label))
	}
	return s.press(ctx, channel, name, b)
}

// press asks for what a button stands for.
func (s *Session) press(ctx context.Context, channel bot.Channel, name string, b bot.Button) error {
	r := s.request(channel, name)
	r.Command, _, r.Args = bot.ParseLine(b.Line)
	r.Pressed = true
	return s.ask(ctx, r)
}

// request returns what every request of a person has. Whoever is alone
// administers the place.
func (s *Session) request(channel bot.Channel, name string) bot.Request {
	alone := s.config.Private && len(s.spoken) == 1
	admin := alone || s.admins[name]
	return bot.Request{
		Channel: channel,
		User:    UserOf(s.config.Adapter, name),
		Named:   true,
		Alone:   alone,
		Admin:   func(context.Context, bool) (bool, error) { return admin, nil },
	}
}

// ask hands over a request of its own delivery, with the file that waits. What
// the asker was asked before is closed by it.
func (s *Session) ask(ctx context.Context, r bot.Request) error {
	delete(s.asked, asked{r.Channel, r.User.ID})
	r.ID = s.nextID()
	r.Attachment, s.attached = s.attached, nil
	s.last = &r
	return s.hand(ctx, r)
}

// hand hands over a request, delivers the answer, what only the asker reads
// first, and tells when all of it is out.
func (s *Session) hand(ctx context.Context, r bot.Request) error {
	r.Args, r.Mentions = slices.Clone(r.Args), slices.Clone(r.Mentions)
	a := s.config.Handler.Handle(ctx, r)
	if err := s.answer(ctx, r, a); err != nil {
		return err
	}
	if a.Told != nil {
		a.Told()
	}
	return nil
}

func (s *Session) answer(ctx context.Context, r bot.Request, a bot.Answer) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.leave()
	if a.Asker != nil {
		if err := s.deliver(Delivery{Channel: r.Channel, Message: *a.Asker, Only: &r.User}); err != nil {
			return err
		}
		if q := a.Asker.Asks; q != nil {
			s.asked[asked{r.Channel, r.User.ID}] = *q
		}
	}
	for _, m := range a.Channel {
		if err := s.deliver(Delivery{Channel: r.Channel, Message: m}); err != nil {
			return err
		}
	}
	return nil
}

// Suggest returns what a person could type for an option of a command, whose
// arguments end with what it is so far. Nothing is delivered and nothing changes.
// It may not be called while a line is being obeyed.
func (s *Session) Suggest(ctx context.Context, channel, name, command string, args []string, option string) []bot.Suggestion {
	r := s.request(ChannelOf(s.config.Adapter, channel), name)
	r.ID = s.config.Adapter + ":" + s.config.Stamp + "-?"
	r.Command, r.Args, r.Completing = command, slices.Clone(args), option
	return s.config.Handler.Handle(ctx, r).Suggestions
}

// mentions returns the people named in a text: "@" at the beginning of a word,
// then the longest name of somebody who has spoken, or else that word.
func (s *Session) mentions(text string) []bot.User {
	var all []bot.User
	for i := 0; i < len(text); i++ {
		if text[i] != '@' || i > 0 && !isSpace(text[i-1]) {
			continue
		}
		if name := s.named(text[i+1:]); name != "" {
			all = append(all, UserOf(s.config.Adapter, name))
			i += len(name)
		}
	}
	return all
}

// named returns the name at the beginning of rest.
func (s *Session) named(rest string) string {
	name := ""
	for n := range s.spoken {
		if tail, ok := strings.CutPrefix(rest, n); ok && len(n) > len(name) && (tail == "" || isSpace(tail[0])) {
			name = n
		}
	}
	if name == "" {
		name, _ = cutSpace(rest)
	}
	return name
}

// parseName reads a name that stands alone, as it is or as a JSON string.
func parseName(s string) (string, error) {
	l, err := Parse(s + ":")
	if err != nil {
		return "", err
	}
	if l.Kind != Spoken || l.Name == "" || l.Channel != "" || l.Text != "" {
		return "", errors.New(`"bot", and names that begin with one of # ! / [ are written as JSON strings`)
	}
	return l.Name, nil
}
