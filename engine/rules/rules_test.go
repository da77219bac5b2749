package rules_test

import (
	"errors"
	"slices"
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
