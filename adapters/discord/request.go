package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"hiss/bot"
)

// fileLimit is how long fetching an attachment may take in all.
const fileLimit = 10 * time.Second

// asked is an interaction, with what the library leaves out of it.
type asked struct {
	discordgo.Interaction
	thread bool // it came from a thread
}

// parse reads an interaction. It's an error where the parts that everything
// hangs on are missing.
func parse(raw []byte) (*asked, error) {
	var a asked
	var more struct {
		Channel struct {
			Type discordgo.ChannelType `json:"type"`
		} `json:"channel"`
	}
	if err := json.Unmarshal(raw, &a.Interaction); err != nil {
		// The library doesn't know every kind of component in the message that
		// was pressed; nothing but its number is needed.
		var bare map[string]json.RawMessage
		var message struct {
			ID      string                 `json:"id"`
			Content string                 `json:"content"`
			Flags   discordgo.MessageFlags `json:"flags"`
		}
		if json.Unmarshal(raw, &bare) != nil {
			return nil, err
		}
		_ = json.Unmarshal(bare["message"], &message)
		delete(bare, "message")
		again, _ := json.Marshal(bare)
		if json.Unmarshal(again, &a.Interaction) != nil {
			return nil, err
		}
		a.Message = &discordgo.Message{ID: message.ID, Content: message.Content, Flags: message.Flags}
	}
	_ = json.Unmarshal(raw, &more)
	switch more.Channel.Type {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread:
		a.thread = true
	}
	if a.ID == "" || a.Token == "" || a.ChannelID == "" || a.who() == nil || a.Data == nil {
		return nil, errors.New("an interaction without what it takes")
	}
	return &a, nil
}

// who returns who asked: in a server a member, in a direct message a user.
func (a *asked) who() *discordgo.User {
	if a.Member != nil {
		return a.Member.User
	}
	return a.User
}

// channel returns the place in which a match lives.
func (a *asked) channel() bot.Channel {
	if a.GuildID == "" {
		return bot.Channel{Chat: chatID(a.ChannelID)}
	}
	return bot.Channel{Chat: chatID(a.GuildID), Place: a.ChannelID}
}

// person returns somebody as the server shows them.
func person(u *discordgo.User, m *discordgo.Member) bot.User {
	shown := u.Username
	if u.GlobalName != "" {
		shown = u.GlobalName
	}
	if m != nil && m.Nick != "" {
		shown = m.Nick
	}
	return bot.User{ID: userID(u.ID), Name: shown, Automaton: u.Bot}
}

// request returns what an interaction asks for. It's false for kinds that nobody
// handles.
func (d *Discord) request(a *asked) (bot.Request, bool) {
	private := a.GuildID == ""
	r := bot.Request{
		ID:      name + ":" + a.ID,
		Channel: a.channel(),
		User:    person(a.who(), a.Member),
		Named:   true,
		Alone:   private,
		Locale:  string(a.Locale),
		Unable:  a.lacks(),
		Admin: func(context.Context, bool) (bool, error) {
			const rights = discordgo.PermissionAdministrator | discordgo.PermissionManageGuild
			return private || a.Member != nil && a.Member.Permissions&rights != 0, nil
		},
	}
	switch data := a.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		r.Command = strings.ToLower(data.Name)
		d.options(&r, data.Resolved, data.Options, d.command(r.Command))
	case discordgo.MessageComponentInteractionData:
		r.Pressed = true
		r.Command, _, r.Args = bot.ParseLine(data.CustomID)
	case discordgo.ModalSubmitInteractionData:
		filledIn(&r, data)
	default:
		return r, false
	}
	return r, r.Command != ""
}

