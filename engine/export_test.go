package engine

import (
	"context"
	"time"

	"hiss/boards"
	"hiss/engine/rules"
)

// The limits of a gallery.
const (
	PictureTime  = pictureTime
	FilmTime     = filmTime
	MostPainters = mostPainters
)

// Gallery is an engine's gallery, in which tests draw what they like.
type Gallery struct{ *gallery }

// Gallery returns the gallery that an engine's pictures are drawn in.
func (e *Engine) Gallery() Gallery { return Gallery{e.gallery} }

// NewGallery returns one with this theme alone, which each board is made ready with.
func NewGallery(theme func() *boards.Theme) Gallery {
	g := newGallery()
	g.themes = map[string]func() *boards.Theme{"light": theme}
	return Gallery{g}
}

// Paint lets a painter of a board work, as narrow as painters are.
func (g Gallery) Paint(ctx context.Context, limit time.Duration, b boards.Board, work func(*boards.Painter) ([]byte, error)) ([]byte, error) {
	return g.paint(ctx, limit, b, canvas{b.Hash(), "light", 320}, work)
}

// Painters returns how many boards are kept ready.
func (g Gallery) Painters() int { return len(g.painters) }

// Brushes returns how many boards are drawn at once.
func (g Gallery) Brushes() int { return cap(g.brushes) }

// Close returns when nothing is drawn any more.
func (g Gallery) Close() { g.close() }

// DrawnGo returns the seat whose go a picture of what happened shows, -1 if there's none.
func DrawnGo(before *rules.Game, events []rules.Event) int {
	if own, _ := drawnGo(before, events); own != nil {
		return own.Seat
	}
	return -1
}
