package boards_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"hiss/boards"
)

// numbered returns what a unit gives for every number from 1 to n, in a row.
func numbered(n int, unit func(i int) string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(unit(i + 1))
	}
	return s.String()
}

// latin1 is text as a program writes it that knows no UTF-8.
func latin1(text string) string {
	var s []byte
	for _, r := range text {
		s = append(s, byte(r))
	}
	return string(s)
}

// utf16 is ASCII text in UTF-16, low or high bytes first.
func utf16(text string, lowFirst bool) string {
	var s strings.Builder
	for _, c := range []byte(text) {
		pair := []byte{0, c}
		if lowFirst {
			slices.Reverse(pair)
		}
		s.Write(pair)
	}
	return s.String()
}

// strange is a file and the kind of fault that it has.
type strange struct {
	name, file, text string
	want             boards.Kind
}

const isValid boards.Kind = 0 // of a file that has none

// judge holds that each file is told as what it is, first of all.
func judge(t *testing.T, tests []strange) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, err := boards.Parse(test.file, []byte(test.text))
			if test.want == isValid {
				if err != nil || b.Check() != nil {
					t.Errorf("refused: %v, %v", err, b.Check())
				}
				return
			}
			if faults := faultsOf(t, err); faults.List[0].Kind != test.want {
				t.Errorf("told as %v, want kind %d", faults, test.want)
			}
		})
	}
}

// What people send that is no board file, or a strange one: a clear fault, told
// first, or a valid board.
func TestStrangeFiles(t *testing.T) {
	const plain = "name: b\nsize: 36\nladders: {4: 14}\neffects: {12: skip}\n"
	judge(t, []strange{
		{"byte order mark", "b.yaml", "\ufeff" + plain, isValid},
		{"two byte order marks", "b.yaml", "\ufeff\ufeff" + plain, boards.Control},
		{"Windows lines", "b.yaml", "\ufeff" + strings.ReplaceAll(plain, "\n", "\r\n"), isValid},
		{"old lines", "b.yaml", strings.ReplaceAll(plain, "\n", "\r"), isValid},
		{"UTF-16 with its mark", "b.yaml", "\xff\xfe" + utf16(plain, true), boards.NotUTF8},
		{"UTF-16 the other way", "b.yaml", "\xfe\xff" + utf16(plain, false), boards.NotUTF8},
		{"UTF-16 without a mark", "b.yaml", utf16(plain, true), boards.Control},
		{"Latin-1", "b.yaml", latin1("title: Café\n" + plain), boards.NotUTF8},
		{"UTF-8 of a surrogate", "b.yaml", "title: \xed\xa0\x80\n", boards.NotUTF8},
		{"overlong UTF-8", "b.yaml", "title: \xc0\xaf\n", boards.NotUTF8},
		{"PNG", "b.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", boards.NotUTF8},
		{"ZIP", "b.yaml", "PK\x03\x04\x14\x00\x00\x00", boards.Control},
		{"every byte", "b.csv", numbered(256, func(i int) string { return string([]byte{byte(i - 1)}) }), boards.NotUTF8},
		{"only NULs", "b.line", strings.Repeat("\x00", boards.MaxBytes), boards.Control},
		{"only blanks", "b.yaml", strings.Repeat(" \u3000\u00a0\n", 9000), boards.Empty},
		{"as long as may be", "b.yaml", plain + strings.Repeat("#", boards.MaxBytes-len(plain)), isValid},
		{"one byte longer", "b.yaml", plain + strings.Repeat("#", boards.MaxBytes-len(plain)+1), boards.TooLarge},
		{"one byte longer for its mark", "b.yaml", "\ufeff" + plain + strings.Repeat("#", boards.MaxBytes-len(plain)), boards.TooLarge},
		{"very much longer", "b.yaml", strings.Repeat("ladders: {4: 14}\n", 1<<20), boards.TooLarge},
		{"web page", "b.html", "<!DOCTYPE html>\n<html><body>404</body></html>\n", boards.NotBoard},
		{"key twice", "b.yaml", plain + "size: 49\n", boards.KeyTwice},
		{"key twice in JSON", "b.json", `{"size": 36, "size": 49}`, boards.KeyTwice},
		{"square twice in JSON", "b.json", `{"effects": {"4": "skip", "4": "skip"}}`, boards.TwoEffects},
		{"a key 6,000 times", "b.yaml", strings.Repeat("size: 36\n", 6000), boards.KeyTwice},
		{"name of blanks", "b.yaml", "name: '  \u3000\u00a0 '\n", boards.BadName},
		{"name of nothing visible", "b.yaml", "name: \"\u200b\u202e\"\n", boards.BadName},
		{"name of markup", "b.yaml", "name: '**b** <b> @everyone'\n", boards.BadName},
		{"name of a mention", "b.csv", "name,<@1>\n", boards.BadName},
		{"title of blanks", "b.yaml", "title: ' \u3000 '\nabout: \"\\u202e\"\n", isValid},
	})
}

