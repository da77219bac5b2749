package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// listedFaults is how many mistakes of a board file are told.
const listedFaults = 10

// uploadBoard takes a board that somebody made: a file, lines of text, or the
// words behind the command. Where none came along it asks for it.
func (c *call) uploadBoard(args []string) (bot.Answer, error) {
	if err := c.byAdmin(); err != nil {
		return bot.Answer{}, err
	}
	replace := false
	if len(args) > 0 && strings.EqualFold(args[0], "replace") {
		replace, args = true, args[1:]
	}
	sent := c.Attachment
	if sent == nil && len(args) > 0 {
		typed := strings.Join(args, " ")
		sent = &bot.Attachment{Read: func(context.Context, int) ([]byte, error) { return []byte(typed), nil }}
	}
	if sent == nil {
		c.waitForBoard(true)
		answer := private(c.words.Text(words.UpAsk))
		line := "boards upload"
		if replace {
			line += " replace"
		}
		answer.Asker.Asks = &bot.Question{Line: line, Title: c.words.Words(words.UpTitle), Hint: c.words.Words(words.UpHint)}
		return answer, nil
	}
	c.waitForBoard(false)
	what := shorten(sent.Name)
	if what == "" {
		what = c.words.Words(words.ThatBoard)
	}
	return c.errand(what, func(c *call) bot.Answer {
		return c.outcome(c.received(sent, replace))
	})
}

// waitForBoard notes whether the asker was asked for a board and hasn't sent it.
func (c *call) waitForBoard(yes bool) {
	t := c.at(c.Channel)
	t.mu.Lock()
	defer t.mu.Unlock()
	c.enter(t)
	if yes {
		t.asked[c.User.ID] = c.now
	} else {
		delete(t.asked, c.User.ID)
	}
}

// received reads a board that was sent, keeps it as a draft, and shows its card
// for the chat's admins to decide.
func (c *call) received(sent *bot.Attachment, replace bool) (bot.Answer, error) {
	data, err := sent.Read(c.ctx, boards.MaxBytes)
	var large *bot.TooLarge
	switch {
	case errors.As(err, &large):
		return bot.Answer{}, no(words.UpLarge, words.N("n", boards.MaxBytes>>10))
	case err != nil:
		c.Log.Warn("fetching a board", "request", c.ID, "channel", c.Channel, "error", err)
		return bot.Answer{}, no(words.UpUnread)
	}
	b, err := readBoard(sent.Name, data)
	var faults *boards.Faults
	if errors.As(err, &faults) {
		return c.faulty(sent.Name, faults), nil
	}
	if _, ships := boards.Find(b.Name); ships {
		return bot.Answer{}, no(words.UpShipped, words.S("board", b.Name))
	}
	plain, _ := rules.Set("plain")
	card, err := c.card(b, plain)
	if err != nil {
		return bot.Answer{}, err
	}
	d := Draft{Name: b.Name, Hash: b.Hash(), File: b.File(), By: c.User.ID, Sent: c.Now(), Replace: replace}
	if err := c.Store.PutDraft(c.ctx, c.Channel.Chat, &d); err != nil {
		return bot.Answer{}, fmt.Errorf("keeping a draft of %s: %w", c.Channel, err)
	}
	l, err := c.library()
	if err != nil {
		return bot.Answer{}, err
	}
	return c.proposed(b, d, card, l), nil
}

// readBoard reads what somebody sent. A line of text is one of a chat.
func readBoard(name string, data []byte) (boards.Board, error) {
	if text := strings.TrimSpace(string(data)); name == "" && !strings.ContainsAny(text, "\n\r:{") {
		return boards.ParseLine(text)
	}
	return boards.Parse(name, data)
}

// proposed returns the card of a draft, with what an admin can decide.
func (c *call) proposed(b boards.Board, d Draft, card boardCard, l library) bot.Answer {
	approve, takes := c.button(words.ButtonApprove, "boards approve %d", d.ID), bot.Text(nil)
	approve.Style = bot.Primary
	switch taken := containsFold(l.own, d.Name); {
	case taken && d.Replace:
		takes = c.words.Text(words.CardReplace, words.S("board", d.Name))
	case taken:
		takes = c.words.Text(words.UpTaken, words.S("board", d.Name))
		approve = c.button(words.ButtonReplace, "boards replace %d", d.ID)
		approve.Style = bot.Danger
	}
	c.bottom()
	m := bot.Message{
		Page:    draftPage(d.ID),
		Apart:   true,
		Now:     takes,
		Buttons: [][]bot.Button{{approve, c.button(words.ButtonDiscard, "boards discard %d", d.ID)}},
	}
	c.carded(&m, b, card)
	return bot.Answer{Channel: []bot.Message{m}}
}

