package discord_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Types of an option.
const (
	subcommand   = 1
	textOption   = 3
	wholeOption  = 4
	boolOption   = 5
	userOption   = 6
	numberOption = 10
	fileOption   = 11
)

var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// locales are the languages of Discord's clients.
const locales = " id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko "

// commandCheck finds what a set of commands must not be.
type commandCheck struct {
	problems []problem
	size     int // of the command that is looked at
}

func (c *commandCheck) addf(at, format string, args ...any) {
	c.problems = append(c.problems, problem{at, fmt.Sprintf(format, args...)})
}

func (c *commandCheck) named(o map[string]any, at string, known map[string]bool) {
	name := text(o["name"])
	if !commandName.MatchString(name) || strings.ToLower(name) != name {
		c.addf(at+".name", "%q can't be the name of a command or an option", name)
	}
	if known[name] {
		c.addf(at+".name", "%q is there twice", name)
	}
	known[name] = true
	c.localized(o, at)
	for _, local := range object(o["name_localizations"]) {
		if !commandName.MatchString(text(local)) || strings.ToLower(text(local)) != local {
			c.addf(at+".name_localizations", "%q can't be the name of a command or an option", local)
		}
	}
	c.size += len(name) + len(text(o["description"]))
}

func (c *commandCheck) localized(o map[string]any, at string) {
	for _, kind := range []string{"name_localizations", "description_localizations"} {
		for locale, local := range object(o[kind]) {
			n := utf8.RuneCountInString(text(local))
			if !strings.Contains(locales, " "+locale+" ") || n < 1 || n > 100 {
				c.addf(at+"."+kind, "has %d characters for the language %q", n, locale)
			}
		}
	}
}

// set looks at all commands of one scope.
func (c *commandCheck) set(all []any, guild string) {
	known := map[string]bool{}
	for i, one := range all {
		o, at := object(one), fmt.Sprint(i)
		c.size = 0
		if kind := number(o["type"]); kind > 1 {
			c.addf(at+".type", "is %d, and only slash commands are played here", kind)
			continue
		}
		c.named(o, at, known)
		if text(o["description"]) == "" {
			c.addf(at+".description", "is missing")
		}
		if may := text(o["default_member_permissions"]); strings.Trim(may, "0123456789") != "" {
			c.addf(at+".default_member_permissions", "is %q", may)
		}
		if guild != "" && (o["contexts"] != nil || o["integration_types"] != nil) {
			c.addf(at+".contexts", "is only for commands of all servers")
		}
		c.options(list(o["options"]), at, 0)
		if c.size > 8000 {
			c.addf(at, "has %d characters in all, up to 8000 are taken", c.size)
		}
	}
	if len(all) > 100 {
		c.addf("", "are %d commands, up to 100 are taken", len(all))
	}
}

func (c *commandCheck) options(all []any, at string, depth int) {
	known := map[string]bool{}
	inner, optional := 0, false
	for i, one := range all {
		o, at := object(one), fmt.Sprintf("%s.options[%d]", at, i)
		c.named(o, at, known)
		kind := number(o["type"])
		switch {
		case kind < subcommand || kind > fileOption || kind == 2 && depth > 0 || kind == subcommand && depth > 1:
			c.addf(at+".type", "is %d", kind)
		case kind <= 2:
			inner++
			c.options(list(o["options"]), at, depth+1)
		case isTrue(o["required"]) && optional:
			c.addf(at+".required", "is true behind one that isn't")
		default:
			optional = optional || !isTrue(o["required"])
		}
		c.choices(o, kind, at)
	}
	if inner > 0 && inner < len(all) {
		c.addf(at+".options", "are both subcommands and others")
	}
}

