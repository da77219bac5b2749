package telegram_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"unicode/utf8"
)

func (a *botAPI) getMe(*request) (any, *apiError) {
	return map[string]any{
		"id": a.self.ID, "is_bot": true, "first_name": a.self.FirstName, "username": a.self.Username,
		"can_join_groups": true, "can_read_all_group_messages": !a.privacy, "supports_inline_queries": false,
		"can_connect_to_business": false, "has_main_web_app": false,
	}, nil
}

var (
	commandName  = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	languageCode = regexp.MustCompile(`^([a-z]{2})?$`)
)

// menuKey names the menu that a request is about.
func (a *botAPI) menuKey(r *request) (string, *apiError) {
	var scope struct {
		Type string `json:"type"`
		Chat int64  `json:"chat_id"`
		User int64  `json:"user_id"`
	}
	scope.Type = "default"
	r.into("scope", &scope)
	ok := false
	switch scope.Type {
	case "default", "all_private_chats", "all_group_chats", "all_chat_administrators":
		ok = scope.Chat == 0 && scope.User == 0
	case "chat", "chat_administrators":
		ok = a.chats[scope.Chat] != nil && scope.User == 0
	case "chat_member":
		ok = a.chats[scope.Chat] != nil && a.users[scope.User] != nil
	}
	if !ok {
		return "", a.refuse(r, bad("can't parse BotCommandScope"), "the scope is %+v", scope)
	}
	key, err := json.Marshal([]any{scope.Type, scope.Chat, scope.User, r.str("language_code")})
	if err != nil {
		panic(err) // strings and numbers always have JSON
	}
	return string(key), a.checkLanguage(r)
}

func (a *botAPI) checkLanguage(r *request) *apiError {
	if code := r.str("language_code"); !languageCode.MatchString(code) {
		return a.refuse(r, bad("LANG_CODE_INVALID"), "%q isn't a language of two letters", code)
	}
	return nil
}

func (a *botAPI) setMyCommands(r *request) (any, *apiError) {
	key, e := a.menuKey(r)
	if e != nil {
		return nil, e
	}
	var list []struct{ Command, Description string }
	r.into("commands", &list)
	var names []string
	for _, c := range list {
		switch n := utf8.RuneCountInString(c.Description); {
		case !commandName.MatchString(c.Command):
			return nil, a.refuse(r, bad("BOT_COMMAND_INVALID"), "a command can't be called %q", c.Command)
		case n < 1 || n > 256:
			return nil, a.refuse(r, bad("BOT_COMMAND_DESCRIPTION_INVALID"), "/%s has a description of %d characters", c.Command, n)
		case slices.Contains(names, c.Command):
			a.faultf("%s: /%s stands there twice", r.method, c.Command)
		}
		names = append(names, c.Command)
	}
	if len(list) > 100 {
		return nil, a.refuse(r, bad("BOT_COMMANDS_TOO_MUCH"), "%d commands", len(list))
	}
	a.menus[key], _ = r.values["commands"].([]any)
	return true, nil
}

func (a *botAPI) getMyCommands(r *request) (any, *apiError) {
	key, e := a.menuKey(r)
	if e != nil {
		return nil, e
	}
	return append([]any{}, a.menus[key]...), nil
}

func (a *botAPI) deleteMyCommands(r *request) (any, *apiError) {
	key, e := a.menuKey(r)
	if e != nil {
		return nil, e
	}
	delete(a.menus, key)
	return true, nil
}

// menu returns the names of the commands in the menu of a scope, in a language.
func (a *botAPI) menu(scope, language string) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	key, err := json.Marshal([]any{scope, 0, 0, language})
	if err != nil {
		panic(err) // strings and numbers always have JSON
	}
	var names []string
	for _, c := range a.menus[string(key)] {
		if c, ok := c.(map[string]any); ok {
			name, _ := c["command"].(string)
			names = append(names, name)
		}
	}
	return names
}

// described keeps a text about the bot.
func (a *botAPI) described(r *request, name string, limit int) (any, *apiError) {
	if n := utf8.RuneCountInString(r.str(name)); n > limit {
		return nil, a.refuse(r, bad("ABOUT_TOO_LONG"), "a %s of %d characters, and %d are allowed", name, n, limit)
	}
	a.about[name+" "+r.str("language_code")] = r.str(name)
	return true, a.checkLanguage(r)
}

func (a *botAPI) setMyDescription(r *request) (any, *apiError) {
	return a.described(r, "description", 512)
}

func (a *botAPI) setMyShortDescription(r *request) (any, *apiError) {
	return a.described(r, "short_description", 120)
}

func (a *botAPI) getMyDescription(r *request) (any, *apiError) {
	return map[string]any{"description": a.about["description "+r.str("language_code")]}, nil
}

func (a *botAPI) getMyShortDescription(r *request) (any, *apiError) {
	return map[string]any{"short_description": a.about["short_description "+r.str("language_code")]}, nil
}

func (a *botAPI) getChat(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	full := map[string]any{"accent_color_id": 0, "max_reaction_count": 11}
	data, err := json.Marshal(c.place)
	if err == nil {
		err = json.Unmarshal(data, &full)
	}
	if err != nil {
		panic(err) // strings and numbers always have JSON
	}
	full["id"] = c.ID // not as a float
	return full, nil
}

func (a *botAPI) getChatMember(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	id := r.int("user_id")
	if id == groupAnonymousBot || id == channelBot {
		return nil, a.refuse(r, bad("PARTICIPANT_ID_INVALID"), "account %d stands for many", id)
	}
	u := a.users[id]
	if id == a.self.ID {
		u = &a.self
	}
	if u == nil {
		return nil, a.refuse(r, bad("PARTICIPANT_ID_INVALID"), "there is no user %d", id)
	}
	return member(u, c.statusOf(id, a.self.ID), c.forbidden), nil
}

func (a *botAPI) getChatAdministrators(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	if c.Type == "private" {
		return nil, a.refuse(r, bad("there are no administrators in the private chat"), "chat %d is private", c.ID)
	}
	all := []any{}
	for _, id := range c.admins {
		all = append(all, member(a.mustUser(id), c.statusOf(id, a.self.ID), nil))
	}
	if c.status == "administrator" {
		all = append(all, member(&a.self, "administrator", nil))
	}
	return all, nil
}
