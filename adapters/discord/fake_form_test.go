package discord_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	_ "image/gif" // for pictures that move
	_ "image/png" // for those that don't
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Flags of a message.
const (
	noPreviews = 1 << 2
	ephemeral  = 1 << 6
	loading    = 1 << 7
	silent     = 1 << 12
)

// form is a message that a request wants to have, looked at before it's taken.
type form struct {
	a        *discordAPI
	r        *request
	values   map[string]any // of the message
	at       string         // where they stand in the body
	old      *message       // that is edited, nil for a new one
	flags    int64          // those that may be set
	problems []problem
}

func (f *form) addf(at, format string, args ...any) {
	f.problems = append(f.problems, problem{f.at + at, fmt.Sprintf(format, args...)})
}

// look finds what a message must not be. What Discord would take but a bot had
// better not send is noted as a fault; the rest is refused.
func (f *form) look() *apiError {
	if extra := number(f.values["flags"]) &^ f.flags; extra != 0 {
		f.addf("flags", "has the bits %#x, which can't be set here", extra)
	}
	for _, other := range []string{"poll", "sticker_ids", "choices", "custom_id", "title"} {
		if f.values[other] != nil && len(list(f.values[other])) != 0 {
			f.addf(other, "has no place in a message of this bot")
		}
	}
	f.embeds()
	f.rows()
	f.mentions()
	f.attachments()
	for _, p := range f.problems {
		f.a.faultf("%s: %s %s", f.r.route.name, p.at, p.text)
	}
	if len(f.problems) > 0 {
		return invalidForm(f.problems...)
	}
	if f.empty() {
		return f.a.refuse(f.r, badRequest(50006, "Cannot send an empty message"), "the message shows nothing")
	}
	return nil
}

// empty tells whether nothing is left to see.
func (f *form) empty() bool {
	has := func(name string, before bool) bool {
		v, given := f.values[name]
		if !given {
			return before
		}
		return strings.TrimSpace(text(v)) != "" || len(list(v)) > 0
	}
	old := f.old
	if old == nil {
		old = &message{}
	}
	return !has("content", old.content != "") && !has("embeds", len(old.embeds) > 0) && !has("components", len(old.components) > 0) &&
		!has("attachments", len(old.attachments) > 0) && len(f.r.uploads) == 0
}

func (f *form) embeds() {
	total := 0
	for i, one := range list(f.values["embeds"]) {
		e := object(one)
		words := text(e["title"]) + text(e["description"]) + text(object(e["footer"])["text"]) + text(object(e["author"])["name"])
		for _, entry := range list(e["fields"]) {
			words += text(object(entry)["name"]) + text(object(entry)["value"])
		}
		total += utf8.RuneCountInString(words)
		if words == "" && e["image"] == nil && e["thumbnail"] == nil {
			f.addf(fmt.Sprintf("embeds[%d]", i), "shows nothing")
		}
		for _, kind := range []string{"image", "thumbnail"} {
			name, inner := strings.CutPrefix(text(object(e[kind])["url"]), "attachment://")
			if inner && !slices.Contains(f.names(), name) {
				f.addf(fmt.Sprintf("embeds[%d].%s", i, kind), "shows %s, which isn't attached", name)
			}
		}
	}
	if total > 6000 {
		f.addf("embeds", "have %d characters together, up to 6000 are taken", total)
	}
}

// rows looks at the buttons.
func (f *form) rows() {
	rows := list(f.values["components"])
	if len(rows) > 5 {
		f.addf("components", "has %d rows, up to 5 are taken", len(rows))
	}
	known := map[string]bool{}
	for i, row := range rows {
		at := fmt.Sprintf("components[%d]", i)
		if number(object(row)["type"]) != 1 {
			f.addf(at, "is no row")
			continue
		}
		for j, b := range list(object(row)["components"]) {
			f.button(object(b), fmt.Sprintf("%s.components[%d]", at, j), known)
		}
	}
}

func (f *form) button(b map[string]any, at string, known map[string]bool) {
	style, id, link := number(b["style"]), text(b["custom_id"]), text(b["url"])
	switch {
	case number(b["type"]) != 2:
		f.addf(at, "is no button")
	case style < 1 || style > 5 || b["sku_id"] != nil:
		f.addf(at+".style", "is %d, or it sells something", style)
	case style == 5 && (link == "" || id != ""):
		f.addf(at+".url", "is missing, or there is a custom_id beside it")
	case style == 5 && !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://") && !strings.HasPrefix(link, "discord://"):
		f.addf(at+".url", "leads to %s", link)
	case style != 5 && (id == "" || link != ""):
		f.addf(at+".custom_id", "is missing, or there is a url beside it")
	case strings.TrimSpace(text(b["label"])) == "" && object(b["emoji"]) == nil:
		f.addf(at+".label", "is empty")
	case id != "" && known[id]:
		f.addf(at+".custom_id", "%q is used twice", id)
	}
	known[id] = true
}

