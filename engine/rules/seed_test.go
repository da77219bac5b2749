package rules_test

import (
	"bytes"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"hiss/engine/rules"
)

func seedOf(t testing.TB, s string) rules.Seed {
	t.Helper()
	seed, ok := rules.ParseSeed(s)
	if !ok {
		t.Fatalf("%q is no seed", s)
	}
	return seed
}

func facesOf(d rules.Dice, n int) []int {
	faces := make([]int, n)
	for k := range faces {
		faces[k] = d.Face(k)
	}
	return faces
}

// TestFaces compares dice and commitments with another implementation's.
func TestFaces(t *testing.T) {
	data, err := os.ReadFile("testdata/faces.txt")
	if err != nil {
		t.Fatal(err)
	}
	seeds := 0
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if fields[0] == "#" {
			continue
		}
		seeds++
		seed := seedOf(t, fields[0])
		if seed.Commitment() != fields[1] {
			t.Errorf("%v is sealed %s, not %s", seed, seed.Commitment(), fields[1])
		}
		for k, face := range facesOf(seed.Dice(6), 100) {
			if strconv.Itoa(face) != fields[2+k] {
				t.Errorf("%v: die %d is %d, not %s", seed, k, face, fields[2+k])
			}
		}
	}
	if seeds != 3 {
		t.Errorf("%d seeds", seeds)
	}
	first := seedOf(t, "0000000000000000")
	if got, want := facesOf(first.Dice(20), 10), []int{14, 18, 10, 9, 16, 5, 19, 20, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("twenty sides: %v", got)
	}
	if got, want := facesOf(first.Dice(2), 10), []int{2, 2, 2, 1, 2, 1, 1, 2, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("two sides: %v", got)
	}
	if !strings.HasPrefix(first.Commitment(), "fcdb4b423f4e5283afa249d762ef6aef") {
		t.Error(first.Commitment())
	}
}

func TestParseSeed(t *testing.T) {
	for _, s := range []string{
		"K7Q2-9XMD-4TRA-8BZC", "k7q29xmd4tra8bzc", "K7Q2 9xmd-4tra 8BZC", "-K7Q29XMD4TRA8BZC-",
	} {
		if seed, ok := rules.ParseSeed(s); !ok || seed.String() != "K7Q2-9XMD-4TRA-8BZC" {
			t.Errorf("%q: %v, %v", s, seed, ok)
		}
	}
	if seed := seedOf(t, "ilo0ILO0ilo0ILO0"); seed.Digits() != "1100110011001100" {
		t.Error(seed)
	}
	for _, s := range []string{
		"", "K7Q2", "K7Q2-9XMD-4TRA-8BZCC", "K7Q2-9XMD-4TRA-8BZU", "K7Q2-9XMD-4TRA-8BZ\u017f",
		"\u212a7Q29XMD4TRA8BZC", "K7Q29XMD4TRA8BZ\x00", "K7Q29XMD4TRA8BZ\n", "K7Q29XMD4TRA8BZé",
	} {
		if seed, ok := rules.ParseSeed(s); ok {
			t.Errorf("%q is taken for %v", s, seed)
		}
	}
}

// TestNewSeed compares the digits with the 80 bits read as one number.
func TestNewSeed(t *testing.T) {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "raw")
		n, base := new(big.Int).SetBytes(raw), big.NewInt(32)
		want := make([]byte, 16)
		for i := 15; i >= 0; i-- {
			digit := new(big.Int)
			n.DivMod(n, base, digit)
			want[i] = digits[digit.Int64()]
		}
		seed, err := rules.NewSeed(bytes.NewReader(raw))
		if err != nil || seed.Digits() != string(want) {
			t.Fatalf("%x is %s (%v), not %s", raw, seed.Digits(), err, want)
		}
		again, ok := rules.ParseSeed(seed.String())
		if !ok || again != seed {
			t.Fatalf("%s reads back as %s", seed, again)
		}
	})
	if _, err := rules.NewSeed(bytes.NewReader(make([]byte, 9))); err == nil {
		t.Error("72 bits were enough")
	}
	if s := rules.SeedNumber(32 + 31).Digits(); s != "000000000000001Z" {
		t.Error(s)
	}
}

// TestFair throws 600,000 dice of many seeds: chi-square of five degrees of
// freedom, 0.1 % band.
func TestFair(t *testing.T) {
	t.Parallel()
	const seeds, dice, workers = 3000, 200, 2
	var counts [workers][7]float64
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for n := w; n < seeds; n += workers {
				d := rules.SeedNumber(uint64(n) * 1_000_003).Dice(6)
				for k := range dice {
					counts[w][d.Face(k)]++
				}
			}
		})
	}
	all.Wait()
	count := counts[0]
	for face, n := range counts[1] {
		count[face] += n
	}
	chi, expected := 0.0, float64(seeds*dice)/6
	for _, n := range count[1:] {
		chi += (n - expected) * (n - expected) / expected
	}
	if chi > 20.52 || chi < 0.21 {
		t.Errorf("chi-square %.2f, counts %v", chi, count[1:])
	}
}

