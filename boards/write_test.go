package boards_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
)

// anyBoard draws valid boards of every kind.
func anyBoard() *rapid.Generator[boards.Board] {
	return rapid.Custom(func(t *rapid.T) boards.Board {
		b := boards.Board{
			Name:    rapid.StringMatching(`[a-z0-9_-]{1,32}`).Draw(t, "name"),
			Title:   anyText(boards.MaxTitle).Draw(t, "title"),
			About:   anyText(boards.MaxAbout).Draw(t, "about"),
			Size:    rapid.OneOf(rapid.IntRange(2, 40), rapid.IntRange(2, boards.MaxSize)).Draw(t, "size"),
			Columns: rapid.IntRange(1, boards.MaxColumns).Draw(t, "columns"),
			Chains:  boards.Chains(rapid.IntRange(0, 1).Draw(t, "chains")),
		}
		starts := map[int]bool{}
		ends := map[int]bool{}
		for range rapid.IntRange(0, 30).Draw(t, "jumps") {
			j := boards.Jump{From: rapid.IntRange(1, b.Size).Draw(t, "from"), To: rapid.IntRange(1, b.Size).Draw(t, "to")}
			chained := ends[j.From] || starts[j.To]
			if j.From == j.To || j.From == b.Size || starts[j.From] || (chained && b.Chains == boards.Refuse) {
				continue
			}
			starts[j.From], ends[j.To] = true, true
			at := 0
			for at < len(b.Jumps) && b.Jumps[at].From < j.From {
				at++
			}
			b.Jumps = append(b.Jumps[:at], append([]boards.Jump{j}, b.Jumps[at:]...)...)
		}
		squares := rapid.SliceOfNDistinct(rapid.IntRange(1, b.Size), 0, min(30, b.Size), rapid.ID[int]).Draw(t, "squares")
		slices.Sort(squares)
		for _, square := range squares {
			effect := rapid.SampledFrom([]boards.Effect{boards.Skip, boards.Shield, boards.Again, boards.Back}).Draw(t, "effect")
			if square < b.Size && !starts[square] {
				b.Specials = append(b.Specials, boards.Special{Square: square, Effect: effect})
			}
		}
		return b
	})
}

// anyText draws what Parse makes of what people write: clean lines with all
// that is awkward in YAML, JSON and markup.
func anyText(most int) *rapid.Generator[string] {
	awkward := rapid.SampledFrom([]rune("\"'\\:#&*!|>{}[],%@`-=~ 蛇🐍é\u0301\u200d☃?/<b"))
	text := rapid.StringOfN(rapid.OneOf(awkward, rapid.Rune()), 0, most, -1)
	return rapid.Custom(func(t *rapid.T) string {
		// Cleaned by the package itself, by way of a file.
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text.Draw(t, "text")) + `"`
		b, err := boards.Parse("b.yaml", []byte("title: "+quoted))
		if err != nil {
			return "" // control characters, or too long for a title
		}
		return b.Title
	})
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard().Draw(t, "board")
		if err := b.Check(); err != nil {
			t.Fatalf("not valid: %v", err)
		}
		for _, format := range []boards.Format{boards.YAML, boards.JSON, boards.CSV, boards.Line} {
			text, want := b.Format(format), b
			if format == boards.CSV || format == boards.Line {
				want.Title, want.About = "", ""
			}
			got, err := boards.Parse("other."+format.String(), []byte(text))
			if err != nil || !same(got, want) {
				t.Fatalf("%s\n%s\nis read as %+v, %v\nwant %+v", format, text, got, err, want)
			}
			if sniffed, err := boards.Parse("other", []byte(text)); err != nil || !same(sniffed, want) {
				t.Fatalf("%s\n%s\nwithout an extension is read as %+v, %v\nwant %+v", format, text, sniffed, err, want)
			}
			if format == boards.Line {
				if got, err := boards.ParseLine(text); err != nil || !same(got, want) {
					t.Fatalf("line\n%s\nis read as %+v, %v\nwant %+v", text, got, err, want)
				}
			}
		}
		again, err := boards.Parse("", []byte(b.File()))
		if err != nil || again.File() != b.File() || again.Hash() != b.Hash() {
			t.Fatalf("the file changes by being read: %v", err)
		}
	})
}