// mentions wants to be told who may be notified, wherever there is a text: names
// can look like mentions.
func (f *form) mentions() {
	m := object(f.values["allowed_mentions"])
	if m == nil && text(f.values["content"]) != "" {
		f.a.faultf("%s: %sallowed_mentions is missing", f.r.route.name, f.at)
	}
	for _, kind := range list(m["parse"]) {
		switch {
		case !slices.Contains([]string{"users", "roles", "everyone"}, text(kind)):
			f.addf("allowed_mentions.parse", "has %v", kind)
		case len(list(m[text(kind)])) > 0:
			f.addf("allowed_mentions", "has parse: [%s] and %s, which exclude each other", kind, kind)
		}
	}
}

// key returns an attachment's id as it was given, as a text or a number.
func key(v any) string { return fmt.Sprint(object(v)["id"]) }

// attachments looks at the files that are sent along, and at the list of those
// that the message has then.
func (f *form) attachments() {
	listed, given := f.values["attachments"].([]any)
	var known []string
	if f.old != nil {
		for _, one := range f.old.attachments {
			known = append(known, one.id)
		}
	}
	for _, u := range f.r.uploads {
		known = append(known, u.n)
		f.upload(u)
		switch {
		case f.old != nil && !given:
			f.addf("attachments", "isn't there, so %s is added to the %d files that the message has", u.name, len(f.old.attachments))
		case given && !slices.ContainsFunc(listed, func(v any) bool { return key(v) == u.n }):
			f.addf("attachments", "doesn't list files[%s]", u.n)
		}
	}
	var seen []string
	for i, one := range listed {
		if !slices.Contains(known, key(one)) || slices.Contains(seen, key(one)) {
			f.addf(fmt.Sprintf("attachments[%d].id", i), "is %s, which is neither a file sent along nor one of the message, or is there twice", key(one))
		}
		seen = append(seen, key(one))
	}
}

// upload wants pictures to be what their names say.
func (f *form) upload(u upload) {
	kind := strings.TrimPrefix(path.Ext(u.name), ".")
	if kind != "png" && kind != "gif" {
		if kind == "jpg" || kind == "jpeg" || kind == "webp" {
			f.addf("files["+u.n+"]", "is a %s", kind)
		}
		return
	}
	if _, format, err := image.Decode(bytes.NewReader(u.data)); err != nil || format != kind {
		f.addf("files["+u.n+"]", "is no %s: %s, %v", kind, format, err)
	}
}

// names returns how the files are called that the message has then.
func (f *form) names() []string {
	var all []string
	for _, u := range f.r.uploads {
		all = append(all, u.name)
	}
	if f.old != nil {
		for _, one := range f.old.attachments {
			all = append(all, one.name)
		}
	}
	return all
}

// fill makes a message what a form that was looked at says.
func (f *form) fill(m *message) {
	if v, given := f.values["content"]; given {
		m.content = strings.TrimSpace(text(v))
	}
	if v, given := f.values["embeds"]; given {
		m.embeds = list(v)
	}
	if v, given := f.values["components"]; given {
		m.components = numbered(list(v))
	}
	if v, given := f.values["flags"]; given {
		m.flags = m.flags&(ephemeral|silent) | number(v)
	}
	f.attach(m)
}

func (f *form) attach(m *message) {
	var all []*attachment
	listed, given := f.values["attachments"].([]any)
	described := map[string]map[string]any{}
	for _, one := range listed {
		described[key(one)] = object(one)
	}
	for _, one := range m.attachments {
		if !given || described[one.id] != nil {
			all = append(all, one)
		}
	}
	for _, u := range f.r.uploads {
		about := described[u.n]
		one := f.a.keep(m.channel, u.name, u.data)
		one.description = text(about["description"])
		if name := text(about["filename"]); name != "" {
			one.name = name
		}
		all = append(all, one)
	}
	m.attachments = all
}

// numbered gives components the ids that Discord gives to those without.
func numbered(all []any) []any {
	next := 0
	var number func(all []any) []any
	number = func(all []any) []any {
		out := make([]any, len(all))
		for i, one := range all {
			next++
			c := maps.Clone(object(one))
			maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
			c["id"] = next
			if inner, ok := c["components"].([]any); ok {
				c["components"] = number(inner)
			}
			out[i] = c
		}
		return out
	}
	return number(all)
}

// attachment is a file of a message or of an option.
type attachment struct {
	id, name, description, url string
	data                       []byte
	claims                     int // the size that is told, unless it's 0
	width, height              int
}

// keep stores a file. The lock is held.
func (a *discordAPI) keep(c *channel, name string, data []byte) *attachment {
	one := &attachment{id: a.newID(), name: name, data: data}
	if picture, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
		one.width, one.height = picture.Width, picture.Height
	}
	one.url = a.fileURL(c, one.id, name)
	a.files[one.id] = one
	return one
}

func (f *attachment) json() map[string]any {
	m := map[string]any{"id": f.id, "filename": f.name, "size": cmp.Or(f.claims, len(f.data)), "url": f.url, "proxy_url": f.url}
	if f.width > 0 {
		m["width"], m["height"], m["content_type"] = f.width, f.height, "image/"+strings.TrimPrefix(path.Ext(f.name), ".")
	}
	if f.description != "" {
		m["description"] = f.description
	}
	return m
}
