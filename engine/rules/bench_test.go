package rules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hiss/boards"
	"hiss/engine/rules"
)

// The baseline that simulation is measured against: the same game as an
// honest object-style program writes it, with dice and end rule behind
// interfaces, and a record of each turn.
type (
	objectDie interface{ Roll() int }
	objectEnd interface {
		Land(from, total, size int) int
	}
	randomDie  struct{ random *rand.Rand }
	exactEnd   struct{}
	objectTurn struct{ player, from, face, to int }
	objectGame struct {
		size    int
		jumps   []int // per square: where a jump leads, 0 for none
		die     objectDie
		end     objectEnd
		bonus   bool
		squares []int
		turns   []objectTurn
	}
)

func (d randomDie) Roll() int { return d.random.IntN(6) + 1 }

func (exactEnd) Land(from, total, size int) int {
	if from+total > size {
		return from
	}
	return from + total
}

// play plays one game until somebody is home and returns how many goes it took.
func (g *objectGame) play() int {
	clear(g.squares)
	g.turns = g.turns[:0]
	for goes := 1; ; goes++ {
		player := (goes - 1) % len(g.squares)
		g.goOf(player)
		if g.squares[player] == g.size {
			return goes
		}
	}
}

func (g *objectGame) goOf(player int) {
	start := g.squares[player]
	for sixes := 0; ; {
		from, face := g.squares[player], g.die.Roll()
		if face == 6 {
			sixes++
		}
		if g.bonus && sixes == 3 {
			g.squares[player] = start
			g.turns = append(g.turns, objectTurn{player, from, face, start})
			return
		}
		to := g.end.Land(from, face, g.size)
		if jump := g.jumps[to]; jump != 0 && to != from {
			to = jump
		}
		g.squares[player] = to
		g.turns = append(g.turns, objectTurn{player, from, face, to})
		if to == g.size || !g.bonus || face != 6 {
			return
		}
	}
}

func newObjectGame(board boards.Board, seats int, bonus bool) *objectGame {
	g := &objectGame{
		size: board.Size, jumps: make([]int, board.Size+1), end: exactEnd{}, bonus: bonus,
		die: randomDie{rand.New(rand.NewPCG(1, 2))}, squares: make([]int, seats),
	}
	for _, j := range board.Jumps {
		g.jumps[j.From] = j.To
	}
	return g
}

// BenchmarkSimulation plays the simulation and the baseline in turn and
// reports games a second and their ratio: the median of the rounds. Limits:
// plain alone 4, family with three seats 6.
func BenchmarkSimulation(b *testing.B) {
	board, _ := boards.Find("classic")
	for _, c := range []struct {
		set   string
		seats int
		limit float64
	}{{"plain", 1, 4}, {"family", 3, 6}} {
		b.Run(c.set, func(b *testing.B) {
			set, _ := rules.Set(c.set)
			track, err := rules.Compile(board, set)
			if err != nil {
				b.Fatal(err)
			}
			const games, rounds = 20_000, 9
			simulation, object := rules.NewSimulation(track, c.seats), newObjectGame(board, c.seats, set.Bonus == rules.Max)
			var source rules.Source
			var ratios, speeds []float64
			b.ReportAllocs()
			for b.Loop() {
				for range rounds {
					begin := time.Now()
					for range games {
						simulation.Play(&source, c.seats, rules.MaxGoes)
					}
					fast := time.Since(begin)
					begin = time.Now()
					for range games {
						object.play()
					}
					ratios = append(ratios, float64(time.Since(begin))/float64(fast))
					speeds = append(speeds, games/fast.Seconds())
				}
			}
			ratio := median(ratios)
			b.ReportMetric(median(speeds), "games/s")
			b.ReportMetric(ratio, "x-object")
			b.ReportMetric(c.limit, "limit")
			if ratio < c.limit {
				b.Errorf("%.1f times the object-style loop, below %.0f", ratio, c.limit)
			}
		})
	}
}

// BenchmarkFold applies the events of a match of 100 goes, and loads it from
// its record.
func BenchmarkFold(b *testing.B) {
	track := compile(b, shipped(b, "classic"), with(b, "bonus=max", "finish=all"))
	dice := rules.SeedNumber(7).Dice(6)
	g := rules.NewGame(track)
	events := []rules.Event{g.Open("A", false), rules.Joined{Player: "B"}, rules.Joined{Player: "C"}, rules.Joined{Player: "D"}}
	for _, e := range events {
		if err := g.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	for g.Goes() < 100 {
		went, err := g.Roll(g.Seat(g.Turn()).Player, dice)
		if err != nil {
			b.Fatal(err)
		}
		events = append(events, went)
		if err := g.Apply(went); err != nil {
			b.Fatal(err)
		}
	}
	var acts []string
	for _, e := range events {
		acts = append(acts, rules.Write(e))
	}
	record := strings.Join(acts, " ")
	b.Run("events", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			g := rules.NewGame(track)
			for _, e := range events {
				if err := g.Apply(e); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("record", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if g, err := rules.Fold(track, record); err != nil || g.Goes() != 100 {
				b.Fatal(g, err)
			}
		}
	})
}

// BenchmarkGo presses and applies one go in memory, in matches of four seats
// played from the opening on.
func BenchmarkGo(b *testing.B) {
	track := compile(b, shipped(b, "classic"), with(b, "bonus=max"))
	opened := rules.NewGame(track)
	for _, e := range []rules.Event{
		opened.Open("A", false), rules.Joined{Player: "B"}, rules.Joined{Player: "C"}, rules.Joined{Player: "D"},
	} {
		if err := opened.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	match := uint64(0)
	g, dice := opened.Clone(), rules.SeedNumber(match).Dice(6)
	b.ReportAllocs()
	for b.Loop() {
		if g.Phase() == rules.Finished {
			match++
			g, dice = opened.Clone(), rules.SeedNumber(match).Dice(6)
		}
		events, err := g.Press(g.Seat(g.Turn()).Player, dice)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range events {
			if err := g.Apply(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkEndless proves the greatest boards with the most dice, what would
// help included. None may take more than two seconds.
func BenchmarkEndless(b *testing.B) {
	for _, c := range greatBoards(boards.MaxSize) {
		b.Run(c.about, func(b *testing.B) {
			track := compile(b, c.board, with(b, c.settings...))
			b.ReportAllocs()
			for b.Loop() {
				if e := track.Endless(); (e != nil) != (c.square >= 0) {
					b.Fatalf("got %v", e)
				}
			}
			if each := b.Elapsed() / time.Duration(b.N); each > 2*time.Second {
				b.Errorf("takes %v", each)
			}
		})
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
