// Package boards is what a Snakes and Ladders board is.
//
// It reads boards from files and chat lines, finds every fault in them, writes
// them back, ships some, makes random ones and draws them, in text and as
// pictures. It knows no players, no chats and no storage, imports nothing of
// ours, and keeps no state but what a [Theme] draws on: everything here is a pure
// function of its arguments and may be called by any number of goroutines at
// once.
//
// # Board files
//
// A board file is YAML; JSON goes through the same reader:
//
//	name: jungle            # what people type; else the file's own name
//	title: Jungle           # what is shown; optional, one line of 64 characters
//	about: Quick and wild   # optional, one line of 200 characters
//	size: 100               # squares 1 to 100; 2 to 10000, 100 when not given
//	columns: 10             # for showing only; 1 to 100, 10 when not given
//	chains: refuse          # or once: a jump may end where another starts
//	ladders: {4: 14, 9: 31}
//	snakes: {17: 7}
//	effects: {12: skip, 30: shield, 44: again, 71: back}
//
// An effect is what a square does to a token that comes to rest there: skip,
// shield, again or back, which may also be written back to start. No jump starts
// on such a square, and the last one has none.
//
// Squares and sizes are plain decimal numbers, quoted or not. Unknown keys,
// keys given twice, anchors, aliases, tags, and second documents are refused.
// Titles are cleaned, see [Parse].
//
// A CSV file has one jump a line, whose direction says which kind it is, or one
// effect. The comma may be a semicolon or a tab, a first line of words is taken
// for a header, # begins a comment, and four keys may be set in the same way:
//
//	from,to
//	size,36
//	4,14
//	17,7
//	12,skip
//
// One line of chat does the same: size=36 4-14 17-7 12=skip, see [ParseLine].
//
// # Pictures
//
// A [Painter] draws one board in the colours of a [Theme]: a [Scene] as a PNG
// file, several as a film. There are no words in pictures but names and titles
// that they are given, and Player where a name can't be written; nothing is told by colour alone: tokens differ by
// letter, shape and lightness, effects and the ways of a go by their symbols.
// Squares too small for numbers go without, a board that would be a tower gets
// other columns, and of more ladders and snakes than anybody could follow only
// the longest are drawn; the others have marks where they start.
//
// # Faults
//
// A board with a fault is refused when it is made, and all its faults are told
// together, see [Faults]. So nobody who plays a board has to check it again.
package boards
