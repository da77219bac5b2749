package telegram_test

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The most code points of texts, captions and toasts.
const (
	maxText, maxCaption, maxToast = 4096, 1024, 200
	maxEntities                   = 100
)

// entity dresses a part of a text, counted in UTF-16 units.
type entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	User     *user  `json:"user,omitempty"`
	Language string `json:"language,omitempty"`
}

func (e entity) end() int { return e.Offset + e.Length }

// units returns how many UTF-16 units a text has.
func units(s string) int { return len(utf16.Encode([]rune(s))) }

// covered returns what an entity stands on.
func covered(text string, e entity) string {
	all := utf16.Encode([]rune(text))
	if e.Offset < 0 || e.Length < 0 || e.end() > len(all) {
		return ""
	}
	return string(utf16.Decode(all[e.Offset:e.end()]))
}

// written is a text with its entities.
type written struct {
	text     string
	entities []entity
}

// text takes the text and entities of a request, or of a media object in it,
// as the server keeps them. What a careful bot never sends is a fault.
func (a *botAPI) text(r *request, text string, entities any, limit int) (written, *apiError) {
	if r.str("parse_mode") != "" {
		a.faultf("%s: there is a parse_mode, which reads names as markup", r.method)
	}
	if !utf8.ValidString(text) {
		return written{}, a.refuse(r, bad("strings must be encoded in UTF-8"), "the text isn't UTF-8: %q", text)
	}
	var all []entity
	if data, err := json.Marshal(entities); err == nil {
		_ = json.Unmarshal(data, &all)
	}
	if len(all) > maxEntities {
		a.faultf("%s: %d entities, of which %d are kept", r.method, len(all), maxEntities)
		all = all[:maxEntities]
	}
	w := written{text, slices.Clone(all)}
	if problem := w.place(); problem != "" {
		return w, a.refuse(r, bad("%s", problem), "%s in %q", problem, text)
	}
	w.trim()
	for _, problem := range a.dress(&w) {
		a.faultf("%s: %s in %q", r.method, problem, w.text)
	}
	if n := utf8.RuneCountInString(w.text); n > limit {
		what := "message"
		if limit == maxCaption {
			what = "message caption"
		}
		return w, a.refuse(r, bad("%s is too long", what), "%d characters, and %d are allowed", n, limit)
	}
	return w, nil
}

// dropped tells whether the server leaves a character out.
func dropped(r rune) bool {
	return r == '\r' || r >= 0x2028 && r <= 0x202e || r == 0x333 || r == 0x33f || r == 0x30a
}

// place drops what the server drops from a text and moves the entities along.
// It returns what is wrong with where they are.
func (w *written) place() string {
	var kept strings.Builder
	var at []int // where each unit of the old text is in the new one; -1 inside a character
	now := 0
	for _, r := range w.text {
		at = append(at, now)
		if utf16.RuneLen(r) == 2 {
			at = append(at, -1)
		}
		switch {
		case dropped(r):
		case r < ' ' && r != '\n':
			kept.WriteByte(' ')
			now++
		default:
			kept.WriteRune(r)
			now += utf16.RuneLen(r)
		}
	}
	at = append(at, now)
	for i, e := range w.entities {
		switch {
		case e.Offset < 0 || e.Length <= 0:
			return "receive an entity with incorrect offset or length"
		case e.Offset >= len(at)-1:
			return "entity begins after the end of the text"
		case e.end() > len(at)-1:
			return "entity ends after the end of the text"
		case at[e.Offset] < 0:
			return "entity begins in a middle of a UTF-16 symbol"
		case at[e.end()] < 0:
			return "entity ends in a middle of a UTF-16 symbol"
		}
		w.entities[i].Offset, w.entities[i].Length = at[e.Offset], at[e.end()]-at[e.Offset]
	}
	w.text = kept.String()
	slices.SortStableFunc(w.entities, func(a, b entity) int {
		return cmp.Or(a.Offset-b.Offset, b.Length-a.Length)
	})
	return ""
}

