// Package engine plays matches in channels: it turns a [bot.Request] into what
// the rules make of it, has the store keep that, and says it in words.
//
// # One request
//
// [Engine.Handle] finds the command in the table (commands.go), locks the
// channel's table (table.go) and lets the command decide (lobby.go, play.go,
// look.go, replay.go). What was decided is events of package rules. They are
// written to the store, then applied to the match in memory, then told
// (tell.go): disk, then memory, then chat. A write that failed drops the match
// from memory, and the next request loads it anew.
//
// # What is remembered
//
// A channel that was ever spoken in keeps an entry of a few words. Its match is
// folded from its record on first touch and dropped when nobody has spoken
// for a while. No goroutine and no timer belongs to a match.
//
// # What it must not know
//
// Platforms, SQL and the environment. Clock, entropy and store are handed in;
// every sentence comes from package words.
package engine
