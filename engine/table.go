package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// idleAfter is how long a match stays in memory after the last request.
const idleAfter = 10 * time.Minute

// maxDeliveries is how many marks of deliveries a record keeps.
const maxDeliveries = 32

// table is a channel's place in memory: its lock, and what is remembered of it
// while somebody plays there. It stays in the map for good, so that two
// requests never hold two locks of one channel.
type table struct {
	mu       sync.Mutex // held for deciding, writing and telling
	channel  bot.Channel
	*match          // the channel's latest match, nil if not loaded
	*company        // who is here, nil if nobody was lately
	refused  []mark // deliveries that changed nothing, to be written with the next act
	// contended says that another process wrote the match last. It tells what
	// it wrote by itself.
	contended bool
	handed    handed // what the channel was or is being told by this process
	nudged    nudged
	sat       sat
	votes     []vote // one of each person who asked to end the latest match in vain
	filled    filled
}

// handed says up to which act of a match its channel's answers went out. They
// may still be on their way; what was lost on it is told after a restart.
type handed struct {
	match int64
	acts  int
}

// match is a record folded.
type match struct {
	rec  Record // its ID is 0 if there never was a match in the channel
	game *rules.Game
	dice rules.Dice
	// missed says that the channel has not been told of all acts, before this
	// process took over.
	missed bool
	shown  *words.Names // of the record's seats, once somebody asked
}

// company is who was seen in a channel lately, and what stands at the bottom
// of the chat.
type company struct {
	seen map[bot.UserID]time.Time
	taps map[bot.UserID]tap // the last button that each person pressed
	// asked are those who were asked for a board and haven't sent it, and when.
	asked   map[bot.UserID]time.Time
	page    page
	reshown []reshown // the last replays, oldest first
	last    time.Time
}

type tap struct {
	line string
	at   time.Time
}

// mark is a few bytes of the hash of a delivery's id.
type mark = uint32

func markOf(delivery string) mark {
	sum := sha256.Sum256([]byte(delivery))
	return binary.BigEndian.Uint32(sum[:])
}

// unreadable is the error of a record that can't be parsed or folded. It is
// the record's fault and concerns its channel alone.
type unreadable struct{ error }

func (u unreadable) Unwrap() error { return u.error }

// at returns a channel's table.
func (e *Engine) at(c bot.Channel) *table {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.tables[c]
	if t == nil {
		t = &table{channel: c}
		e.tables[c] = t
	}
	e.warm[t] = struct{}{}
	return t
}

// enter notes who is here.
func (c *call) enter(t *table) {
	if t.company == nil {
		t.company = &company{seen: make(map[bot.UserID]time.Time), taps: make(map[bot.UserID]tap), asked: make(map[bot.UserID]time.Time)}
	}
	t.last = c.now
	t.seen[c.User.ID] = c.now
}

// load sees to it that the table's match is in memory, and notes who is here.
func (c *call) load(t *table) error {
	c.enter(t)
	if t.match != nil {
		return nil
	}
	rec, err := c.Store.Latest(c.ctx, t.channel)
	if errors.Is(err, ErrNotFound) {
		t.match = &match{}
		return nil
	}
	if err != nil {
		return fmt.Errorf("loading the match of %s: %w", t.channel, err)
	}
	m := &match{rec: rec}
	if !rec.Aside {
		if m.game, m.dice, err = c.fold(c.ctx, rec); err != nil {
			return c.setAside(t, rec, err)
		}
	}
	told := max(rec.Told, c.told.upTo(rec.ID))
	m.missed = m.game != nil && told < rec.Entries && t.handed != handed{rec.ID, rec.Entries} && !t.contended
	t.contended = false
	m.rec.Told = told
	t.match = m
	return nil
}

// fold returns the game of a record, or an unreadable error.
func (e *Engine) fold(ctx context.Context, rec Record) (*rules.Game, rules.Dice, error) {
	track, err := e.tracks.of(ctx, rec.Board, rec.Rules)
	if err != nil {
		return nil, nil, err
	}
	seed, ok := rules.ParseSeed(rec.Seed)
	if !ok {
		return nil, nil, unreadable{errors.New("the seed is none")}
	}
	g, err := rules.Fold(track, rec.Acts)
	if err != nil {
		return nil, nil, unreadable{err}
	}
	if err := rec.agrees(g); err != nil {
		return nil, nil, err
	}
	players := make([]rules.PlayerID, len(rec.Seats))
	for i, s := range rec.Seats {
		players[i] = rules.PlayerID(s.User)
	}
	g.Sit(players)
	return g, seed.Dice(track.Rules().Sides), nil
}

