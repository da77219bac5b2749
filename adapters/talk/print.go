package talk

import (
	"slices"
	"strings"

	"hiss/bot"
)

// Delivery is a message on its way to who reads it.
type Delivery struct {
	Channel bot.Channel
	Message bot.Message
	Only    *bot.User // the one person who reads it; nil for the whole channel
}

// Printer writes messages as lines. The zero Printer writes what a pipe and a
// test see.
type Printer struct {
	Signs   bool // signs are shown
	Colours bool // names are bold, and what only one person reads is dim
}

// Print returns the lines of a delivery, each with its line break: what is
// said and how things stand, last the buttons. What its page told before was
// printed before. Lines without anything to see are left out, for a record of
// the conversation couldn't tell them from blank lines of its own. Where a
// picture stands alone its words are printed; where nothing at all is left,
// nothing is.
func (p Printer) Print(d Delivery) string {
	lines := p.lines(d.Message.Text(), d.Only != nil)
	if pic := d.Message.Picture; pic != nil && len(lines) == 0 {
		lines = p.lines(bot.Said(pic.Alt), d.Only != nil)
	}
	if row := p.buttons(d.Message.Buttons); row != "" {
		lines = append(lines, row)
	}
	channel := ""
	if name := ChannelName(d.Channel); name != "" {
		channel = "#" + Clean(name) + " "
	}
	head := "bot: "
	if d.Only != nil {
		head = "bot (only " + Quote(d.Only.Name) + "): "
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			head = indent
		}
		b.WriteString(p.dim(channel+head+line, d.Only != nil))
		b.WriteByte('\n')
	}
	return b.String()
}

// lines renders a text. Colours neither begin on one line and end on another
// nor follow the last thing to see.
func (p Printer) lines(t bot.Text, dim bool) []string {
	var lines []string
	var line strings.Builder
	var clean cleaner
	seen := "" // of this line, without colours
	end := func() {
		line.WriteString(clean.close())
		if strings.TrimSpace(seen) != "" {
			lines = append(lines, strings.TrimRight(line.String(), " "))
		}
		line.Reset()
		seen = ""
	}
	for _, s := range t {
		if s.Kind == bot.Sign && !p.Signs {
			continue
		}
		for i, part := range strings.Split(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n") {
			if i > 0 {
				end()
			}
			part = clean.clean(part)
			seen += part
			line.WriteString(p.dress(part, s.Kind, dim))
		}
	}
	end()
	return lines
}

// buttons renders all rows of buttons in one line.
func (p Printer) buttons(rows [][]bot.Button) string {
	var all []string
	for _, row := range rows {
		for _, b := range row {
			label := Clean(b.Label)
			if p.Signs && b.Sign != "" {
				label = Clean(b.Sign) + " " + label
			}
			all = append(all, "["+label+"]")
		}
	}
	return strings.Join(all, " ")
}

// The orders of a terminal that the printer itself gives. The end of bold is
// the end of dim too.
const (
	bold   = "\x1b[1m"
	dimmed = "\x1b[2m"
	normal = "\x1b[22m"
)

// here returns the buttons that lead nowhere else: a terminal has no elsewhere.
func here(rows [][]bot.Button) [][]bot.Button {
	var all [][]bot.Button
	for _, row := range rows {
		row = slices.DeleteFunc(slices.Clone(row), func(b bot.Button) bool { return b.Opens != bot.Here })
		if len(row) > 0 {
			all = append(all, row)
		}
	}
	return all
}

func (p Printer) dress(s string, k bot.SpanKind, dim bool) string {
	switch {
	case !p.Colours || s == "" || k != bot.Strong && k != bot.Mention:
		return s
	case dim:
		return bold + s + normal + dimmed
	}
	return bold + s + normal
}

func (p Printer) dim(line string, dim bool) string {
	if !p.Colours || !dim {
		return line
	}
	return dimmed + line + normal
}
