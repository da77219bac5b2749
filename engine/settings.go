package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// settings are what a chat has set, or the defaults.
type settings struct {
	board    string // empty: classic, or sprint where nobody else can be
	rules    string // as people type them; empty: family, or plain where nobody else can be
	pace     pace
	lobby    time.Duration
	pictures string // on, ends or off
	theme    string // of pictures: light or dark
	quiet    bool
	starters string // everyone or admins
	places   []string
}

// setting is one thing that a chat can set.
type setting struct {
	key     string
	usual   string   // the default, as people type it
	choices []string // on buttons
	// read returns a value as it is kept, or why it can't be.
	read func(c *call, value string) (string, error)
	// apply puts a kept value into the settings.
	apply func(s *settings, value string)
}

// anyPlace is kept for matches that may be opened everywhere, and mainPlace for the
// chat itself among its topics.
const anyPlace, mainPlace = "everywhere", "-"

// The bounds of a lobby's limit.
const leastLobby, mostLobby = time.Minute, 24 * time.Hour

// chatSettings returns what a chat can set, in the order in which it's listed.
func chatSettings() []setting {
	oneOf := func(key string, choices ...string) func(*call, string) (string, error) {
		return func(_ *call, value string) (string, error) {
			if value = strings.ToLower(value); slices.Contains(choices, value) {
				return value, nil
			}
			return "", no(words.BadValue, words.S("key", key), words.S("what", strings.Join(choices, ", ")), words.S("value", shorten(value)))
		}
	}
	return []setting{
		{"board", "classic", append(shippedNames()[:4:4], randomBoard), (*call).readBoardSetting, func(s *settings, v string) { s.board = v }},
		{"rules", "family", rules.Sets(), (*call).readRulesSetting, func(s *settings, v string) { s.rules = v }},
		{"pace", "live", []string{"live", "day", "none"}, readPaceSetting, func(s *settings, v string) { s.pace, _ = parsePace(v) }},
		{"lobby", "15m", []string{"5m", "15m", "1h", "24h"}, readLobbySetting, func(s *settings, v string) { s.lobby, _ = parseSpan(v) }},
		{"pictures", "on", []string{"on", "ends", "off"}, oneOf("pictures", "on", "ends", "off"), func(s *settings, v string) { s.pictures = v }},
		{"theme", "light", []string{"light", "dark"}, oneOf("theme", "light", "dark"), func(s *settings, v string) { s.theme = v }},
		{"quiet", "off", []string{"off", "on"}, oneOf("quiet", "off", "on"), func(s *settings, v string) { s.quiet = v == "on" }},
		{"start", "everyone", []string{"everyone", "admins"}, oneOf("start", "everyone", "admins"), func(s *settings, v string) { s.starters = v }},
		{"places", anyPlace, []string{anyPlace, "here", "not here"}, (*call).readPlaces, func(s *settings, v string) {
			if s.places = nil; v != anyPlace {
				s.places = strings.Fields(v)
			}
		}},
		{"language", "en", []string{"en"}, oneOf("language", "en"), func(*settings, string) {}},
	}
}

func (c *call) readBoardSetting(value string) (string, error) {
	if strings.EqualFold(value, randomBoard) {
		return randomBoard, nil
	}
	b, err := c.pick(value)
	if err != nil {
		return "", err
	}
	usual, err := c.wish(nil)
	if err != nil {
		return "", err
	}
	return b.Name, opens(b, usual.rules)
}

func (c *call) readRulesSetting(value string) (string, error) {
	r, err := parseRules(strings.Fields(value), "family")
	if err != nil {
		return "", err
	}
	l, err := c.library()
	if err != nil || l.usual == randomBoard {
		return rulesWords(r), err
	}
	if l.usual == "" {
		l.usual = "classic"
	}
	b, err := c.pick(l.usual)
	if err != nil {
		return "", err
	}
	return rulesWords(r), opens(b, r)
}

// opens returns an error unless a match on a board by some rules can be opened. What
// is usual in a chat has to, or nobody there could open one without naming another.
func opens(b boards.Board, r rules.Rules) error {
	_, err := compile(b, r)
	return err
}

func readPaceSetting(_ *call, value string) (string, error) {
	p, ok := parsePace(value)
	if !ok {
		return "", no(words.BadPace, words.S("value", shorten(value)))
	}
	return p.String(), nil
}

