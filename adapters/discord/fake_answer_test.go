package discord_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Kinds of interaction.
const (
	commandGiven  = 2
	buttonPressed = 3
	halfTyped     = 4
	formFilledIn  = 5
)

// Kinds of answer.
const (
	saysSomething = 4
	thinks        = 5
	changesLater  = 6
	changes       = 7
	suggests      = 8
	asksBack      = 9
)

// How long an interaction waits for its first answer, and for all others.
const (
	patience = 3 * time.Second
	validity = 15 * time.Minute
)

// interaction is something that somebody wants of the bot.
type interaction struct {
	id, token string
	kind      int
	what      string // as "/newgame" or "[Join]"
	channel   *channel
	user      *user
	message   *message // whose button was pressed
	at        time.Time
	told      time.Time // when the bot was first told
	answered  int64     // the kind of the first answer
	original  *message  // that the first answer made or changed
	later     []*message
	hindered  bool // something was in the way of an answer
	unsure    bool // the bot can't know what came of its answer
	choices   []any
	form      map[string]any
}

// owners tells who has installed the bot where the interaction happened.
func (in *interaction) owners() map[string]any {
	if in.channel.guild == nil {
		return map[string]any{"0": "0"}
	}
	return map[string]any{"0": in.channel.guild.id}
}

func (in *interaction) String() string { return fmt.Sprintf("%s of %s", in.what, in.user) }

// inTime tells whether the bot had a fair chance to answer.
func (in *interaction) inTime() bool {
	return !in.hindered && !in.told.IsZero() && in.told.Sub(in.at) < time.Second
}

// interactionOf returns the interaction that a request is about, nil if there is
// none. The lock is held.
func (a *discordAPI) interactionOf(r *request) *interaction {
	i := slices.IndexFunc(a.interactions, func(in *interaction) bool { return in.token == r.vars["token"] })
	if i < 0 {
		return nil
	}
	return a.interactions[i]
}

// silence shows somebody that the bot doesn't answer.
func (a *discordAPI) silence(in *interaction) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if in.answered != 0 {
		return
	}
	a.log = append(a.log, event{at: time.Now(), kind: "silence", channel: in.channel, by: in.user, about: in})
	if in.inTime() && !a.down {
		a.faultf("%s wasn't answered within %v", in, patience)
	}
	in.hindered = true
}

// checkEnd finds what was promised and never came. The lock is held.
func (a *discordAPI) checkEnd(in *interaction) {
	switch {
	case in.answered == 0 && in.inTime() && !a.down:
		a.faultf("%s was never answered", in)
	case in.original != nil && in.original.flags&loading != 0 && !in.original.deleted && !in.hindered:
		a.faultf("%s is still being thought about", in)
	}
	in.hindered = true
}

// callback takes the first answer to an interaction.
func (a *discordAPI) callback(r *request) (any, *apiError) {
	in := a.interactionOf(r)
	kind := number(r.values["type"])
	if in == nil || in.id != r.vars["interaction"] {
		return nil, a.refuse(r, unknown(10062, "interaction"), "there was no such interaction")
	}
	switch late := time.Since(in.at); {
	case in.answered != 0:
		e := badRequest(40060, "Interaction has already been acknowledged.")
		if in.unsure || !in.at.After(a.begun) {
			return nil, e
		}
		return nil, a.refuse(r, e, "%s was answered before", in)
	case late > patience:
		e := unknown(10062, "interaction")
		if !in.inTime() || !in.at.After(a.begun) {
			return nil, e
		}
		return nil, a.refuse(r, e, "%s is answered after %v", in, late)
	case !in.takes(kind):
		return nil, a.refuse(r, invalidForm(problem{"type", "This callback type is not allowed"}), "an answer of type %d to %s", kind, in)
	}
	if e := a.answer(r, in, kind); e != nil {
		return nil, e
	}
	in.answered = kind
	if r.query.Get("with_response") != "true" {
		return nil, nil
	}
	result := map[string]any{"id": in.id, "type": in.kind}
	resource := map[string]any{"type": kind}
	if m := in.original; m != nil {
		result["response_message_id"], resource["message"] = m.id, m.json()
		result["response_message_loading"], result["response_message_ephemeral"] = m.flags&loading != 0, m.reader != nil
	}
	return map[string]any{"interaction": result, "resource": resource}, nil
}

