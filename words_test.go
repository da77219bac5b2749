package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/discord"
	"hiss/adapters/fake"
	"hiss/adapters/talk"
	"hiss/adapters/telegram"
	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
	"hiss/store"
)

// TestSameWordsEverywhere plays every transcript of the engine, and says each of
// its messages in the terminal, on Telegram and on Discord: rendering aside,
// people read the same.
func TestSameWordsEverywhere(t *testing.T) {
	said := different(append(conversations(t), reminder()))
	if len(said) < 500 {
		t.Fatalf("only %d messages", len(said))
	}
	synctest.Test(t, func(t *testing.T) {
		p := &platforms{telegram: make(map[string]string), discord: make(map[string]string)}
		defer p.run(t)()
		for i, m := range said {
			a := bot.Answer{Channel: []bot.Message{m}}
			number := fmt.Sprint(1000 + i)
			for _, adapter := range p.adapters {
				c := bot.Channel{Chat: bot.ChatID(adapter.Name() + ":" + number)}
				if err := adapter.Send(t.Context(), c, a); err != nil {
					t.Fatal(err)
				}
			}
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		for i, m := range said {
			number := fmt.Sprint(1000 + i)
			// A page's earlier words stand in the same message, where they can.
			whole := bot.Message{Said: bot.Lines(m.Before, m.Said), Now: m.Now}
			want := squeeze(talk.Printer{Signs: true}.Print(talk.Delivery{Message: whole}))
			for name, got := range map[string]string{"Telegram": p.telegram[number], "Discord": undressed(p.discord[number], whole.Text())} {
				if squeeze("bot: "+got) != want {
					t.Errorf("%s says\n%q, not\n%q", name, squeeze(got), want)
				}
			}
			if t.Failed() {
				return
			}
		}
	})
}

// different returns the messages whose words differ, without all that isn't words.
func different(all []bot.Message) (some []bot.Message) {
	known := make(map[string]bool)
	for _, m := range all {
		m.Page, m.Picture, m.Document, m.Buttons = "", nil, nil, nil
		if words := fmt.Sprintf("%+v", m); !known[words] {
			known[words] = true
			some = append(some, m)
		}
	}
	return some
}

// squeeze leaves out what is rendering: blanks, line breaks and what can't be
// seen.
func squeeze(s string) string {
	return regexp.MustCompile(`[\s\x{2060}\x{200b}]+`).ReplaceAllString(s, "")
}

// reminder returns a message with a moment and a place in it, twice each.
func reminder() bot.Message {
	at := bot.Span{Kind: bot.Moment, Text: "in 30 s", At: time.Date(2026, 11, 30, 12, 0, 30, 0, time.UTC)}
	there := bot.Span{Kind: bot.Where, Text: "#garden", Place: "300000000000000101"}
	return bot.Message{
		Said: bot.Text{{Text: "Matches are played in "}, there, {Text: ", from "}, at, {Text: " on."}},
		Now:  bot.Text{{Kind: bot.Sign, Text: "⏳ "}, {Text: "Hiss throws for you "}, at, {Text: " in "}, there, {Text: "."}},
	}
}

// undressed returns Discord's markup as it is read: what clients show for moments
// and places is theirs, and stands for the text's own words.
func undressed(s string, t bot.Text) string {
	for _, span := range t {
		switch span.Kind {
		case bot.Moment:
			s = strings.Replace(s, fmt.Sprintf("<t:%d:R>", span.At.Unix()), span.Text, 1)
		case bot.Where:
			s = strings.Replace(s, "<#"+span.Place+">", span.Text, 1)
		}
	}
	s = regexp.MustCompile("(?s)```\n(.*?)\n```").ReplaceAllString(s, "$1")
	s = regexp.MustCompile("`` (.*?) ``|`([^`\n]+)`").ReplaceAllString(s, "$1$2")
	return regexp.MustCompile(`\\([^\sA-Za-z0-9])`).ReplaceAllString(s, "$1")
}

// conversations returns all that the bot says in the engine's transcripts.
func conversations(t *testing.T) (all []bot.Message) {
	files, err := filepath.Glob("engine/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		script, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := newScene(t)
		if _, err := s.platform.Play(t.Context(), string(script)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, d := range s.platform.Sent() {
			all = append(all, d.Message)
		}
		if err := s.close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	return all
}

// scene is an engine on a store, and a platform without a network.
type scene struct {
	t        *testing.T
	path     string
	platform *fake.Platform
	rig      *engine.Rig
	seeds    uint64
	store    *store.Store
	engine   *engine.Engine
}

func newScene(t *testing.T) *scene {
	s := &scene{
		t: t, path: filepath.Join(t.TempDir(), "hiss.db"), rig: &engine.Rig{},
		platform: fake.New(fake.Config{Dir: "engine/testdata"}),
	}
	s.rig.Restart = func(ctx context.Context) error { return errors.Join(s.close(ctx), s.open(ctx)) }
	if err := s.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *scene) open(ctx context.Context) (err error) {
	if s.store, err = store.Open(ctx, s.path); err != nil {
		return err
	}
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s.engine = engine.New(engine.Config{
		Wordless: time.Minute, Store: s.rig.Disk(s.store), Rig: s.rig, Now: s.rig.Clock(func() time.Time { return noon }),
		Seed: func() (rules.Seed, error) { s.seeds++; return rules.SeedNumber(s.seeds - 1), nil },
	})
	s.platform.Serve(s.engine, s.rig)
	s.engine.Started(ctx, s.platform)
	return nil
}

func (s *scene) close(ctx context.Context) error {
	return errors.Join(s.engine.Flush(ctx), s.store.Close())
}

// platforms are both platforms at once, as far as sending goes: they take all
// that is sent, and keep the words by chat.
type platforms struct {
	adapters []bot.Adapter

	mu       sync.Mutex
	telegram map[string]string
	discord  map[string]string
}

// run starts both adapters, and returns how to stop them.
func (p *platforms) run(t *testing.T) (stop func()) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hiss.db"))
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Config{Store: s})
	tg, err := telegram.New(telegram.Config{Token: "1:xyz", Client: &http.Client{Transport: p}, Notes: s.Notes()})
	if err != nil {
		t.Fatal(err)
	}
	dc, err := discord.New(discord.Config{Token: "xyz", URL: "http://discord.test", Dial: p.dial, Notes: s.Notes()})
	if err != nil {
		t.Fatal(err)
	}
	p.adapters = []bot.Adapter{tg, dc}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- bot.Run(ctx, e, nil, p.adapters...) }()
	synctest.Wait()
	return func() {
		cancel()
		if err := errors.Join(<-ended, s.Close()); err != nil {
			t.Error(err)
		}
	}
}