// trim takes white space from the ends, at the front only what no entity
// dresses.
func (w *written) trim() {
	front := units(w.text) - units(strings.TrimLeft(w.text, " \n\t"))
	if len(w.entities) > 0 {
		front = min(front, w.entities[0].Offset)
	}
	w.text = strings.TrimRight(string(utf16.Decode(utf16.Encode([]rune(w.text))[front:])), " \n\t\u00a0")
	end := units(w.text)
	for i := range w.entities {
		e := &w.entities[i]
		e.Offset -= front
		e.Length = min(e.Length, end-e.Offset)
	}
	w.entities = slices.DeleteFunc(w.entities, func(e entity) bool { return e.Length <= 0 })
}

// dress finds what is wrong with how entities meet and what they are, and adds
// those that the server finds by itself.
func (a *botAPI) dress(w *written) (problems []string) {
	var open []entity
	for _, e := range w.entities {
		for len(open) > 0 && open[len(open)-1].end() <= e.Offset {
			open = open[:len(open)-1]
		}
		switch {
		case len(open) == 0:
		case e.end() > open[len(open)-1].end():
			problems = append(problems, e.Type+" and "+open[len(open)-1].Type+" overlap")
		case isCode(open[len(open)-1].Type) || isCode(e.Type):
			problems = append(problems, e.Type+" stands inside "+open[len(open)-1].Type)
		case open[len(open)-1].Type == e.Type:
			problems = append(problems, e.Type+" stands inside itself")
		}
		open = append(open, e)
		problems = append(problems, a.checkEntity(e)...)
	}
	for _, e := range found(w.text) {
		hidden := slices.ContainsFunc(w.entities, func(o entity) bool {
			over := e.Offset < o.end() && o.Offset < e.end()
			return over && (isCode(o.Type) || o.Type == "text_mention" || o.Type == "text_link")
		})
		if !hidden {
			w.entities = append(w.entities, e)
		}
	}
	return problems
}

func isCode(kind string) bool { return kind == "code" || kind == "pre" }

// checkEntity returns what an entity lacks.
func (a *botAPI) checkEntity(e entity) []string {
	switch e.Type {
	case "bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre",
		"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number":
	case "text_link":
		if !isLink(e.URL) {
			return []string{"text_link leads to " + e.URL}
		}
	case "text_mention":
		if e.User == nil || a.users[e.User.ID] == nil {
			return []string{"text_mention of somebody whom the bot hasn't met"}
		}
	default:
		return []string{"there is no entity " + e.Type}
	}
	return nil
}

var (
	commandLink = regexp.MustCompile(`(?:^|[^\w/@<>.])(/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)`)
	mentionLink = regexp.MustCompile(`(?:^|[^\w/])(@[A-Za-z][A-Za-z0-9_]{2,31})`)
	webLink     = regexp.MustCompile(`(?i)(?:^|[^\w@.])((?:https?://)?(?:[a-z0-9-]+\.)+(?:com|org|net|io|me|app|de|ru)(?:/\S*)?)\b`)
)

// found returns the commands, mentions and links that the server sees in a text,
// whoever wrote it.
func found(text string) []entity {
	var all []entity
	for kind, link := range map[string]*regexp.Regexp{"bot_command": commandLink, "mention": mentionLink, "url": webLink} {
		for _, at := range link.FindAllStringSubmatchIndex(text, -1) {
			all = append(all, entity{Type: kind, Offset: units(text[:at[2]]), Length: units(text[at[2]:at[3]])})
		}
	}
	slices.SortFunc(all, func(a, b entity) int { return cmp.Or(a.Offset-b.Offset, cmp.Compare(a.Type, b.Type)) })
	return all
}

// isLink tells whether Telegram takes an address for a link or a button.
func isLink(address string) bool {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return false
	}
	return u.Scheme == "tg" || (u.Scheme == "http" || u.Scheme == "https") && strings.Contains(u.Hostname(), ".")
}

// keyboard is the buttons under a message.
type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

