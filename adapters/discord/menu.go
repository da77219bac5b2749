package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"

	"github.com/bwmarrin/discordgo"

	"hiss/bot"
)

// The limits of a command's description and of what is suggested.
const (
	maxDescription = 100
	maxChoices     = 25
	maxChoice      = 100
)

// cleanNote is before the number of a server that has no commands of its own
// left.
const cleanNote = name + "/clean/"

// command returns a command of the handler, or an empty one.
func (d *Discord) command(name string) bot.Command { return named(d.handler.Commands(), name) }

// named returns the command of a name, or an empty one.
func named(all []bot.Command, name string) bot.Command {
	i := slices.IndexFunc(all, func(c bot.Command) bool { return c.Name == name })
	if i < 0 {
		return bot.Command{}
	}
	return all[i]
}

// keyed reports whether an option of a command is typed as "key=value".
func keyed(c bot.Command, option string) bool {
	return slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == option && o.Keyed })
}

// commands returns a handler's commands as Discord takes them.
func commands(h bot.Handler, everywhere bool) []map[string]any {
	var all []map[string]any
	for _, c := range h.Commands() {
		entry := map[string]any{
			"type": int(discordgo.ChatApplicationCommand), "name": c.Name, "description": cut(c.Summary, maxDescription),
			"options": optionsOf(c),
		}
		if c.Admins {
			entry["default_member_permissions"] = "32" // Manage Server
		}
		if everywhere {
			entry["integration_types"] = []int{int(discordgo.ApplicationIntegrationGuildInstall)}
			entry["contexts"] = []int{int(discordgo.InteractionContextGuild), int(discordgo.InteractionContextBotDM)}
		}
		all = append(all, entry)
	}
	return all
}

// optionsOf returns a command's options, those that are needed first, or its
// subcommands.
func optionsOf(c bot.Command) []map[string]any {
	all := []map[string]any{}
	for _, sub := range c.Subs {
		all = append(all, map[string]any{
			"type": int(discordgo.ApplicationCommandOptionSubCommand), "name": sub.Name,
			"description": cut(sub.Summary, maxDescription), "options": optionsOf(sub),
		})
	}
	options := slices.Clone(c.Options)
	slices.SortStableFunc(options, func(a, b bot.Option) int {
		switch {
		case a.Needed == b.Needed:
			return 0
		case a.Needed:
			return -1
		}
		return 1
	})
	for _, o := range options {
		option := map[string]any{"name": o.Name, "description": cut(o.Summary, maxDescription)}
		kind := discordgo.ApplicationCommandOptionString
		switch o.Kind {
		case bot.Number:
			kind = discordgo.ApplicationCommandOptionInteger
			if o.Most > 0 {
				option["min_value"], option["max_value"] = o.Least, o.Most
			}
		case bot.Person:
			kind = discordgo.ApplicationCommandOptionUser
		case bot.File:
			kind = discordgo.ApplicationCommandOptionAttachment
		}
		option["type"] = int(kind)
		if o.Needed {
			option["required"] = true
		}
		if o.Suggests {
			option["autocomplete"] = true
		} else if len(o.Choices) > 0 && len(o.Choices) <= maxChoices {
			var choices []map[string]any
			for _, word := range o.Choices {
				choices = append(choices, map[string]any{"name": word, "value": word})
			}
			option["choices"] = choices
		}
		all = append(all, option)
	}
	return all[:min(len(all), maxChoices)]
}

// register tells Discord the commands, where they aren't told yet, and takes
// away what servers have of earlier tries. It works until ctx ends.
func (d *Discord) register(ctx context.Context) {
	base := "/applications/" + d.application()
	guilds := base + "/guilds/"
	if g := d.config.Guild; g != "" {
		d.clean(g, false)
		d.overwrite(ctx, guilds+g+"/commands", commands(d.handler, false))
		return
	}
	d.overwrite(ctx, base+"/commands", commands(d.handler, true))
	for {
		select {
		case g := <-d.stale:
			if noted, err := d.notes.Get(cleanNote + g); err != nil || string(noted) == "yes" {
				continue
			}
			if d.overwrite(ctx, guilds+g+"/commands", nil) {
				d.clean(g, true)
			}
		case <-ctx.Done():
			return
		}
	}
}

// clean notes whether a server has no commands of its own.
func (d *Discord) clean(guild string, yes bool) {
	value := "no"
	if yes {
		value = "yes"
	}
	if err := d.notes.Put(cleanNote+guild, []byte(value)); err != nil {
		d.log.Error("noting whether a server has commands of its own", "error", err)
	}
}

// overwrite makes the commands of a scope the wanted ones, with one call and
// only if they are others. It reports whether they are the wanted ones now.
func (d *Discord) overwrite(ctx context.Context, path string, want []map[string]any) bool {
	var have []map[string]any
	err := d.persist(ctx, "asking for the commands", func(ctx context.Context) error {
		_, err := d.rest.do(ctx, call{method: http.MethodGet, path: path, query: "with_localizations=true", result: &have})
		return err
	})
	if err == nil && !same(have, want) {
		if want == nil {
			want = []map[string]any{}
		}
		err = d.persist(ctx, "registering the commands", func(ctx context.Context) error {
			_, err := d.rest.do(ctx, call{method: http.MethodPut, path: path, body: want})
			return err
		})
	}
	if err != nil && ctx.Err() == nil {
		d.log.Error("the commands couldn't be registered", "error", err)
	}
	return err == nil
}

// same reports whether Discord has the wanted commands. It leaves out what is
// false, null or empty and adds numbers of its own, so meanings are compared.
func same(have, want []map[string]any) bool {
	return reflect.DeepEqual(meaning(have), meaning(want))
}

// meant are the properties that are compared.
var meant = map[string]bool{
	"type": true, "name": true, "description": true, "options": true, "choices": true, "value": true, "autocomplete": true,
	"required": true, "min_value": true, "max_value": true, "default_member_permissions": true,
	"contexts": true, "integration_types": true, "name_localizations": true, "description_localizations": true,
}

// meaning returns commands by name, as JSON has them, without what says nothing.
func meaning(all []map[string]any) map[string]any {
	data, err := json.Marshal(all)
	var plain []map[string]any
	if err != nil || json.Unmarshal(data, &plain) != nil {
		return nil
	}
	byName := make(map[string]any)
	for _, c := range plain {
		name, _ := c["name"].(string)
		byName[name] = reduced(c)
	}
	return byName
}

func reduced(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := make(map[string]any)
		for key, value := range v {
			if value = reduced(value); meant[key] && value != nil && value != false && value != 0.0 {
				kept[key] = value
			}
		}
		return kept
	case []any:
		if len(v) == 0 {
			return nil
		}
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = reduced(v[i])
		}
		return kept
	}
	return v
}
