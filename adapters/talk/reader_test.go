package talk_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"hiss/adapters/talk"
)

// readAll returns what a reader makes of an input: texts, and faults with
// their numbers.
func readAll(t *testing.T, in io.Reader) []string {
	t.Helper()
	var got []string
	r := talk.NewReader(in)
	for {
		l, err := r.Next()
		fault, isFault := errors.AsType[*talk.Fault](err)
		switch {
		case isFault:
			got = append(got, "! "+fault.Error())
		case errors.Is(err, io.EOF):
			return got
		case err != nil:
			return append(got, "? "+err.Error())
		case l.Kind == talk.Output:
			got = append(got, "bot")
		default:
			got = append(got, l.Name+"|"+l.Text)
		}
	}
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReaderLineBreaks(t *testing.T) {
	same(t, readAll(t, strings.NewReader("\ufeffa: 1\r\n\r\nb: 2\nc: 3")), "a|1", "|", "b|2", "c|3")
	same(t, readAll(t, strings.NewReader("a: 1\n\ufeff: 2\n")), "a|1", "\ufeff|2")
	same(t, readAll(t, iotest.OneByteReader(strings.NewReader("a: 1\r\nb: 2\r\n"))), "a|1", "b|2")
}

func TestReaderSkipsLongLines(t *testing.T) {
	fits := "a: " + strings.Repeat("x", talk.MaxLine-3)
	over := fits + "x"
	mega := strings.Repeat("y", 1<<20)
	got := readAll(t, strings.NewReader(strings.Join([]string{fits + "\r", over, mega, "b: 2", over, mega}, "\n")))
	if len(got) != 6 || len(got[0]) != talk.MaxLine-1 {
		t.Fatalf("%d lines, the first of %d bytes", len(got), len(got[0]))
	}
	same(t, got[1:], "! line 2: it is longer than 65536 bytes", "! line 3: it is longer than 65536 bytes", "b|2",
		"! line 5: it is longer than 65536 bytes", "! line 6: it is longer than 65536 bytes")
}

func TestReaderGoesOnAfterFaults(t *testing.T) {
	same(t, readAll(t, strings.NewReader("a: \xff\n: x\na: 1\n")),
		"! line 1: this isn't UTF-8", "! line 2: there is no name before the colon", "a|1")
}

func TestReaderEndsWithTheInput(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("a: 1\nb: 2"), iotest.ErrReader(errors.New("gone")))
	same(t, readAll(t, broken), "a|1", "? gone")
	long := io.MultiReader(strings.NewReader(strings.Repeat("y", 1<<20)), iotest.ErrReader(errors.New("gone")))
	same(t, readAll(t, long), "? gone")
}

func TestReaderSkipsWhatTheBotSaid(t *testing.T) {
	same(t, readAll(t, strings.NewReader("a: 1\nbot: x\n     y\n     [Roll]\n#g bot: z\n#g      [Roll]\nbot (only a): no\n    a: 2\n")),
		"a|1", "bot", "bot", "bot", "bot", "bot", "bot", "a|2")
	fault := ": it is indented like a further line of the bot's, and no such line stands above it"
	same(t, readAll(t, strings.NewReader("     [Roll]\na: 1\n     [Roll]\nbot: x\n\n     [Roll]\n#g bot: y\n     [Roll]\n#g      [Roll]\n      \n")),
		"! line 1"+fault, "a|1", "! line 3"+fault, "bot", "|", "! line 6"+fault, "bot", "! line 8"+fault, "! line 9"+fault, "|")
}
