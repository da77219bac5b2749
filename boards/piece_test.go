package boards_test

import (
	"fmt"
	"image"
	"testing"

	"hiss/boards"
)

// alone returns the pixels of a token, in grey: seat's, with a letter.
func alone(p *boards.Painter, empty *image.Paletted, seat int, letter rune) []int {
	img := p.Frame(boards.Scene{Pieces: []boards.Piece{{Token: boards.Token{Square: 1, Letter: letter}, Seat: seat}}})
	all := make([]int, len(img.Pix))
	for i := range img.Pix {
		if img.Pix[i] == empty.Pix[i] {
			all[i] = -1
			continue
		}
		all[i] = grey(img, i)
	}
	return all
}

func grey(img *image.Paletted, i int) int {
	r, g, b, _ := img.Palette[img.Pix[i]].RGBA()
	return int(299*(r>>8)+587*(g>>8)+114*(b>>8)) / 1000
}

// Tokens are told apart without colours and, but for equal shapes, without their
// letters: of any two, enough pixels differ in lightness.
func TestTokensInGrey(t *testing.T) {
	for name, theme := range map[string]*boards.Theme{"light": light(), "dark": dark()} {
		p := boards.NewPainter(boards.Board{Name: "b", Size: 100, Columns: 10}, theme, 400)
		empty := p.Frame(boards.Scene{})
		var all [16][]int
		for seat := range all {
			all[seat] = alone(p, empty, seat, 'H')
		}
		for i := range all {
			for j := range i {
				differ, of := 0, 0
				for k := range all[i] {
					a, b := all[i][k], all[j][k]
					if a < 0 && b < 0 {
						continue
					}
					of++
					if a < 0 || b < 0 || a-b > 48 || b-a > 48 {
						differ++
					}
				}
				if share := float64(differ) / float64(of); share < 0.15 {
					t.Errorf("%s: seats %d and %d differ in %.0f %% of their pixels", name, j, i, 100*share)
				}
			}
		}
	}
}

// Sixteen on one square, or in the start, all show their letters, wherever that
// square is and however small.
func TestLettersAreSeen(t *testing.T) {
	for _, b := range []boards.Board{shipped(t, "twenty"), {Name: "b", Size: 400, Columns: 20}} {
		p := boards.NewPainter(b, light(), boards.PictureWidth)
		for _, square := range []int{0, b.Size - 3} {
			s := together(b, 16, square)
			whole := p.Frame(s)
			for i := range s.Pieces {
				letter := s.Pieces[i].Letter
				s.Pieces[i].Letter = '.'
				if n := strong(whole, p.Frame(s)); n < 14 {
					t.Errorf("%d squares: of the letter %c on %d, %d pixels are seen", b.Size, letter, square, n)
				}
				s.Pieces[i].Letter = letter
			}
		}
	}
}

// strong counts the pixels whose lightness differs much.
func strong(a, b *image.Paletted) (n int) {
	for i := range a.Pix {
		if a.Pix[i] != b.Pix[i] {
			if d := grey(a, i) - grey(b, i); d > 60 || d < -60 {
				n++
			}
		}
	}
	return n
}

// No token covers another one's letter, also where squares are smaller than
// tokens.
func TestTokensKeepApart(t *testing.T) {
	for _, size := range []int{36, 400} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b := boards.Board{Name: "b", Size: size, Columns: 10}
			p := boards.NewPainter(b, light(), boards.PictureWidth)
			s := around(b, 16)
			for i := range s.Pieces { // close together
				s.Pieces[i].Square = min(size, size/2+i*3/2)
				s.Pieces[i].Turn = i == 4
			}
			whole := p.Frame(s)
			for i := range s.Pieces {
				letter := s.Pieces[i].Letter
				s.Pieces[i].Letter = '.'
				if n := strong(whole, p.Frame(s)); n < 14 {
					t.Errorf("of the letter %c, %d pixels are seen", letter, n)
				}
				s.Pieces[i].Letter = letter
			}
		})
	}
}
