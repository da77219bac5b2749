package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine"
)

// admin makes a request of a line by somebody who administers the chat, with a
// file; none if data is nil.
func (h *hall) admin(room bot.Channel, line, file string, data []byte) bot.Request {
	r := h.typed(room, "Asha", line)
	r.Admin = func(context.Context, bool) (bool, error) { return true, nil }
	if data != nil {
		r.Attachment = &bot.Attachment{Name: file, Read: func(_ context.Context, limit int) ([]byte, error) {
			return bot.ReadAtMost(bytes.NewReader(data), limit)
		}}
	}
	return r
}

// pressing makes a request of a button's line by such a person.
func (h *hall) pressing(room bot.Channel, who, line string) bot.Request {
	r := h.admin(room, line, "", nil)
	r.Pressed, r.User = true, bot.User{ID: bot.UserID("fake:" + who), Name: who}
	return r
}

// hostileUpload is a file that somebody sends.
type hostileUpload struct {
	name, file string
	data       []byte
	want       string // of what the asker reads; of a board, its card
}

func hostileUploads() []hostileUpload {
	many := func(open, line string, n int) []byte {
		return []byte(open + strings.Repeat(line, n))
	}
	great := boards.Board{Name: "great", Size: 3_000, Columns: 10}
	for from := 2; from < great.Size; from += 2 {
		great.Jumps = append(great.Jumps, boards.Jump{From: from, To: from - 1})
	}
	return []hostileUpload{
		{"nesting", "a.yaml", bytes.Repeat([]byte("["), 64<<10), "so nothing was saved"},
		{"braces", "a.json", bytes.Repeat([]byte(`{"a":`), 13_000), "so nothing was saved"},
		{"aliases", "a.yaml", append([]byte("a: &a [1]\n"), bytes.Repeat([]byte("b: [*a, *a, *a]\n"), 4000)...), "so nothing was saved"},
		{"too large", "a.yaml", bytes.Repeat([]byte("#"), 64<<10+1), "more than 64 KiB, so nothing was saved. Leave something out and send it again."},
		{"ten megabytes", "a.yaml", make([]byte, 10<<20), "more than 64 KiB"},
		{"binary", "a.yaml", []byte("\x7fELF\x02\x01\x00\x00\xff\xfe"), "so nothing was saved"},
		{"UTF-16", "a.yaml", []byte("\xff\xfes\x00i\x00z\x00e\x00"), "save it as UTF-8"},
		{"Latin-1", "a.yaml", []byte("title: Stra\xdfe\n"), "save it as UTF-8"},
		{"nothing", "a.yaml", []byte(" \n"), "there is nothing in it"},
		{"mark and line ends", "marked.yaml", []byte("\ufeffsize: 36\r\nladders: {4: 14}\r\n"), "marked: 36 squares, 1 ladder, 0 snakes"},
		{"keys twice", "a.yaml", []byte("size: 36\nsize: 40\n"), `line 2: "size" is given twice (first on line 1); keep one`},
		{"no name", "   .yaml", []byte("size: 36\n"), "the board has no name"},
		{"markup", "a.yaml", []byte("name: <b>_*x*_\nsize: 36\n"), "is no board name"},
		{"title of blanks", "a.yaml", []byte("title: \"  \\u200b \"\nsize: 36\n"), "a: 36 squares"},
		{"a rule's name", "family.csv", []byte("4,14\n"), "is a word of the rules"},
		{"a shipped name", "x.yaml", []byte("name: CLASSIC\n"), "comes with Hiss"},
		{"thousands of faults", "a.csv", many("size,36\n", "40,50\n", 5000), "… and"},
		{"no way home", "wall.csv", []byte("size,36\n30,1\n31,1\n32,1\n33,1\n34,1\n35,1\n"), "from 29 there's no way home"},
		{"a great board", "great.yaml", []byte(great.File()), "great: 3000 squares, 0 ladders, 1499 snakes"},
		{"a line", "", []byte("size=36 4-14"), "custom: 36 squares"},
		{"lines", "", []byte("name: lines\nsize: 36\nladders:\n  4: 14\n"), "lines: 36 squares"},
		{"talk", "", []byte("here you are"), "so nothing was saved"},
		{"an address", "", []byte("https://example.org/a.yaml"), "so nothing was saved"},
	}
}