// Boards of very many squares, jumps and effects.
func TestBoardsOfVeryMany(t *testing.T) {
	jumps := numbered(4999, func(i int) string { return fmt.Sprintf("%d-%d ", 2*i-1, min(2*i+100, 10_000)) })
	judge(t, []strange{
		{"10,000 squares, 5,000 jumps", "b.line", "size=10000 chains=once " + jumps + "9998-1", isValid},
		{"10,000 squares, 5,000 jumps in a chain", "b.line", "size=10000 " + numbered(5000, func(i int) string { return fmt.Sprintf("%d-%d ", i, i+1) }), boards.Chain},
		{"10,000 squares, 5,000 jumps from one", "b.line", "size=10000 " + numbered(5000, func(i int) string { return fmt.Sprintf("9999-%d ", i) }), boards.TwoStarts},
		{"5,000 effects", "b.yaml", "size: 10000\neffects: {" + numbered(5000, func(i int) string { return fmt.Sprintf("%d: skip, ", i) }) + "}", boards.TooLarge},
		{"4,000 effects", "b.yaml", "size: 10000\neffects: {" + numbered(4000, func(i int) string { return fmt.Sprintf("%d: skip, ", i) }) + "}", isValid},
		{"5,000 effects on one square", "b.yaml", "effects: {" + strings.Repeat("12: skip, ", 5000) + "}", boards.TwoEffects},
		{"5,000 words that are no effects", "b.yaml", "effects: {" + numbered(5000, func(i int) string { return fmt.Sprintf("%d: ski, ", i) }) + "}", boards.NotEffect},
		{"5,000 effects off the board", "b.csv", numbered(5000, func(i int) string { return fmt.Sprintf("%d;skip\n", i+100) }), boards.EffectOff},
		{"5,000 effects on jumps", "b.line", numbered(3000, func(i int) string { return fmt.Sprintf("%d-9 %d=skip ", i+9, i+9) }) + "size=10000", boards.EffectOnStart},
	})
}

// Files made to hurt: each is refused or read, and costs little. Time is not
// measured, memory is: what takes long in a parser allocates.
func TestHostileFilesAreCheap(t *testing.T) {
	const most = 48 << 20
	tests := []struct {
		file  string
		begin string
		units []string
	}{
		{"b.yaml", "", []string{
			"[", "{a: ", "a:\n", "&a [*a,", "!a ", "'", "\"\\", "---\n", "\u2028", "\t"}},
		{"b.yaml", "ladders: {", []string{"4:14,", "4: 14,"}},
		{"b.yaml", "effects: {", []string{"4:skip,", "4: skip,", "4: *a,", "&a 4: &b skip,", "? [a] : {},"}},
		{"b.json", "{\"title\": \"", []string{"\\ud83d", "\\/"}},
		{"b.csv", "", []string{",", "4,14\n", "4,skip\n", "4 skip\n", "a,b\n", "\n", "\""}},
		{"b.line", "", []string{"- ", "4-14 ", "4=skip ", "4=back to ", "4-skip ", "4=", "a=b ", "=", "-", "\U000e0041"}},
	}
	for _, test := range tests {
		for _, unit := range test.units {
			data := []byte(test.begin + strings.Repeat(unit, (boards.MaxBytes-len(test.begin))/len(unit)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b, err := boards.Parse(test.file, data)
			runtime.ReadMemStats(&after)
			if err == nil && b.Check() != nil {
				t.Errorf("%s of %q gives a faulty board", test.file, unit)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > most {
				t.Errorf("%s of %q %q allocates %d MiB", test.file, test.begin, unit, used>>20)
			}
		}
	}
}

// A small file that means a huge one is refused before anything is expanded.
func TestBillionLaughs(t *testing.T) {
	file := "about: &a x\nladders: {4: 14}\nl1: &b [*a,*a,*a,*a]\nl2: &c [*b,*b,*b,*b]\nl3: [*c,*c,*c,*c]\n"
	_, err := boards.Parse("b.yaml", []byte(file))
	count := 0
	for _, fault := range faultsOf(t, err).List {
		if fault.Kind == boards.Anchor {
			count++
		}
	}
	if count != 15 {
		t.Errorf("%d anchors and aliases told, want 15: %v", count, err)
	}
}
