// Package fake is a chat platform for tests: one that is talked to by lines of
// package talk and writes down what it is told to show.
//
// It knows transcripts. It knows no game, and has neither clock nor chance: the
// same script and the same handler give the same transcript.
//
// # Transcripts
//
// A transcript reads like a chat log, and is both the test and what it expects:
//
//	# Too early, then in turn.
//	!dice 3
//
//	asha: /newgame tiny plain
//	bot: New match on tiny (9 squares), plain
//	     [Join] [Roll alone]
//	ben: [Roll]
//	bot (only ben): You're not in this match.
//
// What people say, directives, comments and blank lines are input and stay as
// they are. The bot's lines are output: they are dropped on reading, and
// written anew below the line that caused them. Check compares the two, or
// rewrites the file to be reviewed as a diff. Lines that can't be read or
// obeyed fail the test by their number.
//
// A test in Go says lines by Platform.Say, and looks at what was sent as
// messages rather than as text.
package fake
