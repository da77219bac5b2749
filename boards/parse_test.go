package boards_test

import (
	"reflect"
	"testing"

	"hiss/boards"
)

// same reports whether two boards are equal in everything.
func same(a, b boards.Board) bool { return reflect.DeepEqual(a, b) }

// All of these say sample, in every way that a file can.
func TestWaysToWriteOneBoard(t *testing.T) {
	tests := []struct{ name, file, text string }{
		{"YAML", "x.yaml", "name: sample\nsize: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}"},
		{"YAML in blocks, any order", "x.yml", "snakes:\n  17: 7\nladders:\n  9: 31\n  4: 14\ncolumns: 6\nsize: 36\nname: Sample\n"},
		{"capital extension", "X.YAML", "name: sample\nsize: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}"},
		{"name of the file", "sample.yaml", "size: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}"},
		{"templates with gaps", "sample.yaml", "title:\nabout:\nsize: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}"},
		{"quoted numbers", "x.yaml", "name: 'sample'\nsize: \"36\"\ncolumns: '6'\nladders: {'4': '14', \"9\": 31}\nsnakes: {17: '7'}"},
		{"byte order mark, Windows lines", "sample.yaml", "\ufeffsize: 36\r\ncolumns: 6\r\nladders:\r\n  4: 14\r\n  9: 31\r\nsnakes: {17: 7}\r\n"},
		{"old line ends", "sample.csv", "from,to\rsize,36\rcolumns,6\r4,14\r9,31\r17,7\r"},
		{"document marks", "sample.yaml", "%YAML 1.1\n---\nsize: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}\n...\n"},
		{"JSON", "sample.json", `{"size": 36, "columns": 6, "ladders": {"4": 14, "9": 31}, "snakes": {"17": 7}}`},
		{"JSON with tabs", "sample.json", "{\n\t\"size\": 36,\n\t\"columns\":6,\n\t\"ladders\":{\"4\":14,\"9\":31},\n\t\"snakes\": {\n\t\t\"17\": 7\n\t}\n}\n"},
		{"CSV", "sample.csv", "from,to\nsize,36\ncolumns,6\n4,14\n9,31\n17,7\n"},
		{"CSV of a spreadsheet", "sample.csv", "\ufeffVon;Nach;\r\n\"size\";\"36\"\r\ncolumns;6\r\n\r\n# a comment\r\n17 ; 7 # bites\r\n4\t14\t\r\n9;31;;\r\n;;\r\n"},
		{"line", "sample.line", "size=36 columns=6 4-14 9-31 17-7"},
		{"unknown extension, YAML", "sample.txt", "# board\n\nsize: 36\ncolumns: 6\nladders: {4: 14, 9: 31}\nsnakes: {17: 7}"},
		{"unknown extension, JSON", "sample", `{"size": 36, "columns": 6, "ladders": {"4": 14, "9": 31}, "snakes": {"17": 7}}`},
		{"unknown extension, CSV", "sample.txt", "# board\nsize,36\ncolumns,6\n4,14\n9,31\n17,7\n"},
		{"unknown extension, CSV with a header", "sample.txt", "from,to\nsize,36\ncolumns,6\n4,14\n9,31\n17,7\n"},
		{"unknown extension, line", "sample.txt", "4-14, 9-31, 17-7\nsize=36 columns=6"},
		{"unknown extension, line of settings", "sample.txt", "size=36 columns=6 4-14 9-31 17-7"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := boards.Parse(test.file, []byte(test.text))
			if err != nil || !same(got, sample()) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, sample())
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	got, err := boards.Parse("b.yaml", []byte("ladders: {4: 14}"))
	want := boards.Board{Name: "b", Size: 100, Columns: 10, Jumps: []boards.Jump{{From: 4, To: 14}}}
	if err != nil || !same(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestNameOfTheFile(t *testing.T) {
	tests := map[string]string{
		"jungle.yaml":               "jungle",
		"Jungle.YAML":               "jungle",
		"up/load/jungle.yaml":       "jungle",
		`C:\boards\jungle.yaml`:     "jungle",
		"My board (2).yaml":         "my-board-2",
		"dschungel-über_alles.yaml": "dschungel-ber_alles",
		"two.dots.yaml":             "two-dots",
		"no extension":              "no-extension",
		"-_-.yaml":                  "-_",
		"0123456789012345678901234567890123456789.yaml": "01234567890123456789012345678901",
	}
	for file, want := range tests {
		got, err := boards.Parse(file, []byte("size: 36"))
		if err != nil || got.Name != want {
			t.Errorf("%q is called %q, %v, want %q", file, got.Name, err, want)
		}
	}
	for file, kind := range map[string]boards.Kind{
		"": boards.NoName, ".yaml": boards.NoName, "蛇.yaml": boards.NoName, "plain.yaml": boards.ReservedName,
	} {
		_, err := boards.Parse(file, []byte("size: 36"))
		if faults := faultsOf(t, err); faults.Total() != 1 || faults.List[0].Kind != kind {
			t.Errorf("%q: %v, want kind %d", file, err, kind)
		}
	}
}

func TestTextsAreCleaned(t *testing.T) {
	tests := map[string]string{
		`"  two  \t words\n here "`:      "two words here",
		`"a\u202eb\u2066c\u200bd\ufeff"`: "abcd",
		`"a\0b\u0007c"`:                  "abc",
		`"no\u00a0break\u2028line"`:      "no break line",
		`👩‍👩‍👧 family ❤️`:                "👩‍👩‍👧 family ❤️",
		"'**bold** <b> @everyone'":       "**bold** <b> @everyone",
		"|\n  two\n  lines":              "two lines",
		"36":                             "36",
		"שלום":                           "שלום",
	}
	for text, want := range tests {
		got, err := boards.Parse("b.yaml", []byte("title: "+text+"\n"))
		if err != nil || got.Title != want {
			t.Errorf("%q is shown as %q, %v, want %q", text, got.Title, err, want)
		}
	}
}

// JSON writes emoji as pairs of escapes, and some writers escape the slash;
// YAML knows neither.
func TestJSONEscapes(t *testing.T) {
	got, err := boards.Parse("b.json", []byte(`{"title": "a\/b \ud83d\udc0d \u00e9 \\ud83d \" \ud83d x"}`))
	if want := `a/b 🐍 é \ud83d " � x`; err != nil || got.Title != want {
		t.Errorf("shown as %q, %v, want %q", got.Title, err, want)
	}
}

func TestParseLine(t *testing.T) {
	tests := []struct {
		line string
		want boards.Board
	}{
		{"4-14 9-31 17-7", boards.Board{Name: "custom", Size: 100, Columns: 10, Jumps: sample().Jumps}},
		{"  size=36\t17-7, 9-31;4-14 ", boards.Board{Name: "custom", Size: 36, Columns: 10, Jumps: sample().Jumps}},
		{"Size=36 NAME=My-Board columns=6 4–14 9→31 17—7", boards.Board{Name: "my-board", Size: 36, Columns: 6, Jumps: sample().Jumps}},
		{"4>14 9->31 17→7", boards.Board{Name: "custom", Size: 100, Columns: 10, Jumps: sample().Jumps}},
		{"chains=once 4-14 14-31", boards.Board{Name: "custom", Size: 100, Columns: 10, Chains: boards.Once,
			Jumps: []boards.Jump{{From: 4, To: 14}, {From: 14, To: 31}}}},
		{"size=36", boards.Board{Name: "custom", Size: 36, Columns: 10}},
	}
	for _, test := range tests {
		got, err := boards.ParseLine(test.line)
		if err != nil || !same(got, test.want) {
			t.Errorf("%q is %+v, %v, want %+v", test.line, got, err, test.want)
		}
	}
}

func TestParseLineFaults(t *testing.T) {
	tests := []struct{ line, want string }{
		{"", "there is nothing in it; write at least a size or a jump"},
		{" \n ", "there is nothing in it; write at least a size or a jump"},
		{"siz=36", `"siz" is not known, did you mean "size"?`},
		{"title=Mine", `"title" is not known; a line or a table takes name, size, columns, chains`},
		{"size=36 size=49", `"size" is given twice; keep one`},
		{"size=36 4", `"4" is no jump; write two squares, such as 4-14`},
		{"size=36 four-14", `"four" is no square; squares are 1 to 36`},
		{"size=36 4-", `"nothing" is no square; squares are 1 to 36`},
		{"size=36 4--14", "-14 is off the board; squares are 1 to 36"},
		{"size=36 -4-14", "-4 is off the board; squares are 1 to 36"},
		{"size=36 4-14-20", `"14-20" is no square; squares are 1 to 36`},
		{"size=36 4-40", "40 is off the board; squares are 1 to 36"},
		{"size=36 36-4", "a jump starts on 36, the last square; start it lower"},
		{"4-14 4-20", "two jumps start on 4; keep one"},
		{"4-4", "4 → 4 goes nowhere; give it another end"},
		{"4-14 14-20", "4 → 14 ends where 14 → 20 starts; move one, or write chains: once"},
		{"name=plain", `"plain" is a word of the rules; choose another name`},
		{"4-14\x00", "a control character stands here; save it as plain text"},
		{"4-14 \xff", "this is not plain text; save it as UTF-8"},
	}
	for _, test := range tests {
		_, err := boards.ParseLine(test.line)
		if faults := faultsOf(t, err); faults.Total() != 1 || faults.List[0].Error() != test.want {
			t.Errorf("%q is told as %v, want %s", test.line, err, test.want)
		}
	}
}

func TestCSVFaultsNameTheirLine(t *testing.T) {
	file := "from,to\nsize,36\n4,14\n4,20\n# 5,5\n9,31,ladder\nsizes,36\n17;-7\n7\n,8\nfrom,to\n36,3\ntitle,x\n"
	_, err := boards.Parse("b.csv", []byte(file))
	want := `b.csv has 9 mistakes:
• line 4: two jumps start on 4 (the first on line 3); keep one
• line 6: "9,31,ladder" is no jump; write two squares, such as 4,14
• line 7: "sizes" is not known, did you mean "size"?
• line 8: -7 is off the board; squares are 1 to 36
• line 9: "7" is no jump; write two squares, such as 4,14
• line 10: "nothing" is no square; squares are 1 to 36
• line 11: "from" is not known; a line or a table takes name, size, columns, chains
• line 12: a jump starts on 36, the last square; start it lower
• line 13: "title" is not known; a line or a table takes name, size, columns, chains`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
