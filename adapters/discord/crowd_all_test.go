//go:build !race

package discord_test

const manyChannels = 50
