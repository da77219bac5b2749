package boards_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"hiss/boards"
)

var update = flag.Bool("update", false, "draw the golden pictures anew, to be looked at")

// The themes are made once: they never change, and painters share them.
var light, dark = sync.OnceValue(boards.Light), sync.OnceValue(boards.Dark)

// around returns a scene with so many players on a board, each on a square of
// its own choice.
func around(b boards.Board, players int) boards.Scene {
	names := [...]string{"Asha", "Bilal", "Chen", "Дарья", "Eva", "Femi", "Goran", "Hana"}
	s := boards.Scene{Title: b.Shown()}
	draw := draws(uint64(b.Size + players))
	for i := range players {
		s.Pieces = append(s.Pieces, boards.Piece{
			Token: boards.Token{Square: draw(b.Size) + 1, Letter: 'A' + rune(i)}, Seat: i, Name: names[i%len(names)],
		})
	}
	return s
}

// together returns a scene with so many players on one square.
func together(b boards.Board, players, square int) boards.Scene {
	s := around(b, players)
	for i := range s.Pieces {
		s.Pieces[i].Square = square
	}
	return s
}

func decoded(t testing.TB, data []byte, err error) *image.Paletted {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.Paletted)
}

// The pictures that everybody sees, and the ones most easily spoilt.
func TestGoldenPictures(t *testing.T) {
	classic, castle, tiny := shipped(t, "classic"), shipped(t, "castle"), shipped(t, "tiny")
	climb := around(classic, 4)
	climb.Pieces[1].Turn, climb.Pieces[2].Square = true, 0
	climb.Last = boards.Move{By: 0, Thrown: []int{6, 1}, Path: []int{3, 9, 31, 32}}
	climb.Pieces[0].Square = 32
	bitten := around(castle, 8)
	bitten.Pieces[3].Winner, bitten.Pieces[3].Square, bitten.Pieces[6].Shield = true, 64, true
	bitten.Last = boards.Move{By: 4, Thrown: []int{2}, Path: []int{59, 61, 44}}
	bitten.Pieces[4].Square = 44
	for name, picture := range map[string]struct {
		board boards.Board
		theme *boards.Theme
		scene boards.Scene
	}{
		"classic-light": {classic, light(), climb},
		"castle-dark":   {castle, dark(), bitten},
		"crowd-light":   {tiny, light(), together(tiny, 16, 5)},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := boards.NewPainter(picture.board, picture.theme, 400).PNG(picture.scene)
			drawn := decoded(t, data, err)
			file := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.WriteFile(file, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			data, err = os.ReadFile(file)
			if far := distance(drawn, decoded(t, data, err)); far > 0.004 {
				t.Errorf("%.1f %% of the pixels look different from %s; look at it, then run with -update", 100*far, file)
			}
		})
	}
}

