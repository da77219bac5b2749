package boards_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hiss/boards"
)

// Whatever is read is either faulty, and its faults can be told, or valid, and
// then it's written and read again without a change.
func FuzzParse(f *testing.F) {
	for _, b := range boards.Shipped() {
		for format := boards.YAML; format <= boards.Line; format++ {
			f.Add("b."+format.String(), []byte(b.Format(format)))
		}
	}
	for format := boards.YAML; format <= boards.Line; format++ {
		f.Add("b."+format.String(), []byte(special().Format(format)))
	}
	for _, text := range []string{
		"", "~", "---", "- 4", "[[[[", "{{{{", "a: &a [*a]", "<<: *a", "? [a]\n: b", "!!int 4", "size: 0x24", "ladders: {4:14}",
		"ladders: {<<: {4: 14}, 5: *x}", "size: 36\n---\nsize: 36", "{\"title\": \"\\ud83d\\ude00\\/\"}", "title: |\n  a\n  b", "%YAML 1.1\n---\n",
		"#00\r00", "\ufeffsize: 36\r\n", "4;14\r\n9;31", "from,to\n4,14", "size=36 4-14 9–31", "\xff\xfe", "a\x00b", "name: \"\\\"\"", "title: \"\\uFEFF\\u2028\"",
		"effects: {12:skip}", "effects: {12: sheild, 012: back to start, 100: again, skip: [4]}", "effects: {4: skip}\nladders: {4: 14}", "12;Back to start\r\n12,skip",
		"effects: *a", "effects: {*a: skip, ? [a] : shield, <<: back}", "12 skip\nskip,12", "12=back to start 12-skip",
	} {
		f.Add("b.yaml", []byte(text))
		f.Add("b", []byte(text))
	}
	f.Fuzz(func(t *testing.T, file string, data []byte) {
		b, err := boards.Parse(file, data)
		if err != nil {
			ends := strings.NewReplacer("\r\n", "\n", "\r", "\n")
			told(t, err, strings.Count(ends.Replace(string(data)), "\n")+1)
			return
		}
		valid(t, b)
	})
}

func FuzzParseLine(f *testing.F) {
	for _, b := range boards.Shipped() {
		f.Add(b.Format(boards.Line))
	}
	f.Add(special().Format(boards.Line))
	for _, line := range []string{"12=skip 12=Back to Start", "12=back to", "-12=skip", "12=", "12-skip", "skip=12", "4=14", "٣=skip", "", "-", "--", "4-", "-4", "4--4", "4->14", "4–14, 9—31;17→7", "size=", "=36", "=", "size=36=36", "4-14-20", "\u00a04-14", "→→"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		b, err := boards.ParseLine(line)
		if err != nil {
			told(t, err, 0)
			return
		}
		valid(t, b)
	})
}

// told holds that an error's faults are real, sorted, and can be shown.
func told(t *testing.T, err error, lines int) {
	t.Helper()
	last := 0
	for _, fault := range faultsOf(t, err).List {
		text := fault.String()
		if fault.Line < last || fault.Line > lines || strings.HasPrefix(text, "fault ") || len([]rune(text)) > 250 || strings.Contains(text, "\n") {
			t.Fatalf("fault %+v of %d lines is told as %q", fault, lines, text)
		}
		last = fault.Line
	}
}

func valid(t *testing.T, b boards.Board) {
	t.Helper()
	if err := b.Check(); err != nil {
		t.Fatalf("%+v was read without a fault: %v", b, err)
	}
	for format := boards.YAML; format <= boards.Line; format++ {
		want := b
		if format == boards.CSV || format == boards.Line {
			want.Title, want.About = "", ""
		}
		again, err := boards.Parse("other."+format.String(), []byte(b.Format(format)))
		if err != nil || !same(again, want) {
			t.Fatalf("%s\n%s\nis read as %+v, %v", format, b.Format(format), again, err)
		}
	}
	if grid := b.Grid(nil); len(grid) > 1500 {
		t.Fatalf("the grid has %d characters", len(grid))
	}
	for _, list := range b.Lists() {
		for line := range strings.SplitSeq(list.String(), "\n") {
			if utf8.RuneCountInString(line) > boards.GridWidth {
				t.Fatalf("a list has the line %q", line)
			}
		}
	}
}
