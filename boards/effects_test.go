package boards_test

import (
	"sort"
	"strings"
	"testing"

	"hiss/boards"
)

// special is sample with every effect.
func special() boards.Board {
	b := sample()
	b.Specials = []boards.Special{
		{Square: 2, Effect: boards.Skip}, {Square: 12, Effect: boards.Shield}, {Square: 31, Effect: boards.Again}, {Square: 35, Effect: boards.Back},
	}
	return b
}

func TestEffect(t *testing.T) {
	b := special()
	has := map[int]string{2: "skip", 12: "shield", 31: "again", 35: "back"}
	for square := -1; square <= b.Size+1; square++ {
		if got := b.Effect(square); got.String() != has[square] {
			t.Errorf("Effect(%d) = %q, want %q", square, got, has[square])
		}
	}
	if got := boards.Effect(99).String(); got != "" {
		t.Errorf("what is no effect is called %q", got)
	}
}

// All of these say special.
func TestWaysToWriteEffects(t *testing.T) {
	const yaml = "size: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}\n"
	tests := []struct{ name, file, text string }{
		{"YAML", "sample.yaml", yaml + "effects: {2: skip, 12: shield, 31: again, 35: back}"},
		{"YAML in blocks, any order and case", "sample.yaml", "effects:\n  35: Back\n  12: SHIELD\n  31: Again\n  2: sKip\n" + yaml},
		{"YAML with quotes", "sample.yaml", yaml + "effects: {'2': \"skip\", '12': ' shield ', 31: again, \"35\": back}"},
		{"as people call it", "sample.yaml", yaml + "effects: {2: skip, 12: shield, 31: again, 35: Back to start}"},
		{"as it can be joined", "sample.yaml", yaml + "effects: {2: skip, 12: shield, 31: again, 35: back-to_start}"},
		{"JSON", "sample.json", `{"size": 36, "columns": 6, "ladders": {"4": 14, "9": 31}, "snakes": {"17": 7},` +
			` "effects": {"2": "skip", "12": "shield", "31": "again", "35": "back"}}`},
		{"CSV", "sample.csv", "from,to\nsize,36\ncolumns,6\n4,14\n9,31\n17,7\n2,skip\n12,shield\n31,again\n35,back\n"},
		{"CSV of a spreadsheet", "sample.csv", "\"35\";\"Back to start\";\r\nsize;36\r\ncolumns;6\r\n31\tAGAIN\r\n4;14\r\n9;31\r\n2 ; skip # rests\r\n17;7\r\n12;shield\r\n"},
		{"line", "sample.line", "size=36 columns=6 4-14 9-31 17-7 2=skip 12=shield 31=again 35=back"},
		{"line of a phone", "sample.line", "35=Back to start, 2=Skip, 12=Shield; 31=Again size=36 columns=6 4-14 9-31 17-7"},
		{"unknown extension, line", "sample", "2=skip 12=shield 31=again 35=back size=36 columns=6 4-14 9-31 17-7"},
		{"unknown extension, CSV", "sample", "2,skip\n12,shield\n31,again\n35,back\nsize,36\ncolumns,6\n4,14\n9,31\n17,7\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := boards.Parse(test.file, []byte(test.text))
			if err != nil || !same(got, special()) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, special())
			}
		})
	}
	for _, none := range []string{"effects:", "effects: {}", "effects: ~"} {
		if got, err := boards.Parse("sample.yaml", []byte(yaml+none)); err != nil || !same(got, sample()) {
			t.Errorf("%s gives %+v, %v", none, got, err)
		}
	}
}

