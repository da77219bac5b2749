package odds_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// FuzzAnyTrack holds what TestAnyTrack does, with the fuzzer's choice of tracks.
func FuzzAnyTrack(f *testing.F) {
	for seed := range uint64(12) {
		source := rules.Source(seed)
		var bytes []byte
		for range 80 { // small numbers are what rapid draws small things from
			bytes = binary.LittleEndian.AppendUint64(bytes, source.Next()>>(8*(seed%8)))
		}
		f.Add(bytes)
	}
	f.Fuzz(rapid.MakeFuzz(anyTrack))
}

// fuzzed are boards and rules to begin with.
func fuzzed(add func(board, settings string)) {
	for _, b := range []string{
		"size=9 4-7 8-2", "size=36 4-14 9-31 17-7", "size=36 4-14 17-7 12=skip", "size=20 2-9 13-6 18-3 4=shield 9=again 16=back",
		"size=9 2-1 3-1 4-1 5-1 6-1 7-1", "size=2", "size=60 59-1 58-1 57-1", "size=30 2=again 3=again 4=shield 5-1 6=back",
	} {
		for _, settings := range []string{
			"", "dice=2 end=bounce bonus=doubles", "end=overshoot bonus=max void=0", "sides=2 bonus=max void=3", "dice=3 sides=4",
		} {
			add(b, settings)
		}
	}
}

// joined reads a board and settings as people type them. It is nil where they are
// no track, or one that takes too long to try many.
func joined(board, settings string) *rules.Track {
	b, err := boards.ParseLine(board)
	if err != nil || b.Size > 60 {
		return nil
	}
	var given []rules.Given
	for s := range strings.FieldsSeq(settings) {
		key, value, _ := strings.Cut(s, "=")
		given = append(given, rules.Given{Key: key, Value: value})
	}
	r, err := rules.Default().With(given)
	if err != nil || r.Dice > 3 || r.Sides > 20 {
		return nil
	}
	track, err := rules.Compile(b, r)
	if err != nil {
		return nil
	}
	return track
}

// FuzzTable asks how a match stands, of any tokens on any track. What no token can be is
// refused; everybody else's chances are what the next go makes of them.
func FuzzTable(f *testing.F) {
	fuzzed(func(board, settings string) {
		f.Add(board, settings, []byte{0, 0}, 0)
		f.Add(board, settings, []byte{3, 0x83, 7, 255, 1}, 3)
	})
	f.Fuzz(func(t *testing.T, board, settings string, at []byte, turn int) {
		track := joined(board, settings)
		if track == nil {
			return
		}
		c, err := odds.New(track)
		if endless := new(rules.Endless); (track.Endless() != nil) != errors.As(err, &endless) {
			t.Fatalf("endless %v, but %v", track.Endless(), err)
		}
		if err != nil {
			return
		}
		table, err := c.Table()
		if err != nil {
			if !errors.Is(err, odds.ErrLong) {
				t.Error(err)
			}
			return
		}
		s := standing{t, track, c, table}
		tokens := make([]rules.Token, len(at))
		for i, b := range at {
			if tokens[i] = (rules.Token{Square: int(b & 0x7f), Shield: b&0x80 > 0}); b == 255 {
				tokens[i] = on(rules.Out)
			}
		}
		chances := make([]float64, len(tokens))
		goes, err := table.First(chances, tokens, turn)
		if want := s.refuses(tokens, turn); !errors.Is(err, want) {
			t.Fatalf("%v, turn %d: %v, want %v", tokens, turn, err, want)
		}
		if err == nil {
			s.follows(tokens, turn, chances, goes)
		}
	})
}

// standing is a table that is asked, and what it was made from.
type standing struct {
	*testing.T
	track *rules.Track
	chain *odds.Chain
	table *odds.Table
}

// waits reports whether a token is on the way.
func (s standing) waits(token rules.Token) bool {
	return token.Square != rules.Out && token.Square != s.track.Size()
}

// refuses returns why tokens are no match.
func (s standing) refuses(tokens []rules.Token, turn int) error {
	if len(tokens) > rules.MaxSeats || turn < 0 || turn >= len(tokens) {
		return odds.ErrSeats
	}
	waiting := 0
	for _, token := range tokens {
		if !s.waits(token) {
			continue
		}
		waiting++
		if _, err := s.chain.Go(token); err != nil {
			return odds.ErrSquare
		}
	}
	if odds.ReachOf(s.track).Skips && waiting > 1 {
		return odds.ErrSkips
	}
	return nil
}

// follows holds that how a match stands is what its next go makes of it, on average:
// whoever comes home is first, else the next one is on turn.
func (s standing) follows(tokens []rules.Token, turn int, chances []float64, goes float64) {
	waiting := 0
	for i, token := range tokens {
		if waits := s.waits(token); waits {
			waiting++
		} else if chances[i] != 0 {
			s.Errorf("%v: a chance of %g without a token", token, chances[i])
		}
	}
	if waiting == 0 {
		return
	}
	for !s.waits(tokens[turn]) {
		turn = (turn + 1) % len(tokens)
	}
	ends, err := s.chain.Go(tokens[turn])
	if err != nil {
		s.Fatal(err)
	}
	want, got, wantGoes, sum := make([]float64, len(tokens)), make([]float64, len(tokens)), 1.0, 0.0
	then := slices.Clone(tokens)
	for _, end := range ends {
		if then[turn] = end.Token; !s.waits(end.Token) {
			want[turn] += end.P
			continue
		}
		n, err := s.table.First(got, then, (turn+1)%len(tokens))
		if err != nil {
			s.Fatalf("%v after %v: %v", then, tokens, err)
		}
		wantGoes += end.P * n
		for i := range got {
			want[i] += end.P * got[i]
		}
	}
	for i, p := range chances {
		if sum += p; p < 0 || !near(p, want[i], 2e-9) {
			s.Errorf("seat %d of %v, turn %d: %.12f, but the next go makes it %.12f", i, tokens, turn, p, want[i])
		}
	}
	if !near(sum, 1, 1e-12) || !near(goes/wantGoes, 1, 1e-6) {
		s.Errorf("%v, turn %d: chances of %.15f in %.9f goes, but the next one makes it %.9f", tokens, turn, sum, goes, wantGoes)
	}
}
