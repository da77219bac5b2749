package discord_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// typing is a command that somebody types.
type typing struct {
	words []string // the command's first; "name=value" fills an option by name
	file  *upload  // for an option that takes one
	// claims is the size that Discord tells of the file; the real one if 0.
	claims int
	// at is where Discord says that it is; where it is if nil.
	at *string
	// half says that it's still being typed, and that values are suggested for
	// the last word.
	half bool
	// people are those that can be named.
	people map[string]*user
}

// slash lets somebody give a command. The error says what a client wouldn't
// send.
func (a *discordAPI) slash(c *channel, u *user, line typing) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	cmd := a.command(c, line.words[0])
	if cmd == nil {
		return fmt.Errorf("there is no command /%s", line.words[0])
	}
	if err := a.usable(cmd, c, u); err != nil {
		return err
	}
	kind, what := commandGiven, "/"+line.words[0]
	if line.half {
		kind = halfTyped
	}
	data := map[string]any{"id": cmd["id"], "name": cmd["name"], "type": 1}
	if cmd["guild_id"] != nil {
		data["guild_id"] = cmd["guild_id"]
	}
	o := &options{a: a, c: c, line: line, resolved: map[string]map[string]any{}}
	defs, words := list(cmd["options"]), line.words[1:]
	wrap := func(all []any) []any { return all }
	if len(defs) > 0 && number(object(defs[0])["type"]) == subcommand {
		i := slices.IndexFunc(defs, func(d any) bool { return len(words) > 0 && object(d)["name"] == words[0] })
		if i < 0 {
			return fmt.Errorf("/%s takes one of its subcommands, not %q", line.words[0], words)
		}
		name := words[0]
		defs, words, what = list(object(defs[i])["options"]), words[1:], what+" "+name
		wrap = func(all []any) []any {
			return []any{map[string]any{"name": name, "type": subcommand, "options": all}}
		}
	}
	all, err := o.fill(defs, words)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if all = wrap(all); len(all) > 0 {
		data["options"] = all
	}
	if len(o.resolved) > 0 {
		data["resolved"] = o.resolved
	}
	if c.archived {
		c.archived = false
		a.tell("THREAD_UPDATE", c.guild.id, intentGuilds, c.json())
	}
	a.fire(&interaction{kind: kind, what: what, channel: c, user: u}, data)
	return nil
}

// usable tells why a client doesn't offer a command.
func (a *discordAPI) usable(cmd map[string]any, c *channel, u *user) error {
	here := int64(0)
	if c.guild == nil {
		here = 1
	}
	shown := func(v any) bool { return number(v) == here }
	may := text(cmd["default_member_permissions"])
	need, _ := strconv.ParseInt(may, 10, 64)
	switch {
	case c.kind == forum || c.gone:
		return errors.New("there is nowhere to type here")
	case c.archived && c.locked:
		return errors.New("the thread is locked")
	case len(list(cmd["contexts"])) > 0 && !slices.ContainsFunc(list(cmd["contexts"]), shown):
		return fmt.Errorf("/%s isn't offered here", cmd["name"])
	case c.guild != nil && c.guild.gone:
		return errors.New("the bot isn't here")
	case c.guild == nil || may == "":
		return nil
	}
	if has := c.guild.memberOf(u).may; has&administrator == 0 && (need == 0 || has&need != need) {
		return fmt.Errorf("/%s isn't offered to %s", cmd["name"], u)
	}
	return nil
}

// options fills the options of a command.
type options struct {
	a        *discordAPI
	c        *channel
	line     typing
	resolved map[string]map[string]any
}