// TestHostileUploads: whatever is sent, it's answered clearly, and nothing is
// kept of what isn't a board.
func TestHostileUploads(t *testing.T) {
	h := newHall(t, nil)
	for i, test := range hostileUploads() {
		t.Run(test.name, func(t *testing.T) {
			here := room(fmt.Sprint("hostile", i))
			done := make(chan struct{})
			late := &deaf{got: make(chan bot.Answer, 1)}
			h.engine.Started(t.Context(), late)
			go func() {
				defer close(done)
				wants(t, h.handle(h.typed(room("elsewhere"), "Bilal", "roll")), "No match here")
			}()
			a := h.handle(h.admin(here, "boards upload", test.file, test.data))
			<-done
			if a.Asker != nil && strings.HasPrefix(whole(a), "(private) One moment") {
				a = <-late.got
			}
			wants(t, a, test.want)
			_, err := h.disk.OpenDraft(t.Context(), here.Chat, "fake:Asha")
			if kept := err == nil; kept != (findLine(a, "Approve") != "") {
				t.Errorf("a draft is kept: %t, but the answer is\n%s", kept, whole(a))
			}
			if text := whole(a); len(text) > 3500 {
				t.Errorf("%d bytes of answer", len(text))
			}
		})
	}
}

// deaf is an adapter that takes what is sent, and keeps it if somebody waits.
type deaf struct{ got chan bot.Answer }

func (*deaf) Name() string                           { return "fake" }
func (*deaf) Run(context.Context, bot.Handler) error { return nil }
func (*deaf) Reachable() bool                        { return true }

func (*deaf) Member(context.Context, bot.ChatID, bot.UserID) (bool, error) { return true, nil }

func (d *deaf) Send(_ context.Context, _ bot.Channel, a bot.Answer) error {
	select {
	case d.got <- a:
	default:
	}
	return nil
}

// TestFileThatChanges: what is approved is what was checked, however often the
// file is another one.
func TestFileThatChanges(t *testing.T) {
	h, here := newHall(t, nil), room("changing")
	reads := 0
	r := h.admin(here, "boards upload", "", []byte{})
	r.Attachment.Name = "hut.yaml"
	r.Attachment.Read = func(context.Context, int) ([]byte, error) {
		reads++
		return fmt.Appendf(nil, "size: %d\n", 30+reads), nil
	}
	card := h.handle(r)
	wants(t, card, "hut: 31 squares")
	wants(t, h.handle(h.pressing(here, "Asha", lineOf(t, card, "Approve"))), "hut is in the library: /newgame hut")
	b, err := h.disk.ChatBoard(t.Context(), here.Chat, "hut")
	if err != nil || !strings.Contains(b.File, "size: 31\n") || reads != 1 {
		t.Errorf("%+v after %d reads: %v", b, reads, err)
	}
}

// TestManyJudges: of twenty admins who press at once, one decides; the others
// are told who did.
func TestManyJudges(t *testing.T) {
	h, here := newHall(t, nil), room("judges")
	card := h.handle(h.admin(here, "boards upload", "hut.csv", []byte("size,20\n")))
	approve, discard := lineOf(t, card, "Approve"), lineOf(t, card, "Discard")
	var all sync.WaitGroup
	answers := make([]bot.Answer, 20)
	for i := range answers {
		all.Go(func() {
			line := approve
			if i%2 == 0 {
				line = discard
			}
			answers[i] = h.handle(h.pressing(here, fmt.Sprint("judge", i), line))
		})
	}
	all.Wait()
	decided, told := 0, 0
	for _, a := range answers {
		if len(a.Channel) == 1 {
			decided++
		}
		if strings.Contains(whole(a), " already decided") {
			told++
		}
	}
	_, err := h.disk.ChatBoard(t.Context(), here.Chat, "hut")
	approved := strings.Contains(fmt.Sprint(answers), "in the library")
	if decided != 1 || told != 19 || approved != (err == nil) {
		t.Errorf("%d decided, %d were told who did; %v", decided, told, err)
	}
}

// TestLibraryIsFull: a hundred boards have room, one more doesn't, but one in the
// place of another does.
func TestLibraryIsFull(t *testing.T) {
	h, here := newHall(t, nil), room("full")
	send := func(line string) bot.Answer {
		card := h.handle(h.admin(here, line, "", nil))
		h.clock.wait(2 * time.Second)
		label := "Approve"
		if findLine(card, label) == "" {
			label = "Replace"
		}
		return h.handle(h.pressing(here, "Asha", lineOf(t, card, label)))
	}
	for i := range 100 {
		wants(t, send(fmt.Sprintf("boards upload size=4 name=b%d", i)), "is in the library")
	}
	wants(t, send("boards upload size=4 name=one-more"), "This chat has 100 boards, and that's all there's room for. /boards remove takes one out")
	wants(t, send("boards upload replace size=5 name=b7"), "is in the library")
	wants(t, h.handle(h.admin(here, "boards remove b8", "", nil)), "b8 is out of the library")
	wants(t, send("boards upload size=4 name=one-more"), "is in the library")
	if all, err := h.disk.ChatBoards(t.Context(), here.Chat); err != nil || len(all) != 100 {
		t.Errorf("%d boards: %v", len(all), err)
	}
}

