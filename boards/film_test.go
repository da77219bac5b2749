package boards_test

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"os"
	"slices"
	"testing"
	"time"

	"hiss/boards"
)

// match returns the scenes of a match, thrown with one die, up to so many goes.
func match(b boards.Board, players, goes int) []boards.Scene {
	s := sceneFor(b, players)
	for i := range s.Pieces {
		s.Pieces[i].Square = 0
	}
	d := draws(uint64(goes))
	clone := func() boards.Scene { c := s; c.Pieces = slices.Clone(s.Pieces); return c }
	all := []boards.Scene{clone()}
	for g := range goes {
		i := g % players
		die := d(6) + 1
		from := s.Pieces[i].Square
		to := from + die
		path := []int{from}
		if to > b.Size {
			to = from
		}
		path = append(path, to)
		if end, ok := b.Jump(to); ok && to != from {
			path = append(path, end)
			to = end
		}
		if to == b.Size && g < goes-1 {
			to = 1
		}
		s.Pieces[i].Square, s.Pieces[i].Turn = to, false
		s.Pieces[(i+1)%players].Turn = true
		s.Last = boards.Move{By: i, Thrown: []int{die}, Path: path}
		all = append(all, clone())
	}
	return all
}

func TestFilmLook(t *testing.T) {
	b, _ := boards.Find("classic")
	for _, n := range []int{60, 200} {
		scenes := match(b, 4, n)
		for _, w := range []int{480, 520, 560, 640, 800} {
			p := boards.NewPainter(b, boards.Dark(), w)
			var r []float64
			var ta, tb time.Duration
			var na, nb int
			for range 3 {
				t0 := time.Now()
				var g gif.GIF
				for _, s := range scenes {
					g.Image = append(g.Image, p.Frame(s))
					g.Delay = append(g.Delay, 130)
				}
				g.Config = image.Config{ColorModel: g.Image[0].Palette, Width: g.Image[0].Rect.Dx(), Height: g.Image[0].Rect.Dy()}
				var out bytes.Buffer
				if err := gif.EncodeAll(&out, &g); err != nil {
					t.Fatal(err)
				}
				na = out.Len()
				t1 := time.Now()
				film, err := p.Film(len(scenes), slices.Values(scenes))
				if err != nil {
					t.Fatal(err)
				}
				t2 := time.Now()
				nb = len(film)
				ta, tb = t1.Sub(t0), t2.Sub(t1)
				r = append(r, float64(ta)/float64(tb))
				os.WriteFile(fmt.Sprintf("/tmp/pictures/film%d-%d.gif", n, w), film, 0o644)
			}
			fmt.Println(n, w, "whole", ta, na, "ours", tb, nb, r)
			if n == 200 {
				break
			}
		}
	}
}

func BenchmarkFilm(b *testing.B) {
	board, _ := boards.Find("classic")
	scenes := match(board, 4, 60)
	p := boards.NewPainter(board, boards.Dark(), 560)
	for b.Loop() {
		p.Film(len(scenes), slices.Values(scenes))
	}
}
