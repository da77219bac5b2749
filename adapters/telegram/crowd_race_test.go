//go:build race

package telegram_test

// manyGroups is small here: under the race detector the runtime of Go 1.26 falls
// over sometimes (a segmentation fault in its own timers) where a bubble of
// testing/synctest has hundreds of goroutines that wait for time to pass.
const manyGroups = 6
