//go:build !race

package engine_test

// manyChannels ask for pictures at once, and greatSize is the board whose card takes
// the longest.
const manyChannels, greatSize = 100, 10_000
