package talk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"hiss/adapters/talk"
	"hiss/bot"
)

// table is a handler that writes down what it was asked and answers with what
// reply returns.
type table struct {
	asked []bot.Request
	reply func(bot.Request) bot.Answer
}

func (h *table) Commands() []bot.Command                { return nil }
func (h *table) About() (short, long string)            { return "", "" }
func (h *table) Back(context.Context, bot.ChatID) error { return nil }

func (h *table) Left(context.Context, bot.ChatID, bot.User) error { return nil }
func (h *table) Started(context.Context, bot.Adapter)             {}

func (h *table) Move(context.Context, bot.ChatID, bot.ChatID) error { return nil }

func (h *table) Handle(_ context.Context, r bot.Request) bot.Answer {
	h.asked = append(h.asked, r)
	if h.reply == nil {
		return bot.Answer{}
	}
	return h.reply(r)
}

// last returns what was asked last.
func (h *table) last(t *testing.T) bot.Request {
	t.Helper()
	if len(h.asked) == 0 {
		t.Fatal("nothing was asked")
	}
	return h.asked[len(h.asked)-1]
}

// room is a session over a table, and what was delivered in it.
type room struct {
	*talk.Session
	table     table
	delivered []string
	broken    error
}

func newRoom(c talk.Config) *room {
	r := &room{}
	c.Adapter, c.Stamp, c.Handler = "console", "t", &r.table
	c.Deliver = func(d talk.Delivery) error {
		if r.broken != nil {
			return r.broken
		}
		r.delivered = append(r.delivered, talk.Printer{}.Print(d))
		return nil
	}
	r.Session = talk.NewSession(c)
	return r
}

func (r *room) line(t *testing.T, line string) error {
	t.Helper()
	l, err := talk.Parse(line)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	l.Number = 7
	return r.Say(t.Context(), l)
}

// lines says lines that must be obeyed.
func (r *room) lines(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if err := r.line(t, line); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
}

// fault says a line that must not be obeyed.
func (r *room) fault(t *testing.T, line, why string) {
	t.Helper()
	before := len(r.table.asked)
	err := r.line(t, line)
	fault, ok := errors.AsType[*talk.Fault](err)
	if !ok || fault.Line != 7 || !strings.Contains(err.Error(), why) {
		t.Errorf("%q: %v, want a fault of line 7 with %q", line, err, why)
	}
	if len(r.table.asked) != before {
		t.Errorf("%q was handed over", line)
	}
}

func buttons(labels ...string) [][]bot.Button {
	var row []bot.Button
	for _, l := range labels {
		row = append(row, bot.Button{Label: l, Line: "press " + strings.ToLower(l)})
	}
	return [][]bot.Button{row}
}

func (r *room) post(t *testing.T, channel string, m bot.Message) {
	t.Helper()
	if err := r.Send(t.Context(), talk.ChannelOf("console", channel), bot.Answer{Channel: []bot.Message{m}}); err != nil {
		t.Fatal(err)
	}
}

func TestCommandBecomesRequest(t *testing.T) {
	r := newRoom(talk.Config{})
	r.lines(t, "#club/garden Anna Maria: /UnSeat@Hiss  @Bo now")
	q := r.table.last(t)
	if q.ID != "console:t-1" || q.Channel != (bot.Channel{Chat: "console:club", Place: "garden"}) ||
		q.User != (bot.User{ID: "console:Anna Maria", Name: "Anna Maria"}) || q.Command != "unseat" || !slices.Equal(q.Args, []string{"@Bo", "now"}) {
		t.Errorf("got %+v", q)
	}
	if !q.Named || q.Pressed || q.Alone || q.Completing != "" || q.Attachment != nil || q.Locale != "" {
		t.Errorf("got %+v", q)
	}
	if !slices.Equal(q.Mentions, []bot.User{{ID: "console:Bo", Name: "Bo"}}) {
		t.Errorf("mentions are %v", q.Mentions)
	}
	r.lines(t, "Anna Maria: /roll")
	if p := r.table.last(t); p.User != q.User || p.ID != "console:t-2" || p.Channel != (bot.Channel{Chat: "console:terminal"}) {
		t.Errorf("got %+v", p)
	}
	text := strings.Repeat("é", 10_000)
	r.lines(t, "Bo: /boards "+text)
	if p := r.table.last(t); len(p.Args) != 1 || p.Args[0] != text {
		t.Errorf("got %d arguments", len(p.Args))
	}
}

