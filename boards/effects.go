package boards

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// known reports whether e is an effect that a square can have.
func (e Effect) known() bool { return e > NoEffect && int(e) < len(effectWords) }

// effectOf returns the effect of a word, in any case. Back is also called back
// to start, in words of their own or joined as one.
func effectOf(word string) (Effect, bool) {
	isGap := func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) }
	word = strings.ToLower(strings.Join(strings.FieldsFunc(word, isGap), " "))
	if word == "back to start" {
		return Back, true
	}
	at := slices.Index(effectWords[:], word)
	return Effect(max(at, 0)), at > 0
}

// meantEffect returns the word of the effect that was probably meant, or "": a
// word that is nearly right, or one that other games have for it.
func meantEffect(word string) string {
	first, _, _ := strings.Cut(strings.ToLower(word), " ")
	switch first {
	case "start", "restart":
		return Back.String()
	case "extra", "roll", "bonus":
		return Again.String()
	}
	return nearest(word, effectWords[1:])
}

// statedSpecial is a square with an effect as somebody stated it.
type statedSpecial struct {
	Special
	line int
}

// special takes a square and the word of its effect.
func (d *draft) special(square, word string, line int) {
	n, isNumber := number(square)
	if !isNumber {
		d.notSquare(square, line)
	}
	effect, known := effectOf(word)
	if !known {
		f := Fault{Kind: NotEffect, Line: line, A: n, Text: found(word), Suggestion: meantEffect(word)}
		if word == "" {
			f.Text = "nothing"
		}
		d.add(f)
	}
	if isNumber && known {
		d.specials = append(d.specials, statedSpecial{Special{Square: n, Effect: effect}, line})
	}
}

// misput finds a square and an effect that are both there, but not in the way
// that they have to be put: 12-skip or skip=12 in a line of chat, {12:skip} in
// YAML. Between is what belongs between the two.
func (d *draft) misput(text, between string, line int) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) != 2 {
		return false
	}
	if _, first := effectOf(words[0]); first {
		words[0], words[1] = words[1], words[0]
	}
	_, isNumber := number(words[0])
	effect, known := effectOf(words[1])
	if !isNumber || !known {
		return false
	}
	d.add(Fault{Kind: NotSpecial, Line: line, Text: found(text), Suggestion: words[0] + between + effect.String()})
	return true
}

// checkSpecials finds what is wrong with the squares that have effects. Starts
// are the jumps of the board by the squares they start on.
func (d *draft) checkSpecials(starts map[int]stated) {
	first := make(map[int]int, len(d.specials)) // lines by square
	for _, s := range d.specials {
		d.checkSpecial(s, starts)
		if other, twice := first[s.Square]; twice {
			d.add(Fault{Kind: TwoEffects, Line: s.line, First: other, A: s.Square})
			continue
		}
		first[s.Square] = s.line
	}
}

// checkSpecial finds what is wrong with one of them by itself.
func (d *draft) checkSpecial(s statedSpecial, starts map[int]stated) {
	last := d.last()
	jump, isStart := starts[s.Square]
	switch {
	case s.Square < 1 || s.Square > last:
		d.add(Fault{Kind: EffectOff, Line: s.line, A: s.Square, Size: last})
	case s.Square == last && d.sized():
		d.add(Fault{Kind: EffectOnLast, Line: s.line, A: s.Square, Size: last})
	case isStart:
		d.add(Fault{Kind: EffectOnStart, Line: s.line, First: jump.line, A: s.Square, B: jump.To})
	}
	if !s.Effect.known() { // only of a board made by hand
		text := "nothing"
		if s.Effect != NoEffect {
			text = fmt.Sprint(uint8(s.Effect))
		}
		d.add(Fault{Kind: NotEffect, Line: s.line, A: s.Square, Text: text})
	}
}

// bySquare orders squares with effects.
func bySquare(a, b Special) int { return cmp.Compare(a.Square, b.Square) }
