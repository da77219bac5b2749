package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wantKills is how many kills have to fall into the running match.
const wantKills = 100

// TestKill plays a match of eight seats until all are home, and kills the
// program again and again while it plays. Afterwards /replay must show every go
// that was printed, in order, and between two lives at most one more: the act
// that was on disk when the kill came before its words.
//
// To see it go red, answer before the commit: in riggedStore.Put (engine/rig.go)
// hand the write to a goroutine and return at once. Then a go is printed that
// is not on disk when the kill comes, and it's thrown and printed once more.
func TestKill(t *testing.T) {
	play := lives{t: t, hiss: build(t), database: filepath.Join(t.TempDir(), "hiss.db"), random: rand.New(rand.NewPCG(1, 2))}
	play.live(lobby(), -1)
	var printed [][]string
	for over := false; !over; {
		said := play.live(rolls(50), play.random.IntN(8))
		printed = append(printed, goesOf(said, false))
		over = strings.Contains(said, "This match is over") || strings.Contains(said, "opens the sealed dice")
		if len(printed) > 1000 {
			t.Fatal("the match doesn't end")
		}
	}
	record := goesOf(play.live("p1: /replay\np1: [1]\n", -1), true)
	kills := compare(t, printed, record)
	t.Logf("%d goes, %d kills in the running match, %d lives", len(record), kills, len(printed))
	if kills < wantKills {
		t.Errorf("%d kills fell into the running match, fewer than %d", kills, wantKills)
	}
}

// compare checks what was printed in each life against the record, and returns
// how many lives were killed in the middle of the match.
func compare(t *testing.T, printed [][]string, record []string) (kills int) {
	at := 0
	for life, goes := range printed {
		if at < len(record) && life < len(printed)-1 {
			kills++
		}
		for i, line := range goes {
			if i == 0 && at+1 < len(record) && record[at] != line {
				at++ // told to nobody: on disk when the kill came
			}
			if at >= len(record) || record[at] != line {
				t.Fatalf("life %d printed %q; the record has %q there", life+1, line, record[min(at, len(record)-1)])
			}
			at++
		}
	}
	if len(record)-at > 1 {
		t.Errorf("the record has %d goes more than were printed", len(record)-at)
	}
	return kills
}

// lives are one run of the program after the other, on one file.
type lives struct {
	t        *testing.T
	hiss     string
	database string
	random   *rand.Rand
}

func lobby() string {
	var b strings.Builder
	b.WriteString("p1: /newgame pit marathon\n")
	for i := range 7 {
		fmt.Fprintf(&b, "p%d: /join\n", i+2)
	}
	return b.String()
}

// rolls lets everybody press in turn, that many rounds. Whoever isn't on turn
// is refused, which does no harm.
func rolls(rounds int) string {
	var b strings.Builder
	for range rounds {
		for i := range 8 {
			fmt.Fprintf(&b, "p%d: /roll\n", i+1)
		}
	}
	return b.String()
}

// live starts the program, lets people say what they have to, and returns what
// was printed in whole lines. After that many goes, and a moment more, it is
// killed; a negative number lets it end by itself.
func (l lives) live(input string, goes int) string {
	l.t.Helper()
	cmd := exec.CommandContext(l.t.Context(), l.hiss)
	cmd.Env = []string{"HISS_DATABASE=" + l.database, "HOME=" + os.TempDir()}
	cmd.Stdin = strings.NewReader(input)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	moment := time.Duration(l.random.IntN(600)) * time.Microsecond
	var said strings.Builder
	var killing *time.Timer
	for lines := bufio.NewReader(out); ; {
		if killing == nil && goes == 0 {
			killing = time.AfterFunc(moment, func() { _ = cmd.Process.Kill() })
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			if err != io.EOF && goes < 0 {
				l.t.Fatal(err)
			}
			break
		}
		said.WriteString(line)
		if strings.Contains(line, " rolls ") {
			goes--
		}
	}
	if err := cmd.Wait(); err != nil && killing == nil {
		l.t.Fatal(err)
	}
	return said.String()
}

// goesOf returns the lines of goes in what was printed. What was told again
// after a kill is left out, unless it is a replay.
func goesOf(said string, replay bool) []string {
	var goes []string
	again := false
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		if text, ok := strings.CutPrefix(line, "bot: "); ok {
			again = text == "While I was away:"
			line = text
		}
		if line = strings.TrimSpace(line); strings.Contains(line, " rolls ") && (replay || !again) {
			goes = append(goes, line)
		}
	}
	return goes
}

// build compiles the program once for a test.
func build(t *testing.T) string {
	t.Helper()
	hiss := filepath.Join(t.TempDir(), "hiss")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", hiss, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return hiss
}
