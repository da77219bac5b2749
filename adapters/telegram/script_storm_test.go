package telegram_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var storms = flag.Uint64("storms", 8, "how many storms are weathered")

// storm is a mad hour: people press and type whatever they can in several
// places, slowly and all at once, while Telegram has its troubles.
type storm struct {
	*stage
	rand *rand.Rand
	// late lets answers get lost after the work was done, stops stops and starts
	// the bot, and changes lets it be muted, removed and added, and its messages
	// deleted. Without them every go has to be told exactly once.
	late, stops, changes bool
	places               []storming
	names                []string
	troubled             time.Time // when the last trouble began
}

type storming struct {
	name  string
	topic int
}

// TestStorms holds what has to be true whatever happens: Telegram's rules are
// kept, every press is answered, every go is told, and all is well in the end.
func TestStorms(t *testing.T) {
	for seed := range *storms {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { rage(t, seed) })
		})
	}
}

func rage(t *testing.T, seed uint64) {
	s := &storm{
		stage: newStage(t), rand: rand.New(rand.NewPCG(seed, 1)),
		late: seed%2 == 1, stops: seed%4 >= 2, changes: seed%8 >= 4,
		places: []storming{{"", 0}, {"forum", 7}, {"forum", 9}, {"forum", 0}, {"basic", 0}, {"dm", 0}},
		names:  []string{"ann", "ben", "cleo", "dora"},
	}
	s.speed = 0
	for range 400 {
		if err := s.step(); err != nil {
			t.Fatalf("%v\n%s", err, s.out.String())
		}
		if s.rand.IntN(3) > 0 {
			s.pass(time.Duration(s.rand.IntN(5000)) * time.Millisecond)
		}
	}
	s.calm()
	s.keep()
	if t.Failed() || len(s.api.faults()) > 0 {
		t.Logf("late %v, stops %v, changes %v:\n%s", s.late, s.stops, s.changes, s.out.String())
	}
}

// do obeys a line as if it stood in a transcript.
func (s *storm) do(format string, args ...any) error {
	err := s.line(fmt.Sprintf(format, args...))
	s.show()
	return err
}

// step lets one thing happen.
func (s *storm) step() error {
	p := s.places[s.rand.IntN(len(s.places))]
	at := map[bool]string{true: "", false: "#" + p.name}[p.name == ""]
	if p.topic != 0 {
		at += "/" + strconv.Itoa(p.topic)
	}
	name := s.names[s.rand.IntN(len(s.names))]
	at = strings.TrimSpace(at + " " + name)
	switch n := s.rand.IntN(100); {
	case n < 55:
		return s.pressAny(p, at, name)
	case n < 75:
		words := []string{"/newgame tiny plain", "/newgame", "/join", "/roll", "/roll", "/status", "/leave", "/board", "/help", "/cancel", "/autoroll on", "/history", "/what", "/replay 1"}
		return s.do("%s: %s", at, strings.Replace(words[s.rand.IntN(len(words))]+" ", " ", "@HissBot ", 1))
	case n < 90:
		return s.trouble()
	case n < 94 && s.stops:
		return s.do("!restart")
	case n < 98 && s.changes:
		return s.change(p)
	}
	return nil
}

// pressAny presses some button that somebody could see, or could have seen.
func (s *storm) pressAny(p storming, at, name string) error {
	chat := s.chats[p.name]
	if p.name == "dm" {
		chat = s.private(s.person(name))
	}
	var labels []string
	for _, e := range s.api.seen(0) {
		if e.chat == chat && e.topic == p.topic {
			for _, row := range e.buttons {
				for _, b := range row {
					if b.Data != "" {
						labels = append(labels, b.Text)
					}
				}
			}
		}
	}
	if len(labels) == 0 {
		return nil
	}
	labels = labels[max(0, len(labels)-5):]
	label := labels[s.rand.IntN(len(labels))]
	back := 0
	if s.rand.IntN(5) == 0 {
		back = 1
	}
	id, b, err := s.findButton(chat, p.topic, label, back)
	if err != nil {
		return nil // it's gone
	}
	s.acted = time.Now()
	fmt.Fprintf(&s.out, "%s: [%s]~%d\n", at, label, back)
	s.api.tapAs(chat, s.person(name), id, b)
	synctest.Wait()
	s.show()
	return nil
}

