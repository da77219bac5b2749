package bot

import (
	"context"
	"strings"
)

// ChatID names a group, a server or a private chat: the adapter's name, a
// colon, then whatever the platform calls it ("telegram:-100", "discord:4").
// Only the adapter that made it looks inside. Boards, settings and records
// belong to a chat.
type ChatID string

// Adapter returns the name of the adapter that the chat belongs to.
func (c ChatID) Adapter() string {
	name, _, _ := strings.Cut(string(c), ":")
	return name
}

// Channel is a place where one match lives at a time. Place is the topic,
// channel or thread inside the chat, and empty where a chat has none.
type Channel struct {
	Chat  ChatID
	Place string
}

// String shows the channel for logs: "telegram:-100/7".
func (c Channel) String() string {
	if c.Place == "" {
		return string(c.Chat)
	}
	return string(c.Chat) + "/" + c.Place
}

// UserID names a person on one platform, as "telegram:12". Only the adapter
// that made it looks inside.
type UserID string

// User is somebody as the platform shows them.
type User struct {
	ID UserID
	// Name is shown as typed, and may hold anything a platform lets through;
	// whoever shows it cleans and shortens it.
	Name string
	// Automaton marks another bot. It can ask, but not sit down.
	Automaton bool
	// Masked marks somebody who writes in the name of a group or a channel. Who
	// that is can't be told, so they can ask, but not sit down.
	Masked bool
}

// Request is one thing that one person asked for in one channel.
type Request struct {
	// ID is the platform's own mark of this delivery, prefixed with the
	// adapter's name. The same request delivered twice carries the same ID.
	ID      string
	Channel Channel
	User    User
	// Command is the word without its slash, in lower case, and Args what was
	// typed behind it, split at white space. A command that is not known is
	// handed on too: the handler suggests the nearest.
	Command string
	Args    []string
	// Pressed says that a button was pressed. Its line was parsed like typed
	// text: pressing is typing.
	Pressed bool
	// Named says that the bot was addressed by name, or that nobody else could
	// be meant (a private chat, the terminal). Only then are unknown commands
	// answered.
	Named bool
	// Alone says that nobody else can be in this channel: a private chat, or a
	// terminal in which one person has spoken.
	Alone bool
	// Completing asks for suggestions instead of an act: it names the option
	// that is being typed, and Args ends with what it is so far.
	Completing string
	// Mentions are the people named in the text, in order.
	Mentions []User
	// Attachment is the file that came along, or nil.
	Attachment *Attachment
	// Locale is the asker's language as the platform tells it ("de", "en-US"),
	// or empty.
	Locale string
	// Admin asks the platform whether the asker administers the chat. It may
	// take a network request, so it's called only where the answer matters,
	// and never under a lock. The answer may be a minute old unless it is
	// asked for anew. Nil means that nobody does.
	Admin func(ctx context.Context, anew bool) (bool, error)
	// Unable names the right that the bot lacks for writing in this channel, as
	// the platform calls it. Only the asker can be answered then, and only a
	// press. It's empty where nothing is known to be in the way.
	Unable string
}

// ParseLine splits a command line such as "/roll@Hiss 12 7" or a button's
// "roll 12 7" into command and arguments. A mention behind the command word
// is returned apart, without its "@".
func ParseLine(line string) (command, mention string, args []string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return "", "", nil
	}
	command, mention, _ = strings.Cut(strings.TrimPrefix(words[0], "/"), "@")
	return strings.ToLower(command), mention, words[1:]
}
