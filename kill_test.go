package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// wantKills is how many kills have to fall into the running match, and most
// how often it is killed before it may play to its end.
const wantKills, most = 100, 150

// TestKill plays a match of eight seats until all are home, and kills the
// program again and again while it plays. Afterwards /replay must show every go
// that was printed, in order, and for each kill at most one more: the go that
// was on disk when the kill came before its words. Those must have been told by
// a later life, in what it says of its absence.
//
// To see it go red, answer before the commit: in (*Store).Put (store/put.go)
// hand the write to a goroutine, one at a time, and return nil at once. A go
// that was printed is then not on disk when the kill comes, and is thrown and
// printed again: about ten lives are enough.
func TestKill(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := newProgram(t)
	p.run(lobby())
	var past []life
	for over := false; !over; {
		l := p.live(rolls(100), random, len(past) < most)
		past = append(past, l)
		over = strings.Contains(l.said, sealOpened)
		if len(past) > most+100 {
			t.Fatal("the match doesn't end")
		}
	}
	said, errs, code := p.run("p1: /replay\np1: [1]\n")
	if code != 0 || errs != "" || !strings.Contains(said, "\n     Checked: ") {
		t.Errorf("/replay: exit %d, %q\n%s", code, errs, said)
	}
	away, record := goesOf(said)
	past = append(past, life{away: away})
	kills, unseen := compare(t, past, record)
	t.Logf("%d goes; %d kills in the running match, %d of them between a commit and its words", len(record), kills, unseen)
	if kills < wantKills {
		t.Errorf("%d kills fell into the running match, fewer than %d", kills, wantKills)
	}
	if unseen == 0 {
		t.Error("no kill fell between a commit and its words: the moments are chosen badly")
	}
}

// sealOpened is said when a match is over.
const sealOpened = "opens the sealed dice"

// life is one run of the program, as a reader of its output saw it.
type life struct {
	said   string
	away   []string // goes that were told as what was missed
	goes   []string
	killed bool
}

// now is how far a match can be after a life: goes on disk, and how many of the
// last ones nobody was told of.
type now struct{ disk, untold int }

// compare follows the record through all lives, and returns how many kills fell
// into the running match and how many goes were on disk before they were told.
// Equal goes can follow each other, so it keeps every explanation that is left.
func compare(t *testing.T, past []life, record []string) (kills, unseen int) {
	t.Helper()
	is := map[now]int{{}: 0} // and how many were unseen until there
	for i, l := range past {
		next := make(map[now]int)
		add := func(n now, unseen int) {
			if least, ok := next[n]; !ok || unseen < least {
				next[n] = unseen
			}
		}
		for n, unseen := range is {
			if len(l.away) < n.untold && len(l.away)+len(l.goes) > 0 || !stands(record, n.disk-len(l.away), l.away) || !stands(record, n.disk, l.goes) {
				continue
			}
			if len(l.away)+len(l.goes) > 0 {
				n.untold = 0
			}
			n.disk += len(l.goes)
			add(n, unseen)
			if l.killed && n.disk < len(record) {
				add(now{n.disk + 1, n.untold + 1}, unseen+1)
			}
		}
		if len(next) == 0 {
			t.Fatalf("life %d told of its absence %q, then printed %q; neither stands there in the record, of which the lives before leave %v",
				i+1, l.away, l.goes, is)
		}
		if is = next; l.killed && !strings.Contains(l.said, sealOpened) {
			kills++
		}
	}
	unseen, ok := is[now{disk: len(record)}]
	if !ok {
		t.Errorf("the record has %d goes, of which %v were printed", len(record), is)
	}
	return kills, unseen
}

// stands reports whether goes stand in the record from some place on.
func stands(record []string, at int, goes []string) bool {
	return at >= 0 && at+len(goes) <= len(record) && slices.Equal(record[at:at+len(goes)], goes)
}

// lobby seats eight on a board on which each of them needs 67 throws at least:
// no match is too short for the kills.
func lobby() string {
	var b strings.Builder
	b.WriteString("p1: /newgame board=random size=400 ladders=0 snakes=5 marathon\n")
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

// live runs the program. If kill is true it kills it at a random moment: some
// lines after its start and then up to a millisecond later, which is about as
// long as a commit takes, or now and then while it starts.
func (p program) live(input string, random *rand.Rand, kill bool) life {
	p.t.Helper()
	cmd := p.command(p.t.Context())
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	lines := 1 + random.IntN(16)
	moment := time.Duration(random.IntN(400)) * time.Microsecond
	if random.IntN(8) == 0 {
		lines, moment = 0, time.Duration(random.IntN(50))*time.Millisecond
	}
	var said strings.Builder
	for read := bufio.NewReader(out); ; lines-- {
		if kill && lines == 0 {
			defer time.AfterFunc(moment, func() { _ = cmd.Process.Kill() }).Stop()
		}
		line, err := read.ReadString('\n')
		if err != nil { // what is left of a line was not printed
			break
		}
		said.WriteString(line)
	}
	killed := false
	if err := cmd.Wait(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.Exited() {
			p.t.Fatal(err)
		}
		killed = true
	}
	l := life{said: said.String(), killed: killed}
	l.away, l.goes = goesOf(l.said)
	return l
}

// goesOf returns the lines of goes in what was printed: those told as what was
// missed, and all others.
func goesOf(said string) (away, goes []string) {
	missed := false
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		if text, ok := strings.CutPrefix(line, "bot: "); ok {
			missed = text == "While I was away:"
			line = text
		}
		switch line = strings.TrimSpace(line); {
		case !strings.Contains(line, " rolls "):
		case missed:
			away = append(away, line)
		default:
			goes = append(goes, line)
		}
	}
	return away, goes
}

// built returns the program, compiled once into the folder that go test makes
// for this test's own binary and removes afterwards.
var built = sync.OnceValues(func() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	hiss := filepath.Join(filepath.Dir(self), "hiss-under-test")
	build := exec.Command("go", "build", "-o", hiss, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return hiss, nil
})
