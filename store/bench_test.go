package store_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/store"
)

// With -limits a benchmark fails where a ratio, taken in one run, misses its
// goal; without, it only reports both.
var limits = flag.Bool("limits", false, "fail where a ratio misses its goal")

// atLeast and atMost report a ratio and its goal.
func atLeast(b *testing.B, name string, got, limit float64) {
	b.ReportMetric(got, name)
	if *limits && got < limit {
		b.Errorf("%s: got %.3g, limit at least %.3g", name, got, limit)
	}
}

func atMost(b *testing.B, name string, got, limit float64) {
	b.ReportMetric(got, name)
	if *limits && got > limit {
		b.Errorf("%s: got %.3g, limit at most %.3g", name, got, limit)
	}
}

const (
	benchSeed  = "K7Q29XMD4TRA8BZC"
	benchRules = "1 1x6 exact max/3 first 16"
	goes       = 100 // in a match
)

// player makes the acts of one channel, alike for all that are measured and
// so cheap that they hardly count: a match is thought out beforehand.
type player struct {
	acts  string
	ends  [goes + 1]int // of the text after each go
	marks []uint32
	n     int
	now   int64
}

func newPlayer(i int) *player {
	random := rand.New(rand.NewPCG(1, uint64(i)))
	p := &player{now: 1_800_000_000}
	text := []byte("open join join join join ")
	p.ends[0] = len(text)
	for n := range goes {
		text = fmt.Appendf(text, "%c%d", 'a'+n%4, 1+random.IntN(6))
		if random.IntN(3) == 0 {
			text = fmt.Appendf(text, ">%d", 10+random.IntN(90))
		}
		text = append(text, ' ')
		p.ends[n+1] = len(text)
		p.marks = append(p.marks, random.Uint32())
	}
	p.acts = string(text)
	return p
}

// next is the next act; behind the last go the match begins anew.
func (p *player) next() (acts string, marks []uint32) {
	p.n = p.n%goes + 1
	p.now += 1 + int64(p.n%20)
	return p.acts[:p.ends[p.n]], p.marks[max(0, p.n-32):p.n]
}

func (p *player) fill(r *engine.Record) {
	r.Acts, r.Deliveries = p.next()
	r.Told, r.Entries = p.n-1, p.n
	r.Acted, r.Deadline = time.Unix(p.now, 0), time.Unix(p.now+90, 0)
	r.Clock = p.clock()
}

// clock is as long as the engine's is, and another with each act.
func (p *player) clock() string {
	return string(strconv.AppendInt([]byte("b away=1 "), p.now+60, 10))
}

func (p *player) fillRaw(r *rawRow) {
	acts, marks := p.next()
	r.acts = acts
	r.deliveries = make([]byte, 0, 4*len(marks))
	for _, m := range marks {
		r.deliveries = binary.BigEndian.AppendUint32(r.deliveries, m)
	}
	r.told, r.entries, r.version = int64(p.n-1), int64(p.n), r.version+1
	r.acted, r.deadline, r.clock = p.now, p.now+90, p.clock()
}

// contender is one of those measured side by side; act does the next act of
// a channel.
type contender struct {
	name string
	act  func(channel int) error

	rates, medians, slowest []float64 // of each round
}

// round has every channel act until the time is over, each waiting for its
// own act before the next.
func (c *contender) round(b *testing.B, channels int, length time.Duration) {
	took := make([][]time.Duration, channels)
	var all sync.WaitGroup
	start := time.Now()
	for i := range channels {
		all.Go(func() {
			for before := time.Now(); before.Sub(start) < length; {
				if err := c.act(i); err != nil {
					b.Errorf("%s: %v", c.name, err)
					return
				}
				now := time.Now()
				took[i] = append(took[i], now.Sub(before))
				before = now
			}
		})
	}
	all.Wait()
	elapsed := time.Since(start)
	every := slices.Concat(took...)
	slices.Sort(every)
	c.rates = append(c.rates, float64(len(every))/elapsed.Seconds())
	c.medians = append(c.medians, every[len(every)/2].Seconds()*1e3)
	c.slowest = append(c.slowest, every[len(every)*99/100].Seconds()*1e3)
}