// trouble lets Telegram fail for a while.
func (s *storm) trouble() error {
	methods := []string{"sendMessage", "editMessageText", "editMessageReplyMarkup", "answerCallbackQuery", "getUpdates", "all"}
	kinds := []string{"502", "cut", "garbage", "slow 2s", "429 3", "429 1", "500"}
	kind := kinds[s.rand.IntN(len(kinds))]
	if s.late && s.rand.IntN(3) == 0 && !strings.HasPrefix(kind, "429") {
		kind += " late"
	}
	method := methods[s.rand.IntN(len(methods))]
	if s.rand.IntN(4) == 0 {
		return s.do("!again")
	}
	if time.Since(s.troubled) < 10*time.Second {
		return nil // for nobody tries for ever
	}
	s.troubled = time.Now()
	s.api.heal()
	return s.do("!fail %s %d %s", method, 1+s.rand.IntN(2), kind)
}

// change changes what the bot may do in a chat.
func (s *storm) change(p storming) error {
	if p.name == "dm" {
		return nil
	}
	words := []string{"!bot #%s left", "!bot #%s member", "!mute #%s text messages", "!mute #%s", "!bot #%s administrator"}
	if p.name == "" {
		return nil
	}
	return s.do(words[s.rand.IntN(len(words))], p.name)
}

// keep finds edits that take away what was told.
func (s *storm) keep() {
	for _, e := range s.api.seen(0) {
		if e.kind != "edit" {
			continue
		}
		for line := range strings.Lines(e.was) {
			line = strings.TrimSpace(line)
			if (wentLine.MatchString(line) || strings.Contains(line, "Dice sealed")) && !strings.Contains(e.text, line) {
				s.t.Errorf("an edit of message %d in chat %d takes away %q and says %q", e.message, e.chat, line, e.text)
			}
		}
	}
}

// calm ends all troubles and looks at how things stand.
func (s *storm) calm() {
	s.api.heal()
	for _, chat := range s.chats {
		s.api.mute(chat)
	}
	s.pass(3 * time.Minute)
	s.show()
	for _, line := range strings.Split(s.out.String(), "\n") {
		if strings.HasPrefix(line, "bot logs ERROR") {
			s.t.Error(line)
		}
	}
	for _, p := range s.places {
		if p.name == "dm" {
			continue
		}
		before := len(s.api.seen(0))
		s.api.say(s.chats[p.name], s.person("ann"), "/status@HissBot", inTopic(p.topic))
		s.pass(40 * time.Second)
		all := s.api.seen(before)
		if len(all) == 0 {
			s.t.Errorf("#%s/%d: nothing is answered any more", p.name, p.topic)
			continue
		}
		s.compare(p, all[0].text)
	}
	s.show()
}

var (
	wentLine   = regexp.MustCompile(`(\w+(?: \(\d+\))?) rolls \d+:`)
	statusLine = regexp.MustCompile(`(?m)^\d+ · (\w+(?: \(\d+\))?) .* (\d+) goes?$`)
)

// compare looks for every go of the last match in what stands in its place.
func (s *storm) compare(p storming, status string) {
	told := map[string]int{}
	for _, m := range s.api.messages(s.chats[p.name]) {
		here := m.InTopic && m.Thread == p.topic || !m.InTopic && p.topic == 0
		replay := strings.HasPrefix(m.Text, "🎬")
		if !here || replay || m.From == nil || m.From.ID != s.api.self.ID || m.ReplyTo != nil {
			continue
		}
		if strings.Contains(m.Text, "New match on") || strings.Contains(m.Text, "You alone on") || strings.Contains(m.Text, "You against Hiss on") {
			clear(told)
		}
		for line := range strings.Lines(m.Text) {
			if went := wentLine.FindStringSubmatch(line); went != nil && !strings.Contains(line, "· again") {
				told[went[1]]++
			}
		}
	}
	for _, is := range statusLine.FindAllStringSubmatch(status, -1) {
		goes, err := strconv.Atoi(is[2])
		if n := told[is[1]]; err != nil || n < goes && !s.changes || n > goes && !s.late && !s.stops {
			s.t.Errorf("#%s/%d: %d goes of %s are told, and there were %d", p.name, p.topic, n, is[1], goes)
		}
	}
}
