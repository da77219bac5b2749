package engine

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"hiss/boards"
)

// How long a picture may take before its message goes without, and a film, which
// nobody's go waits for.
const (
	pictureTime = 1500 * time.Millisecond
	filmTime    = 10 * time.Second
)

// mostPainters is how many boards are kept ready to be drawn, at about a byte for
// each pixel: under 25 MB in all.
const mostPainters = 16

// gallery draws pictures, as many at once as there are processors: whoever has to
// wait longer than a picture may take goes without.
type gallery struct {
	brushes chan struct{}
	drawing sync.WaitGroup
	themes  map[string]func() *boards.Theme

	mu       sync.Mutex
	painters []*easel // the last one used last
}

// canvas is what a painter paints on: a board by its hash, and how.
type canvas struct {
	board, theme string
	width        int
}

// easel holds the painter of one canvas, made when it's first asked for.
type easel struct {
	canvas
	painter func() *boards.Painter
}

func newGallery() *gallery {
	return &gallery{
		brushes: make(chan struct{}, runtime.GOMAXPROCS(0)),
		themes: map[string]func() *boards.Theme{
			"light": sync.OnceValue(boards.Light), "dark": sync.OnceValue(boards.Dark),
		},
	}
}

// paint lets the painter of a board work, once there's a brush for it. The error
// says that it took too long, or that the drawing failed. What took too long is drawn
// to its end all the same, so that the board is ready the next time.
func (g *gallery) paint(ctx context.Context, limit time.Duration, b boards.Board, on canvas, work func(*boards.Painter) ([]byte, error)) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return nil, err // nobody waits for it
	}
	select {
	case g.brushes <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting to draw: %w", ctx.Err())
	}
	type drawing struct {
		file []byte
		err  error
	}
	done := make(chan drawing, 1)
	g.drawing.Go(func() {
		defer func() { <-g.brushes }()
		defer func() {
			if p := recover(); p != nil { // the words are worth more
				done <- drawing{nil, fmt.Errorf("drawing %s: %v", b.Name, p)}
			}
		}()
		file, err := work(g.painter(b, on))
		done <- drawing{file, err}
	})
	select {
	case d := <-done:
		return d.file, d.err
	case <-ctx.Done():
		return nil, fmt.Errorf("drawing: %w", ctx.Err())
	}
}

// close returns when nothing is drawn any more.
func (g *gallery) close() { g.drawing.Wait() }

// painter returns the painter of a canvas.
func (g *gallery) painter(b boards.Board, on canvas) *boards.Painter {
	g.mu.Lock()
	e := &easel{on, sync.OnceValue(func() *boards.Painter { return boards.NewPainter(b, g.themes[on.theme](), on.width) })}
	for i, old := range g.painters {
		if old.canvas == on {
			e = old
			g.painters = append(g.painters[:i], g.painters[i+1:]...)
			break
		}
	}
	if len(g.painters) == mostPainters {
		g.painters = append(g.painters[:0], g.painters[1:]...)
	}
	g.painters = append(g.painters, e)
	g.mu.Unlock()
	return e.painter()
}
