package boards

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// files holds the boards that ship, each under its name.
//
//go:embed shipped/*.yaml
var files embed.FS

// names returns the boards that ship, in the order in which they are offered:
// the one everybody knows, a quick one, those with a temper of their own, the
// one with effects, and last the small ones and the classic's double, for
// learning and for proofs.
func names() []string {
	return []string{"classic", "sprint", "jungle", "skyways", "pit", "summit", "castle", "twenty", "tiny", "classic47"}
}

// Shipped returns the boards that come with Hiss, classic first. They are
// copies, and the caller's.
func Shipped() []Board {
	all := make([]Board, 0, len(names()))
	for _, name := range names() {
		all = append(all, load(name))
	}
	return all
}

// Find returns the shipped board of that name, which may be in any case. The
// board is a copy, and the caller's.
func Find(name string) (Board, bool) {
	name = strings.ToLower(name)
	for _, known := range names() {
		if known == name {
			return load(known), true
		}
	}
	return Board{}, false
}

// load reads a board that ships. Tests hold that all of them can be read.
func load(name string) Board {
	file := path.Join("shipped", name+".yaml")
	data, err := files.ReadFile(file)
	if err != nil {
		panic(fmt.Sprintf("boards: %v", err))
	}
	b, err := Parse(file, data)
	if err != nil {
		panic(fmt.Sprintf("boards: %v", err))
	}
	return b
}
