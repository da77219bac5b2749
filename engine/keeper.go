package engine

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"hiss/bot"
)

// aliveKey is where it is noted when each platform was last reached, and gapsKey when
// one wasn't, be it for its own sake or because Hiss didn't run. Both keep nobody
// waiting: they are written now and then.
const (
	aliveKey   = "engine/alive"
	gapsKey    = "engine/gaps"
	aliveEvery = 15 * time.Second
	shortGap   = 10 * time.Second // what isn't worth giving back
	presses    = 10 * time.Second // what presses that waited for the outage's end take to come in
	mostGaps   = 32
	failPause  = time.Minute // before what couldn't be done in a channel is tried again
)

// gap is a time in which people of an adapter couldn't press. It is charged to
// nobody.
type gap struct {
	adapter  string
	from, to time.Time
}

// keeper keeps the time of all matches. What is due it asks the store, so that it
// holds nothing for a match that nobody plays.
type keeper struct {
	notes bot.Notes

	mu    sync.Mutex
	gaps  []gap                // oldest first
	lost  map[string]time.Time // since when adapters can't be reached; at first, when they last were
	noted time.Time            // when it was last noted who is reached
	begun bool
	// ticked is when Run came round last, on a clock that !wait doesn't turn.
	ticked   time.Time
	failures map[bot.Channel]time.Time // where what was due couldn't be done, and when
}

