package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/gif"
	"image/png"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
)

// pictured returns the one message of an answer that has a picture.
func pictured(t testing.TB, a bot.Answer) bot.Message {
	t.Helper()
	for _, m := range append(a.Channel, bot.Message{}) {
		if m.Picture != nil {
			return m
		}
	}
	t.Fatalf("no picture in %s", whole(a))
	return bot.Message{}
}

// drawn returns a picture's file. What took too long on a busy machine is ready soon
// after: each try is given a second and a half.
func drawn(t testing.TB, p *bot.Picture) []byte {
	t.Helper()
	for tries := 1; ; tries++ {
		file, err := p.Draw(t.Context())
		if err == nil {
			return file
		}
		if !errors.Is(err, context.DeadlineExceeded) || tries == 50 {
			t.Errorf("after %d tries: %v", tries, err)
			return nil
		}
	}
}

// TestPicturesSayWhatTheirWordsSay: each go has a picture whose alternative text names
// the squares of its own message, and a chat has those that it wants.
func TestPicturesSayWhatTheirWordsSay(t *testing.T) {
	t.Parallel()
	h, here := newHall(t, nil), room("pictures")
	start := pictured(t, h.say(here, "asha: /newgame classic plain"))
	if again := pictured(t, h.say(here, "bilal: /join", "asha: /board")); again.Picture.Key != start.Picture.Key {
		t.Error("the same board with nobody on it is drawn twice")
	}
	seen := map[string]bool{start.Picture.Key: true}
	for _, who := range []string{"asha", "bilal", "asha", "bilal"} {
		m := pictured(t, h.say(here, who+": /roll"))
		standings := strings.SplitN(m.Now.String(), "\n", 2)[0]
		if m.Picture.Alt != "Classic: "+standings || seen[m.Picture.Key] {
			t.Errorf("%q says %q", m.Picture.Alt, m.Now.String())
		}
		seen[m.Picture.Key] = true
		file := drawn(t, m.Picture)
		if c, err := png.DecodeConfig(bytes.NewReader(file)); err != nil || c.Width != boards.PictureWidth || len(file) > 100_000 {
			t.Errorf("%d bytes of %d pixels: %v", len(file), c.Width, err)
		}
	}
	for setting, want := range map[string]bool{"ends": false, "off": false, "on": true} {
		h.handle(h.admin(here, "settings pictures "+setting, "", nil))
		turn := []string{"asha", "bilal"}[h.folded(h.latest(here)).Turn()]
		a := h.say(here, turn+": /roll")
		if got := len(a.Channel) > 0 && a.Channel[0].Picture != nil; got != want {
			t.Errorf("%s: %t", setting, got)
		}
		if board := h.say(here, "asha: /board").Channel[0]; (board.Picture != nil) != (setting != "off") {
			t.Errorf("%s: a board that is asked for", setting)
		}
	}
}

// TestPicturesForAHundredChannels: they may all be drawn at once, and whoever can't
// wait gets none.
func TestPicturesForAHundredChannels(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	names := boards.Shipped()
	var all []*bot.Picture
	for i := range manyChannels {
		here := room(fmt.Sprint("hundred", i))
		h.say(here, "asha: /newgame "+names[i%len(names)].Name+" plain", "bilal: /join")
		all = append(all, pictured(t, h.say(here, "asha: /roll")).Picture)
	}
	var drawing sync.WaitGroup
	for i, p := range all {
		drawing.Go(func() {
			if _, err := png.Decode(bytes.NewReader(drawn(t, p))); err != nil {
				t.Errorf("picture %d: %v", i, err)
			}
		})
	}
	drawing.Wait()
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := all[0].Draw(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("drawn for nobody: %v", err)
	}
}

