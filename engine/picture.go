package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// longestAlt is how many characters say what a picture shows.
const longestAlt = 1024

// showing is when a chat wants pictures.
type showing uint8

const (
	atGoes showing = iota // with each go
	atEnds                // at starts and ends, and where somebody asks for the board
)

// theme returns the colours of a chat's pictures, and whether it wants one now.
func (c *call) theme(when showing) (theme string, ok bool) {
	s, err := c.settings()
	if c.NoPictures || err != nil { // the words matter more
		return "", false
	}
	return s.theme, s.pictures == "on" || s.pictures == "ends" && when == atEnds
}

// pictureless returns the words that a setting of pictures changes nothing where none are
// shown at all.
func (c *call) pictureless(setting string) bot.Text {
	if !c.NoPictures || setting != "pictures" && setting != "theme" {
		return nil
	}
	return c.words.Text(words.NoPictures)
}

// view returns the picture of a match as it stands, with the go that led there if
// there's one, or nil where the chat wants none.
func (c *call) view(t *table, when showing, last *rules.Went) *bot.Picture {
	theme, ok := c.theme(when)
	if !ok {
		return nil
	}
	return c.still(c.teller(t), t.game, t.rec.Board, theme, last)
}

// still returns the picture of a position.
func (c *call) still(v teller, g *rules.Game, hash, theme string, last *rules.Went) *bot.Picture {
	scene, alt := c.scene(v, g, last)
	return c.painted(g.Track().Board(), hash, theme, scene, alt)
}

// scene returns what a picture of a position shows, and says the same in words.
func (c *call) scene(v teller, g *rules.Game, last *rules.Went) (s boards.Scene, alt string) {
	b := g.Track().Board()
	s.Title = words.Title(b.Shown())
	switch {
	case g.Goes() > 0: // before that all are beside the board
		s.Pieces, s.Last = pieces(v, g), moveOf(b, last)
		return s, c.words.Text(words.PictureAlt, words.S("board", s.Title), words.T("standings", v.everybody(g))).String()
	case g.Joinable(): // the picture is kept whoever else sits down
		return s, boardAlt(c.words, b, nil)
	}
	return s, boardAlt(c.words, b, v.seated(g))
}

// bare puts the picture of a board with nobody on it below a message's words: in
// pixels, or as text where the chat or the platform wants no pictures. Where its jumps
// lead the picture shows, and its alternative text says as far as it has room.
func (c *call) bare(m *bot.Message, b boards.Board) {
	theme, ok := c.theme(atEnds)
	if !ok {
		m.Said = bot.Lines(m.Said, drawn(b, nil))
		return
	}
	m.Picture = c.painted(b, b.Hash(), theme, boards.Scene{Title: words.Title(b.Shown())}, boardAlt(c.words, b, nil))
	m.Picture.Instead = drawn(b, nil)
}

// boardAlt says what the picture of a board with nobody on it shows, who sits beside it,
// and as far as there's room where its jumps lead.
func boardAlt(l *words.Language, b boards.Board, seats bot.Text) string {
	alt := bot.Lines(l.Text(words.BoardHead, words.S("board", words.Title(b.Shown())), words.N("N", b.Size)), seats).String()
	if all := strings.Join(append([]string{alt}, listed(b)...), "\n"); utf8.RuneCountInString(all) <= longestAlt {
		return all
	}
	return alt
}

// standing puts the board of a match below a message's words: as its picture, or as
// text where it has none. Whose token is where is said in any case, of a few; /status
// says it of all.
func (v teller) standing(m *bot.Message, g *rules.Game) {
	tokens, all := v.tokens(g)
	board, legend := drawn(g.Track().Board(), tokens), words.Join(" · ", all...)
	switch {
	case m.Picture == nil:
		m.Said = bot.Lines(m.Said, board, legend)
	case len(all) > captionSeats+1:
		m.Picture.Instead = bot.Lines(board, legend)
		if g.Phase() == rules.Running { // at its end it's told besides
			m.Now = bot.Lines(v.standings(g), m.Now)
		}
	default:
		m.Picture.Instead, m.Now = board, bot.Lines(legend, m.Now)
	}
}

// painted returns the picture of a scene.
func (c *call) painted(b boards.Board, hash, theme string, scene boards.Scene, alt string) *bot.Picture {
	return c.drawing(b, canvas{hash, theme, boards.PictureWidth}, scene, alt, func(p *boards.Painter) ([]byte, error) { return p.PNG(scene) })
}

// drawing returns a picture of something that is drawn when it's shown.
func (c *call) drawing(b boards.Board, on canvas, what any, alt string, draw func(*boards.Painter) ([]byte, error)) *bot.Picture {
	gallery := c.gallery
	return &bot.Picture{
		Name: "board.png", Key: keyOf(on, what), Alt: alt, Refused: refused(c.words),
		Draw: func(ctx context.Context) ([]byte, error) { return gallery.paint(ctx, pictureTime, b, on, draw) },
	}
}