// options puts the options of a command, or of its subcommand, into a request as
// if they had been typed: those with a key as "key=value", the others as they
// stand.
func (d *Discord) options(r *bot.Request, resolved *discordgo.ApplicationCommandInteractionDataResolved, all []*discordgo.ApplicationCommandInteractionDataOption, of bot.Command) {
	var focused *string // whatever it is so far; it stands last
	for _, o := range all {
		if o == nil {
			continue
		}
		if o.Type == discordgo.ApplicationCommandOptionSubCommand || o.Type == discordgo.ApplicationCommandOptionSubCommandGroup {
			r.Args = append(r.Args, o.Name)
			d.options(r, resolved, o.Options, named(of.Subs, o.Name))
			continue
		}
		value := fmt.Sprint(o.Value)
		if f, ok := o.Value.(float64); ok {
			value = strconv.FormatFloat(f, 'f', -1, 64)
		}
		switch {
		case o.Type == discordgo.ApplicationCommandOptionUser:
			if u := resolvedUser(resolved, value); u != nil {
				r.Mentions = append(r.Mentions, *u)
			}
		case o.Type == discordgo.ApplicationCommandOptionAttachment:
			if resolved != nil && resolved.Attachments[value] != nil {
				r.Attachment = d.attachment(resolved.Attachments[value])
			}
		case o.Focused:
			r.Completing = o.Name
			focused = &value
		case keyed(of, o.Name):
			r.Args = append(r.Args, o.Name+"="+value)
		default:
			r.Args = append(r.Args, strings.Fields(value)...)
		}
	}
	if focused != nil {
		r.Args = append(r.Args, *focused)
	}
}

// resolvedUser returns somebody who was chosen as an option.
func resolvedUser(resolved *discordgo.ApplicationCommandInteractionDataResolved, id string) *bot.User {
	if resolved == nil || resolved.Users[id] == nil {
		return nil
	}
	u := person(resolved.Users[id], resolved.Members[id])
	return &u
}

// lacks returns the right that the bot lacks for writing where an interaction
// came from, as Discord calls it.
func (a *asked) lacks() string {
	has := a.AppPermissions
	write, called := int64(discordgo.PermissionSendMessages), "Send Messages"
	if a.thread {
		write, called = discordgo.PermissionSendMessagesInThreads, "Send Messages in Threads"
	}
	switch {
	case a.GuildID == "" || has&discordgo.PermissionAdministrator != 0:
		return ""
	case has&discordgo.PermissionViewChannel == 0:
		return "View Channel"
	case has&write == 0:
		return called
	}
	return ""
}

// attachFiles is what Discord calls the right to send pictures and other files.
const attachFiles = "Attach Files"

// mayAttach reports whether files may be attached where it came from.
func (a *asked) mayAttach() bool {
	const rights = discordgo.PermissionAttachFiles | discordgo.PermissionAdministrator
	return a.GuildID == "" || a.AppPermissions&rights != 0
}

// attachment returns a file that came along. It is fetched from Discord's own
// hosts only, without any token, and never from where they lead elsewhere.
func (d *Discord) attachment(f *discordgo.MessageAttachment) *bot.Attachment {
	return &bot.Attachment{Name: f.Filename, Read: func(ctx context.Context, limit int) ([]byte, error) {
		if f.Size > limit {
			return nil, &bot.TooLarge{Limit: limit}
		}
		u, err := url.Parse(f.URL)
		if err != nil || !d.ownHost(u) {
			return nil, errors.New("the file isn't at Discord's")
		}
		ctx, cancel := context.WithTimeout(ctx, fileLimit)
		defer cancel()
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, f.URL, nil)
		if err != nil {
			return nil, errors.New("the file has no address")
		}
		answer, err := d.rest.http.Do(q)
		if err != nil {
			return nil, fmt.Errorf("fetching a file: %w", cause(err))
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("fetching a file: %s", answer.Status)
		}
		data, err := bot.ReadAtMost(answer.Body, limit)
		if err != nil {
			return nil, fmt.Errorf("fetching a file: %w", cause(err))
		}
		return data, nil
	}}
}

// ownHost reports whether an address is of Discord's file hosts, or of the
// server that stands for Discord.
func (d *Discord) ownHost(u *url.URL) bool {
	base, err := url.Parse(d.rest.base)
	if err == nil && base.Host != "discord.com" && u.Host == base.Host && u.Scheme == base.Scheme {
		return true
	}
	return u.Scheme == "https" && (u.Host == "cdn.discordapp.com" || u.Host == "media.discordapp.net")
}
