package boards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML fills the draft from a YAML or JSON file. It walks the nodes of the
// file itself instead of decoding into a struct, which would show no lines and
// hide a start that is given twice.
func (d *draft) readYAML(text []byte) {
	if json.Valid(text) {
		text = plainJSON(text)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var file, second yaml.Node
	if err := decoder.Decode(&file); errors.Is(err, io.EOF) {
		d.add(Fault{Kind: Empty})
		return
	} else if err != nil {
		d.add(syntaxFault(text, err))
		return
	}
	if err := decoder.Decode(&second); err == nil {
		d.add(Fault{Kind: Documents, Line: second.Line})
	} else if !errors.Is(err, io.EOF) {
		d.add(syntaxFault(text, err))
	}
	root := file.Content[0]
	d.refuseIndirect(root)
	switch {
	case root.Kind == yaml.MappingNode:
		d.readBoard(root)
	case isNull(root):
		d.add(Fault{Kind: Empty})
	case root.Kind != yaml.AliasNode:
		d.add(Fault{Kind: NotBoard, Line: root.Line})
	}
}

// refuseIndirect finds everything in a file that doesn't stand for itself:
// anchors, aliases, merges, tags. They can make a small file huge, and nobody
// needs them to write a board.
func (d *draft) refuseIndirect(n *yaml.Node) {
	switch {
	case indirect(n), n.Anchor != "":
		d.add(Fault{Kind: Anchor, Line: n.Line})
	case n.Style&yaml.TaggedStyle != 0:
		d.add(Fault{Kind: Tag, Line: n.Line, Text: found(n.Tag)})
	}
	for _, inner := range n.Content {
		d.refuseIndirect(inner)
	}
}

// indirect reports whether a node stands for another one.
func indirect(n *yaml.Node) bool { return n.Kind == yaml.AliasNode || n.Tag == "!!merge" }

func (d *draft) readBoard(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if indirect(key) {
			continue // told already
		}
		name := describe(key)
		known := d.claimKey(name, key.Line)
		if indirect(value) {
			d.unread[name] = true // told already
			continue
		}
		switch {
		case name == "ladders" || name == "snakes": // also when given twice, to find all faults at once
			d.readJumps(name, value)
		case name == "effects":
			d.readEffects(value)
		case known:
			d.readValue(name, value, key.Line)
		}
	}
}

// readValue takes one value of the board.
func (d *draft) readValue(key string, value *yaml.Node, line int) {
	isText := key == "name" || key == "title" || key == "about"
	switch {
	case value.Kind == yaml.ScalarNode && !isNull(value):
		d.set(key, value.Value, line)
	case isNull(value) && (key == "title" || key == "about"):
		// Left empty, as a template has them.
	case isText:
		d.unreadable(Fault{Kind: NotText, Line: line, Key: key})
	case key == "chains":
		d.unreadable(Fault{Kind: NotChains, Line: line, Key: key, Text: describe(value)})
	default:
		d.unreadable(Fault{Kind: NotNumber, Line: line, Key: key, Text: describe(value)})
	}
}

// readJumps takes a map of starts and ends.
func (d *draft) readJumps(key string, value *yaml.Node) {
	if isNull(value) {
		return
	}
	if value.Kind != yaml.MappingNode {
		d.add(Fault{Kind: NotMap, Line: value.Line, Key: key})
		return
	}
	claim := claimedLadder
	if key == "snakes" {
		claim = claimedSnake
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		from, to := value.Content[i], value.Content[i+1]
		if indirect(from) || indirect(to) || (isNull(to) && d.runTogether(from)) {
			continue // told already
		}
		j := stated{line: from.Line, claim: claim}
		var okFrom, okTo bool
		j.From, okFrom = d.square(from, from.Line)
		j.To, okTo = d.square(to, from.Line)
		if okFrom && okTo {
			d.jumps = append(d.jumps, j)
		}
	}
}