func TestMentionsTakeTheLongestNameThatHasSpoken(t *testing.T) {
	r := newRoom(talk.Config{})
	r.lines(t, "Anna M: hi", "Anna: hi", "Anna Maria: hi", "Anna Maria von: hi", "Bo: /x a@b @Anna Maria @Anna Mar @Anna @ @Zoë")
	var got []string
	for _, u := range r.table.last(t).Mentions {
		got = append(got, u.Name)
	}
	same(t, got, "Anna Maria", "Anna", "Anna", "Zoë")
	r.lines(t, "Bo: /x"+strings.Repeat(" @Anna Maria von", 20))
	for _, u := range r.table.last(t).Mentions {
		if u.Name != "Anna Maria von" {
			t.Errorf("%s is mentioned", u.Name)
		}
	}
}

func TestLastSpeaker(t *testing.T) {
	r := newRoom(talk.Config{})
	r.fault(t, "/join", "needs a name")
	r.lines(t, "asha: hello", "/join")
	if got := r.table.last(t).User.Name; got != "asha" {
		t.Errorf("%s said it", got)
	}
	r.lines(t, "#garden bo:", "[nothing", "/join")
	if q := r.table.last(t); q.User.Name != "bo" || q.Channel.Chat != "console:terminal" {
		t.Errorf("got %+v", q)
	}
	if r.Speaker() != "bo" || !slices.Equal(r.Names(), []string{"asha", "bo"}) {
		t.Errorf("%s speaks, of %v", r.Speaker(), r.Names())
	}
	r = newRoom(talk.Config{Speaker: "login"})
	r.lines(t, "/join")
	if got := r.table.last(t).User.Name; got != "login" {
		t.Errorf("%s said it", got)
	}
}

func TestTalkIsIgnored(t *testing.T) {
	r := newRoom(talk.Config{})
	r.lines(t, "asha: hello", "asha:", "asha: /", "asha: / roll", "asha: []", "asha: [Roll] please", "asha: roll", "", "# x", "bot: x")
	if len(r.table.asked) != 0 {
		t.Errorf("%+v was asked", r.table.asked)
	}
}

func TestAloneWhileOnePersonHasSpoken(t *testing.T) {
	for _, private := range []bool{true, false} {
		r := newRoom(talk.Config{Speaker: "me", Private: private})
		r.lines(t, "/newgame", "me: /newgame", "bo: hello", "me: /newgame")
		var alone []bool
		for _, q := range r.table.asked {
			alone = append(alone, q.Alone)
		}
		if !slices.Equal(alone, []bool{private, private, false}) {
			t.Errorf("private %v: alone %v", private, alone)
		}
	}
}

func TestPressMatchesWords(t *testing.T) {
	r := newRoom(talk.Config{})
	r.post(t, "", bot.Message{Page: "1", Buttons: buttons("Roll", "Join")})
	r.post(t, "", bot.Message{Page: "1", Buttons: buttons("Roll to start", "roll", "Rolling on")})
	r.post(t, "order", bot.Message{Buttons: buttons("Go on", "Go", "Go home")})
	r.post(t, "garden", bot.Message{Buttons: buttons("Roll away", "Ja!\x1b", "👍")})
	for line, want := range map[string]string{
		"a: [Roll to start]":  "roll to start",
		"a: [Roll]":           "roll", // the same words, though not exactly
		"a: [to START]":       "roll to start",
		"a: [🎲 roll]":         "roll",
		"a: [Rolling]":        "rolling on",
		"a: [Roll]~1":         "roll",
		"a: [Join]":           "join", // an old one, replaced by its page, still works
		"#order a: [Go]":      "go",
		"#order a: [go]":      "go",
		"#garden a: [Roll]":   "roll away",
		"#garden a: [ja]":     "ja!\x1b",
		"#garden a: [👍]":      "👍",
		"#garden a: [Roll]~0": "roll away",
	} {
		r.lines(t, line)
		q := r.table.last(t)
		if q.Command != "press" || strings.Join(q.Args, " ") != want || !q.Pressed || q.ID == "" {
			t.Errorf("%s pressed %q", line, q.Args)
		}
	}
	r.fault(t, "a: [oll]", "no button [oll]")
	r.fault(t, "a: [start roll]", "no button")
	r.fault(t, "a: [Join]~1", "no button")
	r.fault(t, "a: [👎]", "no button")
	r.fault(t, "#empty a: [Roll]", "no button")
}

