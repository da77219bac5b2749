//go:build race

package engine_test

// Fewer and smaller here: the race detector slows loops over pixels and odds down
// twentyfold, and looks for what happens at once, which takes no more than this.
const manyChannels, greatSize = 20, 2_500
