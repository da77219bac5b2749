package telegram_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"hiss/bot"
)

// clock says what nobody asked for, as the engine's clock does, and answers the
// presses on it. It is safe for concurrent use.
type clock struct {
	bot.Handler

	mu    sync.Mutex
	after []bot.Message // by what the button says
}

// saying is a message as a transcript writes it. In its texts @ben is a mention,
// <30s> a moment in half a minute, and <#place> a place.
type saying struct {
	Page, Before, Said, Now string
	Call                    string // who is called
	Sound, Gentle, Apart    bool
	Picture                 bool
	Press                   *saying // what a press on its Roll leads to
}

// Handle answers presses on what the clock has said.
func (c *clock) Handle(ctx context.Context, r bot.Request) bot.Answer {
	if r.Command != "clock" || len(r.Args) != 1 {
		return c.Handler.Handle(ctx, r)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := strconv.Atoi(r.Args[0])
	if err != nil || n >= len(c.after) {
		return told(bot.Message{Said: bot.Said("That's no button of mine.")})
	}
	return bot.Answer{Channel: []bot.Message{c.after[n]}}
}

// sends lets the clock say something in a place.
func (s *stage) sends(c bot.Channel, text string) error {
	var what saying
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&what); err != nil {
		return err
	}
	return s.adapter.Send(s.t.Context(), c, bot.Answer{Channel: []bot.Message{s.worded(what)}})
}

// worded returns a message as the engine would hand it out.
func (s *stage) worded(what saying) bot.Message {
	m := bot.Message{
		Page: what.Page, Before: s.text(what.Before), Said: s.text(what.Said), Now: s.text(what.Now),
		Sound: what.Sound, Gentle: what.Gentle, Apart: what.Apart,
	}
	if what.Call != "" {
		m.Call = &bot.User{ID: s.userID(what.Call), Name: what.Call}
	}
	if what.Picture {
		m.Picture = bot.Drawn("board.png", picture(s.t, 64, 64), "A board")
	}
	if what.Press != nil {
		s.clock.mu.Lock()
		n := len(s.clock.after)
		s.clock.after = append(s.clock.after, bot.Message{})
		s.clock.mu.Unlock()
		after := s.worded(*what.Press)
		s.clock.mu.Lock()
		s.clock.after[n] = after
		s.clock.mu.Unlock()
		m.Buttons = [][]bot.Button{{{Sign: "🎲", Label: "Roll", Line: fmt.Sprint("clock ", n), Style: bot.Primary}}}
	}
	return m
}

var dressed = regexp.MustCompile(`@[a-z]+|<[0-9a-z]+>|<#[a-z0-9]+>`)

// text reads a text as a transcript writes it.
func (s *stage) text(line string) (all bot.Text) {
	for line != "" {
		at := dressed.FindStringIndex(line)
		if at == nil {
			return append(all, bot.Span{Text: line})
		}
		word := strings.Trim(line[at[0]:at[1]], "<>")
		if at[0] > 0 {
			all = append(all, bot.Span{Text: line[:at[0]]})
		}
		line = line[at[1]:]
		switch word[0] {
		case '@':
			all = append(all, bot.Span{Kind: bot.Mention, Text: word[1:], User: s.userID(word[1:])})
		case '#':
			all = append(all, bot.Span{Kind: bot.Where, Text: "(" + word + ")", Place: s.placeID(word[1:])})
		default:
			d, err := time.ParseDuration(word)
			if err != nil {
				s.t.Errorf("<%s> is no span of time", word)
			}
			all = append(all, bot.Span{Kind: bot.Moment, Text: "(in " + word + ")", At: time.Now().Add(d)})
		}
	}
	return all
}

// reaches writes down whether the bot is reached.
func (s *stage) reaches() {
	word := "isn't"
	if s.adapter.Reachable() {
		word = "is"
	}
	fmt.Fprintf(&s.out, "bot %s reached\n", word)
}

// asksFor writes down what the bot hears of somebody who may have left.
func (s *stage) asksFor(c bot.ChatID, name string) {
	begun := time.Now()
	in, err := s.adapter.Member(s.t.Context(), c, s.userID(name))
	word := "is gone"
	switch {
	case err != nil:
		word = "may be anywhere"
	case in:
		word = "is here"
	}
	if d := time.Since(begun).Round(time.Second); d > 0 {
		word += fmt.Sprintf(", after %v", d)
	}
	fmt.Fprintf(&s.out, "bot hears that %s %s\n", name, word)
}

func (s *stage) userID(name string) bot.UserID {
	return bot.UserID(fmt.Sprint("telegram:", s.person(name)))
}

func (s *stage) placeID(name string) string { return name }

// where returns a chat as the engine knows it.
func where(chat int64) bot.Channel {
	return bot.Channel{Chat: bot.ChatID(fmt.Sprint("telegram:", chat))}
}