// TestFilms: a match that is over is a film of its goes, and so is what it would have
// been on another board; a go of it is a picture.
func TestFilms(t *testing.T) {
	t.Parallel()
	h, here := newHall(t, nil), room("film")
	h.say(here, "asha: /newgame tiny plain", "bilal: /join")
	var end bot.Answer
	for who := "asha"; end.Channel == nil || h.latest(here).Open; {
		end = h.say(here, who+": /roll")
		who = []string{"asha", "bilal"}[h.folded(h.latest(here)).Turn()]
	}
	rec := h.latest(here)
	poster := pictured(t, end).Picture
	usual := pictured(t, h.say(here, "asha: /replay 1 1")).Picture
	high, err := png.DecodeConfig(bytes.NewReader(drawn(t, poster)))
	low, err2 := png.DecodeConfig(bytes.NewReader(drawn(t, usual)))
	if errors.Join(err, err2) != nil || high.Height <= low.Height || !strings.Contains(poster.Alt, " home") {
		t.Errorf("a poster of %d pixels, a picture of %d: %s (%v)", high.Height, low.Height, poster.Alt, errors.Join(err, err2))
	}
	goes := h.folded(rec).Goes()
	for line, frames := range map[string]int{"asha: /replay 1": goes, "asha: /replay 1 board=sprint": 2} {
		film, err := gif.DecodeAll(bytes.NewReader(drawn(t, pictured(t, h.say(here, line)).Picture)))
		if err != nil || len(film.Image) < frames || film.Config.Width != boards.FilmWidth {
			t.Errorf("%s: %v", line, err)
		}
	}
	h.clock.wait(time.Minute) // the same isn't shown twice
	if m := pictured(t, h.say(here, "asha: /replay 1 1")); m.Picture.Name != "board.png" {
		t.Errorf("a go is %s", m.Picture.Name)
	}
	if file, err := h.engine.Film(t.Context(), rec.Seed); err != nil || !bytes.HasPrefix(file, []byte("GIF89a")) {
		t.Errorf("%.20q: %v", file, err)
	}
	if _, err := h.engine.Film(t.Context(), "nonsense"); err == nil {
		t.Error("a film of nothing")
	}
	if file, err := engine.Sketch("classic", nil); err != nil || !bytes.HasPrefix(file, []byte("\x89PNG")) {
		t.Errorf("%.20q: %v", file, err)
	}
	if _, err := engine.Sketch("nosuch", nil); err == nil || !strings.Contains(err.Error(), "classic") {
		t.Errorf("%v", err)
	}
}

// TestPicturesOfFullTablesSayWhoIsThere: the alternative text names all, the caption five.
func TestPicturesOfFullTablesSayWhoIsThere(t *testing.T) {
	t.Parallel()
	h, here := newHall(t, nil), room("full")
	lobby := pictured(t, h.say(here, "asha: /newgame classic plain bots=1")).Picture.Alt
	closed := pictured(t, h.say(room("two"), "asha: /newgame tiny plain seats=2 bots=1")).Picture.Alt
	if !strings.HasPrefix(lobby, "Classic: 100 squares\n# 1→38 ") || closed != "Tiny: 9 squares\n1 asha · 2 Hiss\n# 4→7\n~ 8→2" {
		t.Errorf("lobbies are %q and %q", lobby, closed)
	}
	for i := 3; i <= rules.MaxSeats; i++ {
		h.say(here, fmt.Sprintf("Wwwwwwwwwwwwwww%d…: /join", i))
	}
	for _, line := range []string{"asha: /roll", "asha: /board"} {
		m := pictured(t, h.say(here, line))
		if !strings.Contains(m.Now.String(), " · and 11 more\n") || strings.Count(m.Now.String(), "·") != 5 {
			t.Errorf("%s: %s", line, m.Now)
		}
		if n := utf8.RuneCountInString(m.Picture.Alt); n > 1024 || strings.Count(m.Picture.Alt, " · ") != rules.MaxSeats-1 {
			t.Errorf("%s: %d characters, %s", line, n, m.Picture.Alt)
		}
	}
}

// TestPicturesShowTheGoOfWhoeverPressed: those of computers come in the same message.
func TestPicturesShowTheGoOfWhoeverPressed(t *testing.T) {
	t.Parallel()
	h, here := newHall(t, nil), room("own")
	h.say(here, "asha: /newgame classic plain bots=2", "bilal: /join")
	for _, step := range []struct {
		line string
		want int
	}{
		{"asha: /roll", 0}, // two computers behind it
		{"bilal: /roll", 3},
		{"bilal: /autoroll on", -1},
		{"asha: /roll", 0}, // and one that rolls by itself
		{"asha: /autoroll on", -1},
		{"asha: /roll", 0}, // who asked for the round, although nobody waits for them
	} {
		g, begun := h.folded(h.latest(here)), h.latest(here).Entries
		h.say(here, step.line)
		before, events := g.Clone(), []rules.Event(nil)
		for _, entry := range strings.Fields(h.latest(here).Acts)[begun:] {
			e, err := g.Read(entry)
			if events = append(events, e); err != nil || g.Apply(e) != nil {
				t.Fatal(entry, err)
			}
		}
		if got := engine.DrawnGo(before, events); got != step.want {
			t.Errorf("%s: the go of seat %d, want %d, of %v", step.line, got, step.want, events)
		}
	}
}
