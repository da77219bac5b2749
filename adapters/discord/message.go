package discord

import (
	"fmt"
	"path"
	"strings"

	"github.com/bwmarrin/discordgo"

	"hiss/adapters/queue"
	"hiss/bot"
)

// The limits of a message's buttons, and of the words on them.
const (
	maxRows, maxRow    = 5, 5
	maxLabel, maxID    = 80, 100
	maxAlt             = 1024
	longName           = "hiss.txt" // what a text too long for a message is sent as
	longHead           = 500        // how much of it stands above
	suppressEmbeds     = int(discordgo.MessageFlagsSuppressEmbeds)
	ephemeral          = int(discordgo.MessageFlagsEphemeral)
	silent             = int(discordgo.MessageFlagsSuppressNotifications)
	permissionsNeeded  = discordgo.PermissionViewChannel | discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads | discordgo.PermissionAttachFiles
	typeRow, typeClick = 1, 2
)

// payloadMessage is a message as the HTTP API takes it. The library's types have
// neither a nonce nor alt texts, and can't leave fields out of an update.
type payloadMessage struct {
	Content     *string       `json:"content,omitempty"`
	Flags       int           `json:"flags,omitempty"`
	Mentions    *mentions     `json:"allowed_mentions,omitempty"`
	Components  *[]row        `json:"components,omitempty"`
	Attachments *[]attachment `json:"attachments,omitempty"`
	Nonce       string        `json:"nonce,omitempty"`
	Enforce     bool          `json:"enforce_nonce,omitempty"`
}

// mentions says who is pinged: exactly those.
type mentions struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
}

type row struct {
	Type    int     `json:"type"`
	Buttons []click `json:"components"`
}

type click struct {
	Type  int    `json:"type"`
	Style int    `json:"style"`
	Label string `json:"label"`
	ID    string `json:"custom_id,omitempty"`
	URL   string `json:"url,omitempty"`
}

type attachment struct {
	ID          int    `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// draft is a message on its way, with its files.
type draft struct {
	payloadMessage
	files   []file
	picture bool // one of them is the message's picture
}

// look is how a message looks but for its files, to tell whether another would
// look the same.
func (d draft) look() string { return fmt.Sprint(*d.Content, *d.Components) }

// draw returns a message as Discord takes it: with a text too long as a file,
// where files may be attached, and with a document in the text where they may
// not. Whoever is called is pinged, and nobody else.
func (d *Discord) draw(text bot.Text, m bot.Message, mayAttach bool) draft {
	if m.Document != nil && !mayAttach {
		text = bot.Lines(text, readable(m.Document))
	}
	content, mentioned := render(text)
	if m.Call == nil {
		mentioned = nil
	}
	var out draft
	whole := plain(text)
	switch {
	case queue.Units(content) <= maxContent:
	case !mayAttach:
		content = "```\n" + cut(strings.ReplaceAll(whole, "```", "'''"), maxContent-10) + "\n```"
	default:
		content = escape(cut(whole, longHead))
		out.files = append(out.files, file{longName, "text/plain; charset=utf-8", []byte(whole + "\n")})
	}
	if p := m.Picture; p != nil && mayAttach && m.Document == nil {
		out.files = append(out.files, file{p.Name, kindOf(p.Name), p.Data})
		out.picture = true
	}
	if f := m.Document; f != nil && mayAttach && len(f.Data) > 0 {
		out.files = append(out.files, file{f.Name, kindOf(f.Name), f.Data})
	}
	out.Content = &content
	out.Flags = suppressEmbeds
	if !m.Sound { // whoever is called finds the mention
		out.Flags |= silent
	}
	out.Mentions = &mentions{Parse: []string{}, Users: mentioned}
	rows := buttons(m.Buttons, d.application())
	out.Components = &rows
	all := make([]attachment, len(out.files))
	for i, f := range out.files {
		all[i] = attachment{ID: i, Name: f.name}
		if p := m.Picture; p != nil && f.name == p.Name {
			all[i].Description = cut(p.Alt, maxAlt)
		}
	}
	out.Attachments = &all
	return out
}

// readable returns what a document says, if it can be read.
func readable(f *bot.Document) bot.Text {
	if text, ok := f.Text(); ok && text != "" {
		return bot.Text{{Kind: bot.Code, Text: text}}
	}
	return nil
}

// wordsAlone leaves a message only its words, and what its document says. It
// reports whether there was more.
func wordsAlone(m *bot.Message) bool {
	if m.Picture == nil && m.Document == nil {
		return false
	}
	if m.Document != nil {
		m.Said = bot.Lines(m.Said, readable(m.Document))
	}
	m.Picture, m.Document = nil, nil
	return true
}

// visible reports whether there is anything to see.
func (d draft) visible() bool { return *d.Content != "" || len(d.files) > 0 }

// buttons returns rows of buttons as Discord takes them. Their ids are unique in
// a message, and longer rows are broken.
func buttons(rows [][]bot.Button, application string) []row {
	all := []row{}
	seen := make(map[string]bool)
	for _, r := range rows {
		var line []click
		for _, b := range r {
			c, ok := button(b, application)
			for c.ID != "" && seen[c.ID] && len(c.ID) < maxID {
				c.ID += " " // a line's blanks don't count
			}
			if !ok || seen[c.ID] && c.ID != "" {
				continue
			}
			seen[c.ID] = true
			if line = append(line, c); len(line) == maxRow {
				all, line = append(all, row{typeRow, line}), nil
			}
		}
		if len(line) > 0 {
			all = append(all, row{typeRow, line})
		}
	}
	return all[:min(len(all), maxRows)]
}

// button returns a button, unless Discord has no place that it leads to.
func button(b bot.Button, application string) (click, bool) {
	label := cut(strings.TrimSpace(clean(strings.TrimSpace(b.Sign+" "+b.Label))), maxLabel)
	c := click{Type: typeClick, Style: int(discordgo.SecondaryButton), Label: label, ID: b.Line}
	switch b.Style {
	case bot.Primary:
		c.Style = int(discordgo.PrimaryButton)
	case bot.Danger:
		c.Style = int(discordgo.DangerButton)
	}
	switch b.Opens {
	case bot.AnotherChat:
		c.Style, c.ID = int(discordgo.LinkButton), ""
		c.URL = inviteLink(application)
		return c, label != "" && application != ""
	case bot.PrivateChat:
		return c, false // what is private is ephemeral here
	}
	return c, label != "" && c.ID != "" && len(c.ID) <= maxID
}

// inviteLink returns the address at which somebody adds the bot to a server of
// theirs, with the rights that it needs.
func inviteLink(application string) string {
	return fmt.Sprintf("https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=%d", application, permissionsNeeded)
}

// kindOf returns the content type of a file by its name.
func kindOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".gif":
		return "image/gif"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".yaml", ".yml", ".csv", ".txt", ".json":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}