// begin reads when platforms weren't reached. Run calls it, once.
func (k *keeper) begin() error {
	var old, alive []byte
	if k.notes != nil {
		var err error
		if old, err = k.notes.Get(gapsKey); err != nil {
			return fmt.Errorf("when Hiss was away: %w", err)
		}
		if alive, err = k.notes.Get(aliveKey); err != nil {
			return fmt.Errorf("when platforms were last reached: %w", err)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gaps = parseGaps(string(old))
	k.lost = make(map[string]time.Time)
	for line := range strings.Lines(string(alive)) {
		name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseInt(at, 10, 64); err == nil && n > 0 {
			k.lost[name] = time.Unix(n, 0).UTC()
		}
	}
	k.begun = true
	return nil
}

// add notes a gap, if it is worth it. The lock is held.
func (k *keeper) add(g gap) {
	if g.to.Sub(g.from) < shortGap+presses {
		return
	}
	g.from, g.to = g.from.Truncate(time.Second), wholeSecond(g.to) // as they are kept
	k.gaps = append(k.gaps, g)
	k.gaps = k.gaps[max(0, len(k.gaps)-mostGaps):]
}

// keep writes the gaps. The lock is not held: the disk may take its time.
func (k *keeper) keep() error {
	k.mu.Lock()
	var b strings.Builder
	for _, g := range k.gaps {
		fmt.Fprintf(&b, "%d-%d %s\n", g.from.Unix(), g.to.Unix(), g.adapter)
	}
	k.mu.Unlock()
	if k.notes == nil {
		return nil
	}
	if err := k.notes.Put(gapsKey, []byte(b.String())); err != nil {
		return fmt.Errorf("noting when Hiss was away: %w", err)
	}
	return nil
}

func parseGaps(s string) (all []gap) {
	for line := range strings.Lines(s) {
		span, adapter, _ := strings.Cut(strings.TrimSpace(line), " ")
		var from, to int64
		if n, _ := fmt.Sscanf(span, "%d-%d", &from, &to); n == 2 {
			all = append(all, gap{adapter, time.Unix(from, 0).UTC(), time.Unix(to, 0).UTC()})
		}
	}
	return all
}

// alive notes now and then which adapters are reached, and since when others aren't.
func (k *keeper) alive(names []string, now time.Time, surely bool) error {
	k.mu.Lock()
	if k.notes == nil || !k.begun || !surely && now.Sub(k.noted) < aliveEvery {
		k.mu.Unlock()
		return nil
	}
	k.noted = now
	var b strings.Builder
	for name, since := range k.lost {
		fmt.Fprintf(&b, "%s %d\n", name, since.Unix())
	}
	for _, name := range names {
		if _, lost := k.lost[name]; !lost {
			fmt.Fprintf(&b, "%s %d\n", name, now.Unix())
		}
	}
	k.mu.Unlock()
	if err := k.notes.Put(aliveKey, []byte(b.String())); err != nil {
		return fmt.Errorf("noting which platforms are reached: %w", err)
	}
	return nil
}

// reachable sorts out the adapters whose people can press now, and notes since when
// those of the others couldn't.
func (k *keeper) reachable(all map[string]bot.Adapter, now time.Time) (names []string, err error) {
	names, back := k.sort(all, now)
	if back {
		err = k.keep()
	}
	return names, err
}

// sort returns the adapters that can be reached, and whether one of them couldn't
// before.
func (k *keeper) sort(all map[string]bot.Adapter, now time.Time) (names []string, back bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lost == nil {
		k.lost = make(map[string]time.Time)
	}
	for name, a := range all {
		since, gone := k.lost[name]
		switch there := a.Reachable(); {
		case there && gone:
			delete(k.lost, name)
			k.add(gap{name, since, now.Add(presses)})
			names, back = append(names, name), true
		case there:
			names = append(names, name)
		case !gone:
			k.lost[name] = now
		}
	}
	return names, back
}

// failed notes that what was due in a channel couldn't be done: it's left alone for a
// while, so that it neither fills the log nor keeps others waiting.
func (k *keeper) failed(c bot.Channel, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failures == nil {
		k.failures = make(map[bot.Channel]time.Time)
	}
	k.failures[c] = now
}

// failing returns the channels that are left alone now.
func (k *keeper) failing(now time.Time) map[bot.Channel]bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := make(map[bot.Channel]bool, len(k.failures))
	for c, at := range k.failures {
		if now.Sub(at) >= failPause {
			delete(k.failures, c)
		} else {
			all[c] = true
		}
	}
	return all
}

// slept notes that nothing was done since the last time, though Hiss ran: the
// machine slept, or the process was stopped. Turned is how far a rig has set the
// clock ahead, which is none of that.
func (k *keeper) slept(names []string, now time.Time, turned time.Duration) error {
	if !k.missed(names, now, turned) {
		return nil
	}
	return k.keep()
}

// missed reports whether Hiss slept, and adds the gaps that this makes.
func (k *keeper) missed(names []string, now time.Time, turned time.Duration) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	// The clock on the wall goes on while a machine sleeps; the other one may not.
	last, now := k.ticked, now.Round(0)
	k.ticked = now.Add(-turned)
	span := k.ticked.Sub(last)
	if last.IsZero() || span < shortGap {
		return false
	}
	for _, name := range names {
		if _, lost := k.lost[name]; !lost {
			k.add(gap{name, now.Add(-span), now.Add(presses)})
		}
	}
	return true
}

// owed returns how much of the time since a moment people of an adapter couldn't
// press in, as far as it hasn't been given back, and up to when that counts.
func (k *keeper) owed(adapter string, c clockwork) (back time.Duration, upTo time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	upTo = c.paid
	for _, g := range k.gaps {
		if g.adapter != adapter || !g.to.After(c.paid) {
			continue
		}
		from := g.from
		for _, m := range []time.Time{c.since, c.paid} {
			if m.After(from) {
				from = m
			}
		}
		if g.to.After(from) {
			back += g.to.Sub(from)
			if g.to.After(upTo) {
				upTo = g.to
			}
		}
	}
	return back, upTo
}

// NextDue returns when the clock has to do something next, zero if never.
func (e *Engine) NextDue(ctx context.Context) (time.Time, error) {
	return e.Store.NextDue(ctx, e.names())
}

// names returns the adapters that have started.
func (e *Engine) names() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	names := make([]string, 0, len(e.adapters))
	for name := range e.adapters {
		names = append(names, name)
	}
	return names
}
