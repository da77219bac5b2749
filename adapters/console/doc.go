// Package console is the adapter of the terminal and of pipes: people type
// lines of package talk, and read what the bot says below them.
//
// It knows terminals. It knows no game and no storage.
//
// # Piped
//
// Lines come from anything that can be read, and are answered one after the
// other: all that a line causes is written before the next is read. Lines that
// can't be read are told on Err by their number, and the others go on. Run
// ends with the input.
//
// # Interactive
//
// Where a person types, a greeting says how, lines can be edited and completed
// by Tab, an empty line presses the first live button, names are bold and
// signs are shown. Ctrl-C and Ctrl-D end Run.
//
// # How Run ends
//
// When its context ends, Run finishes the line in hand and returns. A read of a
// pipe or terminal that is under way can't be called back in general: where In
// has a SetReadDeadline that works, Run uses it and waits for its reader, and
// where not, the reader stays behind in its Read, holding nothing, until the
// input brings something or the process ends. A Write to Out that hangs holds
// up only this adapter, and Run no longer than Grace after its context ended.
package console
