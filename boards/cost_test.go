package boards_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"slices"
	"testing"
	"time"

	"hiss/boards"
)

// usual returns the picture after a usual go: four players on the classic board.
func usual(t testing.TB) (boards.Board, boards.Scene) {
	b, ok := boards.Find("classic")
	if !ok {
		t.Fatal("no classic board")
	}
	s := around(b, 4)
	s.Pieces[1].Turn = true
	s.Last = boards.Move{By: 0, Thrown: []int{4}, Path: []int{s.Pieces[0].Square - 4, s.Pieces[0].Square}}
	return b, s
}

// race lets two ways of doing the same take turns, and returns how long each
// took at its best, and their ratio. The best is what a busy machine spoils least.
func race(rounds int, plain, ours func()) (slow, quick time.Duration, ratio float64) {
	slow, quick = time.Hour, time.Hour
	for range rounds {
		begin := time.Now()
		plain()
		middle := time.Now()
		ours()
		slow, quick = min(slow, middle.Sub(begin)), min(quick, time.Since(middle))
	}
	return slow, quick, float64(slow) / float64(quick)
}

// A picture costs at most a tenth of drawing everything and writing it as Go
// does if nothing else is said, and little to send.
func TestPictureCost(t *testing.T) {
	b, s := usual(t)
	for width, most := range map[int]int{640: 45 << 10, boards.PictureWidth: 60 << 10} {
		p := boards.NewPainter(b, boards.Light(), width)
		drawn := p.DrawAll(s)
		coloured := image.NewNRGBA(drawn.Rect)
		draw.Draw(coloured, drawn.Rect, drawn, image.Point{}, draw.Src)
		var plain bytes.Buffer
		size := 0
		slow, quick, ratio := race(7, func() {
			p.DrawAll(s)
			plain.Reset()
			if err := png.Encode(&plain, coloured); err != nil {
				t.Fatal(err)
			}
		}, func() {
			data, err := p.PNG(s)
			if err != nil {
				t.Fatal(err)
			}
			size = len(data)
		})
		t.Logf("%d pixels: %v and %d bytes; plainly %v and %d: %.1f times as long", width, quick, size, slow, plain.Len(), ratio)
		if ratio < 10 || size > most {
			t.Errorf("%d pixels: a %.1fth of the plain way's time, %d bytes", width, ratio, size)
		}
	}
}

// A film costs at most a tenth of drawing and writing every scene whole.
func TestFilmCost(t *testing.T) {
	b, _ := usual(t)
	p := boards.NewPainter(b, boards.Dark(), boards.FilmWidth)
	scenes := match(b, 4, 60)
	width, height := p.Size()
	var plain bytes.Buffer
	size := 0
	slow, quick, ratio := race(2, func() {
		var g gif.GIF
		for i, s := range scenes {
			if i < len(scenes)-1 {
				s = unmarked(s)
			}
			g.Image, g.Delay = append(g.Image, p.DrawAll(s)), append(g.Delay, 130)
		}
		g.Config = image.Config{ColorModel: color.Palette(g.Image[0].Palette), Width: width, Height: height}
		plain.Reset()
		if err := gif.EncodeAll(&plain, &g); err != nil {
			t.Fatal(err)
		}
	}, func() {
		data, err := p.Film(len(scenes), slices.Values(scenes))
		if err != nil {
			t.Fatal(err)
		}
		size = len(data)
	})
	t.Logf("%v and %d bytes; plainly %v and %d: %.1f times as long, %.1f times as many", quick, size, slow, plain.Len(), ratio, float64(plain.Len())/float64(size))
	if ratio < 10 || plain.Len() < 10*size || size > 200<<10 {
		t.Errorf("a %.1fth of the plain way's time, %d bytes of %d", ratio, size, plain.Len())
	}
}

func BenchmarkPicture(b *testing.B) {
	board, s := usual(b)
	p := boards.NewPainter(board, boards.Light(), boards.PictureWidth)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		data, err := p.PNG(s)
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes")
}

func BenchmarkPainter(b *testing.B) {
	board, _ := usual(b)
	light := boards.Light()
	for b.Loop() {
		boards.NewPainter(board, light, boards.PictureWidth)
	}
}

func BenchmarkFilm(b *testing.B) {
	board, _ := usual(b)
	p := boards.NewPainter(board, boards.Dark(), boards.FilmWidth)
	scenes := match(board, 4, 60)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		data, err := p.Film(len(scenes), slices.Values(scenes))
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes")
}
