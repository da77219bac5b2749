package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hiss/adapters/queue"
	"hiss/bot"
)

// How sessions are begun: one in that time; more slowly where many were begun in
// the last hour, up to that slowly; and none at all when so few are left of the
// day's thousand. Between connections there are growing waits.
const (
	identifyPause  = 5500 * time.Millisecond
	identifyFew    = 5
	identifySlowly = 10 * time.Minute
	identifyLeft   = 50
	longestWait    = time.Minute
)

// shard is one connection's share of the servers, over all its connections.
type shard struct {
	number, of int
	session    session
	heard      queue.Contact
	up         func()
	missed     int // how often the address that the session is resumed at wasn't reached
}

// begun returns so many shards, which can be asked from now on whether they are
// connected.
func (d *Discord) begun(n int) []*shard {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make([]*shard, n)
	for i := range all {
		all[i] = &shard{number: i, of: n}
		d.heard = append(d.heard, &all[i].heard)
	}
	return all
}

// unreached notes that the gateway couldn't be reached. A session's own address
// may be gone for good: then it's resumed at the usual one, and given up at last.
func (sh *shard) unreached(resuming bool) {
	if sh.missed++; resuming && sh.missed >= 2 {
		sh.session.url = ""
	}
}

// serve keeps a shard connected until ctx ends. It returns an error only where
// coming back is of no use.
func (d *Discord) serve(ctx context.Context, sh *shard) error {
	defer sh.heard.End()
	for failures := 0; ctx.Err() == nil; {
		sh.up = func() {
			failures, sh.missed = 0, 0
			d.healthy(sh.number, nil)
		}
		err := d.connect(ctx, sh)
		if ctx.Err() != nil {
			return nil
		}
		d.healthy(sh.number, err)
		sh.heard.Missed()
		var l *lost
		if errors.As(err, &l) {
			if why, ok := fatal[l.code]; ok {
				return errors.New(why)
			}
			if !l.resume {
				sh.session = session{}
			}
		}
		wait := min(time.Second<<min(failures, 6), longestWait)
		if l != nil && l.code == opInvalid {
			wait = max(wait, 2*time.Second) // Discord wants one to five
		}
		level := slog.LevelWarn
		if failures == 0 && l != nil && l.resume {
			level = slog.LevelInfo // nothing out of the ordinary
		}
		d.log.Log(ctx, level, "the gateway's connection ended", "shard", sh.number, "error", err, "again in", wait)
		failures++
		pause(ctx, wait)
	}
	return nil
}

// pace spaces out IDENTIFYs, over restarts too: a program that falls over again
// and again must not use up the day's thousand, after which Discord takes the
// token away. It is safe for concurrent use.
type pace struct {
	notes  bot.Notes
	log    *slog.Logger
	turn   chan struct{} // holds one while it's somebody's turn
	atOnce int           // how many sessions an hour aren't slowed down
}

// identifyNote is under what the times of the last IDENTIFYs are kept.
const identifyNote = name + "/identify"

// take waits until a session may be begun. The turn is the caller's until it is
// given back.
func (p *pace) take(ctx context.Context) (giveBack func(), err error) {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	giveBack = sync.OnceFunc(func() { <-p.turn })
	times, err := p.recent()
	if err == nil && len(times) > 0 {
		wait := identifyPause
		if n := len(times); n > p.atOnce {
			wait = min(identifyPause<<min(n-p.atOnce, 7), identifySlowly)
		}
		wait = time.Until(times[len(times)-1].Add(wait))
		if wait > identifyPause {
			p.log.Warn("many sessions were begun lately, so the next one has to wait", "for", wait.Round(time.Second))
		}
		if !pause(ctx, wait) {
			err = ctx.Err()
		}
	}
	if err != nil {
		giveBack()
	}
	return giveBack, err
}

// note notes that a session is begun now.
func (p *pace) note() error {
	times, err := p.recent()
	if err != nil {
		return err
	}
	times = append(times, time.Now().UTC())
	data, err := json.Marshal(times[max(0, len(times)-p.atOnce-20):])
	if err == nil {
		err = p.notes.Put(identifyNote, data)
	}
	if err != nil {
		return fmt.Errorf("noting that a session is begun: %w", err)
	}
	return nil
}

// recent returns when sessions were begun in the last hour.
func (p *pace) recent() (times []time.Time, err error) {
	data, err := p.notes.Get(identifyNote)
	if err != nil {
		return nil, fmt.Errorf("reading when sessions were begun: %w", err)
	}
	if data != nil {
		_ = json.Unmarshal(data, &times) // else there's nothing to wait for
	}
	now := time.Now()
	return slices.DeleteFunc(times, func(at time.Time) bool { return now.Sub(at) >= time.Hour || at.After(now) }), nil
}
