package rules

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Crockford's base 32: no I, L, O and U.
const seedDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// seedLength is how many digits of five bits make the 80 bits of a seed.
const seedLength = 16

// Seed decides every die of a match: 80 bits as 16 characters of Crockford's
// base 32, in upper case. The zero value is no seed.
type Seed struct{ digits string }

// NewSeed reads a seed from a source of entropy.
func NewSeed(entropy io.Reader) (Seed, error) {
	var raw [seedLength * 5 / 8]byte
	if _, err := io.ReadFull(entropy, raw[:]); err != nil {
		return Seed{}, fmt.Errorf("drawing a seed: %w", err)
	}
	var digits [seedLength]byte
	for i := range digits {
		// Each half of the bytes holds eight digits in 40 bits.
		half := raw[i/8*5 : i/8*5+5]
		bits := uint64(half[0])<<32 | uint64(binary.BigEndian.Uint32(half[1:]))
		digits[i] = seedDigits[bits>>(35-5*(i%8))&31]
	}
	return Seed{string(digits[:])}, nil
}

// SeedNumber returns the n-th seed in order, from "0000000000000000" on. Tests
// and transcripts count their matches with it.
func SeedNumber(n uint64) Seed {
	var digits [seedLength]byte
	for i := seedLength - 1; i >= 0; i-- {
		digits[i] = seedDigits[n&31]
		n >>= 5
	}
	return Seed{string(digits[:])}
}

// ParseSeed reads a seed as people type it: in any case, with or without
// dashes, with I and L for 1 and O for 0.
func ParseSeed(s string) (Seed, bool) {
	var digits []byte
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' { // not strings.ToUpper, which makes ſ an S
			c -= 'a' - 'A'
		}
		switch c {
		case '-', ' ':
			continue
		case 'I', 'L':
			c = '1'
		case 'O':
			c = '0'
		}
		if len(digits) == seedLength || strings.IndexByte(seedDigits, c) < 0 {
			return Seed{}, false
		}
		digits = append(digits, c)
	}
	return Seed{string(digits)}, len(digits) == seedLength
}

// Digits returns the 16 characters without dashes: the key of the dice, and
// what the commitment seals.
func (s Seed) Digits() string { return s.digits }

// String returns the seed as it is shown: in fours, "K7Q2-9XMD-4TRA-8BZC".
func (s Seed) String() string {
	if len(s.digits) != seedLength {
		return ""
	}
	return s.digits[:4] + "-" + s.digits[4:8] + "-" + s.digits[8:12] + "-" + s.digits[12:]
}

// Commitment returns the 64 hex digits of the SHA-256 of the seed's 16
// characters. Shown before anybody joins, it seals the dice.
func (s Seed) Commitment() string {
	sum := sha256.Sum256([]byte(s.digits))
	return hex.EncodeToString(sum[:])
}

// draw returns the number that a message gives under this seed: the first 8
// bytes of the HMAC-SHA-256, big-endian, with the 16 characters as key.
func (s Seed) draw(message string) uint64 {
	mac := hmac.New(sha256.New, []byte(s.digits))
	mac.Write([]byte(message))
	return binary.BigEndian.Uint64(mac.Sum(nil))
}

// Dice returns the dice of a match with this seed. Face k is draw(k) mod sides
// + 1; with at most 100 sides no face is favoured by more than one part in
// 10¹⁷. The dice are safe for concurrent use.
func (s Seed) Dice(sides int) Dice { return seeded{s, uint64(sides)} }

// BoardDraws returns the draws that make this seed's random board: call number
// k gives a number below n, from message "board/k".
func (s Seed) BoardDraws() func(n int) int { return s.draws("board/") }

// OrderDraws returns the draws that put this seed's seats in order, for
// Game.Order: call number k gives a number below n, from message "order/k".
func (s Seed) OrderDraws() func(n int) int { return s.draws("order/") }

// draws returns draws that count from 0 behind a word: draw(word k) mod n.
func (s Seed) draws(word string) func(n int) int {
	k := 0
	return func(n int) int {
		x := s.draw(word + strconv.Itoa(k))
		k++
		return int(x % uint64(n))
	}
}

// Dice are the dice of one match. Face returns the face of die number k,
// counted from 0 over all dice of the match. It is a pure function of k, so a
// decision that has to be made again throws the same.
type Dice interface{ Face(k int) int }

type seeded struct {
	seed  Seed
	sides uint64
}

func (d seeded) Face(k int) int {
	return int(d.seed.draw(strconv.Itoa(k))%d.sides) + 1
}

// Loaded are dice whose faces are given from die number From on; all others
// are thrown by Then. Tests and the terminal's directives use them.
type Loaded struct {
	From  int
	Faces []int
	Then  Dice
}

// Face returns the loaded face of die k, or what Then throws.
func (l Loaded) Face(k int) int {
	if i := k - l.From; i >= 0 && i < len(l.Faces) {
		return l.Faces[i]
	}
	return l.Then.Face(k)
}

// loaded reports whether die k is a loaded one.
func loaded(d Dice, k int) bool {
	l, ok := d.(Loaded)
	return ok && (k >= l.From && k < l.From+len(l.Faces) || loaded(l.Then, k))
}
