package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

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
	up         func()
}

// serve keeps a shard connected until ctx ends. It returns an error only where
// coming back is of no use.
func (d *Discord) serve(ctx context.Context, sh *shard) error {
	for failures := 0; ctx.Err() == nil; {
		sh.up = func() {
			failures = 0
			d.healthy(sh.number, nil)
		}
		err := d.connect(ctx, sh)
		if ctx.Err() != nil {
			return nil
		}
		d.healthy(sh.number, err)
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
		d.log.Warn("the gateway's connection ended", "shard", sh.number, "error", err, "again in", wait)
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
	atOnce int        // how many sessions an hour aren't slowed down
	mu     sync.Mutex // held while it's somebody's turn
}

// identifyNote is under what the times of the last IDENTIFYs are kept.
const identifyNote = name + "/identify"

// turn waits until a session may be begun, and notes that it is.
func (p *pace) turn(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	data, err := p.notes.Get(identifyNote)
	if err != nil {
		return fmt.Errorf("reading when sessions were begun: %w", err)
	}
	var times []time.Time
	if data != nil {
		_ = json.Unmarshal(data, &times) // else there's nothing to wait for
	}
	now := time.Now()
	recent := times[:0]
	for _, at := range times {
		if now.Sub(at) < time.Hour && !at.After(now) {
			recent = append(recent, at)
		}
	}
	if n := len(recent); n > 0 {
		wait := identifyPause
		if n > p.atOnce {
			wait = min(identifyPause<<min(n-p.atOnce, 7), identifySlowly)
		}
		if !pause(ctx, recent[n-1].Add(wait).Sub(now)) {
			return ctx.Err()
		}
	}
	recent = append(recent, time.Now().UTC())
	if data, err = json.Marshal(recent[max(0, len(recent)-p.atOnce-20):]); err != nil {
		return err
	}
	if err := p.notes.Put(identifyNote, data); err != nil {
		return fmt.Errorf("noting that a session is begun: %w", err)
	}
	return nil
}
