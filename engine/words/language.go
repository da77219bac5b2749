package words

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"hiss/bot"
)

// Key names a sentence of the catalogue.
type Key string

// Language is one catalogue. It never changes, so any number of goroutines
// may share it.
type Language struct {
	Tag     string // as platforms write it: "en"
	phrases map[Key]string
	plural  func(n int) int // which of the forms goes with n
}

// English returns the English catalogue.
func English() *Language {
	phrases := englishPhrases()
	maps.Copy(phrases, englishBoards())
	maps.Copy(phrases, englishClock())
	return &Language{Tag: "en", phrases: phrases, plural: func(n int) int {
		if n == 1 {
			return 0
		}
		return 1
	}}
}

// Fill fills the gaps of one name.
type Fill struct {
	gap    string
	text   bot.Text
	number int
}

// N fills a gap with a number, which also chooses forms.
func N(gap string, n int) Fill {
	return Fill{gap, bot.Said(strconv.Itoa(n)), n}
}

// S fills a gap with plain words.
func S(gap, s string) Fill { return Fill{gap: gap, text: bot.Said(s)} }

// T fills a gap with a text.
func T(gap string, t bot.Text) Fill { return Fill{gap: gap, text: t} }

// Text returns a sentence with its gaps filled.
func (l *Language) Text(k Key, fills ...Fill) bot.Text {
	var text bot.Text
	plain := func(s string) {
		if s == "" {
			return
		}
		if n := len(text); n > 0 && text[n-1].Kind == bot.Plain {
			text[n-1].Text += s
			return
		}
		text = append(text, bot.Span{Text: s})
	}
	for rest := l.phrases[k]; rest != ""; {
		i := strings.IndexAny(rest, "<{")
		if i < 0 {
			plain(rest)
			break
		}
		plain(rest[:i])
		end := strings.IndexAny(rest, ">}")
		inside := rest[i+1 : end]
		sign := rest[i] == '<'
		rest = rest[end+1:]
		if sign {
			blank := strings.HasPrefix(rest, " ")
			if blank {
				inside, rest = inside+" ", rest[1:]
			}
			text = append(text, bot.Span{Kind: bot.Sign, Text: inside})
			continue
		}
		for _, span := range l.fill(inside, fills) {
			if span.Kind == bot.Plain {
				plain(span.Text)
			} else {
				text = append(text, span)
			}
		}
	}
	return text
}

// fill returns what stands in a gap: "name", or "n|go|goes".
func (l *Language) fill(inside string, fills []Fill) bot.Text {
	gap, forms, plural := strings.Cut(inside, "|")
	for _, f := range fills {
		if f.gap != gap {
			continue
		}
		if !plural {
			return f.text
		}
		all := strings.Split(forms, "|")
		return bot.Said(all[min(l.plural(f.number), len(all)-1)])
	}
	// A gap that nobody fills is a mistake of ours; a test fills them all.
	return bot.Said("{" + inside + "}")
}

// Words returns a sentence as a plain string, without signs.
func (l *Language) Words(k Key, fills ...Fill) string { return l.Text(k, fills...).String() }

// Label returns a button's sign and label.
func (l *Language) Label(k Key, fills ...Fill) (sign, label string) {
	t := l.Text(k, fills...)
	if len(t) > 0 && t[0].Kind == bot.Sign {
		return strings.TrimSpace(t[0].Text), t[1:].String()
	}
	return "", t.String()
}

// Has reports whether the catalogue has a sentence.
func (l *Language) Has(k Key) bool {
	_, ok := l.phrases[k]
	return ok
}

// Keys returns the names of all sentences, in no order.
func (l *Language) Keys() []Key {
	keys := make([]Key, 0, len(l.phrases))
	for k := range l.phrases {
		keys = append(keys, k)
	}
	return keys
}

// Gaps returns the names of the gaps in a sentence, in order.
func (l *Language) Gaps(k Key) []string {
	var gaps []string
	for _, part := range strings.Split(l.phrases[k], "{")[1:] {
		inside, _, _ := strings.Cut(part, "}")
		gap, _, _ := strings.Cut(inside, "|")
		gaps = append(gaps, gap)
	}
	return gaps
}

// Join puts texts behind one another with a separator between.
func Join(sep string, texts ...bot.Text) bot.Text {
	var all bot.Text
	for i, t := range texts {
		if i > 0 {
			all = append(all, bot.Span{Text: sep})
		}
		all = append(all, t...)
	}
	return all
}

// Seconds shows a span of time: "90 s", "3 min", "24 h", "2 days".
func (l *Language) Seconds(s int) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%d s", max(s, 0))
	case s < 2*60*60:
		return fmt.Sprintf("%d min", s/60)
	case s < 48*60*60:
		return fmt.Sprintf("%d h", s/3600)
	}
	return l.Words(Days, N("n", s/86400))
}