func TestPrivateButtonsAreTheirs(t *testing.T) {
	r := newRoom(talk.Config{})
	r.table.reply = func(q bot.Request) bot.Answer {
		if q.Command != "privacy" {
			return bot.Answer{}
		}
		return bot.Answer{Asker: &bot.Message{Said: bot.Said("yours"), Buttons: buttons("Forget me")}}
	}
	r.lines(t, "asha: /privacy", "asha: [Forget me]")
	if q := r.table.last(t); !q.Pressed || q.User.Name != "asha" {
		t.Errorf("got %+v", q)
	}
	r.fault(t, "bo: [Forget me]", "no button")
	same(t, r.Labels("", "asha"), "Forget me")
	same(t, r.Labels("", "bo"))
}

func TestButtonsAreForgottenInTheEnd(t *testing.T) {
	r := newRoom(talk.Config{})
	r.post(t, "other", bot.Message{Buttons: buttons("Old")})
	r.post(t, "", bot.Message{Buttons: buttons("Old")})
	for range 99 {
		r.post(t, "", bot.Message{Buttons: buttons("New")})
	}
	r.lines(t, "a: [Old]", "a: [New]~98")
	r.post(t, "", bot.Message{Buttons: buttons("New")})
	r.fault(t, "a: [Old]", "no button")
	r.lines(t, "#other a: [Old]", "a: [New]~99")
}

func TestEnterPressesTheFirstLiveButton(t *testing.T) {
	bo, hiss := talk.UserOf("console", "bo"), bot.User{ID: "console:0", Name: "Hiss", Automaton: true}
	r := newRoom(talk.Config{Speaker: "me"})
	press := func(want string) {
		t.Helper()
		if err := r.Enter(t.Context(), talk.Line{Number: 3}); err != nil {
			t.Errorf("Enter: %v, want %s", err, want)
			return
		}
		if q := r.table.last(t); q.User.Name+" "+q.Args[0] != want || !q.Pressed {
			t.Errorf("Enter pressed as %s: %q, want %s", q.User.Name, q.Args, want)
		}
	}
	none := func() {
		t.Helper()
		if fault, ok := errors.AsType[*talk.Fault](r.Enter(t.Context(), talk.Line{Number: 3})); !ok || fault.Line != 3 {
			t.Error("there was something to press")
		}
	}
	none()
	r.post(t, "", bot.Message{Page: "a", Buttons: buttons("Join", "Roll")})
	press("me join")
	r.post(t, "garden", bot.Message{Page: "b", Buttons: buttons("Elsewhere")})
	press("me join")
	r.post(t, "", bot.Message{Page: "a", Buttons: buttons("Roll"), Next: &bo})
	press("bo roll")
	r.post(t, "", bot.Message{Page: "a", Buttons: buttons("Go"), Next: &hiss})
	press("me go")
	r.post(t, "", bot.Message{Said: bot.Said("no page, no buttons")})
	press("me go")
	r.post(t, "", bot.Message{Page: "a", Said: bot.Said("over")})
	none()
	if r.Speaker() != "me" {
		t.Errorf("%s speaks now", r.Speaker())
	}
}

// TestEnterPressesWhatLeadsOn: a primary button goes before those beside it.
func TestEnterPressesWhatLeadsOn(t *testing.T) {
	r := newRoom(talk.Config{Speaker: "asha"})
	r.table.reply = func(bot.Request) bot.Answer {
		return bot.Answer{Channel: []bot.Message{{Said: bot.Said("open"), Buttons: [][]bot.Button{{
			{Label: "Join", Line: "join 1"}, {Label: "Roll", Line: "roll 1 0", Style: bot.Primary},
		}}}}}
	}
	r.lines(t, "asha: /newgame")
	if err := r.Enter(t.Context(), talk.Line{}); err != nil {
		t.Fatal(err)
	}
	if got := r.table.last(t); got.Command != "roll" || !got.Pressed {
		t.Errorf("%+v", got)
	}
}