// The file and the hash of a board stand in every record: they can never
// change. If this fails, the code has to be mended, not the test.
func TestFileAndHashAreForEver(t *testing.T) {
	b := sample()
	b.Title, b.About = `The "Sample" \o/`, "Plain: # & simple 🐍"
	const want = `name: "sample"
title: "The \"Sample\" \\o/"
about: "Plain: # & simple 🐍"
size: 36
columns: 6
chains: refuse
ladders:
  4: 14
  9: 31
snakes:
  17: 7
`
	if got := b.File(); got != want {
		t.Errorf("file is\n%s\nwant\n%s", got, want)
	}
	// printf of the above | sha256sum
	if got := b.Hash(); got != "fdcfc9a23c36ab7bf3cdf4f428ebd2d61d8ce0991a3257d8ab5fbb587dd05cc8" {
		t.Errorf("hash is %s", got)
	}
	// With effects, which boards of the first release didn't have.
	b.Specials = special().Specials
	if got := b.File(); got != want+"effects:\n  2: skip\n  12: shield\n  31: again\n  35: back\n" {
		t.Errorf("file with effects is\n%s", got)
	}
	if got := b.Hash(); got != "16d8564f9f150781b15536d9a4e44b4ee1e4a631656b3794a1c2f5e17d741e73" {
		t.Errorf("hash with effects is %s", got)
	}
	bare := boards.Board{Name: "b", Size: 2, Columns: 10, Chains: boards.Once}
	if got := bare.File(); got != "name: \"b\"\nsize: 2\ncolumns: 10\nchains: once\n" {
		t.Errorf("bare file is\n%s", got)
	}
}

// Every part of a board is part of its hash.
func TestHashSeesEverything(t *testing.T) {
	seen := map[string]string{sample().Hash(): "nothing"}
	for name, change := range map[string]func(*boards.Board){
		"name": func(b *boards.Board) { b.Name = "other" }, "title": func(b *boards.Board) { b.Title = "x" },
		"about": func(b *boards.Board) { b.About = "x" }, "size": func(b *boards.Board) { b.Size++ },
		"columns": func(b *boards.Board) { b.Columns++ }, "chains": func(b *boards.Board) { b.Chains = boards.Once },
		"a start": func(b *boards.Board) { b.Jumps[0].From++ }, "an end": func(b *boards.Board) { b.Jumps[0].To++ },
		"one less":           func(b *boards.Board) { b.Jumps = b.Jumps[1:] },
		"effects":            func(b *boards.Board) { b.Specials = special().Specials },
		"an effect":          func(b *boards.Board) { b.Specials = special().Specials; b.Specials[0].Effect = boards.Shield },
		"an effect's square": func(b *boards.Board) { b.Specials = special().Specials; b.Specials[0].Square++ },
	} {
		b := sample()
		change(&b)
		if other, same := seen[b.Hash()]; same {
			t.Errorf("changing %s and changing %s give one hash", name, other)
		}
		seen[b.Hash()] = name
	}
}

func TestFormats(t *testing.T) {
	b, withEffects := sample(), special()
	tests := []struct {
		board  boards.Board
		format boards.Format
		want   string
	}{
		{b, boards.YAML, b.File()},
		{b, boards.JSON, `{
  "name": "sample",
  "title": "",
  "about": "",
  "size": 36,
  "columns": 6,
  "chains": "refuse",
  "ladders": {"4":14,"9":31},
  "snakes": {"17":7}
}
`},
		{b, boards.CSV, "name,sample\nsize,36\ncolumns,6\nchains,refuse\n4,14\n9,31\n17,7\n"},
		{b, boards.Line, "name=sample size=36 columns=6 4-14 9-31 17-7"},
		{withEffects, boards.YAML, b.File() + "effects:\n  2: skip\n  12: shield\n  31: again\n  35: back\n"},
		{withEffects, boards.JSON, strings.TrimSuffix(b.Format(boards.JSON), "\n}\n") +
			",\n  \"effects\": {\"2\":\"skip\",\"12\":\"shield\",\"31\":\"again\",\"35\":\"back\"}\n}\n"},
		{withEffects, boards.CSV, b.Format(boards.CSV) + "2,skip\n12,shield\n31,again\n35,back\n"},
		{withEffects, boards.Line, b.Format(boards.Line) + " 2=skip 12=shield 31=again 35=back"},
	}
	for _, test := range tests {
		if got := test.board.Format(test.format); got != test.want {
			t.Errorf("%s is\n%s\nwant\n%s", test.format, got, test.want)
		}
	}
}