func TestFaultsOfEffects(t *testing.T) {
	tell(t, []mistake{
		{"off the board", "size: 36\neffects: {37: skip}", boards.EffectOff, "line 2: the effect on 37 is off the board; squares are 1 to 36"},
		{"before the board", "effects: {0: back}\nsize: 36", boards.EffectOff, "line 1: the effect on 0 is off the board; squares are 1 to 36"},
		{"negative", "effects: {-3: back}", boards.EffectOff, "line 1: the effect on -3 is off the board; squares are 1 to 100"},
		{"on the last", "size: 36\neffects: {36: again}", boards.EffectOnLast, "line 2: an effect is on 36, the last square; put it lower"},
		{"on a ladder's foot", "ladders:\n  4: 14\neffects:\n  4: skip", boards.EffectOnStart, "line 4: 4 has an effect, and 4 → 14 starts there (on line 2); move one of the two"},
		{"on a snake's head", "effects: {17: skip}\nsnakes: {17: 7}", boards.EffectOnStart, "line 1: 17 has an effect, and 17 → 7 starts there (on line 2); move one of the two"},
		{"on a start on one line", "{effects: {17: skip}, snakes: {17: 7}}", boards.EffectOnStart, "line 1: 17 has an effect, and 17 → 7 starts there; move one of the two"},
		{"on a chain's start", "chains: once\nladders: {4: 14, 14: 20}\neffects: {14: skip}", boards.EffectOnStart, "line 3: 14 has an effect, and 14 → 20 starts there (on line 2); move one of the two"},
		{"twice", "effects:\n  12: skip\n  30: back\n  12: skip", boards.TwoEffects, "line 4: 12 has two effects (the first on line 2); keep one"},
		{"twice on a line", `effects: {12: skip, "12": back}`, boards.TwoEffects, "line 1: 12 has two effects; keep one"},
		{"square in words", "effects: {top: skip}\nsize: 36", boards.NotSquare, `line 1: "top" is no square; squares are 1 to 36`},
		{"square in octal", "effects: {012: skip}", boards.NotSquare, `line 1: "012" is no square; write 12`},
		{"square as a list", "effects: {[1, 2]: skip}", boards.NotSquare, `line 1: "a list" is no square; squares are 1 to 100`},
		{"misspelled", "effects: {12: sheild}", boards.NotEffect, `line 1: "sheild" on 12 is no effect, did you mean "shield"?`},
		{"unknown", "effects: {12: party}", boards.NotEffect, `line 1: "party" on 12 is no effect; choose one of skip, shield, again, back`},
		{"missing", "effects:\n  12:", boards.NotEffect, `line 2: "nothing" on 12 is no effect; choose one of skip, shield, again, back`},
		{"an end", "effects: {12: 30}", boards.NotEffect, `line 1: "30" on 12 is no effect; choose one of skip, shield, again, back`},
		{"a list of effects", "effects: {12: [skip]}", boards.NotEffect, `line 1: "a list" on 12 is no effect; choose one of skip, shield, again, back`},
		{"no space after the colon", "effects: {12:skip}", boards.NotSpecial, `line 1: "12:skip" is no square with an effect; write 12: skip`},
		{"equals sign for the colon", "effects: {12=Skip}", boards.NotSpecial, `line 1: "12=Skip" is no square with an effect; write 12: skip`},
		{"squares behind the effect", "effects: {skip: [12, 30]}", boards.NotSpecial, `line 1: "skip" is no square with an effect; write each square before its effect, such as 12: skip`},
		{"a list", "effects: [12, skip]", boards.NotMap, `line 1: "effects" takes squares and words; write them as {12: skip, 30: shield}`},
		{"a word", "effects: skip", boards.NotMap, `line 1: "effects" takes squares and words; write them as {12: skip, 30: shield}`},
		{"key misspelled", "effect: {12: skip}", boards.UnknownKey, `line 1: "effect" is not known, did you mean "effects"?`},
		{"key twice", "effects: {12: skip}\neffects: {30: back}", boards.KeyTwice, `line 2: "effects" is given twice (first on line 1); keep one`},
		{"alias for a word", "effects: {12: *a}", boards.Anchor, "line 1: anchors and aliases (& * <<) are not taken; write the squares out"},
		{"tag", "effects: {12: !!str skip}", boards.Tag, `line 1: the tag "!!str" is not taken; leave it out`},
	})
}