// fill gives words to options: by name, or else in their order. What is left
// belongs to the last one that takes any text.
func (o *options) fill(defs []any, words []string) ([]any, error) {
	given := map[string]string{}
	var order []string // in which they were filled
	for _, word := range words {
		name, value, named := strings.Cut(word, "=")
		named = named && slices.ContainsFunc(defs, func(d any) bool { return object(d)["name"] == name })
		if !named {
			value = word
			name = o.next(defs, given)
		}
		if name == "" && len(order) > 0 {
			name = order[len(order)-1]
			value = given[name] + " " + word
		}
		if name == "" {
			return nil, fmt.Errorf("it takes no %q", word)
		}
		given[name] = value
		order = append(order, name)
	}
	all := []any{}
	for _, d := range defs {
		def := object(d)
		name := text(def["name"])
		value, ok := given[name]
		if number(def["type"]) == fileOption {
			ok = o.line.file != nil
		}
		if !ok {
			if isTrue(def["required"]) && !o.line.half {
				return nil, fmt.Errorf("it needs %s", name)
			}
			continue
		}
		one := map[string]any{"name": name, "type": def["type"]}
		if o.line.half && len(order) > 0 && order[len(order)-1] == name {
			if !isTrue(def["autocomplete"]) {
				return nil, fmt.Errorf("nothing is suggested for %s", name)
			}
			one["value"], one["focused"] = strings.TrimSuffix(value, "…"), true
		} else {
			v, err := o.value(def, value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			one["value"] = v
		}
		all = append(all, one)
	}
	return all, nil
}

// next returns the first option that isn't filled yet.
func (o *options) next(defs []any, given map[string]string) string {
	for _, d := range defs {
		name := text(object(d)["name"])
		if _, ok := given[name]; !ok && number(object(d)["type"]) != fileOption {
			return name
		}
	}
	return ""
}

// value reads a value as the client does.
func (o *options) value(def map[string]any, s string) (any, error) {
	all := list(def["choices"])
	for _, c := range all {
		if object(c)["name"] == s || fmt.Sprint(object(c)["value"]) == s {
			return object(c)["value"], nil
		}
	}
	if len(all) > 0 {
		return nil, fmt.Errorf("%q isn't to be chosen", s)
	}
	switch number(def["type"]) {
	case textOption:
		n := int64(utf8.RuneCountInString(s))
		if most := number(def["max_length"]); most > 0 && n > most || n < number(def["min_length"]) || n > 6000 {
			return nil, fmt.Errorf("it has %d characters", n)
		}
		return s, nil
	case wholeOption, numberOption:
		n, err := strconv.ParseInt(s, 10, 53)
		if def["min_value"] != nil && n < number(def["min_value"]) || def["max_value"] != nil && n > number(def["max_value"]) {
			err = fmt.Errorf("%d is out of range", n)
		}
		return n, err
	case boolOption:
		return strconv.ParseBool(s)
	case userOption:
		u := o.line.people[strings.TrimPrefix(s, "@")]
		if u == nil {
			return nil, fmt.Errorf("nobody is called %q", s)
		}
		return o.person(u), nil
	case fileOption:
		f := o.a.keep(o.c, o.line.file.name, o.line.file.data)
		f.claims = o.line.claims
		if o.line.at != nil {
			f.url = *o.line.at
		}
		o.add("attachments", f.id, f.json())
		return f.id, nil
	}
	return nil, errors.New("its type isn't played here")
}

func (o *options) add(kind, id string, v any) {
	if o.resolved[kind] == nil {
		o.resolved[kind] = map[string]any{}
	}
	o.resolved[kind][id] = v
}

// person puts somebody who was named into what is resolved.
func (o *options) person(u *user) string {
	o.add("users", u.ID, u.json())
	if g := o.c.guild; g != nil && g.members[u.ID] != nil {
		m := o.a.memberJSON(g, u)
		maps.DeleteFunc(m, func(name string, _ any) bool { return name == "user" || name == "deaf" || name == "mute" })
		m["permissions"] = g.memberOf(u).permissions()
		o.add("members", u.ID, m)
	}
	return u.ID
}

// permissions is what somebody may do, as interactions tell it.
func (m *member) permissions() string {
	if m.may&administrator != 0 {
		return fmt.Sprint(int64(1)<<51 - 1)
	}
	return fmt.Sprint(m.may)
}

// press lets somebody press a button of a message. Clients may send any id, also
// one that the message doesn't have any more.
func (a *discordAPI) press(c *channel, message string, u *user, id, label string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := c.message(message)
	switch {
	case m == nil || m.deleted || c.gone:
		return errors.New("the message is gone")
	case m.reader != nil && m.reader != u:
		return fmt.Errorf("only %s sees the message", m.reader)
	case c.guild != nil && c.guild.gone:
		return errors.New("the bot isn't here")
	}
	data := map[string]any{"custom_id": id, "component_type": 2, "id": 2}
	a.fire(&interaction{kind: buttonPressed, what: "[" + label + "]", channel: c, user: u, message: m}, data)
	return nil
}

// submit lets somebody fill in the form that they were asked to.
func (a *discordAPI) submit(u *user, values map[string]string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var asked *interaction
	for _, in := range a.interactions {
		if in.user == u && in.form != nil {
			asked = in
		}
	}
	if asked == nil {
		return fmt.Errorf("%s has no form to fill in", u)
	}
	var rows []any
	left := maps.Clone(values)
	for i, row := range list(asked.form["components"]) {
		inner := list(object(row)["components"])
		if one := object(row)["component"]; one != nil {
			inner = []any{one}
		}
		for _, one := range inner {
			id := text(object(one)["custom_id"])
			optional, stated := object(one)["required"].(bool)
			if n := utf8.RuneCountInString(values[id]); n > int(number(object(one)["max_length"])) || n == 0 && (optional || !stated) {
				return fmt.Errorf("the form doesn't take %d characters for %s", n, id)
			}
			filled := map[string]any{"type": 4, "id": 2*i + 2, "custom_id": id, "value": values[id]}
			delete(left, id)
			if number(object(row)["type"]) == 1 {
				rows = append(rows, map[string]any{"type": 1, "id": 2*i + 1, "components": []any{filled}})
			} else {
				rows = append(rows, map[string]any{"type": 18, "id": 2*i + 1, "component": filled})
			}
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("the form doesn't ask for %v", left)
	}
	data := map[string]any{"custom_id": asked.form["custom_id"], "components": rows}
	asked.form = nil
	a.fire(&interaction{kind: formFilledIn, what: "a form", channel: asked.channel, user: u, message: asked.message}, data)
	return nil
}

// tokenMark is what the tokens of interactions begin with.
const tokenMark = "aW50ZXJhY3Rpb246"

// fire tells the bot of an interaction, and waits for its answer. The lock is
// held.
func (a *discordAPI) fire(in *interaction, data map[string]any) {
	in.id, in.at = a.newID(), time.Now()
	in.token = tokenMark + in.id
	a.interactions = append(a.interactions, in)
	c := in.channel
	where := c.json()
	where["permissions"] = fmt.Sprint(usual)
	body := map[string]any{
		"id": in.id, "application_id": a.self.ID, "type": in.kind, "token": in.token, "version": 1, "channel_id": c.id, "channel": where,
		"data": data, "locale": in.user.Locale, "app_permissions": fmt.Sprint(c.rights()), "entitlements": []any{}, "context": 1,
		"authorizing_integration_owners": in.owners(), "attachment_size_limit": 10 << 20,
	}
	guild := ""
	if g := c.guild; g != nil {
		guild = g.id
		m := a.memberJSON(g, in.user)
		m["permissions"] = g.memberOf(in.user).permissions()
		maps.Copy(body, map[string]any{
			"guild_id": g.id, "guild": map[string]any{"id": g.id, "locale": g.locale, "features": []any{}}, "guild_locale": g.locale,
			"member": m, "context": 0,
		})
	} else {
		body["user"] = in.user.json()
	}
	if in.message != nil {
		body["message"] = in.message.json()
	}
	time.AfterFunc(patience+time.Millisecond, func() { a.silence(in) })
	a.tellAbout("INTERACTION_CREATE", guild, 0, body, in)
}

// inject tells the bot something that no method here brings about.
func (a *discordAPI) inject(kind, body string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.gate.sessions {
		if !s.dead {
			s.tell(kind, []byte(body), nil)
		}
	}
}

// remove lets somebody delete a message.
func (a *discordAPI) remove(c *channel, m string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.message(m).deleted = true
	guild := ""
	if c.guild != nil {
		guild = c.guild.id
	}
	a.tell("MESSAGE_DELETE", guild, intentMessages, map[string]any{"id": m, "channel_id": c.id, "guild_id": guild})
}
