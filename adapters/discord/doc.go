// Package discord connects Discord servers and direct messages.
//
// It knows Discord's gateway and HTTP API and the vocabulary of package bot, and
// neither games nor storage. One interaction's way through it: a shard of the
// gateway reads it (gateway.go, shard.go); it is taken once, and waits in its
// channel's lane; it becomes a request (request.go); the answer is the
// interaction's own where that is quick and in order (answer.go), and goes by the
// channel's line otherwise (line.go, deliver.go), as escaped text and buttons
// (text.go, message.go) through calls that obey Discord's limits (rest.go).
//
// Of github.com/bwmarrin/discordgo the types are used, of what Discord sends and
// of commands. Its gateway answers an invalid session with one IDENTIFY after
// the other and misses dead connections for minutes, and its calls wait without
// regard to a deadline and keep a bucket for every interaction, so both are our
// own here.
package discord
