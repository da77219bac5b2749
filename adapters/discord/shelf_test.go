package discord_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hiss/bot"
)

// shelf is an engine with a command of the test's own: /shelf takes files and
// text, asks for them, and gives files out.
type shelf struct {
	bot.Handler
}

func newShelf(h bot.Handler) *shelf { return &shelf{h} }

// Commands are the engine's, and /shelf.
func (s *shelf) Commands() []bot.Command {
	return append(slices.Clone(s.Handler.Commands()), bot.Command{Name: "shelf", Summary: "Files, for tests", Subs: []bot.Command{
		{Name: "upload", Summary: "Put a file on it", Options: []bot.Option{
			{Name: "file", Summary: "A file", Kind: bot.File}, {Name: "as", Summary: "Its name there", Keyed: true},
		}},
		{Name: "note", Summary: "Get a note"},
		{Name: "empty", Summary: "Get an empty note"},
		{Name: "letter", Summary: "Get a note with a letter"},
		{Name: "notice", Summary: "Show a note to all"},
		{Name: "buttons", Summary: "Choose"},
		{Name: "take", Summary: "Take something off", Options: []bot.Option{
			{Name: "force", Summary: "Also if it isn't yours", Keyed: true, Choices: []string{"yes", "no"}},
			{Name: "what", Summary: "What to take", Needed: true, Suggests: true},
			{Name: "from", Summary: "Whose it is", Keyed: true, Suggests: true},
		}},
	}})
}

// Handle obeys /shelf by its first word, and leaves the rest to the engine.
func (s *shelf) Handle(ctx context.Context, r bot.Request) bot.Answer {
	if r.Command != "shelf" {
		return s.Handler.Handle(ctx, r)
	}
	if r.Completing != "" {
		return bot.Answer{Suggestions: []bot.Suggestion{{Label: r.Completing + " of " + fmt.Sprint(r.Args), Value: "x"}}}
	}
	note := &bot.Document{Name: "note.csv", Data: []byte("4,14\n9,31\n")}
	line := strings.Join(r.Args, " ")
	switch line {
	case "upload", "upload as=mine":
		return s.upload(ctx, r)
	case "note":
		return told(bot.Message{Said: bot.Said("A note."), Document: note})
	case "empty":
		return told(bot.Message{Said: bot.Said("An empty note."), Document: &bot.Document{Name: "empty.csv"}})
	case "letter": // more words than a message takes
		return told(bot.Message{Said: bot.Said(strings.TrimSpace(strings.Repeat("word ", 500))), Document: note})
	case "notice":
		return bot.Answer{Channel: []bot.Message{
			{Page: "shelf", Said: bot.Said("One.")}, {Page: "shelf", Said: bot.Said("Two."), Document: note},
			{Page: "shelf", Before: bot.Said("One."), Said: bot.Said("Three.")},
		}}
	case "buttons":
		return bot.Answer{Channel: []bot.Message{{Said: bot.Said("What now?"), Buttons: [][]bot.Button{
			{{Label: "Upload", Line: "shelf upload"}, {Label: "Note", Line: "shelf note"}},
		}}}}
	}
	return told(bot.Message{Said: bot.Said("There is no " + line + ", " + r.User.Name + ".")})
}

func (s *shelf) upload(ctx context.Context, r bot.Request) bot.Answer {
	ask := &bot.Question{Line: "shelf upload", Title: "Put on the shelf", Hint: "4-14 9-31 17-7"}
	if r.Attachment == nil {
		return told(bot.Message{Said: bot.Text{{Text: "Send a file or a line as a "}, {Kind: bot.Strong, Text: "reply"}, {Text: " to this."}}, Asks: ask})
	}
	data, err := r.Attachment.Read(ctx, 40)
	name := r.Attachment.Name
	if name == "" {
		name = "a line"
	}
	if _, large := errors.AsType[*bot.TooLarge](err); large {
		return told(bot.Message{Said: bot.Said("There are more than 40 bytes in " + name + "; send a shorter one."), Asks: ask})
	}
	if err != nil {
		return told(bot.Message{Said: bot.Said(name + " can't be had now; send it again."), Asks: ask})
	}
	admin, _ := r.Admin(ctx, false)
	by := "by " + r.User.Name
	if admin {
		by += ", an admin"
	}
	return bot.Answer{Channel: []bot.Message{{Said: bot.Said(fmt.Sprintf("On the shelf: %s, %s, by /%s, %s", name, by, line(r), strings.TrimSpace(string(data))))}}}
}

func told(m bot.Message) bot.Answer { return bot.Answer{Asker: &m} }

// line is what would have been typed.
func line(r bot.Request) string { return strings.Join(append([]string{r.Command}, r.Args...), " ") }