// takes tells whether an answer of a kind fits.
func (in *interaction) takes(kind int64) bool {
	switch in.kind {
	case halfTyped:
		return kind == suggests
	case commandGiven:
		return kind == saysSomething || kind == thinks || kind == asksBack
	case formFilledIn:
		return kind == saysSomething || kind == thinks || in.message != nil && (kind == changes || kind == changesLater)
	}
	return kind >= saysSomething && kind <= asksBack && kind != suggests
}

// answer obeys a first answer.
func (a *discordAPI) answer(r *request, in *interaction, kind int64) *apiError {
	data := object(r.values["data"])
	f := &form{a: a, r: r, values: data, at: "data.", flags: noPreviews | silent | ephemeral}
	switch kind {
	case saysSomething:
		return a.sayTo(in, f)
	case thinks:
		if e := a.bare(r, data, "flags"); e != nil {
			return e
		}
		if number(data["flags"])&^ephemeral != 0 {
			return a.refuse(r, invalidForm(problem{"data.flags", "Invalid"}), "%s is thought about with the flags %#x", in, number(data["flags"]))
		}
		m := &message{channel: in.channel, answers: in, flags: loading | number(data["flags"])}
		if m.flags&ephemeral != 0 {
			m.reader = in.user
		}
		in.original = m
		a.post(m, "thinking", nil)
	case changesLater:
		in.original = in.message
		return a.bare(r, data)
	case changes:
		f.old, f.flags = in.message, noPreviews|in.message.flags&ephemeral
		if in.message.deleted {
			return unknown(10008, "Message")
		}
		if e := f.look(); e != nil {
			return e
		}
		in.original = in.message
		a.change(f, in.message)
	case suggests:
		in.choices = list(data["choices"])
		var names []string
		for _, c := range in.choices {
			names = append(names, text(object(c)["name"]))
		}
		a.log = append(a.log, event{at: time.Now(), kind: "choices", channel: in.channel, text: strings.Join(names, ", "), by: in.user, about: in})
		return a.bare(r, data, "choices")
	case asksBack:
		return a.askBack(r, in, data)
	}
	return nil
}

// askBack shows somebody a form to fill in: a title, and rows of one thing to
// write each.
func (a *discordAPI) askBack(r *request, in *interaction, data map[string]any) *apiError {
	incomplete := invalidForm(problem{"data", "Incomplete"})
	if text(data["title"]) == "" || text(data["custom_id"]) == "" || len(list(data["components"])) == 0 {
		return a.refuse(r, incomplete, "a form without a title, a custom_id or anything to fill in")
	}
	shown := text(data["title"])
	for _, row := range list(data["components"]) {
		inner := list(object(row)["components"])
		if number(object(row)["type"]) != 1 || len(inner) != 1 || number(object(inner[0])["type"]) != 4 {
			return a.refuse(r, incomplete, "a form with a row of something else than one thing to write: %v", row)
		}
		one := object(inner[0])
		style, most := number(one["style"]), number(one["max_length"])
		if style < 1 || style > 2 || text(one["label"]) == "" || most < 0 || most > 4000 {
			return a.refuse(r, incomplete, "something to write with the style %d, the label %q, and up to %d characters", style, one["label"], most)
		}
		shown += fmt.Sprintf(", %s (%s, like %s)", text(one["custom_id"]), text(one["label"]), text(one["placeholder"]))
	}
	in.form = data
	a.log = append(a.log, event{at: time.Now(), kind: "form", channel: in.channel, text: shown, by: in.user, about: in})
	return a.bare(r, data, "title", "custom_id", "components")
}

// bare refuses data that an answer of its kind doesn't have, except what a
// library writes without it meaning anything.
func (a *discordAPI) bare(r *request, data map[string]any, but ...string) *apiError {
	for name, v := range data {
		if !slices.Contains(but, name) && (text(v) != "" || isTrue(v) || len(list(v)) > 0 || number(v) != 0 || object(v) != nil && name != "allowed_mentions") {
			return a.refuse(r, invalidForm(problem{"data." + name, "Invalid"}), "data.%s means nothing in an answer of type %v", name, r.values["type"])
		}
	}
	return nil
}

