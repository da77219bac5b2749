package talk

import (
	"fmt"
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
// said and how things stand, a document by its name and with what it says if
// that can be read, last the buttons. What its page told before was printed
// before. Lines without anything to see are left out, for a record of
// the conversation couldn't tell them from blank lines of its own. Where a
// picture stands alone its words are printed; where nothing at all is left,
// nothing is.
func (p Printer) Print(d Delivery) string {
	pic := d.Message.Picture
	d.Message = d.Message.WithoutPicture()
	lines := p.lines(d.Message.Text(), d.Only != nil)
	if pic != nil && len(lines) == 0 {
		lines = p.lines(bot.Said(pic.Alt), d.Only != nil)
	}
	lines = append(lines, p.document(d.Message.Document, d.Only != nil)...)
	if d.Message.Asks != nil {
		lines = append(lines, "(here the answer is what you say next; !file and a name before it sends a file)")
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

// mostLines is how long a document may be to be printed as a whole.
const mostLines = 100

// document renders a document: a line that names it, and what it says below if
// that can be read and isn't long.
func (p Printer) document(d *bot.Document, dim bool) []string {
	if d == nil || len(d.Data) == 0 {
		return nil
	}
	size := fmt.Sprintf("%d bytes", len(d.Data))
	if len(d.Data) == 1 {
		size = "1 byte"
	}
	head := fmt.Sprintf("(file %s, %s)", Clean(d.Name), size)
	text, ok := d.Text()
	if !ok || strings.Count(text, "\n") > mostLines {
		return []string{head}
	}
	return append([]string{head}, p.lines(bot.Text{{Kind: bot.Code, Text: text}}, dim)...)
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
	case p.Colours && k == bot.Code:
		return tinted(s)
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