func (c *commandCheck) choices(o map[string]any, kind int64, at string) {
	typed := kind == textOption || kind == wholeOption || kind == numberOption
	all := list(o["choices"])
	if isTrue(o["autocomplete"]) && (len(all) > 0 || !typed) || len(all) > 0 && !typed {
		c.addf(at, "has choices or suggestions, which options of its type haven't, or both")
	}
	known := map[string]bool{}
	for _, one := range all {
		name := text(object(one)["name"])
		_, isText := object(one)["value"].(string)
		if known[name] || isText != (kind == textOption) {
			c.addf(at+".choices", "has %q twice, or with a value of another type", name)
		}
		known[name] = true
		c.size += len(name) + len(fmt.Sprint(object(one)["value"]))
		c.localized(object(one), at)
	}
}

// register takes a set of commands in place of all that there were.
func (a *discordAPI) register(r *request) (any, *apiError) {
	guild := r.vars["guild"]
	if g := a.guilds[guild]; guild != "" && (g == nil || g.gone) {
		return nil, forbidden(50001, "Missing Access")
	}
	c := &commandCheck{}
	c.set(r.list, guild)
	for _, p := range c.problems {
		a.faultf("register: %s %s", p.at, p.text)
	}
	if len(c.problems) > 0 {
		return nil, invalidForm(c.problems...)
	}
	var all []map[string]any
	for _, one := range r.list {
		o := meaningful(object(one))
		o["id"], o["application_id"], o["version"], o["type"] = a.newID(), a.self.ID, a.newID(), 1
		for _, old := range a.commands[guild] {
			if old["name"] == o["name"] {
				o["id"] = old["id"]
			}
		}
		for name, usual := range map[string]any{"nsfw": false, "default_member_permissions": nil} {
			if o[name] == nil {
				o[name] = usual
			}
		}
		if guild != "" {
			o["guild_id"] = guild
		} else if o["integration_types"] == nil {
			o["integration_types"] = []any{0}
		}
		all = append(all, o)
	}
	a.commands[guild] = all
	return a.commandList(guild, true), nil
}

// meaningful returns an object without what is false, empty or null, as Discord
// gives commands back.
func meaningful(o map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range o {
		if all, ok := v.([]any); ok {
			short := make([]any, len(all))
			for i, one := range all {
				short[i] = one
				if inner := object(one); inner != nil {
					short[i] = meaningful(inner)
				}
			}
			v = short
		}
		if v == nil || v == false || v == "" || object(v) != nil && len(object(v)) == 0 || list(v) != nil && len(list(v)) == 0 {
			continue
		}
		out[name] = v
	}
	return out
}

// commandList returns what is registered, with other languages or without.
func (a *discordAPI) commandList(guild string, localized bool) []any {
	out := []any{}
	for _, one := range a.commands[guild] {
		if !localized {
			one = unlocalized(one)
		}
		out = append(out, one)
	}
	return out
}

func unlocalized(o map[string]any) map[string]any {
	o = maps.Clone(o)
	delete(o, "name_localizations")
	delete(o, "description_localizations")
	for _, name := range []string{"options", "choices"} {
		if all := slices.Clone(list(o[name])); all != nil {
			for i, one := range all {
				all[i] = unlocalized(object(one))
			}
			o[name] = all
		}
	}
	return o
}

func (a *discordAPI) getCommands(r *request) (any, *apiError) {
	if g := a.guilds[r.vars["guild"]]; r.vars["guild"] != "" && (g == nil || g.gone) {
		return nil, forbidden(50001, "Missing Access")
	}
	return a.commandList(r.vars["guild"], r.query.Get("with_localizations") == "true"), nil
}

// leftover registers a command that an older version of the bot left behind.
func (a *discordAPI) leftover(guild, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.commands[guild] = append(a.commands[guild], map[string]any{
		"id": a.newID(), "application_id": a.self.ID, "version": a.newID(), "type": 1, "name": name, "description": "An old one",
	})
}

// command returns a command as it's registered for a channel, nil if it isn't.
func (a *discordAPI) command(c *channel, name string) map[string]any {
	scopes := []string{""}
	if c.guild != nil {
		scopes = []string{c.guild.id, ""}
	}
	for _, scope := range scopes {
		for _, one := range a.commands[scope] {
			if one["name"] == name {
				return one
			}
		}
	}
	return nil
}
