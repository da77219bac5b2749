package engine

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hiss/engine/words"
)

// pace is how long a seat is waited for before Hiss throws for it. The zero value
// waits for ever.
type pace struct {
	word string        // what people call it, empty for a span
	span time.Duration // of a first wait, 0 for ever
}

// The paces that have a name, and the bounds of any other.
const (
	livePace  = 90 * time.Second
	dayPace   = 24 * time.Hour
	leastPace = 30 * time.Second
	mostPace  = 7 * 24 * time.Hour
)

// longPace is from where on a wait has two reminders instead of one.
const longPace = time.Hour

// namedPaces returns the paces that have a name, the usual one first.
func namedPaces() []pace {
	return []pace{{"live", livePace}, {"day", dayPace}, {"none", 0}}
}

// parsePace reads a pace as people type it: live, day, none, or a span such as 45s,
// 10m, 12h or 3 days. It's false for what is none, or out of bounds.
func parsePace(s string) (pace, bool) {
	s = strings.ToLower(strings.Join(strings.Fields(s), ""))
	for _, p := range namedPaces() {
		if s == p.word {
			return p, true
		}
	}
	span, ok := parseSpan(s)
	if !ok || span < leastPace || span > mostPace {
		return pace{}, false
	}
	return pace{span: span}, true
}

// mostSpan is more than any span that means something here, and far from what a
// duration can't hold.
const mostSpan = 365 * 24 * time.Hour

// parseSpan reads a span of time: numbers and units, 45s, 10minutes, 3d, 1h30m. A
// number alone counts seconds. It's false for what is none, or over a year.
func parseSpan(s string) (sum time.Duration, ok bool) {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	for alone := true; s != "" || alone; alone = false {
		unitAt := len(s) - len(strings.TrimLeftFunc(s, isDigit))
		n, err := strconv.ParseInt(s[:unitAt], 10, 32)
		if err != nil {
			return 0, false
		}
		end := strings.IndexFunc(s[unitAt:], isDigit)
		if end < 0 {
			end = len(s) - unitAt
		}
		unit := spanUnit(s[unitAt : unitAt+end])
		if unit == 0 && end == 0 && alone {
			unit = time.Second
		}
		if unit == 0 || n > int64((mostSpan-sum)/unit) {
			return 0, false
		}
		sum += time.Duration(n) * unit
		s = s[unitAt+end:]
	}
	return sum, true
}

// spanUnit returns how long a unit of time is, 0 for what is none.
func spanUnit(word string) time.Duration {
	switch word {
	case "s", "sec", "secs", "second", "seconds":
		return time.Second
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour
	case "d", "day", "days":
		return 24 * time.Hour
	case "w", "week", "weeks":
		return 7 * 24 * time.Hour
	}
	return 0
}

// String writes the pace as parsePace reads it.
func (p pace) String() string {
	if p.word != "" {
		return p.word
	}
	return strconv.Itoa(int(p.span.Seconds())) + "s"
}

// told says the pace to people.
func (p pace) told(l *words.Language) string {
	if p.word != "" {
		return p.word
	}
	return l.Seconds(int(p.span.Seconds()))
}

// limit returns how long a seat is waited for that has missed so many goes in a
// row: a third of the time once it has missed one. It is 0 for ever.
func (p pace) limit(missed int) time.Duration {
	if missed > 0 {
		return max(p.span/3, min(p.span, 10*time.Second))
	}
	return p.span
}

// reminders returns when, within a wait, the seat is reminded: of a short one once,
// of a long one twice, and of a shortened one never.
func (p pace) reminders(missed int) []time.Duration {
	switch {
	case p.span == 0 || missed > 0:
		return nil
	case p.span >= longPace:
		return []time.Duration{p.span / 2, p.span * 9 / 10}
	}
	return []time.Duration{p.span * 2 / 3}
}

// clockwork is what has to be known of a match's clock besides its acts. It is
// kept in the record, in one short line: "live since=1764500000 reminded=1".
type clockwork struct {
	pace     pace
	lobby    time.Duration // how long a lobby stays open in which nothing happens
	since    time.Time     // when the present wait began
	reminded int           // how many reminders of the present wait there were
	// paid is up to when the time in which Hiss itself was away has been given back.
	paid time.Time
	// vote is the seat that asks to end the match, from 0, and asked when; asked is
	// zero if nobody does.
	vote  int
	asked time.Time
	// rematch is the number of the match that this one repeats, while its people
	// are waited for; 0 afterwards.
	rematch int64
}

// String writes the clockwork as a record keeps it.
func (c clockwork) String() string {
	var b strings.Builder
	b.WriteString(c.pace.String())
	moment := func(key string, t time.Time) {
		if !t.IsZero() {
			fmt.Fprintf(&b, " %s=%d", key, t.Unix())
		}
	}
	moment("since", c.since)
	if c.lobby > 0 && c.lobby != usualLobby {
		fmt.Fprintf(&b, " lobby=%d", int(c.lobby.Seconds()))
	}
	if c.reminded > 0 {
		fmt.Fprintf(&b, " reminded=%d", c.reminded)
	}
	moment("paid", c.paid)
	if !c.asked.IsZero() {
		fmt.Fprintf(&b, " vote=%d asked=%d", c.vote, c.asked.Unix())
	}
	if c.rematch > 0 {
		fmt.Fprintf(&b, " rematch=%d", c.rematch)
	}
	return b.String()
}

// parseClock reads what String wrote. What it can't read it leaves out: a clock
// is no part of the match, and a match without one goes on.
func parseClock(s string) clockwork {
	c := clockwork{lobby: usualLobby}
	for i, word := range strings.Fields(s) {
		key, value, keyed := strings.Cut(word, "=")
		if !keyed {
			if p, ok := parsePace(key); ok && i == 0 {
				c.pace = p
			}
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			continue
		}
		switch key {
		case "since":
			c.since = time.Unix(n, 0).UTC()
		case "lobby":
			c.lobby = time.Duration(n) * time.Second
		case "reminded":
			c.reminded = int(n)
		case "paid":
			c.paid = time.Unix(n, 0).UTC()
		case "vote":
			c.vote = int(n)
		case "asked":
			c.asked = time.Unix(n, 0).UTC()
		case "rematch":
			c.rematch = n
		}
	}
	return c
}