// readEffects takes a map of squares and words.
func (d *draft) readEffects(value *yaml.Node) {
	if isNull(value) {
		return
	}
	if value.Kind != yaml.MappingNode {
		d.add(Fault{Kind: NotMap, Line: value.Line, Key: "effects"})
		return
	}
	for i := 0; i+1 < len(value.Content); i += 2 {
		square, word := value.Content[i], value.Content[i+1]
		if indirect(square) || indirect(word) || (isNull(word) && d.misput(square.Value, ": ", square.Line)) {
			continue // told already
		}
		if effect, swapped := effectOf(square.Value); swapped {
			d.add(Fault{Kind: NotSpecial, Line: square.Line, Text: found(square.Value),
				Suggestion: fmt.Sprintf("each square before its effect, such as 12: %s", effect)})
			continue
		}
		d.special(describe(square), describe(word), square.Line)
	}
}

// square reads a square. It is false, and a fault, if there is none.
func (d *draft) square(n *yaml.Node, line int) (int, bool) {
	if n.Kind == yaml.ScalarNode {
		if square, ok := number(n.Value); ok {
			return square, true
		}
	}
	d.notSquare(describe(n), line)
	return 0, false
}

// runTogether finds the commonest slip in a map on one line, {4:14}, which
// YAML reads as one word without a value.
func (d *draft) runTogether(key *yaml.Node) bool {
	from, to, ok := strings.Cut(key.Value, ":")
	if !ok {
		from, to, ok = cutJump(key.Value)
	}
	_, okFrom := number(from)
	_, okTo := number(to)
	if !ok || !okFrom || !okTo {
		return false
	}
	d.add(Fault{Kind: NotJump, Line: key.Line, Text: found(key.Value), Suggestion: from + ": " + to})
	return true
}

// isNull reports whether nothing stands where a value could.
func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// describe says what stands somewhere: a scalar itself, or what else it is.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Value == "" {
			return "nothing"
		}
		return n.Value
	case yaml.SequenceNode:
		return "a list"
	default:
		return "a map"
	}
}

// syntaxFault tells why and where a file can't be read. The library tells both
// only by the text of its error, so the worst that a change of its words can do
// is to spoil what is shown here.
func syntaxFault(text []byte, err error) Fault {
	line := syntaxLine(text, err)
	if line == 0 {
		return Fault{Kind: Anchor, Line: lineAt(text, bytes.IndexByte(text, '*'))}
	}
	var bad *json.SyntaxError
	if looksLikeJSON(text) && errors.As(json.Unmarshal(text, new(any)), &bad) {
		line = lineAt(text, int(bad.Offset)-1)
	}
	reason := strings.TrimPrefix(err.Error(), "yaml: ")
	if _, after, ok := strings.Cut(reason, ": "); ok && strings.HasPrefix(reason, "line ") {
		reason = after
	}
	line = min(line, lineAt(text, len(bytes.TrimRight(text, "\r\n"))))
	return Fault{Kind: Syntax, Line: line, Text: excerpt(reason, MaxTitle)}
}

// syntaxLine returns where YAML's reader stumbled over a file, or 0 for the one
// fault that has no place, an alias without an anchor.
//
// The library counts lines from 1 when it can't make out a word, from 0 when a
// word is in the wrong place, and says nothing of line 1. What it says nothing
// of is therefore read once more, one line further down.
func syntaxLine(text []byte, err error) int {
	if line := statedLine(err); line > 0 {
		if strings.Contains(err.Error(), "did not find expected") {
			line++
		}
		return line
	}
	decoder := yaml.NewDecoder(io.MultiReader(strings.NewReader("\n"), bytes.NewReader(text)))
	for {
		var ignored yaml.Node
		if err := decoder.Decode(&ignored); err == nil {
			continue // it's in a later document
		} else if statedLine(err) == 0 {
			return 0
		}
		return 1
	}
}

// statedLine returns the line that the library's error begins with, or 0.
func statedLine(err error) int {
	line := 0
	if _, scanErr := fmt.Sscanf(err.Error(), "yaml: line %d:", &line); scanErr != nil {
		return 0
	}
	return line
}