// agrees returns an unreadable error unless a record has the seats and as many
// acts as the game that was folded from it, and is over if that is.
func (r Record) agrees(g *rules.Game) error {
	over := g.Phase() == rules.Finished
	if g.Seats() == len(r.Seats) && g.Acts() == r.Entries && over != r.Open {
		return nil
	}
	return unreadable{fmt.Errorf("%d seats, %d acts, over: %t; but %d, %d and %t in the record",
		g.Seats(), g.Acts(), over, len(r.Seats), r.Entries, !r.Open)}
}

// setAside closes a match that can't be read, so that its channel can play
// another one. Any other error is returned as it is.
func (c *call) setAside(t *table, rec Record, err error) error {
	var bad unreadable
	if !errors.As(err, &bad) {
		return err
	}
	c.Log.Error("a match can't be read and is set aside", "channel", t.channel, "match", rec.ID, "error", err)
	if err := c.Store.SetAside(c.ctx, rec.ID); err != nil {
		return fmt.Errorf("setting match %d aside: %w", rec.ID, err)
	}
	return bad
}

// present reports whether somebody has pressed or typed here lately.
func (t *table) present(c *call, u bot.UserID) bool { return c.now.Sub(t.seen[u]) <= present }

// drop forgets the match, so that the next request loads it anew.
func (t *table) drop() { t.match = nil }

// knows reports whether a request has been here before, or is a double tap.
// Nothing may change then.
func (t *table) knows(c *call, cmd *command) bool {
	if cmd.acts && c.ID != "" {
		m := markOf(c.ID)
		if slices.Contains(t.rec.Deliveries, m) || slices.Contains(t.refused, m) {
			return true
		}
	}
	return t.doubleTap(c)
}

// doubleTap reports whether somebody pressed the same just now.
func (t *table) doubleTap(c *call) bool {
	before := t.taps[c.User.ID]
	return c.Pressed && before.line == c.line() && c.now.Sub(before.at) < time.Second
}

// line is the command line of a request, which tells buttons apart.
func (c *call) line() string { return c.Command + " " + strings.Join(c.Args, " ") }

// tapped remembers a press that was answered, so that a second tap isn't.
func (t *table) tapped(c *call) {
	if c.Pressed {
		t.taps[c.User.ID] = tap{c.line(), c.now}
	}
}

// note remembers a request that changed nothing, so that the same delivery
// can't be accepted later.
func (t *table) note(c *call, cmd *command) {
	if cmd.acts && c.ID != "" {
		t.refused = lastOf(append(t.refused, markOf(c.ID)))
	}
}

func lastOf(marks []mark) []mark {
	return slices.Clone(marks[max(0, len(marks)-maxDeliveries):])
}

// commit writes what was decided, then applies it to the match in memory.
func (c *call) commit(t *table, cmd *command, r result) error {
	rec := t.rec
	game, dice := t.game, t.dice
	if r.opens != nil {
		follows, deliveries := rec.ID, rec.Deliveries
		rec = *r.opens
		rec.Follows, rec.Deliveries = follows, deliveries
		var err error
		if game, dice, err = c.fresh(rec); err != nil {
			return err
		}
	} else {
		game = game.Clone()
	}
	thrown := game.Thrown()
	acts := []byte(rec.Acts)
	rec.Seats = slices.Clone(rec.Seats)
	for _, e := range r.events {
		lobby := game.Phase() == rules.Lobby
		if err := game.Apply(e); err != nil {
			return fmt.Errorf("match %d: %w", rec.ID, err)
		}
		if len(acts) > 0 {
			acts = append(acts, ' ')
		}
		acts = append(acts, rules.Write(e)...)
		rec.Seats, rec.Barred = c.reseat(rec, e, lobby)
	}
	rec.Acts, rec.Entries = string(acts), game.Acts()
	rec.Open = game.Phase() != rules.Finished
	if len(r.events) > 0 {
		rec.Acted = c.now
	}
	w := c.clockBehind(t, rec, game, r)
	w = parseClock(w.String()) // in whole seconds
	if rec.Clock = w.String(); !rec.Open && w.rematch == 0 {
		rec.Clock = "" // nobody is waited for any more
	}
	_, rec.Deadline = w.next(game, rec.Acted, t.lastSeen((&match{rec: rec}).user(game.Host())))
	rec.Told = max(rec.Told, c.told.upTo(rec.ID))
	marks := append(slices.Clone(rec.Deliveries), t.refused...)
	if cmd.acts && c.ID != "" && !c.guarded(cmd) {
		marks = append(marks, markOf(c.ID))
	}
	rec.Deliveries = lastOf(marks)
	if err := c.Store.Put(c.ctx, &rec); err != nil {
		return fmt.Errorf("writing match %d of %s: %w", rec.ID, t.channel, err)
	}
	c.told.written(rec.ID, rec.Told)
	c.Rig.thrown(game.Thrown() - thrown)
	shown := t.shown
	if !slices.Equal(rec.Seats, t.rec.Seats) {
		shown = nil
	}
	t.match = &match{rec: rec, game: game, dice: dice, missed: t.missed && r.opens == nil, shown: shown}
	t.noteSitters()
	t.refused = nil
	return nil
}