type button struct {
	Text   string  `json:"text"`
	Data   string  `json:"callback_data,omitempty"`
	URL    string  `json:"url,omitempty"`
	Style  string  `json:"style,omitempty"`
	Switch *string `json:"switch_inline_query,omitempty"`
	Here   *string `json:"switch_inline_query_current_chat,omitempty"`
	Pay    bool    `json:"pay,omitempty"`
	Copy   *struct {
		Text string `json:"text"`
	} `json:"copy_text,omitempty"`
}

// markup takes the buttons of a request, nil if there are none.
func (a *botAPI) markup(r *request) (*keyboard, *apiError) {
	m, _ := r.values["reply_markup"].(map[string]any)
	if m == nil || m["force_reply"] != nil {
		return nil, nil
	}
	var k keyboard
	r.into("reply_markup", &k)
	count := 0
	for _, row := range k.Rows {
		if len(row) == 0 || len(row) > 8 {
			a.faultf("%s: %d buttons in a row", r.method, len(row))
		}
		for i := range row {
			count++
			if e := a.button(r, &row[i]); e != nil {
				return nil, e
			}
		}
	}
	if count > 100 {
		return nil, a.refuse(r, bad("reply markup is too long"), "%d buttons", count)
	}
	if count == 0 {
		return nil, nil
	}
	return &k, nil
}

// button checks one button.
func (a *botAPI) button(r *request, b *button) *apiError {
	if b.Copy != nil && b.Copy.Text == "" {
		b.Copy = nil // go-telegram/bot always writes it, and the server overlooks it
	}
	actions := 0
	for _, has := range []bool{b.Data != "", b.URL != "", b.Switch != nil, b.Here != nil, b.Pay, b.Copy != nil} {
		if has {
			actions++
		}
	}
	switch {
	case strings.TrimSpace(b.Text) == "":
		return a.refuse(r, bad("inline keyboard button text must be non-empty"), "a button without words")
	case actions == 0:
		return a.refuse(r, bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"), "[%s] does nothing", b.Text)
	case actions > 1:
		return a.refuse(r, bad("can't parse inline keyboard button"), "[%s] does %d things", b.Text, actions)
	case len(b.Data) > 64:
		return a.refuse(r, bad("BUTTON_DATA_INVALID"), "[%s] carries %d bytes", b.Text, len(b.Data))
	case b.URL != "" && !isLink(b.URL):
		return a.refuse(r, bad("inline keyboard button URL '%s' is invalid: Wrong HTTP URL", b.URL), "[%s] leads to %q", b.Text, b.URL)
	}
	switch b.Style {
	case "", "danger", "success", "primary":
	default:
		a.faultf("%s: [%s] has the style %q", r.method, b.Text, b.Style)
	}
	return nil
}

// force notes whom a message asks to reply: in a private chat its owner, elsewhere
// those whom it mentions, and whom it replies to.
func (a *botAPI) force(r *request, c *chat, m *message) *apiError {
	markup, _ := r.values["reply_markup"].(map[string]any)
	if markup["force_reply"] == nil {
		return nil
	}
	m.hint, _ = markup["input_field_placeholder"].(string)
	if n := utf8.RuneCountInString(m.hint); n > 64 || markup["force_reply"] != true {
		return a.refuse(r, bad("can't parse force reply"), "a hint of %d characters, or it isn't true", n)
	}
	switch {
	case c.Type == "private":
		m.asks = []int64{c.ID}
	case markup["selective"] != true:
		a.faultf("%s: everybody in the chat is asked to reply", r.method)
	default:
		for _, e := range m.words().entities {
			if e.Type == "text_mention" {
				m.asks = append(m.asks, e.User.ID)
			}
		}
		if to := m.ReplyTo; to != nil && to.From.ID != a.self.ID {
			m.asks = append(m.asks, to.From.ID)
		}
		if len(m.asks) == 0 {
			a.faultf("%s: nobody is asked to reply, since nobody is mentioned or replied to", r.method)
		}
	}
	return nil
}
