package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OptionFault says that a setting was given a value which it doesn't take, or
// that there's no such setting.
type OptionFault struct {
	Key, Value string
	// Problem is what's wrong.
	Problem Problem
	// Words are the values that Key takes, if those are words; else Least and
	// Most are the ends of its range.
	Words       []string
	Least, Most int
}

// Problem is what is wrong with an option.
type Problem uint8

// The problems.
const (
	BadValue     Problem = iota // Key takes something else
	UnknownKey                  // there's no such key
	GivenTwice                  // the key was given before
	NeedsBonus                  // void without a bonus
	NeedsTwoDice                // doubles with one die
)

// Error says it in English, for logs.
func (f *OptionFault) Error() string {
	switch f.Problem {
	case UnknownKey:
		return fmt.Sprintf("no setting %q", f.Key)
	case GivenTwice:
		return fmt.Sprintf("%s is given twice", f.Key)
	case NeedsBonus:
		return "void needs a bonus"
	case NeedsTwoDice:
		return "bonus=doubles needs two dice or more"
	}
	if f.Words != nil {
		return fmt.Sprintf("%s takes %s, not %q", f.Key, strings.Join(f.Words, ", "), f.Value)
	}
	return fmt.Sprintf("%s takes %d to %d, not %q", f.Key, f.Least, f.Most, f.Value)
}

// Keys returns the names of all settings.
func Keys() []string {
	return []string{"dice", "sides", "end", "bonus", "void", "finish", "seats", "solo"}
}

// Given is one setting as somebody gave it.
type Given struct{ Key, Value string }

// With returns the rules changed by settings, each given once at most, or an
// *OptionFault. What was valid before is valid after.
func (r Rules) With(settings []Given) (Rules, error) {
	seen := make(map[string]bool)
	for _, s := range settings {
		key := strings.ToLower(s.Key)
		if seen[key] {
			return r, &OptionFault{Key: key, Problem: GivenTwice}
		}
		seen[key] = true
		if err := r.set(key, s.Value); err != nil {
			return r, err
		}
	}
	if seen["void"] && r.Bonus == NoBonus {
		return r, &OptionFault{Key: "void", Problem: NeedsBonus}
	}
	if err := r.Check(); err != nil {
		return r, err
	}
	if r.Seats == 1 {
		r.Solo = true
	}
	return r, nil
}

// Check returns an *OptionFault if the rules are not valid.
func (r Rules) Check() error {
	for _, n := range [...]struct {
		key             string
		value, min, max int
	}{
		{"dice", r.Dice, 1, MaxDice},
		{"sides", r.Sides, MinSides, MaxSides},
		{"end", int(r.End), 0, len(endWords) - 1},
		{"bonus", int(r.Bonus), 0, len(bonusWords) - 1},
		{"void", r.Void, 0, MaxVoid},
		{"finish", int(r.Finish), 0, len(finishWords) - 1},
		{"seats", r.Seats, 1, MaxSeats},
	} {
		if n.value < n.min || n.value > n.max {
			return &OptionFault{Key: n.key, Value: strconv.Itoa(n.value), Least: n.min, Most: n.max}
		}
	}
	if r.Bonus == Doubles && r.Dice == 1 {
		return &OptionFault{Key: "bonus", Value: "doubles", Problem: NeedsTwoDice}
	}
	return nil
}

// set changes one setting, or returns an *OptionFault and leaves it.
func (r *Rules) set(key, value string) error {
	value = strings.ToLower(value)
	number := func(to *int, least, most int) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return &OptionFault{Key: key, Value: value, Least: least, Most: most}
		}
		*to = n
		return nil
	}
	word := func(words []string, set func(int)) error {
		i := slices.Index(words, value)
		if i < 0 {
			return &OptionFault{Key: key, Value: value, Words: slices.Clone(words)}
		}
		set(i)
		return nil
	}
	switch key {
	case "dice":
		return number(&r.Dice, 1, MaxDice)
	case "sides":
		return number(&r.Sides, MinSides, MaxSides)
	case "end":
		return word(endWords[:], func(i int) { r.End = End(i) })
	case "bonus":
		return word(bonusWords[:], func(i int) { r.Bonus = Bonus(i) })
	case "void":
		return number(&r.Void, 0, MaxVoid)
	case "finish":
		return word(finishWords[:], func(i int) { r.Finish = Finish(i) })
	case "seats":
		return number(&r.Seats, 1, MaxSeats)
	case "solo":
		return word([]string{"no", "yes"}, func(i int) { r.Solo = i == 1 })
	}
	return &OptionFault{Key: key, Problem: UnknownKey}
}