// sayTo posts a message that answers an interaction. Rights to write aren't
// needed for that, those to attach files are.
func (a *discordAPI) sayTo(in *interaction, f *form) *apiError {
	if len(f.r.uploads) > 0 && in.channel.rights()&attachFiles == 0 {
		return forbidden(50013, "Missing Permissions")
	}
	if e := f.look(); e != nil {
		return e
	}
	m := &message{channel: in.channel, answers: in}
	f.fill(m)
	if m.flags&ephemeral != 0 {
		m.reader = in.user
	}
	if in.original == nil {
		in.original = m
	} else {
		in.later = append(in.later, m)
	}
	a.post(m, "send", object(f.values["allowed_mentions"]))
	return nil
}

// answering returns the interaction whose token a request has, if it's still
// good.
func (a *discordAPI) answering(r *request) (*interaction, *apiError) {
	in := a.interactionOf(r)
	switch {
	case in == nil:
		return nil, a.refuse(r, unknown(10015, "Webhook"), "there was no interaction with this token")
	case time.Since(in.at) > validity:
		e := &apiError{status: http.StatusUnauthorized, code: 50027, text: "Invalid Webhook Token"}
		return nil, a.refuse(r, e, "the token of %s is %v old", in, time.Since(in.at))
	case in.answered == 0 && (in.hindered || !in.inTime()):
		return nil, unknown(10015, "Webhook")
	case in.answered == 0:
		return nil, a.refuse(r, unknown(10015, "Webhook"), "%s has no first answer yet", in)
	}
	return in, nil
}

func (a *discordAPI) followUp(r *request) (any, *apiError) {
	in, e := a.answering(r)
	if e != nil {
		return nil, e
	}
	if m := in.original; m != nil && m.flags&loading != 0 {
		a.faultf("followup: it changes what %s is still shown as thinking; @original does that", in)
		return a.editWith(r, in, m)
	}
	f := &form{a: a, r: r, values: r.values, flags: noPreviews | silent | ephemeral}
	if in.original == nil {
		in.original = in.message
	}
	if e := a.sayTo(in, f); e != nil {
		return nil, e
	}
	return in.later[len(in.later)-1].json(), nil
}

// answerOf returns the message of a request with the token of an interaction.
func (a *discordAPI) answerOf(r *request) (*interaction, *message, *apiError) {
	in, e := a.answering(r)
	if e != nil {
		return nil, nil, e
	}
	m := in.original
	if id := r.vars["message"]; id != "@original" && (m == nil || m.id != id) {
		m = nil
		for _, other := range in.later {
			if other.id == id {
				m = other
			}
		}
	}
	switch {
	case m == nil:
		return nil, nil, a.refuse(r, unknown(10008, "Message"), "%s has no answer %s", in, r.vars["message"])
	case m.deleted:
		return nil, nil, unknown(10008, "Message")
	}
	return in, m, nil
}

func (a *discordAPI) getAnswer(r *request) (any, *apiError) {
	_, m, e := a.answerOf(r)
	if e != nil {
		return nil, e
	}
	return m.json(), nil
}

func (a *discordAPI) editAnswer(r *request) (any, *apiError) {
	in, m, e := a.answerOf(r)
	if e != nil {
		return nil, e
	}
	return a.editWith(r, in, m)
}

// editWith changes a message with the token of an interaction.
func (a *discordAPI) editWith(r *request, in *interaction, m *message) (any, *apiError) {
	if len(r.uploads) > 0 && in.channel.rights()&attachFiles == 0 {
		return nil, forbidden(50013, "Missing Permissions")
	}
	f := &form{a: a, r: r, values: r.values, old: m, flags: noPreviews}
	if e := f.look(); e != nil {
		return nil, e
	}
	a.change(f, m)
	return m.json(), nil
}

func (a *discordAPI) deleteAnswer(r *request) (any, *apiError) {
	_, m, e := a.answerOf(r)
	if e != nil {
		return nil, e
	}
	a.see("delete", m)
	m.deleted = true
	return nil, nil
}
