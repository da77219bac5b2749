package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
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
	c, rec, run, err := e.owned(ctx, seed)
	if err != nil {
		return nil, err
	}
	if err := c.doubt(rec, run); err != nil {
		return nil, err
	}
	return c.film(c.archivist(rec, false), run, rec.Board, "light", "").Draw(ctx)
}

// Retell returns a match that is over, found by its seed, in the words of /replay. It is
// for whoever owns the store: all names are shown. The error says in words what is
// wrong. A record that doesn't match is told as far as it does, and is an error too.
func (e *Engine) Retell(ctx context.Context, seed string) (string, error) {
	c, rec, run, err := e.owned(ctx, seed)
	if err != nil {
		return "", err
	}
	return c.replayWords(c.archivist(rec, false), rec, run).String(), c.doubt(rec, run)
}

// owned returns a match that is over, by its seed alone, and a call of its channel.
func (e *Engine) owned(ctx context.Context, seed string) (*call, Record, rerunning, error) {
	c := &call{Engine: e, ctx: ctx, now: e.Now()}
	if _, ok := rules.ParseSeed(seed); !ok {
		return c, Record{}, rerunning{}, inWords(e.words, no(words.NoSeed))
	}
	rec, run, err := c.past(seed)
	c.Request = bot.Request{Channel: rec.Channel}
	return c, rec, run, inWords(e.words, err)
}

// doubt returns what is wrong with a match that was run again as an error.
func (c *call) doubt(rec Record, run rerunning) error {
	if run.sound() {
		return nil
	}
	return errors.New(strings.ReplaceAll(c.verdict(rec, run).String(), "\n", " "))
}

// inWords returns a refusal as an error that people at the command line can read,
// where there are no chat and no commands.
func inWords(l *words.Language, err error) error {
	var r *refusal
	if !errors.As(err, &r) {
		return err
	}
	key := r.key
	switch key {
	case words.NoSeed:
		key = words.LineNoSeed
	case words.NoRecord:
		key = words.LineNoRecord
	case words.ReplayEmpty:
		key = words.LineEmpty
	case words.FailArchive:
		key = words.LineArchive
	}
	return errors.New(l.Words(key, r.fills...))
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
