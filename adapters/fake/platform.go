package fake

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hiss/adapters/talk"
	"hiss/bot"
)

// Config says what a Platform is like. The zero Config will do.
type Config struct {
	Name    string // the adapter's name; "fake" if empty
	Stamp   string // in the ids of deliveries; "0" if empty
	Dir     string // where files lie that are attached; "." if empty
	Private bool   // nobody is here but who has spoken
}

// Platform is a chat platform without a network. It is a bot.Adapter, and
// needs no Run: it serves the handler given to Serve. All that is said to it
// comes from one goroutine; all else may come from any.
type Platform struct {
	config  Config
	session *talk.Session

	mu      sync.Mutex
	handler bot.Handler
	stage   talk.Stage
	sent    []talk.Delivery
	printed strings.Builder // since it was last taken
}

// New returns a platform on which nothing was said yet.
func New(c Config) *Platform {
	if c.Name == "" {
		c.Name = "fake"
	}
	if c.Stamp == "" {
		c.Stamp = "0"
	}
	p := &Platform{config: c}
	p.session = talk.NewSession(talk.Config{
		Adapter: c.Name, Stamp: c.Stamp, Private: c.Private,
		Handler: (*served)(p), Stage: (*served)(p),
		Open: p.open, Deliver: p.deliver,
	})
	return p
}

// Serve sets who handles requests and who obeys directives, nil if nobody
// does. A stage that begins anew with another handler may call it.
func (p *Platform) Serve(h bot.Handler, stage talk.Stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handler, p.stage = h, stage
}

// Name returns the adapter's name.
func (p *Platform) Name() string { return p.config.Name }

// Run serves h until ctx ends.
func (p *Platform) Run(ctx context.Context, h bot.Handler) error {
	p.mu.Lock()
	p.handler = h
	p.mu.Unlock()
	h.Started(ctx, p)
	<-ctx.Done()
	return nil
}

// Send takes what nobody asked for.
func (p *Platform) Send(ctx context.Context, c bot.Channel, a bot.Answer) error {
	return p.session.Send(ctx, c, a)
}

// Reachable reports whether people can be reached: always, but after the
// directive !unreachable, until !reachable.
func (p *Platform) Reachable() bool { return p.session.Reachable() }

// Member reports whether somebody is in a chat: everybody is, but who the directive
// !gone has named and who has said nothing since.
func (p *Platform) Member(ctx context.Context, chat bot.ChatID, user bot.UserID) (bool, error) {
	return p.session.Member(ctx, chat, user)
}

// Say lets somebody say a text in the unnamed channel, and returns what was
// sent because of it, or earlier and not returned yet.
func (p *Platform) Say(ctx context.Context, name, text string) ([]talk.Delivery, error) {
	return p.Line(ctx, talk.Quote(name)+": "+text)
}

// Line is Say for a whole line, with a channel or of a directive.
func (p *Platform) Line(ctx context.Context, line string) ([]talk.Delivery, error) {
	l, err := talk.Parse(line)
	if err == nil {
		err = p.session.Say(ctx, l)
	}
	return p.Sent(), err
}

// Sent returns what was sent since the last call, in order, and forgets it.
func (p *Platform) Sent() []talk.Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.sent
	p.sent = nil
	return sent
}

// Printed returns the lines that were printed since the last call.
func (p *Platform) Printed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.printed.String()
	p.printed.Reset()
	return s
}

func (p *Platform) deliver(d talk.Delivery) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, d)
	p.printed.WriteString(talk.Printer{}.Print(d))
	return nil
}

func (p *Platform) open(name string) (io.ReadCloser, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.config.Dir, name)
	}
	return os.Open(name)
}

// served hands on to whoever is served at the moment.
type served Platform

func (s *served) now() (bot.Handler, talk.Stage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.handler, s.stage
}

func (s *served) Commands() []bot.Command {
	h, _ := s.now()
	return h.Commands()
}

func (s *served) Handle(ctx context.Context, r bot.Request) bot.Answer {
	h, _ := s.now()
	return h.Handle(ctx, r)
}

func (s *served) Started(ctx context.Context, a bot.Adapter) {
	h, _ := s.now()
	h.Started(ctx, a)
}

func (s *served) About() (short, long string) {
	h, _ := s.now()
	return h.About()
}

func (s *served) Back(ctx context.Context, chat bot.ChatID) error {
	h, _ := s.now()
	return h.Back(ctx, chat)
}

func (s *served) Left(ctx context.Context, chat bot.ChatID, u bot.User) error {
	h, _ := s.now()
	return h.Left(ctx, chat, u)
}

func (s *served) Move(ctx context.Context, from, to bot.ChatID) error {
	h, _ := s.now()
	return h.Move(ctx, from, to)
}

func (s *served) Direct(ctx context.Context, word string, args []string) error {
	_, stage := s.now()
	if stage == nil {
		return errors.New("there is no such directive here")
	}
	return stage.Direct(ctx, word, args)
}
