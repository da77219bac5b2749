// Package odds is the exact maths of the game: how long it takes, who gets home
// first with what chance, and what a board is like. It knows boards and rules
// and nothing else; everything here is a function of its arguments.
//
// # How it is worked out
//
// Nobody chooses anything, so a token is an absorbing Markov chain whose steps
// are goes: [New] makes the [Chain] of a [rules.Track], in which the bonus rolls
// of a go, and the void, are summed up. Lengths are the solution of a linear
// system (see [Chain.Length]), finishing times the powers of the chain
// ([Chain.Law]). Tokens don't touch each other, so what happens between several
// is a product of what happens to each ([Table.First], [Chain.Match]); but not
// where some pass over others, which is left to playing ([ErrSkips], [EstimateFirst]).
//
// A chain takes boards of up to [MaxSquares] squares. [Expected] takes all, and so
// do [ReachOf], what a token can come to, and [Wins], which counts short games.
//
// [Examine] puts together what is to be known of a board. Where that can't be
// worked out it is estimated, by playing, and each [Figure] says which it is.
//
// # What is left out
//
// The room of a match, [rules.MaxGoes], is: all figures are those of a match
// that may go on for as long as it takes. A match that might never end is an
// error, the *[rules.Endless] of the track.
package odds