func readLobbySetting(_ *call, value string) (string, error) {
	span, ok := parseSpan(strings.ToLower(strings.Join(strings.Fields(value), "")))
	if !ok || span < leastLobby || span > mostLobby {
		return "", no(words.BadLobby, words.S("value", shorten(value)))
	}
	return fmt.Sprintf("%ds", int(span.Seconds())), nil
}

// readPlaces adds the place that it's said in to those in which matches may be
// opened, or takes it out; everywhere forgets all of them.
func (c *call) readPlaces(value string) (string, error) {
	s, err := c.settings()
	if err != nil {
		return "", err
	}
	here := placeName(c.Channel)
	places := slices.DeleteFunc(slices.Clone(s.places), func(p string) bool { return p == here })
	switch strings.ToLower(strings.Join(strings.Fields(value), " ")) {
	case anyPlace:
		return anyPlace, nil
	case "here":
		places = append(places, here)
	case "not here":
		if len(places) == 0 {
			return "", no(words.NoPlaceLeft)
		}
	default:
		return "", no(words.BadValue, words.S("key", "places"), words.S("what", "everywhere, here, not here"), words.S("value", shorten(value)))
	}
	return strings.Join(places, " "), nil
}

// placeName returns what a place is kept as.
func placeName(c bot.Channel) string {
	if c.Place == "" {
		return mainPlace
	}
	return c.Place
}

// chatCache remembers what chats have set, until one of them sets something else.
type chatCache struct {
	mu    sync.Mutex
	known map[bot.ChatID]settings
	// forgot counts what was forgotten. What was read before isn't remembered after.
	forgot int
}

// maxChats is how many chats' settings are remembered.
const maxChats = 1000

func (k *chatCache) forget(chats ...bot.ChatID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forgot++
	for _, chat := range chats {
		delete(k.known, chat)
	}
}

// settings returns what this chat has set.
func (c *call) settings() (settings, error) {
	chat := c.Channel.Chat
	c.chats.mu.Lock()
	s, known := c.chats.known[chat]
	forgot := c.chats.forgot
	c.chats.mu.Unlock()
	if known {
		return s, nil
	}
	kept, err := c.Store.Settings(c.ctx, chat)
	if err != nil {
		return s, fmt.Errorf("looking up the settings of %s: %w", chat, err)
	}
	for _, one := range chatSettings() {
		if one.key != "board" && one.key != "rules" {
			one.apply(&s, one.usual)
		}
		for _, k := range kept {
			if k.Key == one.key && k.Value != "" {
				one.apply(&s, k.Value)
			}
		}
	}
	c.chats.mu.Lock()
	defer c.chats.mu.Unlock()
	if c.chats.forgot != forgot {
		return s, nil
	}
	if c.chats.known == nil || len(c.chats.known) >= maxChats {
		c.chats.known = make(map[bot.ChatID]settings)
	}
	c.chats.known[chat] = s
	return s, nil
}

// allowed returns an error unless matches may be opened here, by whoever asks.
func (c *call) allowed() error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	if len(s.places) > 0 && !slices.Contains(s.places, placeName(c.Channel)) {
		var all []bot.Text
		for _, place := range s.places {
			if place == mainPlace {
				all = append(all, c.words.Text(words.MainPlace))
				continue
			}
			all = append(all, bot.Text{{Kind: bot.Where, Text: c.words.Words(words.OtherPlace), Place: place}})
		}
		return no(words.Elsewhere, words.T("channels", words.Join(", ", all...)))
	}
	switch {
	case s.starters != "admins":
	case c.admin == nil:
		return &needsAdmin{}
	case !*c.admin:
		return no(words.AdminsStart)
	}
	return nil
}

// changeSettings lists what the chat has set, tells one of it, or sets it.
func (c *call) changeSettings(*table) (result, error) {
	if len(c.Args) == 0 {
		return c.listSettings()
	}
	one, err := settingOf(c.Args[0])
	if err != nil {
		return result{}, err
	}
	old, err := c.kept(one)
	if err != nil {
		return result{}, err
	}
	if len(c.Args) == 1 {
		return c.tellSetting(one, old)
	}
	if err := c.byAdmin(); err != nil {
		return result{}, err
	}
	value, err := c.set(one, strings.Join(c.Args[1:], " "))
	if err != nil {
		return result{}, err
	}
	c.bottom()
	said := bot.Lines(c.words.Text(words.SettingsNow, words.S("setting", one.key), words.T("value", c.shown(one, value)), words.T("old", c.shown(one, old))),
		c.pictureless(one.key))
	return result{answer: bot.Answer{Channel: []bot.Message{{Said: said, Apart: true}}}}, nil
}