// distance returns the share of pixels that look different: more than edges do
// that were rounded in another way.
func distance(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	r, n := a.Bounds(), 0
	for y := range r.Dy() {
		for x := range r.Dx() {
			if apart(a, b, x, y) > 60 {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

// apart returns by how much a pixel differs, 0 to 255.
func apart(a, b image.Image, x, y int) int {
	r1, g1, b1, _ := a.At(x, y).RGBA()
	r2, g2, b2, _ := b.At(x, y).RGBA()
	most := 0
	for _, d := range [...]int{int(r1>>8) - int(r2>>8), int(g1>>8) - int(g2>>8), int(b1>>8) - int(b2>>8)} {
		most = max(most, d, -d)
	}
	return most
}

// What is written in bands from stamps is what drawing all of it anew gives, at
// every size, and has the proportions of a picture.
func TestPicturesOfAnySize(t *testing.T) {
	for _, size := range []int{2, 7, 9, 36, 99, 361, 1000, 10_000} {
		for _, columns := range []int{1, 10, 100} {
			b, err := boards.Random(boards.Plan{Size: size, Ladders: boards.Room(size) / 16, Snakes: boards.Room(size) / 16}, draws(uint64(size)), nil)
			if size < 12 {
				b, err = boards.Board{Name: "small", Size: size}, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			b.Columns = columns
			if size > 40 && columns != 10 {
				continue // large ones take long
			}
			p := boards.NewPainter(b, light(), 400)
			w, h := p.Size()
			if w != 400 || h < w/6 || h > w*3/2 {
				t.Errorf("%d squares in %d columns: %d×%d", size, columns, w, h)
			}
			s := around(b, 5)
			s.Last = boards.Move{By: 1, Thrown: []int{6}, Path: []int{max(0, s.Pieces[1].Square-6), s.Pieces[1].Square}}
			data, err := p.PNG(s)
			if len(data) > 70<<10 {
				t.Errorf("%d squares in %d columns: %d bytes", size, columns, len(data))
			}
			drawn := decoded(t, data, err)
			if again := p.DrawAll(s); !bytes.Equal(drawn.Pix, again.Pix) || len(drawn.Palette) != len(again.Palette) {
				t.Errorf("%d squares in %d columns: the file isn't the picture", size, columns)
			}
		}
	}
}

// The same painter draws the same pictures however many draw at once.
func TestPicturesAtOnce(t *testing.T) {
	classic, sprint := shipped(t, "classic"), shipped(t, "sprint")
	var group sync.WaitGroup
	for _, p := range []*boards.Painter{boards.NewPainter(classic, dark(), 400), boards.NewPainter(sprint, dark(), 320)} {
		scenes := []boards.Scene{around(sprint, 4), around(sprint, 7), together(sprint, 9, 17)}
		var want [][]byte
		for _, s := range scenes {
			data, err := p.PNG(s)
			decoded(t, data, err)
			want = append(want, data)
		}
		for g := range 8 {
			group.Go(func() {
				for i := range 3 {
					which := (g + i) % len(scenes)
					if data, err := p.PNG(scenes[which]); err != nil || !bytes.Equal(data, want[which]) {
						t.Error("another picture: ", err)
					}
				}
			})
		}
	}
	group.Wait()
}

// However many ask at once, what is drawn on is used again.
func TestPicturesOfManyInLittleMemory(t *testing.T) {
	theme, b := boards.Light(), shipped(t, "classic")
	p, s := boards.NewPainter(b, theme, 480), around(b, 4)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var group sync.WaitGroup
	const many = 100
	for range many {
		group.Go(func() {
			if _, err := p.PNG(s); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 {
		t.Errorf("%d pictures took %d MB", many, used>>20)
	}
}

// A picture shows each thing that it is told, and nothing that it isn't.
func TestPicturesShow(t *testing.T) {
	b := shipped(t, "classic")
	p := boards.NewPainter(b, light(), 480)
	base := func() boards.Scene {
		s := around(b, 4)
		s.Title = ""
		return s
	}
	plain := p.Frame(base())
	for what, change := range map[string]func(*boards.Scene){
		"a title":  func(s *boards.Scene) { s.Title = "Classic" },
		"a turn":   func(s *boards.Scene) { s.Pieces[1].Turn = true },
		"a winner": func(s *boards.Scene) { s.Pieces[1].Winner = true },
		"a shield": func(s *boards.Scene) { s.Pieces[1].Shield = true },
		"a start":  func(s *boards.Scene) { s.Pieces[1].Square = 0 },
		"nobody":   func(s *boards.Scene) { s.Pieces = s.Pieces[:3] },
		"a walk":   func(s *boards.Scene) { s.Last = boards.Move{By: 2, Path: []int{40, 45}} },
		"a stay":   func(s *boards.Scene) { s.Last = boards.Move{By: 2, Thrown: []int{6}, Path: []int{97, 97}} },
	} {
		s := base()
		change(&s)
		if n := different(plain, p.Frame(s)); n < 60 {
			t.Errorf("%s changes %d pixels", what, n)
		}
	}
	for what, change := range map[string]func(*boards.Scene){
		"names without a go": func(s *boards.Scene) { s.Pieces[0].Name = "Zoe" },
		"a go of nobody":     func(s *boards.Scene) { s.Last = boards.Move{By: 9, Path: []int{1, 2}} },
		"a piece off the board": func(s *boards.Scene) {
			s.Pieces = append(s.Pieces, boards.Piece{Token: boards.Token{Square: 101}}, boards.Piece{Token: boards.Token{Square: -1}})
		},
	} {
		s := base()
		change(&s)
		if n := different(plain, p.Frame(s)); n > 0 {
			t.Errorf("%s: %d pixels changed", what, n)
		}
	}
}

// different counts the pixels that aren't the same.
func different(a, b *image.Paletted) (n int) {
	for i, c := range a.Pix {
		if c != b.Pix[i] {
			n++
		}
	}
	return n
}

// Of a name or a title the font writes what it can, never nothing.
func TestNamesInPictures(t *testing.T) {
	theme := light()
	for s, want := range map[string]bool{"Asha": true, "Дарья": true, "Łukasz": true, "Αθηνά": true, "": true, "Zoë 🐍": false, "李": false, "محمد": false} {
		if got := theme.Writes(s); got != want {
			t.Errorf("Writes(%q) = %v", s, got)
		}
	}
	for name, want := range map[string]string{
		"Ann 🎉": "Ann", "Мария 🎲🎉": "Мария", "🐍 Ann 🎲 Lee": "Ann Lee", "Nguyễn Văn": "Nguyen Văn", "Ngu\u0065\u0302\u0303n": "Nguen",
		"Zoe\u0308": "Zoë", "𝓐𝓼𝓱𝓪": "Asha", "王小明": "Player 3", "שלום": "Player 3", "🎲 (王)": "Player 3", "": "Player 3", "\u200d": "Player 3", ":) 🎲": ":)",
	} {
		if got := theme.Called(boards.Piece{Name: name, Seat: 2}); got != want {
			t.Errorf("%q is called %q, not %q", name, got, want)
		}
	}
	if got := theme.Called(boards.Piece{Name: "王", Instead: "Joueur 1"}); got != "Joueur 1" {
		t.Errorf("called %q instead", got)
	}
	dragon := boards.Board{Name: "dragon", Title: "龍", Size: 30}
	for title, want := range map[string]string{"龍": "dragon", "🐍": "dragon", "龍 · go 3 of 9": "dragon · go 3 of 9", "Dragon 🐍": "Dragon"} {
		if got := theme.Titled(dragon, title); got != want {
			t.Errorf("%q is titled %q, not %q", title, got, want)
		}
	}
	b := shipped(t, "twenty")
	p := boards.NewPainter(b, theme, 400)
	called := func(name string) *image.Paletted {
		s := around(b, 2)
		s.Pieces[0].Name = name
		s.Last = boards.Move{By: 0, Thrown: []int{4}, Path: []int{3, 7}}
		return p.Frame(s)
	}
	if n := different(called(""), called("李🐍")); n > 0 {
		t.Errorf("a name that can't be written changes %d pixels", n)
	}
	if n := different(called(""), called("Asha")); n < 60 {
		t.Errorf("a name changes %d pixels", n)
	}
}

// Names are shortened to what there's room for, and four letters of them stay.
func TestNamesAreShortened(t *testing.T) {
	b := shipped(t, "classic")
	far := boards.Move{Thrown: []int{6, 6, 4}, Path: []int{3, 9, 31, 37, 41, 40, 36}}
	near := boards.Move{Thrown: []int{22}, Path: []int{20, 42, 54}}
	for _, c := range []struct {
		name  string
		move  boards.Move
		width float32
		want  string
	}{
		{"Asha", near, 400, "Asha 22: 20 42 54"},
		{"Maximiliana Theodora", near, 400, "Maxi… 22: 20 42 54"},
		{"Maximiliana Theodora", near, 500, "Maximiliana T… 22: 20 42 54"},
		{"Maximiliana Theodora", far, 400, "Maxi… 6+6+4: 3 … 40 36"},
		{"Maximiliana Theodora", far, 200, "Maxi… 6+6+4: 3 … 40 36"},
	} {
		said, wide := light().Told(b, boards.Piece{Name: c.name}, c.move, 37, c.width)
		if said != c.want || wide > c.width+4 { // letters take whole pixels
			t.Errorf("%q, %g wide; want %q within %g", said, wide, c.want, c.width)
		}
	}
}

// Whatever a scene holds, a picture comes of it.
func FuzzPictures(f *testing.F) {
	f.Add(100, 10, uint64(1), 4, 10, []byte{3, 9, 31}, "Asha")
	f.Add(2, 100, uint64(2), 16, 2, []byte{0, 1, 1, 2}, "🐍")
	f.Add(10_000, 1, uint64(3), 70, 5000, []byte{255, 0, 255, 3}, "\x00\xff")
	f.Add(400, 7, uint64(4), 1, 0, bytes.Repeat([]byte{1, 200, 7}, 40), "a long name that goes on and on")
	f.Fuzz(func(t *testing.T, size, columns int, seed uint64, players, square int, path []byte, name string) {
		size = boards.MinSize + abs(size)%min(boards.MaxSize, 1500)
		draw := draws(seed)
		b := boards.Board{Name: "b", Title: name, Size: size, Columns: 1 + abs(columns)%boards.MaxColumns}
		if room := boards.Room(size); room > 0 {
			drawn, err := boards.Random(boards.Plan{Size: size, Ladders: min(60, room/3), Snakes: min(60, room/3)}, draw, nil)
			if err != nil {
				t.Fatal(err)
			}
			b.Jumps = drawn.Jumps
		}
		s := boards.Scene{Title: name, Last: boards.Move{By: draw(4) - 1, Thrown: []int{draw(1000), -draw(9)}}}
		for i := range abs(players) % 80 {
			piece := boards.Piece{Token: boards.Token{Square: square, Letter: rune(draw(300))}, Seat: i - 3, Name: name, Turn: i%5 == 0, Shield: i%3 == 0}
			if i%2 == 0 {
				piece.Square = draw(size + 2)
			}
			s.Pieces = append(s.Pieces, piece)
		}
		for _, step := range path {
			s.Last.Path = append(s.Last.Path, int(step)*size/200-2)
		}
		data, err := boards.NewPainter(b, dark(), 320).PNG(s)
		decoded(t, data, err)
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

func ExamplePainter_PNG() {
	b, _ := boards.Find("classic")
	p := boards.NewPainter(b, boards.Light(), boards.PictureWidth)
	data, err := p.PNG(boards.Scene{
		Pieces: []boards.Piece{{Token: boards.Token{Square: 14, Letter: 'A'}, Name: "Asha"}},
		Last:   boards.Move{By: 0, Thrown: []int{4}, Path: []int{0, 4, 14}},
	})
	fmt.Println(len(data) > 0, err)
	// Output: true <nil>
}
