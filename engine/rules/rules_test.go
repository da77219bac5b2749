package rules_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hiss/engine/rules"
)

// validRules draws valid rules.
func validRules() *rapid.Generator[rules.Rules] {
	return rapid.Custom(func(t *rapid.T) rules.Rules {
		r := rules.Rules{
			Dice:  rapid.SampledFrom([]int{1, 1, 1, 2, 3, 10}).Draw(t, "dice"),
			Sides: rapid.SampledFrom([]int{6, 6, 2, 3, 20, 100}).Draw(t, "sides"),
			End:   rules.End(rapid.IntRange(0, 2).Draw(t, "end")), Bonus: rules.Bonus(rapid.IntRange(0, 2).Draw(t, "bonus")),
			Void: rapid.IntRange(0, 10).Draw(t, "void"), Finish: rules.Finish(rapid.IntRange(0, 2).Draw(t, "finish")),
			Seats: rapid.IntRange(1, 16).Draw(t, "seats"), Solo: rapid.Bool().Draw(t, "solo"),
		}
		if r.Dice == 1 && r.Bonus == rules.Doubles {
			r.Bonus = rules.Max
		}
		return r
	})
}

func TestSets(t *testing.T) {
	for name, want := range map[string]rules.Rules{
		"plain":    {Dice: 1, Sides: 6, Void: 3, Seats: 16, Solo: true},
		"family":   {Dice: 1, Sides: 6, Bonus: rules.Max, Void: 3, Seats: 16},
		"doubles":  {Dice: 2, Sides: 6, End: rules.Bounce, Bonus: rules.Doubles, Void: 3, Seats: 16},
		"marathon": {Dice: 1, Sides: 6, Void: 3, Finish: rules.All, Seats: 16},
	} {
		if got, ok := rules.Set(name); !ok || got != want || got.SetName() != name || got.Check() != nil {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if _, ok := rules.Set("wild"); ok || len(rules.Sets()) != 4 {
		t.Error(rules.Sets())
	}
	if odd := (rules.Rules{Dice: 9, Sides: 6, Seats: 2}); odd.SetName() != "" {
		t.Error(odd.SetName())
	}
}

func TestSettings(t *testing.T) {
	good := map[string][]string{
		"dice": {"1", "10"}, "sides": {"2", "100"}, "end": {"exact", "overshoot", "BOUNCE"}, "bonus": {"none", "max"},
		"finish": {"first", "last", "all"}, "seats": {"1", "16"}, "solo": {"no", "yes"},
	}
	bad := map[string][]string{
		"dice": {"0", "11", "-1", "x", "", "1.5"}, "sides": {"1", "101"}, "end": {"soft", ""}, "bonus": {"min"},
		"void": {"-1", "11"}, "finish": {"never"}, "seats": {"0", "17"}, "solo": {"maybe", "1"}, "speed": {"9"},
	}
	for key, values := range good {
		for _, v := range values {
			if _, err := rules.Default().With([]rules.Given{{Key: key, Value: v}}); err != nil {
				t.Errorf("%s=%s: %v", key, v, err)
			}
		}
	}
	for key, values := range bad {
		for _, v := range values {
			var f *rules.OptionFault
			if _, err := rules.Default().With([]rules.Given{{Key: key, Value: v}}); !errors.As(err, &f) || f.Key != key {
				t.Errorf("%s=%s: %v", key, v, err)
			}
		}
	}
	for _, c := range []struct {
		given []rules.Given
		want  rules.Problem
	}{
		{[]rules.Given{{"dice", "1"}, {"Dice", "2"}}, rules.GivenTwice},
		{[]rules.Given{{"void", "2"}}, rules.NeedsBonus},
		{[]rules.Given{{"bonus", "doubles"}}, rules.NeedsTwoDice},
		{[]rules.Given{{"dices", "2"}}, rules.UnknownKey},
	} {
		var f *rules.OptionFault
		if _, err := rules.Default().With(c.given); !errors.As(err, &f) || f.Problem != c.want {
			t.Errorf("%v: %v", c.given, err)
		}
	}
	if r, err := rules.Default().With([]rules.Given{{"seats", "1"}}); err != nil || !r.Solo {
		t.Error("one seat can't play alone", err)
	}
	if r, err := rules.Default().With([]rules.Given{{"bonus", "max"}, {"void", "0"}}); err != nil || r.Void != 0 {
		t.Error(r, err)
	}
}

func TestRulesNotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := validRules().Draw(t, "rules")
		if got, err := rules.ParseNotation(r.Notation()); err != nil || got != r {
			t.Fatalf("%q reads back as %+v: %v", r.Notation(), got, err)
		}
	})
	family, _ := rules.Set("family")
	if family.Notation() != "1 1x6 exact max/3 first 16" {
		t.Error(family.Notation())
	}
	for _, s := range []string{
		"", "1", "2 1x6 exact max/3 first 16", "1 1x6 exact max/3 first", "1 1x6 exact max/3 first 16 duo",
		"1 01x6 exact max/3 first 16", "1 1x6 exact doubles/3 first 16", "1 1x6 EXACT max/3 first 16", "1 1x6  exact max/3 first 16",
		"1 1x6 exact max first 16", "1 1x6 exact max/3 first 17", "1 1x6 exact max/3 first 16 solo ",
	} {
		if r, err := rules.ParseNotation(s); err == nil {
			t.Errorf("%q is read as %+v", s, r)
		}
	}
	if !slices.Contains(rules.Keys(), "solo") {
		t.Error(rules.Keys())
	}
}