// TestUploadThatHangs: a file that doesn't come stops nobody, not even at that
// table; whoever sent it is told to wait, and in the end that it didn't come.
func TestUploadThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := &deaf{got: make(chan bot.Answer, 200)}
		e := engine.New(engine.Config{Store: &memory{}, Seed: engine.Entropy(strings.NewReader(strings.Repeat("seed", 1000)))})
		e.Started(t.Context(), late)
		h := &hall{TB: t, engine: e, clock: &clock{}}
		hangs := func(room bot.Channel) bot.Request {
			r := h.admin(room, "boards upload", "slow.yaml", []byte{})
			r.Attachment.Read = func(ctx context.Context, _ int) ([]byte, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return r
		}
		here, began := room("hanging"), time.Now()
		word := h.handle(hangs(here))
		wants(t, word, "One moment, I'm looking into slow.yaml …")
		if !word.Asker.Meanwhile {
			t.Error("it would be told after what comes of it")
		}
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("%v without a word", waited)
		}
		wants(t, h.handle(h.typed(here, "Asha", "newgame tiny plain")), "New match on Tiny")
		wants(t, h.handle(h.typed(here, "Asha", "roll")), "Asha rolls")
		// A chat may have few of them, and there are not too many in all. None keeps
		// another chat's board from being looked into.
		busy := "I'm busy with other boards. Give it 30 s, then again."
		for range 2 {
			lacks(t, h.handle(hangs(here)), busy)
		}
		wants(t, h.handle(hangs(here)), busy)
		wants(t, h.handle(h.admin(room("quick"), "boards upload", "hut.csv", []byte("size,20\n"))), "hut: 20 squares")
		var all sync.WaitGroup
		var refused atomic.Int64
		for i := range 150 {
			all.Go(func() {
				if a := h.handle(hangs(room(fmt.Sprint("other", i)))); strings.Contains(whole(a), busy) {
					refused.Add(1)
				}
			})
		}
		all.Wait()
		if n := refused.Load(); n != 150+3-100 {
			t.Errorf("%d refused", n)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if len(late.got) != 100 {
			t.Fatalf("%d answers came late", len(late.got))
		}
		wants(t, <-late.got, "I couldn't fetch that file")
		wants(t, h.handle(h.admin(here, "boards upload", "hut.csv", []byte("size,20\n"))), "hut: 20 squares")
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := e.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestUploadThatTakesTooLong: what isn't worked out in time is given up, and told so.
func TestUploadThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := &deaf{got: make(chan bot.Answer, 1)}
		e := engine.New(engine.Config{Store: &memory{}, Seed: engine.Entropy(strings.NewReader(strings.Repeat("seed", 1000)))})
		e.Started(t.Context(), late)
		h := &hall{TB: t, engine: e, clock: &clock{}}
		r := h.admin(room("slow"), "boards upload", "slow.csv", []byte{})
		r.Attachment.Read = func(ctx context.Context, _ int) ([]byte, error) {
			<-ctx.Done()
			return []byte("size,600\n"), nil
		}
		wants(t, h.handle(r), "One moment, I'm looking into slow.csv …")
		wants(t, <-late.got, "That took too long, so I gave it up.")
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := e.Run(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestUploadUnsaved: a board that can't be written is told as such.
func TestUploadUnsaved(t *testing.T) {
	h := newHall(t, func(s engine.Store) engine.Store { return &draftless{s} })
	a := h.handle(h.admin(room("unsaved"), "boards upload", "hut.csv", []byte("size,20\n")))
	wants(t, a, "That didn't count: I couldn't save it.")
}

type draftless struct{ engine.Store }

func (draftless) PutDraft(context.Context, bot.ChatID, *engine.Draft) error {
	return fmt.Errorf("%w: the disk is full", engine.ErrNotWritten)
}

// TestRightsThatCannotBeAsked: where the platform doesn't say, nothing is done.
func TestRightsThatCannotBeAsked(t *testing.T) {
	h, here := newHall(t, nil), room("rights")
	anew := false
	r := h.admin(here, "boards upload", "hut.csv", []byte("size,20\n"))
	r.Admin = func(_ context.Context, now bool) (bool, error) { anew = now; return true, errors.New("no answer") }
	wants(t, h.handle(r), "I can't find out right now whether you're an admin here")
	if !anew {
		t.Error("an old answer would do")
	}
	r.Admin = nil
	wants(t, h.handle(r), "Only admins of this chat can do that.")
	r.Admin = func(context.Context, bool) (bool, error) { return false, nil }
	read := false
	r.Attachment.Read = func(context.Context, int) ([]byte, error) { read = true; return nil, nil }
	if a := h.handle(r); !a.Asker.Alert || read {
		t.Errorf("alert %t, read %t", a.Asker.Alert, read)
	}
}
