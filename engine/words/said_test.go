package words_test

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/words"
)

// elsewhere are the sentences that no conversation in a file can bring about, each
// with the Go test that hears it and the part of the sentence that it quotes.
var elsewhere = map[words.Key]struct{ test, quote string }{
	words.AsBot:           {"../lobby_test.go", "Bots can't sit down. Add Hiss gives you a computer player."},
	words.EndRoom:         {"../room_test.go", " the match is over as it stands. Nobody wins."},
	words.EndRoomWon:      {"../room_test.go", " the match is over as it stands."},
	words.FailArchive:     {"../replay_test.go", "I can't read that match's record"},
	words.FailAsk:         {"../upload_test.go", "I can't find out right now whether you're an admin here"},
	words.FailRecord:      {"../replay_test.go", "I can't read this channel's match, so I set it aside."},
	words.FailTooSlow:     {"../upload_test.go", "That took too long, so I gave it up."},
	words.FailUnsure:      {"../hang_test.go", "Something went wrong on my side"},
	words.LineArchive:     {"../files_test.go", "I can't read that match's record"},
	words.LineEmpty:       {"../files_test.go", "That match was over before anybody threw"},
	words.LineNoRecord:    {"../files_test.go", "No finished match in this database"},
	words.LineNoSeed:      {"../files_test.go", "That's no seed"},
	words.Moved:           {"../move_test.go", "a match was on in both places"},
	words.ReplayBad:       {"../replay_test.go", " does not match: the seed gives "},
	words.ReplayBadLoaded: {"../replay_test.go", " does not match: these dice give "},
	words.ReplayBroken:    {"../replay_test.go", " can't be read: the record says "},
	words.ReplayBrokenAct: {"../replay_test.go", " of the record can't be read: it says "},
	words.SlowDown:        {"../upload_test.go", "I'm busy with other boards."},
	words.UpFull:          {"../upload_test.go", "that's all there's room for"},
	words.UpLarge:         {"../upload_test.go", "Leave something out and send it again."},
	words.UpUnread:        {"../upload_test.go", "I couldn't fetch that file"},
}

// unheard are the sentences, or forms of one, that no test hears, and why.
var unheard = map[string]string{
	"odds.what":        "stands in \"I'm looking into …\" when a machine works for a second",
	"up.that":          "stands in \"I'm looking into …\" when a machine works for a second",
	"picture.go":       "is drawn into the frames of a film",
	"bad.goes.fit k|1": "many boards are drawn before that is said; other languages have forms for many",
}

// TestEverySentenceIsSaid holds that each sentence of the catalogue stands in a
// transcript or a menu, in each of its forms, or is heard by another test.
func TestEverySentenceIsSaid(t *testing.T) {
	l := words.English()
	heard := heardIn(append(transcripts(t), menus()...), patterns(l))
	for _, k := range slices.Sorted(slices.Values(l.Keys())) {
		if e, ok := elsewhere[k]; ok {
			if heard[string(k)] {
				t.Errorf("%s stands in a transcript: %s need not hear it", k, e.test)
			}
			if !strings.Contains(l.Template(k), e.quote) || !strings.Contains(read(t, e.test), e.quote) {
				t.Errorf("%s and %s don't both have %q", k, e.test, e.quote)
			}
			continue
		}
		for _, name := range formNames(k, l.Template(k)) {
			if _, excused := unheard[name]; !heard[name] && !excused {
				t.Errorf("nobody hears %s: %q", name, l.Template(k))
			}
		}
	}
}

// pattern is one line of a sentence, with its forms chosen.
type pattern struct {
	names   []string // what is heard if it is, as in formNames
	longest string   // the longest of the pieces between gaps
	letters int      // how many bytes stand between gaps
	re      *regexp.Regexp
}

// patterns returns all that sentences can be, those that say most first.
func patterns(l *words.Language) (all []pattern) {
	for _, k := range l.Keys() {
		for i, line := range strings.Split(l.Template(k), "\n") {
			all = append(all, chosen(k, lineName(k, i), line)...)
		}
	}
	slices.SortFunc(all, func(a, b pattern) int { return cmp.Compare(b.letters, a.letters) })
	return all
}

var (
	sign   = regexp.MustCompile(`<[^>]*> ?`)
	gap    = regexp.MustCompile(`\{[^}]*\}`)
	plural = regexp.MustCompile(`\{(\w+)\|([^}|]*)\|([^}]*)\}`)
)

// lineName names a line of a sentence: the first as the sentence itself.
func lineName(k words.Key, i int) string {
	if i == 0 {
		return string(k)
	}
	return fmt.Sprintf("%s, line %d", k, i+1)
}