func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func ratios(a, b []float64) float64 {
	var each []float64
	for i := range a {
		each = append(each, a[i]/b[i])
	}
	return median(each)
}

func playStore(b *testing.B, s *store.Store, channels int) func(int) error {
	b.Helper()
	records := make([]engine.Record, channels)
	players := make([]*player, channels)
	for i := range records {
		players[i] = newPlayer(i)
		records[i] = benchRecord(i)
		if err := s.Put(context.Background(), &records[i]); err != nil {
			b.Fatal(err)
		}
	}
	return func(i int) error {
		players[i].fill(&records[i])
		return s.Put(context.Background(), &records[i])
	}
}

func benchRecord(channel int) engine.Record {
	return engine.Record{
		Channel: bot.Channel{Chat: bot.ChatID(fmt.Sprint("telegram:-100", channel/2)), Place: fmt.Sprint(channel % 2)},
		Seed:    benchSeed, Board: "classic", Rules: benchRules, Open: true, Opened: time.Unix(1_800_000_000, 0),
		Seats: []engine.Sitter{{User: "telegram:1000001", Name: "Asha"}, {User: "telegram:1000002", Name: "Bilal"},
			{User: "telegram:1000003", Name: "Chiara"}, {User: "telegram:1000004", Name: "Dmitri"}},
	}
}

func playRaw(write func(*rawRow) error, channels int) func(int) error {
	rows := make([]*rawRow, channels)
	players := make([]*player, channels)
	for i := range rows {
		players[i] = newPlayer(i)
		rows[i] = &rawRow{id: int64(i + 1), version: 1, done: make(chan error, 1)}
	}
	return func(i int) error {
		players[i].fillRaw(rows[i])
		return write(rows[i])
	}
}

// BenchmarkActs compares durable acts of the store with a raw group commit of
// the same rows and with a transaction an act, in turn.
func BenchmarkActs(b *testing.B) {
	const rounds, length = 9, 300 * time.Millisecond
	for _, channels := range []int{1, 16, 64, 256} {
		b.Run(fmt.Sprint(channels), func(b *testing.B) {
			dir := b.TempDir()
			ours := &contender{name: "store", act: playStore(b, open(b, filepath.Join(dir, "hiss.db")), channels)}
			raw := openRaw(b, filepath.Join(dir, "raw.db"), channels, benchSeed, benchRules)
			bare := &contender{name: "raw", act: playRaw(raw.write, channels)}
			one := openNaive(b, filepath.Join(dir, "naive.db"), channels, benchSeed, benchRules)
			naive := &contender{name: "naive", act: playRaw(one.write, channels)}
			all := []*contender{ours, bare, naive}
			for _, c := range all {
				c.round(b, channels, length/3)
				c.rates, c.medians, c.slowest = nil, nil, nil
			}
			for b.Loop() {
				for round := range rounds {
					for i := range all {
						all[(round+i)%len(all)].round(b, channels, length)
					}
				}
			}
			for _, c := range all {
				b.ReportMetric(median(c.rates), c.name+"-acts/s")
				b.ReportMetric(median(c.medians), c.name+"-p50-ms")
				b.ReportMetric(median(c.slowest), c.name+"-p99-ms")
			}
			toRaw, toNaive := 0.0, 0.0
			switch channels {
			case 1:
				toRaw = 0.7
			case 64:
				toRaw, toNaive = 0.7, 10
			}
			atLeast(b, "store/raw", ratios(ours.rates, bare.rates), toRaw)
			atLeast(b, "store/naive", ratios(ours.rates, naive.rates), toNaive)
			atMost(b, "p99-store/raw", ratios(ours.slowest, bare.slowest), 4)
			b.ReportMetric(0, "ns/op")
		})
	}
}
