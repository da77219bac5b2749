package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rivo/uniseg"

	"hiss/bot"
	"hiss/engine/words"
)

// longest fills every gap with the longest that can stand there: a name of 32
// wide cells, the largest numbers.
func longest(l *words.Language, k words.Key) []words.Fill {
	name := l.Name(strings.Repeat("龍", 40))
	people := map[string]bool{"name": true, "host": true, "winner": true, "really": true, "by": true}
	var fills []words.Fill
	for _, gap := range l.Gaps(k) {
		switch {
		case people[gap]:
			fills = append(fills, words.T(gap, name))
		case gap == "seal":
			fills = append(fills, words.S(gap, strings.Repeat("f", 64)))
		case gap == "board" || gap == "x" || gap == "value" || gap == "y":
			fills = append(fills, words.S(gap, strings.Repeat("W", 32)))
		case gap == "keys" || gap == "sets" || gap == "what" || gap == "rules" || gap == "faces" || gap == "about" || gap == "seats" || gap == "squares" || gap == "names":
			fills = append(fills, words.S(gap, strings.Repeat("w", 100)))
		default:
			fills = append(fills, words.N(gap, 10_000))
		}
	}
	return fills
}

func TestEverySentence(t *testing.T) {
	l := words.English()
	for _, k := range l.Keys() {
		text := l.Text(k, longest(l, k)...)
		said := text.String()
		if strings.ContainsAny(said, "{}<>|") {
			t.Errorf("%s has an open gap: %q", k, said)
		}
		if n := len(utf16.Encode([]rune(said))); n > 700 {
			t.Errorf("%s is %d units long", k, n)
		}
		if regexp.MustCompile(`\brolls\b`).MatchString(said) && !strings.HasPrefix(string(k), "go.") {
			t.Errorf("%s says rolls: %q", k, said)
		}
		if bad := regexp.MustCompile(`(?i)\b(invalid|error|user|session)\b`).FindString(said); bad != "" {
			t.Errorf("%s says %q: %q", k, bad, said)
		}
		for i, span := range text {
			if span.Kind == bot.Sign && i > 0 {
				t.Errorf("%s has a sign inside the sentence", k)
			}
		}
	}
}

// TestGoLines holds the core tokens that people and tests search for.
func TestGoLines(t *testing.T) {
	l := words.English()
	for k, core := range map[words.Key]string{
		words.GoMove:   "rolls 10000: 10000 → 10000",
		words.GoLadder: ", ladder to 10000", words.GoSnake: ", snake to 10000",
		words.GoStay: "needs exactly 10000, stays on 10000", words.GoVoid: "10000 in a row, the go is void, back to 10000",
		words.Win: " wins after 10000 goes!", words.Next: " is next",
	} {
		if said := l.Words(k, longest(l, k)...); !strings.Contains(said, core) {
			t.Errorf("%s lacks %q: %q", k, core, said)
		}
	}
	line := l.Words(words.GoMove, words.T("name", l.Name("Bilal1")), words.N("t", 6), words.N("from", 94), words.N("to", 100))
	if n := uniseg.StringWidth(line); n > 36 {
		t.Errorf("%q is %d cells wide", line, n)
	}
}