// draftPage names the message with a draft's card.
func draftPage(id int64) string { return fmt.Sprintf("board.%d", id) }

func containsFold(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// faulty tells what is wrong with a file, and to send it again.
func (c *call) faulty(file string, f *boards.Faults) bot.Answer {
	head := c.words.Text(words.UpFaultsOf, words.N("n", f.Total()))
	if file = shorten(file); file != "" {
		head = c.words.Text(words.UpFaults, words.S("file", file), words.N("n", f.Total()))
	}
	lines := []bot.Text{head}
	for i, fault := range f.List {
		if i == listedFaults {
			break
		}
		lines = append(lines, c.words.Text(words.UpFault, words.S("fault", fault.Error())))
	}
	if more := f.Total() - listedFaults; more > 0 {
		lines = append(lines, c.words.Text(words.UpMore, words.N("n", more)))
	}
	answer := private(bot.Lines(append(lines, c.words.Text(words.UpMend))...))
	answer.Asker.Buttons = [][]bot.Button{{c.button(words.ButtonAddBoard, "boards upload")}}
	return answer
}

func (c *call) approveBoard(args []string) (bot.Answer, error) {
	return c.decide(args, Decision{Verdict: Approved})
}

func (c *call) replaceBoard(args []string) (bot.Answer, error) {
	return c.decide(args, Decision{Verdict: Approved, Replace: true})
}

func (c *call) discardBoard(args []string) (bot.Answer, error) {
	return c.decide(args, Decision{Verdict: Discarded})
}

// decide lets an admin decide about a draft.
func (c *call) decide(args []string, d Decision) (bot.Answer, error) {
	if err := c.byAdmin(); err != nil {
		return bot.Answer{}, err
	}
	id := int64(0)
	if len(args) > 0 {
		id, _ = strconv.ParseInt(args[0], 10, 64)
	}
	draft, err := c.Store.Draft(c.ctx, c.Channel.Chat, id)
	if errors.Is(err, ErrNotFound) {
		return bot.Answer{}, no(words.CardGone)
	}
	if err != nil {
		return bot.Answer{}, fmt.Errorf("looking up a draft: %w", err)
	}
	d.Judge, d.Now, d.Most = c.words.Name(c.User.Name).String(), c.now, maxBoards
	decided, err := c.Store.Decide(c.ctx, c.Channel.Chat, id, d)
	switch {
	case errors.Is(err, ErrDecided) && decided.Verdict == Approved:
		return bot.Answer{}, no(words.CardJudged, words.S("name", decided.Judge))
	case errors.Is(err, ErrDecided):
		return bot.Answer{}, no(words.CardThrown, words.S("name", decided.Judge))
	case errors.Is(err, ErrTaken):
		answer := private(c.words.Text(words.UpTaken, words.S("board", draft.Name)))
		answer.Asker.Buttons = [][]bot.Button{{c.button(words.ButtonReplace, "boards replace %d", id)}}
		return answer, nil
	case errors.Is(err, ErrFull):
		return bot.Answer{}, no(words.UpFull, words.N("n", maxBoards))
	case err != nil:
		return bot.Answer{}, fmt.Errorf("deciding about a draft: %w", err)
	}
	c.bottom()
	return c.decided(draft, d.Verdict), nil
}

// decided tells what became of a draft. Its card keeps the first line.
func (c *call) decided(d Draft, v Verdict) bot.Answer {
	m, title := bot.Message{Page: draftPage(d.ID), Apart: true}, d.Name
	if b, err := boards.Parse("board.yaml", []byte(d.File)); err == nil {
		m.Before, title = cardHead(c.words, b), words.Title(b.Shown())
		if c.bare(&m, b); m.Picture != nil {
			m.Picture.Instead = nil // it stood there before
		}
		m.Said, m.Now = nil, nil
	}
	m.Said = c.words.Text(words.CardOut, words.S("board", title))
	if v == Approved {
		m.Said = c.words.Text(words.CardKept, words.S("board", title), words.S("name", d.Name))
	}
	return bot.Answer{Channel: []bot.Message{m}}
}
