package telegram

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// The limits of a keyboard: how much a button carries, and how many there are.
// A row of more than four is squeezed on a phone.
const (
	maxData    = 64
	maxButtons = 100
	wideRow    = 4
	brokenRow  = 3
)

// keyboard returns buttons as Telegram takes them, or nil for none. The place
// goes along with their lines, since a press on an old message tells no topic.
func keyboard(rows [][]bot.Button, place, username string) *models.InlineKeyboardMarkup {
	var all [][]models.InlineKeyboardButton
	n := 0
	for _, row := range rows {
		var keys []models.InlineKeyboardButton
		for _, b := range row {
			if key, ok := button(b, place, username); ok && n < maxButtons {
				keys = append(keys, key)
				n++
			}
		}
		if len(keys) > wideRow {
			all = slices.AppendSeq(all, slices.Chunk(keys, brokenRow))
		} else if len(keys) > 0 {
			all = append(all, keys)
		}
	}
	if all == nil {
		return nil
	}
	return &models.InlineKeyboardMarkup{InlineKeyboard: all}
}

// styles are how buttons are coloured; who can't see it reads the label.
var styles = map[bot.Style]string{bot.Primary: "primary", bot.Danger: "danger"}

// button returns a button, unless Telegram can't carry its line.
func button(b bot.Button, place, username string) (models.InlineKeyboardButton, bool) {
	label := strings.TrimSpace(clean(strings.TrimSpace(b.Sign + " " + b.Label)))
	key := models.InlineKeyboardButton{Text: label, Style: styles[b.Style]}
	switch b.Opens {
	case bot.AnotherChat:
		key.URL = "https://t.me/" + username + "?startgroup=1"
	case bot.PrivateChat:
		if base64.RawURLEncoding.EncodedLen(len(b.Line)) > maxData {
			return key, false
		}
		key.URL = startLink(username, b.Line)
	default:
		key.CallbackData = pack(b.Line, place)
	}
	fits := len(key.CallbackData) <= maxData && (key.CallbackData != "" || key.URL != "")
	return key, label != "" && fits
}

// pack puts a place before a line where both fit into a button.
func pack(line, place string) string {
	if packed := "#" + place + " " + line; place != "" && line != "" && len(packed) <= maxData {
		return packed
	}
	return line
}

// unpack undoes pack.
func unpack(data string) (line, place string) {
	if rest, ok := strings.CutPrefix(data, "#"); ok {
		place, line, _ = strings.Cut(rest, " ")
		return line, place
	}
	return data, ""
}

// opened returns the command line that a deep link to the private chat carries.
func opened(payload string) (string, bool) {
	line, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || len(line) == 0 {
		return "", false
	}
	for _, r := range string(line) {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return "", false
		}
	}
	return string(line), true
}