func TestLoaded(t *testing.T) {
	d := rules.Loaded{From: 2, Faces: []int{1, 1}, Then: seedOf(t, "0000000000000000").Dice(6)}
	if got, want := facesOf(d, 6), []int{6, 6, 1, 1, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestCommitments compares seals with the vectors'.
func TestCommitments(t *testing.T) {
	for digits, want := range map[string]string{
		"0000000000000000": "fcdb4b423f4e5283afa249d762ef6aef",
		"K7Q29XMD4TRA8BZC": "2929e2ff037cb547daf6d9721a9b47a3",
		"ZZZZZZZZZZZZZZZZ": "1c712ecc21e27e374111d5a1beeaf75a",
	} {
		if got := seedOf(t, digits).Commitment(); len(got) != 64 || got[:32] != want {
			t.Errorf("%s is sealed %s, not %s…", digits, got, want)
		}
	}
	if zero := (rules.Seed{}); zero.String() != "" || zero.Digits() != "" {
		t.Errorf("no seed is shown as %q", zero)
	}
}

// TestBoardDraws compares draws with Python's:
//
//	int.from_bytes(hmac.new(b'K7Q29XMD4TRA8BZC', b'board/%d' % k, 'sha256').digest()[:8], 'big') % n
func TestBoardDraws(t *testing.T) {
	seed := seedOf(t, "K7Q29XMD4TRA8BZC")
	draws := func(draw func(int) int, n, times int) (got []int) {
		for range times {
			got = append(got, draw(n))
		}
		return got
	}
	first := seed.BoardDraws()
	if got, want := draws(first, 97, 12), []int{84, 41, 46, 19, 78, 95, 58, 77, 50, 91, 88, 53}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	// Each call begins anew, and none disturbs another.
	if got, want := draws(seed.BoardDraws(), 10_000, 4), []int{8080, 5643, 4180, 3031}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if got := draws(seed.BoardDraws(), 1, 3); !slices.Equal(got, []int{0, 0, 0}) {
		t.Errorf("below 1: %v", got)
	}
	second := seed.BoardDraws()
	draws(second, 5, 12)
	if a, b := first(1000), second(1000); a != b {
		t.Errorf("draw 12 is %d and %d", a, b)
	}
}

// TestSeedNumber counts in base 32 up to the greatest number and back.
func TestSeedNumber(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0000000000000000", 1: "0000000000000001", 31: "000000000000000Z", 32: "0000000000000010", 1 << 63: "0008000000000000",
		1<<64 - 1: "000FZZZZZZZZZZZZ",
	} {
		if got := rules.SeedNumber(n).Digits(); got != want {
			t.Errorf("%d is %s, not %s", n, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n")
		back := uint64(0)
		for _, c := range rules.SeedNumber(n).Digits() {
			back = back*32 + uint64(strings.IndexRune("0123456789ABCDEFGHJKMNPQRSTVWXYZ", c))
		}
		if back != n {
			t.Fatalf("%d is written as %d", n, back)
		}
	})
}

// TestAnyTextIsSeedOrNot: what is taken for a seed consists of its characters,
// and every way of writing one is forgiven.
func TestAnyTextIsSeedOrNot(t *testing.T) {
	const forgiven = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyzIiLlOo- "
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.OneOf(rapid.RuneFrom([]rune(forgiven)), rapid.Rune()), 0, 24, -1).Draw(t, "text")
		count, all := 0, true
		for _, c := range s {
			all = all && strings.ContainsRune(forgiven, c)
			if c != '-' && c != ' ' {
				count++
			}
		}
		seed, ok := rules.ParseSeed(s)
		if ok != (all && count == 16) {
			t.Fatalf("%q: %v", s, ok)
		}
		if again, _ := rules.ParseSeed(seed.String()); ok && again != seed {
			t.Fatalf("%q: %v, %v", s, seed, again)
		}
		seed = rules.SeedNumber(rapid.Uint64().Draw(t, "seed"))
		typed := []byte(seed.Digits())
		for i, c := range typed {
			switch odd := rapid.Byte().Draw(t, "odd"); {
			case c == '1':
				typed[i] = "1IiLl"[odd%5]
			case c == '0':
				typed[i] = "0Oo"[odd%3]
			case c >= 'A' && odd < 128:
				typed[i] += 'a' - 'A'
			}
		}
		if got, ok := rules.ParseSeed(string(typed)); !ok || got != seed {
			t.Fatalf("%s is read as %v, not %v", typed, got, seed)
		}
	})
}
