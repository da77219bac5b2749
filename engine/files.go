package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/words"
)

// Sketch returns the picture of a board, one that comes with Hiss by its name or
// else the one of a file, as a PNG file. The error says in words what is wrong.
func Sketch(name string, file []byte) ([]byte, error) {
	b, err := named(name, file)
	if err != nil {
		return nil, err
	}
	return boards.NewPainter(b, boards.Light(), boards.PictureWidth).PNG(boards.Scene{Title: words.Title(b.Shown())})
}

// Film returns the film of a match that is over, found by its seed, as an animated
// GIF file. It is for whoever owns the store: all names are shown. The error says in
// words what is wrong.
func (e *Engine) Film(ctx context.Context, seed string) ([]byte, error) {
	c := &call{Engine: e, ctx: ctx, now: e.Now()}
	rec, err := c.sought(seed)
	if err != nil {
		return nil, e.inWords(err)
	}
	c.Request = bot.Request{Channel: rec.Channel}
	track, err := c.tracks.of(ctx, rec.Board, rec.Rules)
	if err != nil {
		return nil, err
	}
	run := rerun(track, rec)
	if run.sound() && run.game.Goes() == 0 {
		return nil, errors.New(e.words.Words(words.ReplayEmpty))
	}
	if !run.sound() {
		return nil, errors.New(strings.ReplaceAll(c.verdict(rec, run).String(), "\n", " "))
	}
	return c.film(c.archivist(rec, false), run, rec.Board, "light", "").Draw(ctx)
}

// inWords returns a refusal as an error that people can read.
func (e *Engine) inWords(err error) error {
	var r *refusal
	if errors.As(err, &r) {
		return errors.New(e.words.Words(r.key, r.fills...))
	}
	return err
}

// named returns a board that comes with Hiss, or the one of a file.
func named(name string, file []byte) (boards.Board, error) {
	if file != nil {
		return boards.Parse(name, file)
	}
	b, ok := boards.Find(name)
	if !ok {
		return b, fmt.Errorf("no board %q comes with Hiss; there are %s. The name of a file has a dot or a slash in it, such as jungle.yaml",
			shorten(name), strings.Join(shippedNames(), ", "))
	}
	return b, nil
}
