package boards_test

import (
	"bytes"
	"image"
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

// The files are small, at the sizes that are sent and at 640 pixels, at which
// pictures of boards are compared.
func TestFileSizes(t *testing.T) {
	b, s := usual(t)
	for width, most := range map[int]int{640: 45_000, 800: 60_000, boards.PictureWidth: 80_000} {
		data, err := boards.NewPainter(b, light(), width).PNG(s)
		if err != nil || len(data) > most {
			t.Errorf("a picture of %d pixels: %d bytes, %v", width, len(data), err)
		}
	}
	scenes := match(b, 4, 60)
	data, err := boards.NewPainter(b, dark(), boards.FilmWidth).Film(len(scenes), slices.Values(scenes))
	if err != nil || len(data) > 200_000 {
		t.Errorf("a film of 60 goes: %d bytes, %v", len(data), err)
	}
}

// race lets two ways of doing the same take turns, and returns by how much the
// second is quicker, each at its best: that is what a busy machine spoils least.
func race(rounds int, plain, ours func()) float64 {
	slow, quick := time.Hour, time.Hour
	for range rounds {
		begin := time.Now()
		plain()
		middle := time.Now()
		ours()
		slow, quick = min(slow, middle.Sub(begin)), min(quick, time.Since(middle))
	}
	return float64(slow) / float64(quick)
}

// BenchmarkPicture measures one picture, beside drawing everything and writing
// it in all colours as Go does when nothing else is said. Limit: 10 times as
// quick.
func BenchmarkPicture(b *testing.B) {
	board, s := usual(b)
	p := boards.NewPainter(board, light(), boards.PictureWidth)
	size := 0
	ours := func() {
		data, err := p.PNG(s)
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	drawn := p.DrawAll(s)
	coloured := image.NewNRGBA(drawn.Rect)
	draw.Draw(coloured, drawn.Rect, drawn, image.Point{}, draw.Src)
	var plain bytes.Buffer
	ratio := race(9, func() {
		p.DrawAll(s)
		plain.Reset()
		if err := png.Encode(&plain, coloured); err != nil {
			b.Fatal(err)
		}
	}, ours)
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(float64(plain.Len()), "plain-bytes")
	b.ReportMetric(ratio, "x-plain")
	if ratio < 10 {
		b.Errorf("%.1f times as quick as the plain way, below 10", ratio)
	}
}

// BenchmarkPainter measures what a board's first picture costs besides.
func BenchmarkPainter(b *testing.B) {
	board, _ := usual(b)
	for b.Loop() {
		boards.NewPainter(board, light(), boards.PictureWidth)
	}
}

// BenchmarkFilm measures the film of a match of 60 goes, beside whole pictures:
// each drawn as a whole, and written as a whole. Limits: 10 times as quick, and a
// tenth of the bytes. It also says by how much it is quicker than writing whole
// pictures that were drawn as cheaply as the film's.
func BenchmarkFilm(b *testing.B) {
	board, _ := usual(b)
	p := boards.NewPainter(board, dark(), boards.FilmWidth)
	scenes := match(board, 4, 60)
	size := 0
	ours := func() {
		data, err := p.Film(len(scenes), slices.Values(scenes))
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	var plain bytes.Buffer
	wholly := func(frame func(boards.Scene) *image.Paletted) func() {
		return func() {
			var g gif.GIF
			for _, s := range scenes {
				g.Image, g.Delay = append(g.Image, frame(unmarked(s))), append(g.Delay, 130)
			}
			width, height := p.Size()
			g.Config = image.Config{ColorModel: g.Image[0].Palette, Width: width, Height: height}
			plain.Reset()
			if err := gif.EncodeAll(&plain, &g); err != nil {
				b.Fatal(err)
			}
		}
	}
	ratio, written := race(3, wholly(p.DrawAll), ours), race(5, wholly(p.Frame), ours)
	b.ReportAllocs()
	for b.Loop() {
		ours()
	}
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(float64(plain.Len())/float64(size), "x-fewer")
	b.ReportMetric(ratio, "x-plain")
	b.ReportMetric(written, "x-written")
	if ratio < 10 || plain.Len() < 10*size {
		b.Errorf("%.1f times as quick as the plain way, with a %.1fth of the bytes; below 10", ratio, float64(plain.Len())/float64(size))
	}
}