// TestSettingsTakeTheirRange: both ends of every range are taken and found in
// the rules, and what lies beyond is refused with the range.
func TestSettingsTakeTheirRange(t *testing.T) {
	family, _ := rules.Set("family")
	for _, c := range []struct {
		key         string
		least, most int
		of          func(rules.Rules) int
	}{
		{"dice", 1, 10, func(r rules.Rules) int { return r.Dice }},
		{"sides", 2, 100, func(r rules.Rules) int { return r.Sides }},
		{"void", 0, 10, func(r rules.Rules) int { return r.Void }},
		{"seats", 1, 16, func(r rules.Rules) int { return r.Seats }},
	} {
		for _, n := range []int{c.least, c.most} {
			r, err := family.With([]rules.Given{{c.key, strconv.Itoa(n)}})
			if err != nil || c.of(r) != n {
				t.Errorf("%s=%d: %+v, %v", c.key, n, r, err)
			}
		}
		for _, v := range []string{strconv.Itoa(c.least - 1), strconv.Itoa(c.most + 1), "99999999999999999999", "x", "", "1.0", "１"} {
			var f *rules.OptionFault
			_, err := family.With([]rules.Given{{c.key, v}})
			if !errors.As(err, &f) || f.Problem != rules.BadValue || f.Key != c.key || f.Value != v || f.Least != c.least || f.Most != c.most {
				t.Errorf("%s=%q: %+v", c.key, v, err)
			}
		}
	}
	for key, words := range map[string][]string{
		"end": {"exact", "overshoot", "bounce"}, "bonus": {"none", "max", "doubles"}, "finish": {"first", "last", "all"}, "solo": {"no", "yes"},
	} {
		var f *rules.OptionFault
		_, err := rules.Default().With([]rules.Given{{key, "other"}})
		if !errors.As(err, &f) || f.Problem != rules.BadValue || !slices.Equal(f.Words, words) {
			t.Errorf("%s: %+v", key, err)
		}
		for i, word := range words {
			r, err := rules.Default().With([]rules.Given{{"Dice", "2"}, {strings.ToUpper(key), strings.ToUpper(word)}})
			yes := map[bool]int{true: 1}[r.Solo]
			if got := map[string]int{"end": int(r.End), "bonus": int(r.Bonus), "finish": int(r.Finish), "solo": yes}[key]; err != nil || got != i {
				t.Errorf("%s=%s: %+v, %v", key, word, r, err)
			}
		}
	}
}

