package discord

import (
	"strings"

	"github.com/bwmarrin/discordgo"

	"hiss/bot"
)

// The limits of a form, and the one thing to fill in.
const (
	maxTitle  = 45
	maxHint   = 100
	maxFilled = 4000
	filledID  = "text"
)

// form is asked with, in place of a message.
type form struct {
	ID    string      `json:"custom_id"`
	Title string      `json:"title"`
	Rows  []filledRow `json:"components"`
}

// filledRow is a row of a form: Discord likes others better, but the library
// can't read what comes back of those.
type filledRow struct {
	Type   int      `json:"type"`
	Inputs []filled `json:"components"`
}

type filled struct {
	Type  int    `json:"type"`
	ID    string `json:"custom_id"`
	Style int    `json:"style"`
	Label string `json:"label"`
	Most  int    `json:"max_length"`
	Hint  string `json:"placeholder,omitempty"`
}

// formOf returns the form that asks a question: room for some lines of text. It
// comes back with the question's line.
func formOf(q bot.Question) form {
	title := cut(clean(strings.ReplaceAll(q.Title, "\n", " ")), maxTitle)
	return form{q.Line, title, []filledRow{{typeRow, []filled{{
		Type: int(discordgo.TextInputComponent), ID: filledID, Style: int(discordgo.TextInputParagraph),
		Label: title, Most: maxFilled, Hint: cut(clean(q.Hint), maxHint),
	}}}}}
}

// filledIn puts what a form came back with into a request, as if its line had
// been typed with the text attached.
func filledIn(r *bot.Request, data discordgo.ModalSubmitInteractionData) {
	r.Command, _, r.Args = bot.ParseLine(data.CustomID)
	r.Attachment = bot.Written("")
	for _, c := range data.Components {
		row, _ := c.(*discordgo.ActionsRow)
		if row == nil {
			continue
		}
		for _, one := range row.Components {
			if input, _ := one.(*discordgo.TextInput); input != nil && input.CustomID == filledID {
				r.Attachment = bot.Written(input.Value)
			}
		}
	}
}
