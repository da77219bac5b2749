package console

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"hiss/adapters/talk"
	"hiss/bot"
)

// completer finishes what was typed when Tab is pressed: the names of people,
// commands, their options and choices, and the words on buttons.
type completer struct {
	commands map[string]bot.Command
	session  *talk.Session
	speaker  string
	out      io.Writer // where several possibilities are listed
}

// key is called by the line editor for every key.
func (c *completer) key(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	done, rest := line[:pos], line[pos:]
	prefix, found, end := c.candidates(done)
	switch len(found) {
	case 0:
		return line, pos, true
	case 1:
		done += found[0][len(prefix):] + end
		return done + rest, len(done), true
	}
	common := found[0]
	for _, f := range found[1:] {
		for !strings.HasPrefix(f, common) {
			common = common[:len(common)-1]
		}
	}
	common = strings.ToValidUTF8(common, "")
	if len(common) > len(prefix) {
		done += common[len(prefix):]
	} else {
		fmt.Fprintln(c.out, strings.Join(found, "  "))
	}
	return done + rest, len(done), true
}

// candidates returns what could stand at the end of a line: the part of it
// that was typed, the whole words that begin so, and what follows them.
func (c *completer) candidates(line string) (prefix string, found []string, end string) {
	l, err := talk.Parse(line)
	if err != nil || l.Kind != talk.Spoken {
		return "", nil, ""
	}
	name := l.Name
	if name == "" {
		name = c.speaker
	}
	switch {
	case strings.HasPrefix(l.Text, "["):
		return begin(l.Text[1:], c.session.Labels(l.Channel, name), "]")
	case strings.HasPrefix(l.Text, "/"):
		return c.command(l.Text[1:], strings.HasSuffix(line, " "))
	case l.Name == "" && l.Text != "":
		return begin(l.Text, c.session.Names(), ": ")
	}
	return "", nil, ""
}

// command completes the last word of a command line.
func (c *completer) command(text string, fresh bool) (prefix string, found []string, end string) {
	words := strings.Fields(text)
	if len(words) == 0 && !fresh || len(words) == 1 && !fresh {
		return begin(text, slices.Sorted(maps.Keys(c.commands)), " ")
	}
	if len(words) == 0 {
		return "", nil, ""
	}
	last := ""
	if !fresh {
		last = words[len(words)-1]
	}
	var all []string
	for _, o := range c.commands[words[0]].Options {
		switch {
		case !o.Keyed:
			all = append(all, o.Choices...)
		case len(o.Choices) == 0:
			all = append(all, o.Name+"=")
		default:
			for _, choice := range o.Choices {
				all = append(all, o.Name+"="+choice)
			}
		}
	}
	slices.Sort(all)
	prefix, found, end = begin(last, slices.Compact(all), " ")
	if len(found) == 1 && strings.HasSuffix(found[0], "=") {
		end = ""
	}
	return prefix, found, end
}

// begin keeps the words that begin with prefix.
func begin(prefix string, words []string, end string) (string, []string, string) {
	var found []string
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			found = append(found, w)
		}
	}
	return prefix, found, end
}