// refused returns the sentence for where no pictures may be sent.
func refused(l *words.Language) func(right string) bot.Text {
	return func(right string) bot.Text { return l.Text(words.FailPicture, words.S("right", right)) }
}

// keyOf returns the same key for pictures that look the same.
func keyOf(on canvas, what any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v %+v", on, what))
	return fmt.Sprintf("%x", sum[:16])
}

// pieces returns the tokens of a match as pictures show them.
func pieces(v teller, g *rules.Game) []boards.Piece {
	all := make([]boards.Piece, g.Seats())
	for i := range all {
		s := g.Seat(i)
		all[i] = boards.Piece{
			Token: boards.Token{Square: s.Square, Letter: 'A' + rune(i)}, Seat: i, Name: v.names.Short(i).String(),
			Instead: v.l.Words(words.Player, words.N("n", i+1)),
			Turn:    g.Phase() == rules.Running && g.Turn() == i, Winner: g.Winner() == i, Shield: s.Shield,
		}
		if s.Gone {
			all[i].Square = -1 // nowhere
		}
	}
	return all
}

// moveOf returns a go as pictures show it; nil is none.
func moveOf(b boards.Board, went *rules.Went) (m boards.Move) {
	if went == nil {
		return m
	}
	m.By = went.Seat
	for i, r := range went.Rolls {
		m.Thrown = append(m.Thrown, r.Total())
		if i == 0 {
			m.Path = append(m.Path, r.From)
		}
		if past := r.From+r.Total() > b.Size; past && !r.Void && r.Landed != r.From {
			m.Path = append(m.Path, b.Size)
		}
		m.Path = append(m.Path, r.Landed)
		m.Path = append(m.Path, hops(b, r.Landed, r.To)...)
		if r.End() != r.To {
			m.Path = append(m.Path, r.End())
		}
	}
	return m
}

// drawnGo returns the go that a picture of what happened shows the path of: the last one
// that was somebody's own, by a press or because their time ran out, or else the last one.
// Those that nobody was waited for come with it, and a snake that bit whoever pressed
// would never be seen. Last is the last one, of whatever kind. Nil is none.
func drawnGo(before *rules.Game, events []rules.Event) (own, last *rules.Went) {
	g := before.Clone()
	for _, e := range events {
		if went, ok := e.(rules.Went); ok {
			last = &went
			if went.How == rules.Pressed || went.How == rules.Clock && g.Seat(went.Seat).Waits() {
				own = last
			}
		}
		if g.Apply(e) != nil {
			break
		}
	}
	if own == nil {
		own = last
	}
	return own, last
}

// hops returns where jumps lead from one square to another, the last one included.
func hops(b boards.Board, from, to int) (squares []int) {
	for at := from; at != to; {
		next := to
		for _, j := range b.Jumps {
			if j.From == at {
				next = j.To
				break
			}
		}
		if squares = append(squares, next); len(squares) > len(b.Jumps) {
			break
		}
		at = next
	}
	return squares
}

// film returns a match as a film, go by go.
func (c *call) film(v teller, run rerunning, hash, theme string, alt string) *bot.Picture {
	b := run.game.Track().Board()
	on := canvas{hash, theme, boards.FilmWidth}
	gallery, goes := c.gallery, run.game.Goes()
	return &bot.Picture{
		Name: "replay.gif", Key: keyOf(on, []any{pieces(v, run.game), run.acts()}), Alt: alt, Refused: refused(c.words),
		Draw: func(ctx context.Context) ([]byte, error) {
			return gallery.paint(ctx, filmTime, b, on, func(p *boards.Painter) ([]byte, error) {
				return p.Film(goes, scenes(c.words, v, run))
			})
		},
	}
}

// scenes returns what a match looked like after each of its goes.
func scenes(l *words.Language, v teller, run rerunning) iter.Seq[boards.Scene] {
	b := run.game.Track().Board()
	return func(yield func(boards.Scene) bool) {
		for i, e := range run.events {
			went, ok := e.event.(rules.Went)
			if !ok {
				continue
			}
			after := run.game // as it ended, whatever came behind the last go
			if e.before.Goes()+1 < run.game.Goes() {
				after = run.events[i+1].before
			}
			title := l.Text(words.PictureGo, words.S("board", words.Title(b.Shown())), words.N("n", e.before.Goes()+1), words.N("of", run.game.Goes()))
			if !yield(boards.Scene{Pieces: pieces(v, after), Last: moveOf(b, &went), Title: title.String()}) {
				return
			}
		}
	}
}

// acts returns the goes of a match that was run again, as a record has them.
func (r rerunning) acts() (all []rules.Event) {
	for _, e := range r.events {
		all = append(all, e.event)
	}
	return all
}
