package boards_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hiss/boards"
)

// over is a match that is over, as a poster: on classic, with so many players.
func over(b boards.Board, players int) boards.Poster {
	s := around(b, players)
	s.Pieces[0].Square, s.Pieces[0].Winner = b.Size, true
	s.Last = boards.Move{By: 0, Thrown: []int{2}, Path: []int{b.Size - 2, b.Size}}
	o := boards.Poster{Scene: s, Note: "turning point: go 41"}
	for i := range players {
		o.Ranking = append(o.Ranking, boards.Rank{By: i, Goes: fmt.Sprintf("%d goes", 15-i%3)})
	}
	for i := range min(2, len(b.Jumps)) {
		j := b.Jumps[len(b.Jumps)-1-i]
		o.Great = append(o.Great, boards.Move{By: i % players, Path: []int{j.From, j.To}})
	}
	return o
}

// TestPosters draws some that matter: the golden one, and whatever a match can be.
func TestPosters(t *testing.T) {
	classic := shipped(t, "classic")
	data, err := boards.NewPainter(classic, light(), 500).Poster(over(classic, 4))
	drawn := decoded(t, data, err)
	file := filepath.Join("testdata", "poster-light.png")
	if *update {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err = os.ReadFile(file)
	if far := distance(drawn, decoded(t, data, err)); far > 0.004 {
		t.Errorf("%.1f %% of the pixels look different from %s; look at it, then run with -update", 100*far, file)
	}
	for _, name := range []string{"tiny", "summit", "castle"} {
		for _, players := range []int{1, 2, 16} {
			p := boards.NewPainter(shipped(t, name), dark(), boards.PictureWidth)
			data, err := p.Poster(over(shipped(t, name), players))
			width, height := p.Size()
			if r := decoded(t, data, err).Bounds(); r.Dx() != width || r.Dy() <= height || r.Dy() > 2*width || len(data) > 200_000 {
				t.Errorf("%s of %d: %v, %d bytes", name, players, r, len(data))
			}
		}
	}
	bare := boards.Poster{Ranking: []boards.Rank{{By: 7}}, Great: []boards.Move{{By: -1}, {By: 3}}}
	data, err = boards.NewPainter(classic, light(), 320).Poster(bare)
	decoded(t, data, err)
	// A picture that is drawn after a poster has its own size again.
	p := boards.NewPainter(classic, light(), 500)
	data, err = p.PNG(around(classic, 2))
	if _, height := p.Size(); decoded(t, data, err).Bounds().Dy() != height {
		t.Error("a picture as high as a poster")
	}
}
