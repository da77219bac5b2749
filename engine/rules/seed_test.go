package rules_test

import (
	"bytes"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
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
	var count [7]float64
	const seeds, dice = 3000, 200
	for n := range seeds {
		d := rules.SeedNumber(uint64(n) * 1_000_003).Dice(6)
		for k := range dice {
			count[d.Face(k)]++
		}
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
