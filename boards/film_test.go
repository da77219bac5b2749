package boards_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"slices"
	"testing"

	"hiss/boards"
)

// match returns the scenes of a match, its start and so many goes, thrown with
// one die; who comes home begins again.
func match(b boards.Board, players, goes int) []boards.Scene {
	s := together(b, players, 0)
	draw := draws(uint64(goes))
	all := []boards.Scene{s}
	for g := range goes {
		s.Pieces = slices.Clone(s.Pieces)
		i := g % players
		die, from := draw(6)+1, s.Pieces[i].Square
		to := from + die
		if to > b.Size {
			to = from
		}
		s.Last = boards.Move{By: i, Thrown: []int{die}, Path: []int{from, to}}
		if end, ok := b.Jump(to); ok && to != from {
			s.Last.Path = append(s.Last.Path, end)
			to = end
		}
		s.Pieces[i].Square, s.Pieces[i].Turn = to%b.Size, false
		s.Pieces[(i+1)%players].Turn = true
		all = append(all, s)
	}
	return all
}

// unmarked returns a scene as films show it before their end.
func unmarked(s boards.Scene) boards.Scene {
	s.Pieces = slices.Clone(s.Pieces)
	for i := range s.Pieces {
		s.Pieces[i].Turn = false
	}
	return s
}

func film(t testing.TB, p *boards.Painter, scenes []boards.Scene) (*gif.GIF, int) {
	t.Helper()
	data, err := p.Film(len(scenes), slices.Values(scenes))
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return g, len(data)
}

// A film's scenes are the pictures of them, pixel for pixel, each for its time.
func TestFilmShowsPictures(t *testing.T) {
	b := shipped(t, "sprint")
	const width = 333 // no multiple of what is compared at once
	p := boards.NewPainter(b, dark(), width)
	scenes := match(b, 3, 40)
	scenes = append(scenes, scenes[40], scenes[40]) // nothing happens, and the end
	g, _ := film(t, p, scenes)
	shown := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	at, since := 0, 0
	for i, part := range g.Image {
		draw.Draw(shown, part.Rect, part, part.Rect.Min, draw.Over)
		if since += g.Delay[i]; since < 130 {
			continue
		}
		want := p.Frame(unmarked(scenes[at]))
		if at == len(scenes)-1 {
			want = p.Frame(scenes[at])
		}
		for j, c := range want.Pix {
			if r, g, b, _ := want.Palette[c].RGBA(); shown.Pix[4*j] != uint8(r>>8) || shown.Pix[4*j+1] != uint8(g>>8) || shown.Pix[4*j+2] != uint8(b>>8) {
				t.Fatalf("scene %d is wrong at %d, %d", at, j%width, j/width)
			}
		}
		at, since = at+1, 0
	}
	if at != len(scenes) {
		t.Errorf("%d scenes of %d were shown", at, len(scenes))
	}
}

// However long a match is, its film stays within minutes and megabytes, and ends
// with the end.
func TestFilmsOfAnyLength(t *testing.T) {
	b := shipped(t, "summit")
	p := boards.NewPainter(b, light(), 320)
	for _, c := range []struct{ goes, least, most int }{ // hundredths of a second
		{0, 500, 500}, {1, 600, 700}, {10, 1700, 1900}, {99, 6400, 6600}, {363, 14_900, 15_200}, {10_000, 19_000, 20_600},
	} {
		scenes := match(b, 4, c.goes)
		g, n := film(t, p, scenes)
		whole, stood, words := 0, 0, false
		for _, delay := range g.Delay {
			whole += delay
			if delay == 2 && !words { // words, which come before the rest
				words = true
				continue
			}
			words = false
			if delay < 38 || c.goes < 100 && delay < 58 {
				t.Fatalf("%d goes: a scene stands for %d", c.goes, delay)
			}
			stood++
		}
		if c.goes < 500 && stood != c.goes+1 {
			t.Errorf("%d goes: %d scenes", c.goes, stood)
		}
		if whole < c.least || whole > c.most || n > 3<<19 {
			t.Errorf("%d goes: %d hundredths of a second, %d bytes", c.goes, whole, n)
		}
		shown := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
		for _, part := range g.Image {
			draw.Draw(shown, part.Rect, part, part.Rect.Min, draw.Over)
		}
		if far := distance(shown, p.Frame(scenes[c.goes])); far > 0 {
			t.Errorf("%d goes: the last scene is another one", c.goes)
		}
	}
}

// What moves on the board and in the start moves at once: only words come before.
func TestFilmsAreNotTorn(t *testing.T) {
	p := boards.NewPainter(shipped(t, "classic"), light(), 480)
	g, _ := film(t, p, match(shipped(t, "classic"), 16, 80))
	_, height := p.Size()
	for i, delay := range g.Delay {
		if r := g.Image[i].Rect; delay == 2 && (r.Min.Y < height-480/9-480/50-8 || r.Min.X < 480*3/10 || g.Delay[i+1] == 2) {
			t.Errorf("frame %d: %v is a part", i, r)
		}
	}
}

// A film that would be too large goes on with its end.
func TestFilmsAreNeverTooLarge(t *testing.T) {
	p := boards.NewPainter(shipped(t, "classic"), light(), 320)
	scenes := match(shipped(t, "classic"), 4, 40)
	data, err := p.FilmWithin(50_000, len(scenes), slices.Values(scenes))
	if err != nil || len(data) < 50_000 || len(data) > 60_000 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	shown := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, part := range g.Image {
		draw.Draw(shown, part.Rect, part, part.Rect.Min, draw.Over)
	}
	if far := distance(shown, p.Frame(scenes[len(scenes)-1])); far > 0 {
		t.Error("the last scene is another one")
	}
}

func TestFilmOfNothing(t *testing.T) {
	p := boards.NewPainter(shipped(t, "tiny"), light(), 320)
	if _, err := p.Film(0, slices.Values([]boards.Scene(nil))); err == nil {
		t.Error("a film without a scene")
	}
}
