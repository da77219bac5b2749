package discord_test

import "strings"

// route is one thing that the HTTP API does.
type route struct {
	name   string // short, as failures and faults call it
	method string
	path   string   // {x} stands for anything, kept as x
	body   string   // the kind of the body, "" for none
	query  []string // what may stand behind the path
	does   func(*discordAPI, *request) (any, *apiError)
}

// routeTable lists the routes that a bot of this kind needs. A body is an object
// of objectTable, or a list of them in [].
func routeTable() []*route {
	const (
		hook    = "webhooks/{app}/{token}"
		answer  = hook + "/messages/{message}"
		written = "channels/{channel}/messages/{message}"
		all     = "applications/{app}/commands"
		some    = "applications/{app}/guilds/{guild}/commands"
	)
	localized := []string{"with_localizations"}
	shown := []string{"with_components", "wait"}
	return []*route{
		{"gateway", "GET", "gateway", "", nil, (*discordAPI).getGateway},
		{"gateway", "GET", "gateway/bot", "", nil, (*discordAPI).getGateway},
		{"me", "GET", "users/@me", "", nil, (*discordAPI).getMe},
		{"about", "GET", "applications/@me", "", nil, (*discordAPI).getAbout},
		{"describe", "PATCH", "applications/@me", "application", nil, (*discordAPI).describe},
		{"commands", "GET", all, "", localized, (*discordAPI).getCommands},
		{"register", "PUT", all, "[command]", nil, (*discordAPI).register},
		{"commands", "GET", some, "", localized, (*discordAPI).getCommands},
		{"register", "PUT", some, "[command]", nil, (*discordAPI).register},
		{"callback", "POST", "interactions/{interaction}/{token}/callback", "callback", []string{"with_response"}, (*discordAPI).callback},
		{"followup", "POST", hook, "followup", shown, (*discordAPI).followUp},
		{"get answer", "GET", answer, "", nil, (*discordAPI).getAnswer},
		{"edit answer", "PATCH", answer, "edit", shown, (*discordAPI).editAnswer},
		{"delete answer", "DELETE", answer, "", nil, (*discordAPI).deleteAnswer},
		{"send", "POST", "channels/{channel}/messages", "message", nil, (*discordAPI).send},
		{"get", "GET", written, "", nil, (*discordAPI).getMessage},
		{"edit", "PATCH", written, "edit", nil, (*discordAPI).edit},
		{"delete", "DELETE", written, "", nil, (*discordAPI).deleteMessage},
		{"channel", "GET", "channels/{channel}", "", nil, (*discordAPI).getChannel},
		{"member", "GET", "guilds/{guild}/members/{user}", "", nil, (*discordAPI).getMember},
	}
}

// findRoute returns the route of a path and what stands for its names.
func findRoute(method, path string) (*route, map[string]string) {
	parts := strings.Split(path, "/")
	for _, r := range routeTable() {
		want := strings.Split(r.path, "/")
		if r.method != method || len(want) != len(parts) {
			continue
		}
		vars := map[string]string{}
		for i, w := range want {
			if strings.HasPrefix(w, "{") && parts[i] != "" {
				vars[strings.Trim(w, "{}")] = parts[i]
			} else if w != parts[i] {
				vars = nil
				break
			}
		}
		if vars != nil {
			return r, vars
		}
	}
	return nil, nil
}

// objectTable says what stands in bodies and in what they hold. Components are
// of the types 1 (a row), 2 (a button), 4 (a line to fill in) and 18 (its label);
// no others are played here.
func objectTable() map[string]string {
	const (
		shown = "content str:2000, embeds [embed]:10, allowed_mentions mentions, components [component], attachments [attachment]:10, flags int, poll any"
		names = "name_localizations texts, description_localizations texts"
	)
	return map[string]string{
		"message":     shown + ", nonce nonce:1-25, enforce_nonce bool, tts bool, message_reference reference, sticker_ids [id]:3",
		"followup":    shown + ", tts bool, username str:80, avatar_url str",
		"edit":        shown,
		"callback":    "type! int, data data",
		"data":        shown + ", tts bool, choices [choice]:25, custom_id str:1-100, title str:1-45",
		"embed":       "title str:256, type str, description str:4096, url str, timestamp str, color int, footer footer, image media, thumbnail media, video media, provider any, author author, fields [entry]:25",
		"footer":      "text! str:1-2048, icon_url str",
		"media":       "url! str, width int, height int",
		"author":      "name! str:1-256, url str, icon_url str",
		"entry":       "name! str:1-256, value! str:1-1024, inline bool",
		"mentions":    "parse [str]:3, users [id]:100, roles [id]:100, replied_user bool",
		"reference":   "type int, message_id! id, channel_id id, guild_id id, fail_if_not_exists bool",
		"attachment":  "id! ref, filename str:1-260, description str:1024, is_spoiler bool",
		"emoji":       "id id, name str, animated bool",
		"component1":  "type! int, id int, components! [component]:1-5",
		"component2":  "type! int, id int, style! int, label str:80, emoji emoji, custom_id str:1-100, url str:512, sku_id id, disabled bool",
		"component4":  "type! int, id int, custom_id! str:1-100, style! int, label str:45, min_length int, max_length int, required bool, value str:4000, placeholder str:100",
		"component18": "type! int, id int, label! str:1-45, description str:100, component! component",
		"command": "id id, application_id id, guild_id id, version id, type int, name! str:1-32, description str:100, options [option]:25, " +
			"default_member_permissions str, nsfw bool, contexts [int], integration_types [int], handler int, " + names,
		"option": "type! int, name! str:1-32, description! str:1-100, required bool, choices [choice]:25, options [option]:25, channel_types [int], " +
			"min_value num, max_value num, min_length int, max_length int, autocomplete bool, " + names,
		"choice":      "name! str:1-100, name_localizations texts, value! scalar:1-100",
		"application": "description str:400, tags [str]:5, custom_install_url str, install_params any, flags int, icon str, cover_image str, integration_types_config any",
	}
}