func TestAgainIsTheSameDelivery(t *testing.T) {
	r := newRoom(talk.Config{})
	r.fault(t, "!again", "nothing was delivered")
	r.table.reply = func(bot.Request) bot.Answer { return bot.Answer{Channel: []bot.Message{{Said: bot.Said("done")}}} }
	r.lines(t, "#garden asha: /roll 1", "bo: hello", "!again", "!again", "asha: /x")
	var got []string
	for _, q := range r.table.asked {
		got = append(got, fmt.Sprint(q.ID, " ", q.Channel, " ", q.User.Name, " ", q.Command, q.Args))
	}
	one := "console:t-1 console:garden asha roll[1]"
	same(t, got, one, one, one, "console:t-2 console:terminal asha x[]")
	same(t, r.delivered[:3], "#garden bot: done\n", "#garden bot: done\n", "#garden bot: done\n")
}

func TestAdmin(t *testing.T) {
	r := newRoom(talk.Config{})
	r.lines(t, "bot: x", `!admin Anna Maria`, `!admin "bot"`, "Anna Maria: /x", `"bot": /x`, "bo: /x")
	for i, want := range []bool{true, true, false} {
		if got, err := r.table.asked[i].Admin(t.Context(), false); got != want || err != nil {
			t.Errorf("%s: %v, %v", r.table.asked[i].User.Name, got, err)
		}
	}
	for _, line := range []string{"!admin", "!admin bot", "!admin #x", `!admin "x`, "!admin a: b", "!admin /x"} {
		r.fault(t, line, "!admin takes a name")
	}
}

func TestFileGoesWithTheNextRequest(t *testing.T) {
	r := newRoom(talk.Config{Open: func(name string) (io.ReadCloser, error) {
		if name != "boards/my jungle.yaml" {
			return nil, errors.New("no such file")
		}
		return io.NopCloser(strings.NewReader("size: 9")), nil
	}})
	r.fault(t, "!file", "takes the name")
	r.fault(t, "!file nowhere.yaml", "no such file")
	r.lines(t, "!file boards/my jungle.yaml", "asha: here it is", "asha: /boards upload", "asha: /boards list")
	a := r.table.asked[0].Attachment
	if a == nil || a.Name != "my jungle.yaml" || r.table.asked[1].Attachment != nil {
		t.Fatalf("attached %+v, then %+v", a, r.table.asked[1].Attachment)
	}
	if data, err := a.Read(t.Context(), 7); string(data) != "size: 9" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
	if _, err := a.Read(t.Context(), 6); !isTooLarge(err, 6) {
		t.Errorf("a file over the limit: %v", err)
	}
	newRoom(talk.Config{}).fault(t, "!file x", "!file")
}

func isTooLarge(err error, limit int) bool {
	large, ok := errors.AsType[*bot.TooLarge](err)
	return ok && large.Limit == limit
}

// asking is a handler's reply that asks for a board until it gets one.
func asking(q bot.Request) bot.Answer {
	switch {
	case q.Command != "boards" || q.Pressed:
		return bot.Answer{Channel: []bot.Message{{Said: bot.Said("no " + q.Command)}}}
	case q.Attachment == nil:
		return bot.Answer{Asker: &bot.Message{Said: bot.Said("which?"), Asks: &bot.Question{Line: "boards upload"}}}
	}
	data, err := q.Attachment.Read(context.Background(), 20)
	return bot.Answer{Channel: []bot.Message{{Said: bot.Said(fmt.Sprintf("%q %q %v", q.Attachment.Name, data, err))}}}
}

