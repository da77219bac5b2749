// Package rules is the game: who may do what, what happens then, and which
// event records it. It knows boards and nothing else: no clock, no lock, no
// context, no entropy, no storage and no words. Everything here is a function
// of its arguments.
//
// # The way of a go
//
// A board and rules are compiled to a [Track], which says where every total
// leads from every square. A [Game] is a match as it stands. Its methods
// (Join, Leave, Roll, …) decide: they change nothing and return the [Event]
// that would follow, or a *[Refusal] that names a reason. [Game.Apply] is the
// only way a game changes. Folding the events of a match from its opening on
// therefore gives the match, and that is also how one is loaded.
//
// Events state facts: which faces fell and where they led. Apply takes them at
// their word, as long as they can follow at all, so that no later change of
// code or board rewrites what happened. Whether the facts are what the seed
// and the rules give is a question of its own, answered by [Game.Verify].
//
// # Dice
//
// Die number k of a match is a pure function of the match's [Seed] and k, so a
// decision that has to be made again throws the same dice. See [Seed.Dice].
//
// # Simulation
//
// [Simulation] plays whole matches without events or allocations, on the same
// compiled track, for statistics.
package rules
