//go:build race

package discord_test

// manyChannels is small here: under the race detector the runtime of Go 1.26 falls
// over sometimes (a segmentation fault in its own timers) where a bubble of
// testing/synctest has hundreds of goroutines that wait for time to pass.
const manyChannels = 6
