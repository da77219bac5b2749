package engine

import (
	"fmt"
	"strings"
	"sync"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// What people can set for themselves, everywhere.
const (
	callsHabit = "calls"    // off: they are never called
	autoHabit  = "autoroll" // on: the die rolls for them in every match
)

// habitCache remembers what people have set for themselves.
type habitCache struct {
	mu    sync.Mutex
	known map[bot.UserID]map[string]string
	// forgot counts what was forgotten. What was read before isn't remembered after.
	forgot int
}

// maxPeople is how many people's habits are remembered.
const maxPeople = 5000

// habit returns what somebody has set for themself, empty if nothing.
func (c *call) habit(u bot.UserID, key string) (string, error) {
	c.habits.mu.Lock()
	all, known := c.habits.known[u]
	forgot := c.habits.forgot
	c.habits.mu.Unlock()
	if known {
		return all[key], nil
	}
	kept, err := c.Store.Habits(c.ctx, u)
	if err != nil {
		return "", fmt.Errorf("looking up somebody's habits: %w", err)
	}
	all = make(map[string]string, len(kept))
	for _, k := range kept {
		all[k.Key] = k.Value
	}
	c.habits.mu.Lock()
	defer c.habits.mu.Unlock()
	if c.habits.forgot != forgot {
		return all[key], nil
	}
	if c.habits.known == nil || len(c.habits.known) >= maxPeople {
		c.habits.known = make(map[bot.UserID]map[string]string)
	}
	c.habits.known[u] = all
	return all[key], nil
}

// setHabit keeps what the asker sets for themself.
func (c *call) setHabit(key, value string) error {
	err := c.Store.PutHabit(c.ctx, c.User.ID, Setting{Key: key, Value: value, By: c.User.ID, At: c.now})
	if err != nil {
		return fmt.Errorf("keeping somebody's habit: %w", err)
	}
	c.habits.mu.Lock()
	defer c.habits.mu.Unlock()
	c.habits.forgot++
	delete(c.habits.known, c.User.ID)
	return nil
}

// callable reports whether somebody wants to be called. Where that can't be read
// nobody is.
func (c *call) callable(u bot.UserID) bool {
	calls, err := c.habit(u, callsHabit)
	if err != nil {
		c.Log.Warn("looking up whether somebody wants to be called", "channel", c.Channel, "error", err)
		return false
	}
	return calls != "off"
}

// habitually adds what follows from the asker's habits to an event that seats them:
// the die rolls for them from the start.
func (c *call) habitually(g *rules.Game, e rules.Event) ([]rules.Event, error) {
	events := []rules.Event{e}
	auto, err := c.habit(c.User.ID, autoHabit)
	if err != nil || auto != "on" {
		return events, err
	}
	after := g.Clone()
	if err := after.Apply(e); err != nil {
		return nil, err
	}
	rolls, err := after.Autoroll(c.player(), true)
	if err != nil {
		return nil, err
	}
	return append(events, rolls), nil
}

// calls lets the asker be called when it is their go, or not.
func (c *call) calls(*table) (result, error) {
	switch strings.ToLower(strings.Join(c.Args, " ")) {
	case "on":
		if err := c.setHabit(callsHabit, ""); err != nil {
			return result{}, err
		}
		return show(c.words.Text(words.CallsOn))
	case "off":
		if err := c.setHabit(callsHabit, "off"); err != nil {
			return result{}, err
		}
		return show(c.words.Text(words.CallsOff))
	}
	return result{}, no(words.CallsHow)
}
