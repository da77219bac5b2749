package discord_test

import (
	"bytes"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// kills is how often the program is killed while a channel plays.
const kills = 4

// TestKill kills the real program again and again while two people press Roll,
// in the middle of its calls: buttons from before work, what was told is on
// disk, and nothing is thrown twice. What a kill kept from being told comes once
// the program is back, which takes more than five seconds at Discord's.
func TestKill(t *testing.T) {
	k := newKiller(t)
	for life := range kills + 1 {
		k.live(life == 0, life == kills)
	}
	k.checkOnce()
}

// killer is the real program, and a server in front of Discord that kills it at
// one of its calls.
type killer struct {
	*world
	t      *testing.T
	hiss   string
	dir    string
	random *rand.Rand
	from   int // of the log, what this life has seen

	mu    sync.Mutex
	calls int // until it is killed; below zero: never
	early bool
	cmd   *exec.Cmd
}

func newKiller(t *testing.T) *killer {
	k := &killer{world: newWorld(t), t: t, hiss: filepath.Join(t.TempDir(), "hiss"), dir: t.TempDir(), random: rand.New(rand.NewPCG(3, 4))}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k.serve(l)
	build := exec.Command("go", "build", "-o", k.hiss, "hiss")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return k
}

// front returns a server that hands calls on, and kills the program when its
// time has come: before the call is obeyed, or after.
func (k *killer) front() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		k.calls--
		kill, early := k.calls == 0, k.early
		k.mu.Unlock()
		if kill && early {
			_ = k.cmd.Process.Kill()
			return
		}
		k.ServeHTTP(w, r)
		if kill {
			_ = k.cmd.Process.Kill()
		}
	}))
}

// live runs the program until it is killed, or stops it in good order.
func (k *killer) live(first, last bool) {
	k.t.Helper()
	front := k.front()
	defer front.Close()
	var log bytes.Buffer
	k.mu.Lock()
	k.calls, k.early = 12+k.random.IntN(14), k.random.IntN(2) == 0
	if last {
		k.calls = -1
	}
	k.from = len(k.seen(0))
	k.cmd = exec.Command(k.hiss)
	k.cmd.Dir, k.cmd.Stderr = k.dir, &log
	k.cmd.Env = append(os.Environ(), "HISS_DISCORD_TOKEN="+k.token, "HISS_DISCORD_API_URL="+front.URL)
	err := k.cmd.Start()
	k.mu.Unlock()
	if err != nil {
		k.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- k.cmd.Wait() }()
	for presses := 0; ; presses++ {
		if last && presses == 6 {
			_ = k.cmd.Process.Signal(os.Interrupt)
			if err := <-ended; err != nil {
				k.t.Errorf("an orderly stop: %v\n%s", err, &log)
			}
		} else if k.acts(first && presses == 0, ended) {
			continue
		}
		break
	}
	if strings.Contains(log.String(), k.token) || strings.Contains(log.String(), "level=ERROR") {
		k.t.Errorf("logged:\n%s", &log)
	}
	k.newRun()
}

// acts lets both press the newest Roll, or open the match, and waits until
// something comes of it. It's false once the program has ended.
func (k *killer) acts(open bool, ended chan error) bool {
	from := len(k.seen(0))
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(20 * time.Second); ; {
		if open && k.connected() { // else nobody would hear of it
			line := typing{words: strings.Fields("newgame random plain size=5000 ladders=5 snakes=5")}
			open = k.slash(k.hall, k.ann, line) != nil
			if !open {
				_ = k.slash(k.hall, k.ben, typing{words: []string{"join"}})
			}
		} else if !open && k.connected() && k.pressNewest(k.hall, k.ann, k.ben) {
			break
		}
		select {
		case <-tick.C:
		case <-ended:
			return false
		case <-deadline:
			k.t.Fatal("nothing can be pressed")
		}
	}
	for deadline := time.After(5 * time.Second); ; {
		told := func(e event) bool { return (e.kind == "send" || e.kind == "edit") && e.message.reader == nil }
		if slices.ContainsFunc(k.seen(from), told) {
			return true
		}
		select {
		case <-tick.C:
		case <-ended:
			return false
		case <-deadline:
			return true // pressed again: it may have been told before
		}
	}
}

// connected reports whether the bot would be told of a press.
func (k *killer) connected() bool {
	k.discordAPI.mu.Lock()
	defer k.discordAPI.mu.Unlock()
	return slices.ContainsFunc(k.gate.sessions, func(s *session) bool { return s.link != nil && !s.dead })
}

// checkOnce follows the tokens over all that was told: each go once, but for
// those that were told again after a kill, word for word and at once.
func (k *killer) checkOnce() {
	k.t.Helper()
	k.forgive("") // a program that was killed leaves answers open
	b := &table{at: k.hall, told: make(map[string]int)}
	missed := 0
	for _, e := range k.seen(0) {
		if e.kind != "send" && e.kind != "edit" || e.message.reader != nil {
			continue
		}
		if strings.HasPrefix(e.message.content, "While I was away:") {
			missed++
			lines := goLine.FindAllString(e.message.content, -1)
			b.told[e.message.id] = len(lines)
			for len(lines) > 0 && slices.Contains(b.goes, lines[0]) {
				lines = lines[1:] // told before, as far as anybody knew
			}
			b.goes = append(b.goes, lines...)
			continue
		}
		b.read(e.message.id, e.message.content)
	}
	b.check(k.t)
	k.t.Logf("%d goes, %d messages of what was missed", len(b.goes), missed)
	if len(b.goes) < kills {
		k.t.Errorf("%d goes: the moments are chosen badly", len(b.goes))
	}
}