// Whatever is meant by a word that is no effect is said, but never taken.
func TestEffectsThatWereMeant(t *testing.T) {
	for word, want := range map[string]string{
		"sheild": "shield", "shields": "shield", "ski": "skip", "SKP": "skip", "agian": "again", "bcak": "back", "back home": "back",
		"start": "back", "Restart": "back", "extra": "again", "extra roll": "again", "roll": "again", "bonus": "again",
		"party": "", "x": "", "42": "", "🐍": "", "''": "",
	} {
		_, err := boards.Parse("b.yaml", []byte("effects: {12: "+word+"}"))
		faults := faultsOf(t, err)
		if f := faults.List[0]; faults.Total() != 1 || f.Kind != boards.NotEffect || f.A != 12 || f.Suggestion != want {
			t.Errorf("%s is told as %+v, want the suggestion %q", word, faults.List, want)
		}
	}
}

func TestAllFaultsOfEffectsAreToldTogether(t *testing.T) {
	file := `effects:
  4: skip
  9: nothing
  x: sheild
  9: back
  9: back
  50: skip
  36: again
ladders: {4: 14}
size: 36
`
	_, err := boards.Parse("b.yaml", []byte(file))
	want := `b.yaml has 7 mistakes:
• line 2: 4 has an effect, and 4 → 14 starts there (on line 9); move one of the two
• line 3: "nothing" on 9 is no effect; choose one of skip, shield, again, back
• line 4: "x" is no square; squares are 1 to 36
• line 4: "sheild" is no effect, did you mean "shield"?
• line 6: 9 has two effects (the first on line 5); keep one
• line 7: the effect on 50 is off the board; squares are 1 to 36
• line 8: an effect is on 36, the last square; put it lower`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	got := faultsOf(t, err).List[0]
	if fact := (boards.Fault{Kind: boards.EffectOnStart, Line: 2, First: 9, A: 4, B: 14}); got != fact {
		t.Errorf("got %+v, want %+v", got, fact)
	}
}

func TestLineFaultsOfEffects(t *testing.T) {
	tests := []struct{ line, want string }{
		{"size=36 37=skip", "the effect on 37 is off the board; squares are 1 to 36"},
		{"size=36 -4=skip", "the effect on -4 is off the board; squares are 1 to 36"},
		{"size=36 36=skip", "an effect is on 36, the last square; put it lower"},
		{"4=skip 4-14", "4 has an effect, and 4 → 14 starts there; move one of the two"},
		{"4=skip 4=back", "4 has two effects; keep one"},
		{"12=sheild", `"sheild" on 12 is no effect, did you mean "shield"?`},
		{"12=", `"nothing" on 12 is no effect; choose one of skip, shield, again, back`},
		{"012=skip", `"012" is no square; write 12`},
		{"12x=skip", `"12x" is no square; squares are 1 to 100`},
		{"12-skip", `"12-skip" is no square with an effect; write 12=skip`},
		{"12:skip", `"12:skip" is no square with an effect; write 12=skip`},
		{"skip=12", `"skip=12" is no square with an effect; write 12=skip`},
		{"4=14", `"4=14" is no jump; write 4-14`},
		{"12=back to", `"to" is no jump; write two squares, such as 4-14`},
	}
	for _, test := range tests {
		_, err := boards.ParseLine(test.line)
		if faults := faultsOf(t, err); faults.Total() != 1 || faults.List[0].Error() != test.want {
			t.Errorf("%q is told as %v, want %s", test.line, err, test.want)
		}
	}
}

