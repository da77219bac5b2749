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
// commands, their options, what these could be, and the words on buttons.
type completer struct {
	commands map[string]bot.Command
	session  *talk.Session
	speaker  string
	out      io.Writer // where several possibilities are listed
	// suggest asks what an option could be (Session.Suggest).
	suggest func(channel, name, command string, args []string, option string) []bot.Suggestion
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
		return c.command(l, name, strings.HasSuffix(line, " "))
	case l.Name == "" && l.Text != "":
		return begin(l.Text, c.session.Names(), ": ")
	}
	return "", nil, ""
}

// command completes the last word of a command line.
func (c *completer) command(l talk.Line, name string, fresh bool) (prefix string, found []string, end string) {
	words := strings.Fields(l.Text[1:])
	if fresh {
		words = append(words, "")
	}
	if len(words) < 2 {
		return begin(l.Text[1:], slices.Sorted(maps.Keys(c.commands)), " ")
	}
	command, last := c.commands[words[0]], words[len(words)-1]
	options, typed := command.Options, words[1:]
	if len(command.Subs) > 0 && len(typed) == 1 {
		return begin(last, names(command.Subs), " ")
	}
	for _, sub := range command.Subs {
		if sub.Name == typed[0] {
			options = sub.Options
		}
	}
	var all []string
	for _, o := range options {
		all = append(all, values(o, func() []bot.Suggestion {
			args := append(slices.Clone(typed[:len(typed)-1]), strings.TrimPrefix(last, o.Name+"="))
			return c.suggest(l.Channel, name, words[0], args, o.Name)
		}, last)...)
	}
	slices.Sort(all)
	prefix, found, end = begin(last, slices.Compact(all), " ")
	if len(found) == 1 && strings.HasSuffix(found[0], "=") {
		end = ""
	}
	return prefix, found, end
}

// values returns what an option could be, as far as it is known, where so much
// of it was typed. What is suggested is asked for only where the option itself is
// being typed.
func values(o bot.Option, suggest func() []bot.Suggestion, typed string) (all []string) {
	key := ""
	if o.Keyed {
		key = o.Name + "="
	}
	known := o.Choices
	if o.Suggests && strings.HasPrefix(typed, key) && (o.Keyed || !strings.Contains(typed, "=")) {
		for _, s := range suggest() {
			if len(strings.Fields(s.Value)) == 1 {
				known = append(slices.Clip(known), s.Value)
			}
		}
	}
	if o.Keyed && len(known) == 0 {
		return []string{key}
	}
	for _, v := range known {
		all = append(all, key+v)
	}
	return all
}

// names returns the names of commands, sorted.
func names(commands []bot.Command) (all []string) {
	for _, c := range commands {
		all = append(all, c.Name)
	}
	slices.Sort(all)
	return all
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
