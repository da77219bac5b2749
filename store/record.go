package store

import (
	"encoding/binary"
	"slices"
	"time"

	"database/sql/driver"

	"hiss/engine"
)

// remembered is how many deliveries a channel keeps.
const remembered = 32

// frame is the hash of all that a plain act leaves as it is (FNV-1a, written
// out because it runs with each act). It is kept in the row and never leaves
// the machine, so it needs to be stable, not strong.
func frame(r *engine.Record) int64 {
	h := hash(14695981039346656037).number(flag(r.Open)).number(flag(r.Aside)).number(r.Opened.Unix())
	h = h.text(r.Seed).text(r.Board).text(r.Rules)
	for _, s := range r.Seats {
		h = h.text(string(s.User)).text(s.Name)
	}
	for _, s := range r.Barred { // each marked, so that none is a seat
		h = h.number(-1).text(string(s.User)).text(s.Name)
	}
	return int64(h)
}

type hash uint64

func (h hash) number(n int64) hash { return (h ^ hash(n)) * 1099511628211 }

func (h hash) text(s string) hash {
	for i := range len(s) {
		h = (h ^ hash(s[i])) * 1099511628211
	}
	return h.number(int64(len(s))) // else "ab" and "c" were "a" and "bc"
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// moment is a time as a column holds it: seconds, NULL for none.
func moment(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}

func fromMoment(v driver.Value) time.Time {
	if v == nil {
		return time.Time{}
	}
	return fromSeconds(integer(v))
}

func fromSeconds(n int64) time.Time { return time.Unix(n, 0).UTC() }

// pack writes the newest deliveries as a column holds them, NULL for none.
func pack(marks []uint32) driver.Value {
	if len(marks) == 0 {
		return nil
	}
	marks = marks[max(0, len(marks)-remembered):]
	b := make([]byte, 0, 4*len(marks))
	for _, m := range marks {
		b = binary.BigEndian.AppendUint32(b, m)
	}
	return b
}

func unpack(b []byte) []uint32 {
	if len(b) < 4 {
		return nil
	}
	marks := make([]uint32, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		marks = append(marks, binary.BigEndian.Uint32(b))
	}
	return marks
}

// succeed joins the deliveries of a channel's earlier match and of the one
// that follows it, each once, oldest first, and keeps the newest.
func succeed(earlier, later []uint32) []uint32 {
	joined := make([]uint32, 0, len(earlier)+len(later))
	for _, m := range earlier {
		if !slices.Contains(later, m) {
			joined = append(joined, m)
		}
	}
	joined = append(joined, later...)
	if len(joined) == 0 {
		return nil
	}
	return joined[max(0, len(joined)-remembered):]
}
