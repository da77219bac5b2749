package boards_test

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"slices"
	"testing"
	"time"

	"hiss/boards"
)

func TestRatio(t *testing.T) {
	th := boards.Light()
	board, _ := boards.Find("classic")
	for _, w := range []int{640, 800} {
		p := boards.NewPainter(board, th, w)
		s := sceneFor(board, 4)
		s.Pieces[1].Turn = true
		s.Last = boards.Move{By: 0, Thrown: []int{4}, Path: []int{s.Pieces[0].Square - 4, s.Pieces[0].Square}}
		var r []float64
		var na, nb int
		var ta, tb []time.Duration
		img := p.DrawAll(s)
		full := image.NewNRGBA(img.Rect)
		draw.Draw(full, full.Rect, img, image.Point{}, draw.Src)
		for range 9 {
			t0 := time.Now()
			p.DrawAll(s)
			var out bytes.Buffer
			png.Encode(&out, full)
			na = out.Len()
			t1 := time.Now()
			for range 5 {
				data, _ := p.PNG(s)
				nb = len(data)
			}
			t2 := time.Now()
			ta, tb = append(ta, t1.Sub(t0)), append(tb, t2.Sub(t1)/5)
			r = append(r, float64(t1.Sub(t0))/float64(t2.Sub(t1)/5))
		}
		slices.Sort(r)
		slices.Sort(ta)
		slices.Sort(tb)
		fmt.Println(w, "naive", ta[4], na, "ours", tb[4], nb, "ratio", r[4], r)
	}
}