func TestQuestionsAreAnsweredByWhatIsSaidNext(t *testing.T) {
	r := newRoom(talk.Config{Open: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("size: 9")), nil }})
	r.table.reply = asking
	r.post(t, "", bot.Message{Buttons: buttons("Roll")})
	r.delivered = nil
	r.lines(t,
		"asha: 4-14 9-31", "asha: /boards upload", "bo: 1-2", "#garden asha: 1-2", "asha:", "asha: /", "asha: 4-14 9-31", "asha: 4-14 9-31",
		"#garden bo: /boards upload", "!file boards/tiny.yaml", "asha: here it is", "#garden bo: here it is", "#garden bo: again",
		"asha: /boards upload", "!file x.csv", "asha:",
		"asha: /boards upload", "asha: /cancel", "asha: 4-14",
		"asha: /boards upload", "asha: [Roll]", "asha: 4-14",
	)
	asked := func(channel, name string) string {
		return channel + "bot (only " + name + "): which?\n" +
			channel + "     (here the answer is what you say next; !file and a name before it sends a file)\n"
	}
	same(t, r.delivered, asked("", "asha"), `bot: "" "4-14 9-31" <nil>`+"\n",
		asked("#garden ", "bo"), `#garden bot: "tiny.yaml" "size: 9" <nil>`+"\n",
		asked("", "asha"), `bot: "x.csv" "size: 9" <nil>`+"\n",
		asked("", "asha"), "bot: no cancel\n", asked("", "asha"), "bot: no press\n")
	r.table.asked = nil
	r.lines(t, "asha: /boards upload", "asha: "+strings.Repeat("1-2 ", 30))
	q := r.table.last(t)
	if q.Command != "boards" || !slices.Equal(q.Args, []string{"upload"}) || q.Pressed || !q.Named || q.User.Name != "asha" || q.ID == r.table.asked[0].ID {
		t.Errorf("answered with %+v", q)
	}
	if _, err := q.Attachment.Read(t.Context(), 20); err == nil {
		t.Error("a long text was read")
	}
}

func TestWhoeverIsAloneIsAnAdmin(t *testing.T) {
	r := newRoom(talk.Config{Private: true})
	r.lines(t, "me: /x", "bo: hello", "me: /x", "!admin bo", "bo: /x")
	for i, want := range []bool{true, false, true} {
		if got, err := r.table.asked[i].Admin(t.Context(), false); got != want || err != nil {
			t.Errorf("request %d: %v, %v", i, got, err)
		}
	}
}

// stage obeys !wait and nothing else.
type stage struct{ direct func(args []string) error }

func (s stage) Direct(_ context.Context, word string, args []string) error {
	if word != "wait" {
		return errors.New("no such directive")
	}
	return s.direct(args)
}

func TestStageObeysAndDelivers(t *testing.T) {
	var r *room
	r = newRoom(talk.Config{Stage: stage{func(args []string) error {
		return r.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{Said: bot.Said("waited " + strings.Join(args, "+"))}}})
	}}})
	r.lines(t, "!wait  10m  20s")
	same(t, r.delivered, "bot: waited 10m+20s\n")
	r.fault(t, "!fly", "no such directive")
	newRoom(talk.Config{}).fault(t, "!wait 1m", "no directive !wait")
}

func TestToldOnceAllIsDelivered(t *testing.T) {
	r := newRoom(talk.Config{})
	told := ""
	r.table.reply = func(q bot.Request) bot.Answer {
		return bot.Answer{
			Asker:   &bot.Message{Said: bot.Said("psst")},
			Channel: []bot.Message{{Said: bot.Said("one")}, {Said: bot.Said("two")}},
			Told:    func() { told += fmt.Sprint(len(r.delivered)) },
		}
	}
	r.lines(t, "asha: /x")
	same(t, r.delivered, "bot (only asha): psst\n", "bot: one\n", "bot: two\n")
	r.broken = errors.New("gone")
	if err := r.line(t, "asha: /x"); !errors.Is(err, r.broken) {
		t.Errorf("got %v", err)
	}
	if told != "3" {
		t.Errorf("told at %s deliveries, want once at 3", told)
	}
	if err := r.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{}}}); !errors.Is(err, r.broken) {
		t.Errorf("Send: %v", err)
	}
}

func TestSendKnowsItsChannelsAndItsTime(t *testing.T) {
	r := newRoom(talk.Config{})
	if err := r.Send(t.Context(), bot.Channel{Chat: "discord:1"}, bot.Answer{Channel: []bot.Message{{}}}); err == nil {
		t.Error("a channel of another platform was taken")
	}
	var inner error
	var s *talk.Session
	s = talk.NewSession(talk.Config{Adapter: "console", Handler: &r.table, Deliver: func(talk.Delivery) error {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		inner = s.Send(ctx, talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{}}})
		return nil
	}})
	if err := s.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{}}}); err != nil || !errors.Is(inner, context.Canceled) {
		t.Errorf("sent with %v; meanwhile %v", err, inner)
	}
}
