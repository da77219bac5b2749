//go:build !race

package telegram_test

const manyGroups = 50
