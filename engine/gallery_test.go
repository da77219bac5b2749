package engine_test

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine"
)

// wanted paints in a gallery, and returns how long that took on the bubble's clock.
func wanted(ctx context.Context, g engine.Gallery, b boards.Board, work func(*boards.Painter) ([]byte, error)) (file []byte, took time.Duration, err error) {
	began := time.Now()
	file, err = g.Paint(ctx, engine.PictureTime, b, work)
	return file, time.Since(began), err
}

// sketched draws the board with nobody on it.
func sketched(p *boards.Painter) ([]byte, error) { return p.PNG(boards.Scene{}) }

// asleep draws for so long.
func asleep(d time.Duration) func(*boards.Painter) ([]byte, error) {
	return func(*boards.Painter) ([]byte, error) { time.Sleep(d); return nil, nil }
}

// TestWhatTakesTooLongIsLeftOut: whoever wants a picture goes on at its limit. The
// drawing goes on too, so that the board is ready for whoever asks next.
func TestWhatTakesTooLongIsLeftOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, _ := boards.Find("tiny")
		g := engine.NewGallery(func() *boards.Theme { time.Sleep(5 * time.Second); return boards.Light() })
		var painter atomic.Pointer[boards.Painter]
		file, took, err := wanted(t.Context(), g, b, func(p *boards.Painter) ([]byte, error) { painter.Store(p); return sketched(p) })
		if !errors.Is(err, context.DeadlineExceeded) || file != nil || took != 1500*time.Millisecond {
			t.Fatalf("%d bytes after %s: %v", len(file), took, err)
		}
		synctest.Wait()
		if painter.Load() != nil {
			t.Fatal("ready at once")
		}
		time.Sleep(5*time.Second - took)
		synctest.Wait()
		if painter.Load() == nil {
			t.Fatal("whoever didn't wait stopped the drawing")
		}
		file, took, err = wanted(t.Context(), g, b, func(p *boards.Painter) ([]byte, error) {
			if p != painter.Load() {
				t.Error("the board is made ready twice")
			}
			return sketched(p)
		})
		if _, bad := png.Decode(bytes.NewReader(file)); err != nil || bad != nil || took != 0 {
			t.Errorf("%d bytes after %s: %v", len(file), took, errors.Join(err, bad))
		}
	})
}

// TestNobodyWaitsForWhatNobodyWants: a wait ends with its request, at a drawing and in
// the line for one, and who is gone before isn't drawn for.
func TestNobodyWaitsForWhatNobodyWants(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, _ := boards.Find("tiny")
		g := engine.NewGallery(boards.Light)
		begun := atomic.Int64{}
		for range g.Brushes() + 1 { // the last one gets no brush
			go func() {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second/2, cancel)
				_, took, err := wanted(ctx, g, b, func(*boards.Painter) ([]byte, error) { begun.Add(1); return asleep(time.Minute)(nil) })
				if !errors.Is(err, context.Canceled) || took != time.Second/2 {
					t.Errorf("went on after %s: %v", took, err)
				}
			}()
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := begun.Load(); n != int64(g.Brushes()) {
			t.Errorf("%d drawings, want %d", n, g.Brushes())
		}
		time.Sleep(time.Minute)
		ended, stop := context.WithCancel(t.Context())
		stop()
		if _, _, err := wanted(ended, g, b, func(*boards.Painter) ([]byte, error) { t.Error("drawn"); return nil, nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("drawn for nobody: %v", err)
		}
	})
}