// set reads what was typed for a setting, and keeps it.
func (c *call) set(one setting, typed string) (value string, err error) {
	usual := strings.EqualFold(typed, "default")
	if usual {
		typed = one.usual
	}
	if value, err = one.read(c, typed); err != nil {
		return "", err
	}
	kept := value
	if usual || value == one.usual {
		kept = ""
	}
	return value, c.keep(one.key, kept)
}

// keep keeps a value of a setting, and who set it and when. An empty one is the default,
// whatever that will be.
func (c *call) keep(key, value string) error {
	if err := c.Store.PutSetting(c.ctx, c.Channel.Chat, Setting{Key: key, Value: value, By: c.User.ID, At: c.now}); err != nil {
		return fmt.Errorf("setting %s of %s: %w", key, c.Channel.Chat, err)
	}
	c.Log.Info("a chat has set something", "chat", c.Channel.Chat, "setting", key, "value", value, "by", c.User.ID)
	c.chats.forget(c.Channel.Chat)
	return nil
}

// settingOf returns the setting of that name.
func settingOf(typed string) (setting, error) {
	var keys []string
	for _, one := range chatSettings() {
		if strings.EqualFold(one.key, typed) {
			return one, nil
		}
		keys = append(keys, one.key)
	}
	if near, ok := nearest(typed, keys); ok {
		return setting{}, no(words.NoSetting, words.S("x", shorten(typed)), words.S("y", near))
	}
	return setting{}, no(words.NoSettingLike, words.S("x", shorten(typed)), words.S("keys", strings.Join(keys, ", ")))
}

// kept returns the value of a setting, or its default.
func (c *call) kept(one setting) (string, error) {
	set, err := c.Store.Setting(c.ctx, c.Channel.Chat, one.key)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", fmt.Errorf("looking up %s of %s: %w", one.key, c.Channel.Chat, err)
	}
	return cmp.Or(set.Value, one.usual), nil
}

// shown returns a value as people read it.
func (c *call) shown(one setting, value string) bot.Text {
	switch one.key {
	case "pace":
		if p, ok := parsePace(value); ok {
			return bot.Said(p.told(c.words))
		}
	case "lobby":
		if span, ok := parseSpan(value); ok {
			return bot.Said(c.words.Seconds(int(span.Seconds())))
		}
	case "places":
		if value != anyPlace {
			var all []bot.Text
			for place := range strings.FieldsSeq(value) {
				if place == mainPlace {
					all = append(all, c.words.Text(words.MainPlace))
				} else {
					all = append(all, bot.Text{{Kind: bot.Where, Text: place, Place: place}})
				}
			}
			return words.Join(", ", all...)
		}
	}
	return bot.Said(value)
}

// listSettings lists all that the chat can set.
func (c *call) listSettings() (result, error) {
	set, err := c.Store.Settings(c.ctx, c.Channel.Chat)
	if err != nil {
		return result{}, fmt.Errorf("looking up the settings of %s: %w", c.Channel.Chat, err)
	}
	values := make(map[string]string)
	for _, s := range set {
		values[s.Key] = s.Value
	}
	lines := []bot.Text{c.words.Text(words.SettingsHead)}
	var rows [][]bot.Button
	for i, one := range chatSettings() {
		value := cmp.Or(values[one.key], one.usual)
		lines = append(lines, c.words.Text(words.SettingsRow, words.S("setting", one.key),
			words.T("value", c.shown(one, value)), words.T("d", c.shown(one, one.usual))))
		if i%3 == 0 {
			rows = append(rows, nil)
		}
		rows[i/3] = append(rows[i/3], bot.Button{Label: one.key, Line: "settings " + one.key})
	}
	answer := private(bot.Lines(append(lines, c.pictureless("pictures"), c.words.Text(words.SettingsHow))...))
	answer.Asker.Buttons = rows
	return result{answer: answer}, nil
}

// tellSetting tells one setting, and what it takes.
func (c *call) tellSetting(one setting, value string) (result, error) {
	row := c.words.Text(words.SettingsRow, words.S("setting", one.key), words.T("value", c.shown(one, value)), words.T("d", c.shown(one, one.usual)))
	answer := private(bot.Lines(row, c.words.Text(words.Key("settings."+one.key)), c.pictureless(one.key)))
	var buttons []bot.Button
	for _, choice := range one.choices {
		buttons = append(buttons, bot.Button{Label: choice, Line: "settings " + one.key + " " + choice})
	}
	answer.Asker.Buttons = [][]bot.Button{buttons}
	return result{answer: answer}, nil
}