// clockBehind returns the clockwork of a record behind what was decided, by which the
// game came about.
func (c *call) clockBehind(t *table, rec Record, game *rules.Game, r result) clockwork {
	w := parseClock(rec.Clock)
	if r.clock != nil {
		w = *r.clock
	}
	if len(r.events) == 0 {
		return w
	}
	after := w.after(t.game, game, c.now)
	if game.Phase() == rules.Lobby && r.opens == nil && r.clock == nil {
		return c.lobbied(t, w, after, r.events)
	}
	return after
}

// fresh returns the game of a match that is about to be opened.
func (c *call) fresh(rec Record) (*rules.Game, rules.Dice, error) {
	track, err := c.tracks.of(c.ctx, rec.Board, rec.Rules)
	if err != nil {
		return nil, nil, err
	}
	seed, _ := rules.ParseSeed(rec.Seed)
	return rules.NewGame(track), seed.Dice(track.Rules().Sides), nil
}

// guarded reports whether a request can't count twice anyway: a press of Roll
// names its match and go.
func (c *call) guarded(cmd *command) bool { return cmd.Name == "roll" && c.Pressed && len(c.Args) == 2 }

// reseat changes who sits where by an event, and who may not sit down again.
func (c *call) reseat(rec Record, e rules.Event, lobby bool) (seats, barred []Sitter) {
	seats, barred = rec.Seats, rec.Barred
	up := func(seat int) []Sitter {
		if lobby {
			return slices.Delete(seats, seat, seat+1)
		}
		return seats
	}
	switch e := e.(type) {
	case rules.Opened:
		return append(seats, Sitter{c.User.ID, c.User.Name}), barred
	case rules.Joined:
		if e.Computer {
			return append(seats, Sitter{Name: c.words.Words(words.Computer)}), barred
		}
		return append(seats, Sitter{c.User.ID, c.User.Name}), barred
	case rules.Left:
		return up(e.Seat), barred
	case rules.Unseated:
		if out := seats[e.Seat]; lobby && out.User != "" {
			barred = append(slices.Clip(barred), out)
		}
		return up(e.Seat), barred
	case rules.Ordered:
		ordered := make([]Sitter, len(seats))
		for i, old := range e.Seats {
			ordered[i] = seats[old]
		}
		return ordered, barred
	}
	return seats, barred
}

// names returns the names of a match's seats as they are shown.
func (m *match) names(l *words.Language) words.Names {
	if m.shown != nil {
		return *m.shown
	}
	typed := make([]string, len(m.rec.Seats))
	for i, s := range m.rec.Seats {
		typed[i] = s.Name
	}
	shown := l.NewNames(typed)
	m.shown = &shown
	return shown
}

// user returns who sits on a seat, or nil for a computer player.
func (m *match) user(seat int) *bot.User {
	if seat < 0 || m.rec.Seats[seat].User == "" {
		return nil
	}
	return &bot.User{ID: m.rec.Seats[seat].User, Name: m.rec.Seats[seat].Name}
}

// playing reports whether a match is on in the channel.
func (t *table) playing() bool { return t.game != nil && t.game.Phase() != rules.Finished }

// rigged returns the match's dice, with the loaded ones on top.
func (c *call) rigged(t *table) rules.Dice {
	return c.Rig.load(t.dice, t.game.Thrown(), t.game.Rules().Sides)
}
