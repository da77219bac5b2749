package boards

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Format is a way to write a board.
type Format uint8

// The formats. YAML and JSON carry everything; CSV and Line have no place for
// the title and the about.
const (
	YAML Format = iota
	JSON
	CSV
	Line
)

// String returns the extension that Parse knows the format by, without a dot.
func (f Format) String() string {
	switch f {
	case JSON:
		return "json"
	case CSV:
		return "csv"
	case Line:
		return "line"
	default:
		return "yaml"
	}
}

// Format writes a valid board so that Parse reads the same board from it (and
// ParseLine from a Line), as far as the format can carry it.
func (b Board) Format(f Format) string {
	switch f {
	case JSON:
		return b.json()
	case CSV:
		return b.csv()
	case Line:
		return b.line()
	default:
		return b.File()
	}
}

// File returns the board's canonical file, in YAML. Parse reads the same board
// from it, whatever file name it is given.
//
// A board has one file for ever: records point at boards by the hash of it. So
// nothing of what is written here may ever change; a key that is added later
// is written only by boards that use it.
func (b Board) File() string {
	var s strings.Builder
	fmt.Fprintf(&s, "name: %q\n", b.Name)
	for _, text := range [...]struct{ key, value string }{{"title", b.Title}, {"about", b.About}} {
		if text.value != "" {
			fmt.Fprintf(&s, "%s: %s\n", text.key, quoted(text.value))
		}
	}
	fmt.Fprintf(&s, "size: %d\ncolumns: %d\nchains: %s\n", b.Size, b.Columns, b.Chains)
	for _, part := range b.parts() {
		if len(part.jumps) == 0 {
			continue
		}
		s.WriteString(part.key + ":\n")
		for _, j := range part.jumps {
			fmt.Fprintf(&s, "  %d: %d\n", j.From, j.To)
		}
	}
	if len(b.Specials) > 0 {
		s.WriteString("effects:\n")
	}
	for _, special := range b.Specials {
		fmt.Fprintf(&s, "  %d: %s\n", special.Square, special.Effect)
	}
	return s.String()
}

// Hash returns the board's content hash: the SHA-256 of File in 64 lower-case
// hex digits. Two boards have one hash only if they are the same in everything,
// names and texts included.
func (b Board) Hash() string {
	sum := sha256.Sum256([]byte(b.File()))
	return hex.EncodeToString(sum[:])
}

// part is the ladders or the snakes of a board, and their key.
type part struct {
	key   string
	jumps []Jump
}

func (b Board) parts() []part {
	ladders, snakes := part{key: "ladders"}, part{key: "snakes"}
	for _, j := range b.Jumps {
		if j.Ladder() {
			ladders.jumps = append(ladders.jumps, j)
		} else {
			snakes.jumps = append(snakes.jumps, j)
		}
	}
	return []part{ladders, snakes}
}

// json writes the jumps and effects without spaces, so that a board of very many
// fits a JSON file too.
func (b Board) json() string {
	var s strings.Builder
	fmt.Fprintf(&s, "{\n  \"name\": %s,\n  \"title\": %s,\n  \"about\": %s,\n", quoted(b.Name), quoted(b.Title), quoted(b.About))
	fmt.Fprintf(&s, "  \"size\": %d,\n  \"columns\": %d,\n  \"chains\": %q", b.Size, b.Columns, b.Chains)
	for _, part := range b.parts() {
		fmt.Fprintf(&s, ",\n  %q: {", part.key)
		for i, j := range part.jumps {
			if i > 0 {
				s.WriteByte(',')
			}
			fmt.Fprintf(&s, "\"%d\":%d", j.From, j.To)
		}
		s.WriteByte('}')
	}
	if len(b.Specials) > 0 {
		words := make([]string, 0, len(b.Specials))
		for _, special := range b.Specials {
			words = append(words, fmt.Sprintf("\"%d\":%q", special.Square, special.Effect))
		}
		fmt.Fprintf(&s, ",\n  \"effects\": {%s}", strings.Join(words, ","))
	}
	s.WriteString("\n}\n")
	return s.String()
}

func (b Board) csv() string {
	var s strings.Builder
	fmt.Fprintf(&s, "name,%s\nsize,%d\ncolumns,%d\nchains,%s\n", b.Name, b.Size, b.Columns, b.Chains)
	for _, j := range b.Jumps {
		fmt.Fprintf(&s, "%d,%d\n", j.From, j.To)
	}
	for _, special := range b.Specials {
		fmt.Fprintf(&s, "%d,%s\n", special.Square, special.Effect)
	}
	return s.String()
}

// line leaves out what has its usual value, since people read and send it on.
func (b Board) line() string {
	words := []string{fmt.Sprintf("name=%s size=%d", b.Name, b.Size)}
	if b.Columns != DefaultColumns {
		words = append(words, fmt.Sprintf("columns=%d", b.Columns))
	}
	if b.Chains != Refuse {
		words = append(words, fmt.Sprintf("chains=%s", b.Chains))
	}
	for _, j := range b.Jumps {
		words = append(words, fmt.Sprintf("%d-%d", j.From, j.To))
	}
	for _, special := range b.Specials {
		words = append(words, fmt.Sprintf("%d=%s", special.Square, special.Effect))
	}
	return strings.Join(words, " ")
}

// quoted puts clean text in quotes in the way that YAML and JSON share. Nothing
// but quotes and backslashes needs an escape in it.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