// formNames returns what has to be heard of a sentence: each of its lines, and
// "key n|1" and "key n|2" for each number n that decides on forms.
func formNames(k words.Key, template string) (names []string) {
	for i, line := range strings.Split(template, "\n") {
		name := lineName(k, i)
		names = append(names, name)
		for _, m := range plural.FindAllStringSubmatch(line, -1) {
			names = append(names, name+" "+m[1]+"|1", name+" "+m[1]+"|2")
		}
	}
	return names
}

// chosen chooses, for each number that decides on forms, each of them: {n} {n|go|goes}
// is "1 go", and "{n} goes".
func chosen(k words.Key, name, line string, forms ...string) []pattern {
	m := plural.FindStringSubmatch(line)
	if m == nil {
		return []pattern{newPattern(k, line, append(forms, name))}
	}
	which := regexp.MustCompile(`\{` + m[1] + `\|([^}|]*)\|([^}]*)\}`)
	one := strings.ReplaceAll(which.ReplaceAllString(line, "$1"), "{"+m[1]+"}", "1")
	more := which.ReplaceAllString(line, "$2")
	forms = slices.Clip(forms)
	return append(chosen(k, name, one, append(forms, name+" "+m[1]+"|1")...), chosen(k, name, more, append(forms, name+" "+m[1]+"|2")...)...)
}

func newPattern(k words.Key, line string, names []string) pattern {
	p := pattern{names: names}
	line = sign.ReplaceAllString(line, "")
	first, size := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	var expr string
	if unicode.IsLetter(first) {
		expr = `\b`
	}
	if unicode.IsLower(first) { // a line may begin with it
		expr += fmt.Sprintf("[%c%c]", first, unicode.ToUpper(first))
		line = line[size:]
	}
	for i, piece := range gap.Split(line, -1) {
		p.letters += len(piece)
		if len(piece) > len(p.longest) {
			p.longest = piece
		}
		if i > 0 {
			expr += `(.+?)`
		}
		expr += regexp.QuoteMeta(piece)
	}
	if unicode.IsLetter(last) || unicode.IsDigit(last) {
		expr += `\b`
	}
	if strings.HasPrefix(string(k), "button.") {
		expr = `\[(?:\S+ )?` + expr + `(?: → \S+)?\]`
	}
	p.re = regexp.MustCompile(expr)
	return p
}

// heardIn returns the names of what lines say. What a sentence says is said by no
// shorter one that is a part of it.
func heardIn(lines []string, all []pattern) map[string]bool {
	heard := make(map[string]bool)
	taken := make(map[int][]byte) // lines without what was heard, as of the next shorter ones
	for n, p := range all {
		if n > 0 && p.letters < all[n-1].letters {
			for i, line := range taken {
				lines[i] = string(line)
			}
			clear(taken)
		}
		for i, line := range lines {
			if !strings.Contains(line, p.longest) {
				continue
			}
			for _, at := range p.re.FindAllStringSubmatchIndex(line, -1) {
				for _, name := range p.names {
					heard[name] = true
				}
				if taken[i] == nil {
					taken[i] = []byte(line)
				}
				without(taken[i], at)
			}
		}
	}
	return heard
}

// without takes what a pattern matched out of a line, all but its gaps.
func without(line []byte, at []int) {
	gaps := at[2:]
	for i := at[0]; i < at[1]; i++ {
		if len(gaps) > 0 && i == gaps[0] {
			i, gaps = gaps[1]-1, gaps[2:]
			continue
		}
		line[i] = 0
	}
}

// menus returns what platforms show of Hiss by themselves: what it is for, and what
// its commands and their options are for.
func menus() []string {
	e := engine.New(engine.Config{})
	short, long := e.About()
	lines := []string{short, long}
	var add func([]bot.Command)
	add = func(commands []bot.Command) {
		for _, c := range commands {
			lines = append(lines, c.Summary)
			for _, o := range c.Options {
				lines = append(lines, o.Summary)
			}
			add(c.Subs)
		}
	}
	add(e.Commands())
	return lines
}

// transcripts returns the lines that Hiss says in all transcripts, each once.
func transcripts(t *testing.T) []string {
	t.Helper()
	lines := make(map[string]bool)
	for _, glob := range []string{"../testdata/*.txt", "../../adapters/*/testdata/*.txt"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal("no transcripts", err)
		}
		for _, file := range files {
			for line := range strings.SplitSeq(read(t, file), "\n") {
				if m := spoken.FindStringSubmatch(line); m != nil {
					lines[m[1]] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

// spoken is a line of Hiss's in a transcript: the first of a message, or a further one.
var spoken = regexp.MustCompile(`^(?:#\S+ +)?(?:bot[^:]*:|    ) *(.*)$`)
