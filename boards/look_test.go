package boards_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"hiss/boards"
)

func sceneFor(b boards.Board, n int) boards.Scene {
	names := []string{"Asha", "Bilal", "Chen", "Дима", "Eva", "Femi", "Goran", "Hana", "Ivo", "Jun", "Kim", "Lea", "Max", "Nia", "Olu", "Pia"}
	s := boards.Scene{Title: b.Shown()}
	d := draws(uint64(b.Size + n))
	for i := range n {
		s.Pieces = append(s.Pieces, boards.Piece{Token: boards.Token{Square: d(b.Size) + 1, Letter: rune('A' + i)}, Seat: i, Name: names[i]})
	}
	return s
}

func TestLook(t *testing.T) {
	for ti, th := range []*boards.Theme{boards.Light(), boards.Dark()} {
		name := []string{"light", "dark"}[ti]
		save := func(b boards.Board, s boards.Scene, f string) {
			t0 := time.Now()
			p := boards.NewPainter(b, th, 800)
			t1 := time.Now()
			png, err := p.PNG(s)
			t2 := time.Now()
			png, err = p.PNG(s)
			t3 := time.Now()
			if err != nil {
				t.Fatal(err)
			}
			w, h := p.Size()
			fmt.Println(f, name, len(png), w, h, t1.Sub(t0), t2.Sub(t1), t3.Sub(t2))
			os.WriteFile(fmt.Sprintf("/tmp/pictures/%s-%s.png", f, name), png, 0o644)
		}
		for _, b := range boards.Shipped() {
			s := sceneFor(b, 4)
			j := b.Jumps[0]
			from := max(0, j.From-4)
			s.Pieces[0].Square = j.To
			s.Pieces[1].Turn = true
			s.Pieces[2].Square = 0
			s.Pieces[2].Shield = true
			s.Last = boards.Move{By: 0, Thrown: []int{j.From - from}, Path: []int{from, j.From, j.To}}
			save(b, s, b.Name)
		}
		b, _ := boards.Find("classic")
		s := sceneFor(b, 16)
		for i := range s.Pieces {
			s.Pieces[i].Square = 44
		}
		s.Pieces[5].Turn = true
		s.Last = boards.Move{By: 9, Thrown: []int{6, 6, 2}, Path: []int{30, 36, 44, 50, 44}}
		save(b, s, "crowd16")
		for i := range s.Pieces {
			s.Pieces[i].Square = 0
		}
		save(b, s, "start16")
		for i := range s.Pieces {
			s.Pieces[i].Square = 30 + i/2*8%64
		}
		s.Pieces[3].Square = 100
		s.Pieces[3].Winner = true
		s.Pieces[5].Turn = false
		s.Last = boards.Move{By: 3, Thrown: []int{5}, Path: []int{95, 75}}
		save(b, s, "pairs16")
		for _, n := range []int{2, 3, 7, 9, 36, 64, 400, 1000, 10000} {
			b := boards.Board{Name: "x", Title: fmt.Sprintf("Board of %d", n), Size: n, Columns: 10}
			if n > 100 {
				var err error
				b, err = boards.Random(boards.Plan{Size: n, Ladders: min(n/20, 300), Snakes: min(n/20, 300)}, draws(uint64(n)), nil)
				if err != nil {
					t.Fatal(err)
				}
			}
			s := sceneFor(b, 6)
			s.Pieces[0].Turn = true
			s.Last = boards.Move{By: 1, Thrown: []int{1}, Path: []int{max(0, s.Pieces[1].Square-5), s.Pieces[1].Square}}
			save(b, s, fmt.Sprintf("size%d", n))
		}
		b, err := boards.Random(boards.Plan{Size: 100, Ladders: 20, Snakes: 20}, draws(7), nil)
		if err != nil {
			t.Fatal(err)
		}
		save(b, sceneFor(b, 8), "random40")
	}
}
