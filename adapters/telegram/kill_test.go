package telegram_test

import (
	"bytes"
	"math/rand/v2"
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

// kills is how often the program is killed while a group plays.
const kills = 12

// TestKill kills the real program again and again while two people press Roll,
// in the middle of its calls: buttons from before work, what was told is on
// disk, and nothing is thrown twice. What a kill kept from being told comes once
// the program is back.
func TestKill(t *testing.T) {
	k := newKiller(t)
	k.api.say(group, ann, "/newgame@HissBot board=random size=5000 ladders=5 snakes=5 plain")
	k.api.say(group, ben, "/join@HissBot")
	for life := range kills + 1 {
		k.live(life == kills)
	}
	k.checkOnce()
}

// killer is the real program, and a server in front of the Bot API that kills it
// at one of its calls.
type killer struct {
	t      *testing.T
	api    *botAPI
	server *httptest.Server
	hiss   string
	dir    string
	random *rand.Rand

	mu    sync.Mutex
	calls int // until it is killed; below zero: never
	early bool
	cmd   *exec.Cmd
}

func newKiller(t *testing.T) *killer {
	k := &killer{t: t, api: newBotAPI(t), hiss: filepath.Join(t.TempDir(), "hiss"), dir: t.TempDir(), random: rand.New(rand.NewPCG(3, 4))}
	k.api.perMinute, k.api.perSecond = 1000, 1000 // a program that was killed doesn't know what it has sent
	k.api.addUser(user{ID: ann, FirstName: "ann"})
	k.api.addUser(user{ID: ben, FirstName: "ben"})
	k.api.addChat(chat{place: place{ID: group, Type: "supergroup", Title: "Group"}})
	k.server = httptest.NewServer(k)
	t.Cleanup(k.server.Close)
	build := exec.Command("go", "build", "-o", k.hiss, "hiss")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return k
}

// ServeHTTP kills the program when its time has come: before the call is obeyed,
// or after.
func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	k.calls--
	kill, early := k.calls == 0, k.early
	k.mu.Unlock()
	if kill && early {
		_ = k.cmd.Process.Kill()
		return
	}
	k.api.ServeHTTP(w, r)
	if kill {
		_ = k.cmd.Process.Kill()
	}
}

// live runs the program until it is killed, or stops it in good order.
func (k *killer) live(last bool) {
	k.t.Helper()
	var log bytes.Buffer
	k.mu.Lock()
	k.calls, k.early = 10+k.random.IntN(14), k.random.IntN(2) == 0
	if last {
		k.calls = -1
	}
	k.cmd = exec.Command(k.hiss)
	k.cmd.Dir, k.cmd.Stderr = k.dir, &log
	k.cmd.Env = append(os.Environ(), "HISS_TELEGRAM_TOKEN="+k.api.token, "HISS_TELEGRAM_API_URL="+k.server.URL)
	err := k.cmd.Start()
	k.mu.Unlock()
	if err != nil {
		k.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- k.cmd.Wait() }()
	for presses := 0; ; presses++ {
		if last && presses == 4 {
			_ = k.cmd.Process.Signal(os.Interrupt)
			if err := <-ended; err != nil {
				k.t.Errorf("an orderly stop: %v\n%s", err, &log)
			}
		} else if k.pressed(ended) {
			continue
		}
		break
	}
	if strings.Contains(log.String(), k.api.token) || strings.Contains(log.String(), "level=ERROR") {
		k.t.Errorf("logged:\n%s", &log)
	}
	k.api.newRun()
	// A press is confirmed when its go is on disk: what a kill takes is the
	// answer to it, and a call that was on its way.
	k.api.forgive("unexpected EOF")
	k.api.forgive("two at once") // the server hadn't seen yet that the last poll's program is dead
	k.api.mu.Lock()
	defer k.api.mu.Unlock()
	for _, p := range k.api.presses {
		p.hindered = 3
	}
}

// pressed lets both press the newest Roll, and waits until something comes of
// it. It's false once the program has ended.
func (k *killer) pressed(ended chan error) bool {
	k.api.mu.Lock()
	changed, from := k.api.changed, len(k.api.log)
	k.api.mu.Unlock()
	for _, m := range slices.Backward(k.api.messages(group)) {
		if b := roll(&m); b != nil {
			k.api.tap(group, ann, m.ID, b.Text)
			k.api.tap(group, ben, m.ID, b.Text)
			break
		}
	}
	for deadline := time.After(10 * time.Second); ; {
		select {
		case <-changed:
			k.api.mu.Lock()
			changed = k.api.changed
			k.api.mu.Unlock()
			if slices.ContainsFunc(k.api.seen(from), func(e event) bool { return e.kind == "send" || e.kind == "edit" }) {
				return true
			}
		case <-ended:
			return false
		case <-deadline:
			return true // pressed again: the newest button may have been missed
		}
	}
}

// roll returns the button that throws, if the message has one.
func roll(m *message) *button {
	for _, label := range []string{"Roll", "Roll to start"} {
		if b := m.button(label); b != nil {
			return b
		}
	}
	return nil
}

// checkOnce follows the tokens over all that was told: each go once, but for
// those that were told again after a kill, word for word and at once.
func (k *killer) checkOnce() {
	k.t.Helper()
	b := &table{id: group, told: make(map[int]int)}
	missed := 0
	for _, e := range k.api.seen(0) {
		if e.kind != "send" && e.kind != "edit" {
			continue
		}
		if strings.HasPrefix(e.text, "While I was away:") {
			missed++
			lines := goLine.FindAllString(e.text, -1)
			for len(lines) > 0 && slices.Contains(b.goes, lines[0]) {
				lines = lines[1:] // told before, as far as anybody knew
			}
			b.goes = append(b.goes, lines...)
			b.told[e.message] = len(lines)
			continue
		}
		b.read(e.message, e.text)
	}
	b.check(k.t)
	k.t.Logf("%d goes, %d messages of what was missed", len(b.goes), missed)
	if len(b.goes) < kills || missed == 0 {
		k.t.Errorf("%d goes, %d messages of what was missed: the moments are chosen badly", len(b.goes), missed)
	}
}
