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
// # What happens unasked
//
// [Engine.Run] is the one loop beside the requests. Its keeper (keeper.go, alarm.go)
// asks the store which matches are due, does there what the clock has next, such as
// to throw or to close, and gives back the time in which a platform was away. What takes longer than a table should wait, a file to fetch or
// the maths of a great board, is an errand (errand.go): it runs beside the
// requests, in no channel's lock, and its outcome is sent. Pictures and films are
// drawn by the gallery (gallery.go), when a platform sends them and as many at once
// as there are processors; one that takes too long is left out.
//
// # What it must not know
//
// Platforms, SQL and the environment. Clock, entropy and store are handed in;
// every sentence comes from package words.
package engine