// TestAsManyDrawingsAsBrushes: whoever waits for a brush longer than a picture may take
// goes without, and a drawing that fails in whatever way gives its brush back.
func TestAsManyDrawingsAsBrushes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, _ := boards.Find("tiny")
		g := engine.NewGallery(boards.Light)
		for range 3 * g.Brushes() {
			if _, _, err := wanted(t.Context(), g, b, func(*boards.Painter) ([]byte, error) { panic("no paint") }); err == nil {
				t.Error("a drawing that panics is one")
			}
			if _, _, err := wanted(t.Context(), g, b, func(*boards.Painter) ([]byte, error) { return nil, errStrange }); !errors.Is(err, errStrange) {
				t.Errorf("a drawing that fails: %v", err)
			}
		}
		var mu sync.Mutex // of the numbers
		var begun, now, most, done, late int
		count := func(f func()) { mu.Lock(); defer mu.Unlock(); f() }
		var all sync.WaitGroup
		for range 5 * g.Brushes() {
			all.Go(func() {
				_, took, err := wanted(t.Context(), g, b, func(*boards.Painter) ([]byte, error) {
					count(func() { begun++; now++; most = max(most, now) })
					time.Sleep(time.Second)
					count(func() { now-- })
					return nil, nil
				})
				switch {
				case err == nil && took == time.Second:
					count(func() { done++ })
				case errors.Is(err, context.DeadlineExceeded) && took == engine.PictureTime:
					count(func() { late++ })
				default:
					t.Errorf("after %s: %v", took, err)
				}
			})
		}
		all.Wait()
		g.Close()
		// The first ones are done, the second ones are begun too late to be, and none is
		// begun for whoever has gone on.
		if n := g.Brushes(); most != n || done != n || late != 4*n || begun != 2*n || now != 0 {
			t.Errorf("%d brushes: %d begun, %d at once, %d done, %d late, %d still on", n, begun, most, done, late, now)
		}
	})
}

// TestBoardsKeptReady: so many, those that were used last.
func TestBoardsKeptReady(t *testing.T) {
	t.Parallel()
	g := engine.NewGallery(boards.Light)
	painter := func(size int) (p *boards.Painter) {
		b := boards.Board{Name: "kept", Size: size, Columns: 10}
		if _, err := g.Paint(t.Context(), time.Hour, b, func(its *boards.Painter) ([]byte, error) { p = its; return nil, nil }); err != nil {
			t.Fatal(err)
		}
		return p
	}
	first, second := painter(2), painter(3)
	for i := range engine.MostPainters + 4 {
		painter(4 + i)
		if painter(2) != first {
			t.Fatalf("the board in use was given up after %d others", i+1)
		}
	}
	if n := g.Painters(); n != engine.MostPainters {
		t.Errorf("%d boards are kept, want %d", n, engine.MostPainters)
	}
	if painter(3) == second {
		t.Error("a board that nobody has used since is kept")
	}
	wide := boards.NewPainter(boards.Board{Name: "high", Size: 1000, Columns: 5}, boards.Light(), boards.PictureWidth)
	if w, h := wide.Size(); w*h*engine.MostPainters > 25_000_000 {
		t.Errorf("%d boards of %d×%d pixels", engine.MostPainters, w, h)
	}
}

// TestPicturesAndFilmsHaveTheirTime: with every brush in use a go is shown without its
// picture after a second and a half, and a match without its film after ten.
func TestPicturesAndFilmsHaveTheirTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := engine.New(engine.Config{Store: &memory{}, Seed: countedSeeds()})
		h, here := &hall{TB: t, engine: e, clock: &clock{}}, room("busy")
		still := pictured(t, h.say(here, "asha: /newgame tiny plain", "asha: /roll")).Picture
		h.say(here, "asha: /cancel")
		film := pictured(t, h.say(here, "asha: /replay 1")).Picture
		b, _ := boards.Find("tiny")
		for range e.Gallery().Brushes() {
			go wanted(t.Context(), e.Gallery(), b, asleep(time.Minute))
		}
		synctest.Wait()
		for p, limit := range map[*bot.Picture]time.Duration{still: 1500 * time.Millisecond, film: 10 * time.Second} {
			began := time.Now()
			if _, err := p.Draw(t.Context()); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != limit {
				t.Errorf("%s after %s: %v, want it given up after %s", p.Name, time.Since(began), err, limit)
			}
		}
		time.Sleep(time.Minute)
		for _, p := range []*bot.Picture{still, film} {
			if file, err := p.Draw(t.Context()); err != nil || len(file) == 0 {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	})
}

// TestAStopWaitsForDrawings: an engine that is stopped returns when nothing is drawn any
// more, also of what nobody waits for.
func TestAStopWaitsForDrawings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := engine.New(engine.Config{Store: &memory{}, Seed: countedSeeds()})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- e.Run(ctx) }()
		b, _ := boards.Find("tiny")
		if _, _, err := wanted(ctx, e.Gallery(), b, asleep(9*time.Second)); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		stop()
		time.Sleep(7 * time.Second)
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("stopped while it draws: %v", err)
		default:
		}
		time.Sleep(time.Second)
		synctest.Wait()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("nothing is drawn any more, and it doesn't stop")
		}
	})
}