// TestSettingsTogether: what is refused, or follows, only with other settings.
func TestSettingsTogether(t *testing.T) {
	for _, c := range []struct {
		set   string
		given []rules.Given
		want  string // the fault, or "" for none
	}{
		{"doubles", []rules.Given{{"dice", "1"}}, "bonus=doubles needs two dice or more"},
		{"doubles", []rules.Given{{"dice", "1"}, {"bonus", "max"}}, ""},
		{"plain", []rules.Given{{"bonus", "doubles"}, {"dice", "2"}}, ""}, // in either order
		{"plain", []rules.Given{{"void", "2"}, {"bonus", "max"}}, ""},
		{"family", []rules.Given{{"bonus", "none"}, {"void", "2"}}, "void needs a bonus"},
		{"family", []rules.Given{{"bonus", "none"}}, ""},
		{"plain", []rules.Given{{"void", "0"}}, "void needs a bonus"},
		{"plain", []rules.Given{{"seats", "2"}, {"SEATS", "2"}}, "seats is given twice"},
		{"plain", []rules.Given{{"speed", "2"}, {"speed", "2"}}, `no setting "speed"`},
		{"plain", []rules.Given{{"", "2"}}, `no setting ""`},
		{"plain", []rules.Given{{"dice", "11"}}, `dice takes 1 to 10, not "11"`},
		{"plain", []rules.Given{{"end", "soft"}}, `end takes exact, overshoot, bounce, not "soft"`},
	} {
		set, _ := rules.Set(c.set)
		got := ""
		if _, err := set.With(c.given); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %v: %q, not %q", c.set, c.given, got, c.want)
		}
	}
	for _, set := range rules.Sets() {
		r, _ := rules.Set(set)
		if r, err := r.With([]rules.Given{{"solo", "no"}, {"seats", "1"}}); err != nil || !r.Solo {
			t.Errorf("%s with one seat isn't solo: %v", set, err)
		}
	}
}

// TestSetNames: a set with any one setting changed is none.
func TestSetNames(t *testing.T) {
	changes := map[string][]string{
		"dice": {"2", "3"}, "sides": {"6", "8"}, "end": {"exact", "overshoot"}, "bonus": {"none", "max"},
		"void": {"3", "4"}, "finish": {"first", "last"}, "seats": {"16", "4"}, "solo": {"no", "yes"},
	}
	if len(changes) != len(rules.Keys()) {
		t.Errorf("keys %v", rules.Keys())
	}
	names := map[string]bool{"": true}
	for _, name := range rules.Sets() {
		names[name] = true
	}
	for _, name := range rules.Sets() {
		set, _ := rules.Set(name)
		for key, values := range changes {
			for _, v := range values {
				r, err := set.With([]rules.Given{{key, v}})
				if err != nil {
					continue // void without a bonus
				}
				if other, ok := rules.Set(r.SetName()); !names[r.SetName()] || ok != (r.SetName() != "") || ok && other != r {
					t.Errorf("%s with %s=%s is called %q", name, key, v, r.SetName())
				}
				if r == set != (r.SetName() == name) {
					t.Errorf("%s with %s=%s is called %q", name, key, v, r.SetName())
				}
			}
		}
	}
}

// TestJunkIsNoNotation changes one byte of what Notation wrote: that is
// refused, or the notation of other rules.
func TestJunkIsNoNotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := []byte(validRules().Draw(t, "rules").Notation())
		i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
		s[i] = rapid.SampledFrom([]byte(" 0123456789x/abeyso+-.\x00\xff")).Draw(t, "byte")
		if r, err := rules.ParseNotation(string(s)); err == nil && (r.Notation() != string(s) || r.Check() != nil) {
			t.Fatalf("%q is read as %+v", s, r)
		}
		junk := rapid.String().Draw(t, "junk")
		if r, err := rules.ParseNotation(junk); err == nil && r.Notation() != junk {
			t.Fatalf("%q is read as %+v", junk, r)
		}
	})
}
