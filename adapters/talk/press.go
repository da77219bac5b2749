package talk

import (
	"strconv"
	"strings"
	"unicode"
)

// ParsePress reads text that presses a button: "[Label]", or "[Label]~2" for
// the button on the third newest message that has it. Any other text, also one
// with nothing in its brackets, is no press.
func ParsePress(text string) (label string, back int, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return "", 0, false
	}
	i := strings.LastIndexByte(text, ']')
	if i < 0 {
		return "", 0, false
	}
	label = strings.TrimSpace(text[1:i])
	if tail := text[i+1:]; tail != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(tail, "~"), 10, 31)
		if err != nil || tail[0] != '~' {
			return "", 0, false
		}
		back = int(n)
	}
	return label, back, label != ""
}

// closeness says how well a button's label fits what somebody pressed: 3 if it
// is exactly that, 2 if it has the same words and no others, 1 if it has those
// words among others, 0 if it has not. Neither case nor what stands between
// words counts but for the first.
func closeness(label, pressed string) int {
	if label == pressed {
		return 3
	}
	has, want := words(label), words(pressed)
	if len(want) == 0 || len(want) > len(has) {
		return 0
	}
	for i := range len(has) - len(want) + 1 {
		if !sameWords(has[i:i+len(want)], want) {
			continue
		}
		if len(has) == len(want) {
			return 2
		}
		return 1
	}
	return 0
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

func sameWords(a, b []string) bool {
	for i := range a {
		if !strings.EqualFold(a[i], b[i]) {
			return false
		}
	}
	return true
}
