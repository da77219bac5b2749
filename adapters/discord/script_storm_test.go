package discord_test

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

// fewSessions is how many a bot begins in an hour that isn't to be slowed down.
const fewSessions = 5

// storm is a mad hour: people press and type whatever they can in several
// places, slowly and all at once, while Discord has its troubles.
type storm struct {
	*stage
	rand *rand.Rand
	// late lets answers get lost after the work was done, stops stops and starts
	// the bot, and changes takes rights from it, removes and adds it, archives its
	// threads and deletes its messages. Without them every go has to be told
	// exactly once.
	late, stops, changes bool
	where, names         []string
	next                 map[*channel]string // who was last said to be
	read                 int                 // how many events that was read from
	troubled             time.Time           // when the last trouble began
}

// TestStorms holds what has to be true whatever happens: Discord's rules are
// kept, every interaction is answered, every go is told, and all is well in the
// end.
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
		stage: newStage(t), rand: rand.New(rand.NewPCG(seed, 2)),
		late: seed%2 == 1, stops: seed%4 >= 2, changes: seed%8 >= 4,
		where: []string{"", "thread", "post", "other", "voice", "dm"},
		next:  map[*channel]string{}, names: []string{"ann", "ben", "cleo", "dora"},
	}
	s.speed = 0
	for range 300 {
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
	synctest.Wait()
	s.show()
	return err
}

// one returns one of several.
func (s *storm) one(all ...string) string { return all[s.rand.IntN(len(all))] }

// step lets one thing happen. What a client wouldn't let people do, they don't.
func (s *storm) step() error {
	place, name := s.one(s.where...), s.one(s.names...)
	at := speaker(place, name)
	switch n := s.rand.IntN(100); {
	case n < 30:
		for range 1 + s.rand.IntN(4) {
			s.rollOn(place)
		}
	case n < 55:
		s.pressAny(place, at, name)
	case n < 75:
		line := s.one("newgame tiny plain", "newgame", "join", "roll", "roll", "status", "leave", "board", "help", "autoroll on", "history", "replay 1", "newgame t…")
		_ = s.do("%s: /%s", at, line) // the bot may have been removed
	case n < 92:
		return s.trouble()
	case n < 95 && s.stops && s.api.identifies() < fewSessions:
		return s.do("!restart")
	case n < 98 && s.changes:
		return s.change(place)
	}
	return nil
}

// speaker is how a line begins that somebody says in a place.
func speaker(place, name string) string {
	if place == "" {
		return name
	}
	return "#" + place + " " + name
}

// pressAny presses some button that somebody could see, or could have seen.
func (s *storm) pressAny(place, at, name string) {
	who := s.person(name)
	c, err := s.place(place, who)
	if err != nil {
		return
	}
	var labels []string
	for _, e := range s.api.seen(0) {
		if e.channel != c || e.message.reader != nil && e.message.reader != who {
			continue
		}
		for _, row := range e.message.buttons() {
			for _, b := range row {
				if b.ID != "" {
					labels = append(labels, b.words())
				}
			}
		}
	}
	if len(labels) == 0 {
		return
	}
	label, back := s.one(labels[max(0, len(labels)-5):]...), s.rand.IntN(5)/4
	_ = s.do("%s: [%s]~%d", at, label, back) // it may be gone
}

// rollOn lets whoever is next do so.
func (s *storm) rollOn(place string) {
	news := s.api.seen(s.read)
	s.read += len(news)
	for _, e := range news {
		if next := nextLine.FindStringSubmatch(e.message.content); next != nil {
			s.next[e.channel] = next[1]
		}
	}
	if name := s.next[s.places[place]]; name != "" {
		_ = s.do("%s: [Roll]", speaker(place, name)) // it may be gone
	}
}

// trouble lets Discord fail for a while.
func (s *storm) trouble() error {
	switch s.rand.IntN(8) {
	case 0:
		return s.do("!again")
	case 1:
		return s.do("%s", s.one("!drop", "!reconnect", "!close 4000", "!invalid resumable"))
	case 2:
		if s.api.identifies() < fewSessions {
			return s.do("%s", s.one("!invalid", "!forget"))
		}
	}
	if time.Since(s.troubled) < 10*time.Second {
		return nil // for nobody tries for ever
	}
	s.troubled = time.Now()
	s.api.heal()
	kind := s.one("502", "cut", "garbage", "slow 2s", "429 3", "429 0.5", "500", "429 1 global")
	if s.late && s.rand.IntN(3) == 0 && !strings.HasPrefix(kind, "429") {
		kind += " late"
	}
	call := s.one("callback", "send", "edit", "edit-answer", "followup", "delete-answer", "gateway", "all")
	return s.do("!fail %s %d %s", call, 1+s.rand.IntN(2), kind)
}

