package fake_test

import (
	"context"
	"errors"
	"testing"

	"hiss/adapters/fake"
	"hiss/adapters/talk"
	"hiss/bot"
)

// clock is a stage on which the clock ticks: it reminds Bilal, throws for him, and
// takes him out once he has left; while nobody is reached it stands still.
type clock struct {
	platform *fake.Platform
	ticks    int
}

func (c *clock) Direct(ctx context.Context, word string, _ []string) error {
	here, bilal := talk.ChannelOf(c.platform.Name(), ""), talk.UserOf(c.platform.Name(), "bilal")
	if word != "tick" {
		return errors.New("no such directive")
	}
	if !c.platform.Reachable() {
		return nil
	}
	in, err := c.platform.Member(ctx, here.Chat, bilal.ID)
	if err != nil {
		return err
	}
	m := bot.Message{
		Page: "7", Call: &bilal, Sound: true, Next: &bilal, Buttons: [][]bot.Button{{{Label: "Roll", Line: "pour", Style: bot.Primary}}},
		Now: bot.Text{
			{Kind: bot.Sign, Text: "⏳ "}, {Kind: bot.Mention, Text: "bilal", User: bilal.ID}, {Text: ", your go in "},
			{Kind: bot.Where, Text: "#garden", Place: "garden"}, {Text: ". Hiss throws for you "}, {Kind: bot.Moment, Text: "in 30 s"}, {Text: "."},
		},
	}
	switch c.ticks++; {
	case !in:
		m = bot.Message{Said: bot.Said("bilal leaves.")}
	case c.ticks%2 == 0:
		m.Call, m.Sound, m.Said, m.Now = nil, false, bot.Said("bilal rolls 2: 0 → 2 · away"), bot.Said("asha is next")
	}
	return c.platform.Send(ctx, here, bot.Answer{Channel: []bot.Message{m}})
}

// TestClock plays a conversation with what the clock says in it.
func TestClock(t *testing.T) {
	k := newKettle(fake.Config{})
	k.platform.Serve(k, &clock{platform: k.platform})
	k.platform.Check(t, "testdata/clock.txt", *update)
}