func TestCSVFaultsOfEffects(t *testing.T) {
	file := "size,36\n4,14\n4,skip\n12,sheild\n12 skip\nagain,20\n;back\n36;back\n"
	_, err := boards.Parse("b.csv", []byte(file))
	want := `b.csv has 6 mistakes:
• line 3: 4 has an effect, and 4 → 14 starts there (on line 2); move one of the two
• line 4: "sheild" on 12 is no effect, did you mean "shield"?
• line 5: "12 skip" is no square with an effect; write 12,skip
• line 6: "again,20" is no square with an effect; write 20,again
• line 7: "nothing" is no square; squares are 1 to 36
• line 8: an effect is on 36, the last square; put it lower`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestCheckOfEffects(t *testing.T) {
	if err := special().Check(); err != nil {
		t.Fatalf("a valid board: %v", err)
	}
	tests := []struct {
		name   string
		change func([]boards.Special)
		want   string
	}{
		{"order", func(s []boards.Special) { s[0], s[1] = s[1], s[0] }, "the effects are not in order; sort them by their square"},
		{"twice", func(s []boards.Special) { s[1].Square = 2 }, "2 has two effects; keep one"},
		{"none", func(s []boards.Special) { s[1].Effect = boards.NoEffect }, `"nothing" on 12 is no effect; choose one of skip, shield, again, back`},
		{"no effect at all", func(s []boards.Special) { s[1].Effect = boards.Back + 1 }, `"5" on 12 is no effect; choose one of skip, shield, again, back`},
		{"off the board", func(s []boards.Special) { s[3].Square = 37 }, "the effect on 37 is off the board; squares are 1 to 36"},
		{"on the last", func(s []boards.Special) { s[3].Square = 36 }, "an effect is on 36, the last square; put it lower"},
		{"on a start", func(s []boards.Special) { s[1].Square = 9 }, "9 has an effect, and 9 → 31 starts there; move one of the two"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := special()
			test.change(b.Specials)
			faults := faultsOf(t, b.Check())
			if faults.Total() != 1 || faults.List[0].Error() != test.want {
				t.Errorf("told as %v, want %s", faults, test.want)
			}
		})
	}
}

// A board that fits one format fits every other, or is too large for all: the
// most effects that are valid can be read again in each.
func TestCheckRefusesMoreEffectsThanCanBeRead(t *testing.T) {
	full := boards.Board{Name: "full", Size: boards.MaxSize, Columns: 10}
	for square := 1; square < full.Size; square++ {
		full.Specials = append(full.Specials, boards.Special{Square: square, Effect: boards.Shield})
	}
	with := func(n int) boards.Board {
		b := full
		b.Specials = full.Specials[:n:n]
		return b
	}
	most := sort.Search(len(full.Specials), func(n int) bool { return with(n+1).Check() != nil })
	if most < 3000 || most > 5000 {
		t.Fatalf("a board may have %d effects", most)
	}
	if faults := faultsOf(t, with(most+1).Check()); faults.Total() != 1 || faults.List[0].Kind != boards.TooLarge {
		t.Errorf("one more: %v", faults)
	}
	for f := boards.YAML; f <= boards.Line; f++ {
		if again, err := boards.Parse("full."+f.String(), []byte(with(most).Format(f))); err != nil || !same(again, with(most)) {
			t.Errorf("%d effects in %s: %v", most, f, err)
		}
	}
}

func TestGridOfEffects(t *testing.T) {
	want := strings.TrimPrefix(`
36  A 0 . . . ! 31
25  . . . . . . 30
24  . . . . . . 19
13  . . . . ~ . 18
12  B . . # . .  7
 1  . - . # . .  6
# 4→14 9→31
~ 17→7
- skip 2
+ shield 12
! again 31
0 back 35`, "\n")
	got := special().Grid(place(t, "A36 B12"))
	for _, list := range special().Lists() {
		got += "\n" + list.String()
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if grid := special().Grid(nil); !strings.Contains(grid, "\n12  + . .") {
		t.Errorf("without tokens the shield isn't there:\n%s", grid)
	}
}

func TestListsOfEffects(t *testing.T) {
	b := boards.Board{Name: "many", Size: boards.MaxSize, Columns: 10}
	for i := range 24 {
		b.Specials = append(b.Specials, boards.Special{Square: 9000 + 2*i, Effect: boards.Back})
	}
	b.Specials = append(b.Specials, boards.Special{Square: 9100, Effect: boards.Skip})
	lists := b.Lists()
	if len(lists) != 2 || lists[0].String() != "- skip 9100" || lists[0].Effect != boards.Skip {
		t.Fatalf("lists are %v", lists)
	}
	want := `0 back 9000 9002 9004 9006
  9008 9010 9012 9014 9016
  9018 9020 9022 9024 9026
  9028 9030 9032 9034 9036
  9038 and 4 more`
	if got := lists[1].String(); got != want || lists[1].More != 4 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