// TestCatalogue holds that every sentence is used, and none is missing.
func TestCatalogue(t *testing.T) {
	l := words.English()
	declared := regexp.MustCompile(`(?m)^\t(\w+)\s+Key = "([^"]+)"$`).FindAllStringSubmatch(read(t, "keys.go")+read(t, "keys_boards.go")+read(t, "keys_clock.go")+read(t, "keys_pictures.go"), -1)
	if len(declared) != len(l.Keys()) {
		t.Errorf("%d keys, %d sentences", len(declared), len(l.Keys()))
	}
	sources, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, path := range slices.Concat(sources, []string{"language.go", "names.go"}) {
		if !strings.HasSuffix(path, "_test.go") {
			code += read(t, path)
		}
	}
	said := make(map[string]bool)
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(code, -1) {
		said[word] = true
	}
	for _, d := range declared {
		name, key := d[1], words.Key(d[2])
		if !l.Has(key) {
			t.Errorf("%s has no sentence", name)
		}
		composed := strings.HasPrefix(string(key), "command.") || strings.HasPrefix(string(key), "end.") || strings.HasPrefix(string(key), "option.") || strings.HasPrefix(string(key), "settings.")
		if !composed && !said[name] {
			t.Errorf("%s is never said", name)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestForms(t *testing.T) {
	l := words.English()
	for n, want := range map[int]string{0: "0 goes", 1: "1 go", 2: "2 goes", 101: "101 goes"} {
		said := l.Words(words.StatusWon, words.T("name", l.Name("Asha")), words.N("n", n))
		if !strings.Contains(said, ", "+want+" in all.") {
			t.Errorf("%d: %q", n, said)
		}
	}
	for s, want := range map[int]string{-1: "0 s", 90: "90 s", 180: "3 min", 86400: "24 h", 2 * 86400: "2 days"} {
		if got := l.Seconds(s); got != want {
			t.Errorf("%d s is %q, not %q", s, got, want)
		}
	}
	if sign, label := l.Label(words.ButtonRoll); sign != "🎲" || label != "Roll" {
		t.Errorf("%q %q", sign, label)
	}
	braces := l.Words(words.NoBoardLike, words.S("x", "{sets} <b> {n|a|b}"), words.S("sets", "plain"))
	if !strings.Contains(braces, `"{sets} <b> {n|a|b}"`) {
		t.Errorf("what people typed was read as a template: %q", braces)
	}
}

func TestNames(t *testing.T) {
	l := words.English()
	family := "👨‍👩‍👧‍👦"
	for _, c := range []struct {
		about       string
		typed, want []string
	}{
		{"as typed", []string{"_", "a_b*c", "[x](y)", "<b>", "&", "`", `\`, "@everyone"}, []string{"_", "a_b*c", "[x](y)", "<b>", "&", "`", `\`, "@everyone"}},
		{"blanks folded, breaks gone", []string{"  a \n\t b\r\n"}, []string{"a b"}},
		{"control and direction", []string{"a\x1b[31mb\u202ec\u2066d"}, []string{"a[31mbcd"}},
		{"nothing to see", []string{"", "   ", "\u3164", "\u200b\u2060", "\u2800"}, []string{"Player 1", "Player 2", "Player 3", "Player 4", "Player 5"}},
		{"equal ones", []string{"Max", "Asha", "Max"}, []string{"Max (1)", "Asha", "Max (3)"}},
		{"called as others are told apart", []string{"Max", "Max", "Max (2)"}, []string{"Max (1)", "Max (2)", "Max (2) (3)"}},
		{"equal but for a joiner", []string{"Max", "M\u200dax"}, []string{"Max (1)", "M\u200dax (2)"}},
		{"right to left", []string{"דנה", "سارة"}, []string{"\u2068דנה\u2069", "\u2068سارة\u2069"}},
		{"a family is one character", []string{strings.Repeat(family, 6)}, []string{strings.Repeat(family, 5) + "…"}},
		{"marks in towers", []string{"e" + strings.Repeat("\u0301", 64)}, []string{"e" + strings.Repeat("\u0301", 11)}},
	} {
		n := l.NewNames(c.typed)
		for i, want := range c.want {
			if got := n.Of(i).String(); got != want {
				t.Errorf("%s: %q is %q, not %q", c.about, c.typed[i], got, want)
			}
		}
	}
}

// TestCut cuts hostile names to every width: never over, never inside a
// character, with the mark of the cut.
func TestCut(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("W", 300), strings.Repeat("龍", 50), strings.Repeat("👨‍👩‍👧‍👦", 20),
		strings.Repeat("🇩🇪", 30), strings.Repeat("é", 60), "a" + strings.Repeat("\u0301", 90) + "bc", "short",
	} {
		for cells := 2; cells <= 40; cells++ {
			got := words.Cut(s, cells, 2*cells)
			whole := got == s
			if uniseg.StringWidth(got) > cells || len(utf16.Encode([]rune(got))) > 2*cells || !whole && !strings.HasSuffix(got, "…") {
				t.Fatalf("%q to %d: %q", s, cells, got)
			}
			if head := strings.TrimSuffix(got, "…"); !whole && uniseg.GraphemeClusterCount(head)+uniseg.GraphemeClusterCount(s[len(head):]) != uniseg.GraphemeClusterCount(s) {
				t.Fatalf("%q to %d is cut inside a character: %q", s, cells, got)
			}
		}
	}
}