// RoundTrip is a call to either platform.
func (p *platforms) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return w.Result(), nil
}

// dial returns a connection to whoever plays both platforms.
func (p *platforms) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		in := bufio.NewReader(there)
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			answer, err := p.RoundTrip(r)
			if err != nil || answer.Write(there) != nil {
				return
			}
		}
	}()
	return here, nil
}

// ServeHTTP keeps what is sent, and is content with everything else.
func (p *platforms) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	method := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	switch {
	case method == "getUpdates":
		p.mu.Unlock()
		<-r.Context().Done()
		p.mu.Lock()
	case method == "getMe":
		_, _ = io.WriteString(w, `{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"Hiss","username":"HissBot"}}`)
	case method == "sendMessage" || method == "sendDocument":
		p.telegram[r.FormValue("chat_id")] = r.FormValue("text") + uploaded(r)
		_, _ = io.WriteString(w, `{"ok":true,"result":{"message_id":1,"text":"x","chat":{"id":1,"type":"private"}}}`)
	case strings.HasPrefix(r.URL.Path, "/bot"):
		_, _ = io.WriteString(w, `{"ok":true,"result":true}`)
	case method == "messages":
		var m struct{ Content string }
		whole := uploaded(r)
		data := []byte(r.FormValue("payload_json"))
		if whole == "" {
			data, _ = io.ReadAll(r.Body)
		}
		_ = json.Unmarshal(data, &m)
		if whole != "" {
			m.Content = strings.ReplaceAll(whole, `\`, `\\`)
		}
		channel := strings.Split(r.URL.Path, "/")[4]
		p.discord[channel] = m.Content
		_, _ = io.WriteString(w, `{"id":"1"}`)
	case method == "commands" && r.Method == http.MethodGet:
		_, _ = io.WriteString(w, `[]`)
	default:
		_, _ = io.WriteString(w, `{"id":"1"}`)
	}
}

// uploaded returns the text of the file that came along, if one did.
func uploaded(r *http.Request) string {
	if r.ParseMultipartForm(1<<22) != nil {
		return ""
	}
	var b bytes.Buffer
	for _, files := range r.MultipartForm.File {
		for _, f := range files {
			if in, err := f.Open(); err == nil {
				_, _ = io.Copy(&b, in)
				_ = in.Close()
			}
		}
	}
	return b.String()
}