// change changes what the bot may do in a place, or what stands there.
func (s *storm) change(place string) error {
	if place == "dm" || place == "" {
		return nil
	}
	if place == "thread" {
		return s.do("%s", s.one("!archive #thread", "!lock #thread", "!open #thread"))
	}
	return s.do(s.one("!bot #%s removed", "!bot #%s added", "!deny #%s SEND_MESSAGES SEND_MESSAGES_IN_THREADS", "!deny #%s VIEW_CHANNEL", "!deny #%s"), place)
}

// calm ends all troubles and looks at how things stand.
func (s *storm) calm() {
	s.api.heal()
	for _, c := range s.played() {
		s.api.setRights(c, usual)
		if c.guild.gone {
			s.api.setGone(c.guild, false)
		}
		if c.kind == thread {
			s.api.setThread(c, false, false)
		}
	}
	s.pass(3 * time.Minute)
	s.show()
	for _, line := range strings.Split(s.out.String(), "\n") {
		if strings.HasPrefix(line, "bot logs ERROR") {
			s.t.Error(line)
		}
	}
	ann := s.person("ann")
	for name, c := range s.played() {
		before := len(s.api.seen(0))
		if err := s.api.slash(c, ann, typing{words: []string{"status"}}); err != nil {
			s.t.Errorf("#%s: %v", name, err)
		}
		s.pass(40 * time.Second)
		status := ""
		for _, e := range s.api.seen(before) {
			if e.message.reader == ann {
				status = s.api.shown(c, e.message.content)
			}
		}
		if status == "" {
			s.t.Errorf("#%s: nothing is answered any more", name)
		}
		s.compare(name, c, status)
	}
	s.show()
}

// played returns the places in servers where something was played.
func (s *storm) played() map[string]*channel {
	all := map[string]*channel{}
	for _, name := range s.where {
		if c := s.places[name]; c != nil {
			all[name] = c
		}
	}
	return all
}

var (
	nextLine   = regexp.MustCompile(`(ann|ben|cleo|dora) is next`)
	wentLine   = regexp.MustCompile(`(\w+(?: \(\d+\))?) rolls \d+:`)
	statusLine = regexp.MustCompile(`(?m)^\d+ · (\w+(?: \(\d+\))?) .* (\d+) goe?s?$`)
)

// compare looks for every go of the last match in what stands in its place.
func (s *storm) compare(name string, c *channel, status string) {
	told := map[string]int{}
	for _, m := range s.api.messages(c, nil) {
		text := s.api.shown(c, m.content)
		if strings.HasPrefix(text, "🎬") {
			continue // a replay
		}
		if strings.Contains(text, "New match on") || strings.Contains(text, "You alone on") || strings.Contains(text, "You against Hiss on") {
			clear(told)
		}
		for line := range strings.Lines(text) {
			if went := wentLine.FindStringSubmatch(line); went != nil && !strings.Contains(line, "· again") {
				told[went[1]]++
			}
		}
	}
	for _, is := range statusLine.FindAllStringSubmatch(status, -1) {
		goes, err := strconv.Atoi(is[2])
		if n := told[is[1]]; err != nil || n < goes && !s.changes || n > goes && !s.late && !s.stops {
			s.t.Errorf("#%s: %d goes of %s are told, and there were %d", name, n, is[1], goes)
		}
	}
}

// keep finds edits that take away what was told.
func (s *storm) keep() {
	for _, e := range s.api.seen(0) {
		if e.kind != "edit" || e.message.reader != nil {
			continue
		}
		for line := range strings.Lines(e.was) {
			line = strings.TrimSpace(line)
			if (wentLine.MatchString(line) || strings.Contains(line, "Dice sealed")) && !strings.Contains(e.message.content, line) {
				s.t.Errorf("an edit of message %d in #%s takes away %q and says %q", e.message.number, e.channel.name, line, e.message.content)
			}
		}
	}
}
