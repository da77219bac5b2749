package talk

import (
	"strings"

	"hiss/bot"
)

// Home is the chat behind the channel that is named on no line.
const Home = "terminal"

// ChannelOf returns the channel that lines call by name, in an adapter's ids:
// "" is console:terminal, "garden" is console:garden, and "club/garden" is the
// place garden in console:club.
func ChannelOf(adapter, name string) bot.Channel {
	chat, place, _ := strings.Cut(name, "/")
	if chat == "" {
		chat = Home
	}
	return bot.Channel{Chat: bot.ChatID(adapter + ":" + chat), Place: place}
}

// ChannelName returns the name by which lines call a channel, the reverse of
// ChannelOf.
func ChannelName(c bot.Channel) string {
	_, chat, _ := strings.Cut(string(c.Chat), ":")
	switch {
	case c.Place != "":
		return chat + "/" + c.Place
	case chat == Home:
		return ""
	}
	return chat
}

// UserOf returns the person behind a name: the same in every channel.
func UserOf(adapter, name string) bot.User {
	return bot.User{ID: bot.UserID(adapter + ":" + name), Name: name}
}
