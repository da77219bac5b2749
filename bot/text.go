package bot

import (
	"strings"
	"time"
)

// SpanKind says how a span of text is dressed.
type SpanKind uint8

// The kinds of span. Every adapter renders each of them in one place.
const (
	Plain   SpanKind = iota // as it stands
	Strong                  // emphasised: names of people, mostly
	Code                    // monospaced, line breaks kept: boards, seals, recipes
	Sign                    // dressing, such as an emoji, that may be left out
	Mention                 // User, notified where the platform can; Text is the fallback
	Moment                  // At, counted down to where the platform can; Text is the fallback ("in 30 s")
	Where                   // Place, linked where the platform can; Text is the fallback ("#garden")
)

// Span is a run of text with one dressing. Text is data, never markup: an
// adapter escapes whatever its platform would read as such.
type Span struct {
	Kind  SpanKind
	Text  string
	User  UserID    // of a Mention
	At    time.Time // of a Moment
	Place string    // of a Where: a topic, channel or thread of the chat, as Channel has it
}

// Text is what is said, as spans in order. Line breaks are "\n".
type Text []Span

// Said returns a text of one plain span, or none for the empty string.
func Said(s string) Text {
	if s == "" {
		return nil
	}
	return Text{{Kind: Plain, Text: s}}
}

// String returns the words alone, without signs and dressing, and where there's
// a fallback that. It is what a screen reader, a pipe and a test see.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		if s.Kind != Sign {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Lines joins texts with line breaks and leaves out the empty ones.
func Lines(texts ...Text) Text {
	var all Text
	for _, t := range texts {
		if len(t) == 0 {
			continue
		}
		if len(all) > 0 {
			all = append(all, Span{Text: "\n"})
		}
		all = append(all, t...)
	}
	return all
}
