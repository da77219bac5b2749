package console

import (
	"fmt"
	"os"
	"strings"
)

// Output takes the name of the file to write, behind a flag, out of some arguments.
func Output(args []string, flag string) (others []string, file string, err error) {
	for i := 0; i < len(args); i++ {
		switch name, value, given := strings.Cut(args[i], "="); {
		case name != "-"+flag && name != "--"+flag:
			others = append(others, args[i])
			continue
		case !given && i+1 < len(args):
			i++
			value = args[i]
			fallthrough
		default:
			if value == "" || file != "" {
				return nil, "", fmt.Errorf("-%s takes the name of one file to write", flag)
			}
			file = value
		}
	}
	return others, file, nil
}

// Write writes a file, but never over those that it was made from.
func Write(out string, data []byte, from ...string) error {
	there, err := os.Stat(out)
	for _, name := range from {
		if source, broken := os.Stat(name); err == nil && broken == nil && os.SameFile(there, source) {
			return fmt.Errorf("%s is what it would be made from; give the file another name", out)
		}
	}
	return os.WriteFile(out, data, 0o644)
}
