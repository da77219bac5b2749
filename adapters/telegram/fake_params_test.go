package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// request is a call that was read: its values are of the kinds that the
// method's parameters have, numbers as json.Number.
type request struct {
	ctx     context.Context
	method  string
	values  map[string]any
	uploads map[string]upload
	used    map[string]bool // the uploads that something refers to
	does    func(*botAPI, *request) (any, *apiError)
}

type upload struct {
	name string
	data []byte
}

func (r *request) has(name string) bool { return r.values[name] != nil }

func (r *request) int(name string) int64 {
	n, _ := r.values[name].(json.Number)
	i, _ := n.Int64()
	return i
}

func (r *request) str(name string) string {
	s, _ := r.values[name].(string)
	return s
}

func (r *request) bool(name string) bool {
	b, _ := r.values[name].(bool)
	return b
}

// into reads a structured value. It was checked before, so it can be read.
func (r *request) into(name string, to any) {
	if data, err := json.Marshal(r.values[name]); err == nil {
		_ = json.Unmarshal(data, to)
	}
}

// What each method takes: names and kinds, needed ones marked with "!". Kinds
// are int, bool, str, file (an upload or a string), chat (an id or a
// @username), a list in [], or one of objects.
func methodTable() map[string]struct {
	does   func(*botAPI, *request) (any, *apiError)
	params string
} {
	const (
		send = "chat_id! chat, message_thread_id int, disable_notification bool, protect_content bool, " +
			"allow_paid_broadcast bool, message_effect_id str, reply_parameters reply, reply_markup markup, parse_mode str, "
		caption  = "caption str, caption_entities [entity], show_caption_above_media bool, "
		edit     = "chat_id! chat, message_id! int, reply_markup keyboard, parse_mode str, "
		language = "language_code str, "
	)
	return map[string]struct {
		does   func(*botAPI, *request) (any, *apiError)
		params string
	}{
		"getMe":                  {(*botAPI).getMe, ""},
		"getUpdates":             {(*botAPI).getUpdates, "offset int, limit int, timeout int, allowed_updates [str]"},
		"setWebhook":             {(*botAPI).setWebhook, "url! str, certificate file, ip_address str, max_connections int, allowed_updates [str], drop_pending_updates bool, secret_token str"},
		"deleteWebhook":          {(*botAPI).deleteWebhook, "drop_pending_updates bool"},
		"getWebhookInfo":         {(*botAPI).getWebhookInfo, ""},
		"setMyCommands":          {(*botAPI).setMyCommands, language + "commands! [command], scope scope"},
		"getMyCommands":          {(*botAPI).getMyCommands, language + "scope scope"},
		"deleteMyCommands":       {(*botAPI).deleteMyCommands, language + "scope scope"},
		"setMyDescription":       {(*botAPI).setMyDescription, language + "description str"},
		"setMyShortDescription":  {(*botAPI).setMyShortDescription, language + "short_description str"},
		"getMyDescription":       {(*botAPI).getMyDescription, language},
		"getMyShortDescription":  {(*botAPI).getMyShortDescription, language},
		"sendMessage":            {(*botAPI).sendMessage, send + "text! str, entities [entity], link_preview_options preview"},
		"sendPhoto":              {(*botAPI).sendPhoto, send + caption + "photo! file, has_spoiler bool"},
		"sendAnimation":          {(*botAPI).sendAnimation, send + caption + "animation! file, duration int, width int, height int, thumbnail file, has_spoiler bool"},
		"sendDocument":           {(*botAPI).sendDocument, send + caption + "document! file, thumbnail file, disable_content_type_detection bool"},
		"editMessageText":        {(*botAPI).editMessageText, edit + "text! str, entities [entity], link_preview_options preview"},
		"editMessageCaption":     {(*botAPI).editMessageCaption, edit + caption},
		"editMessageMedia":       {(*botAPI).editMessageMedia, edit + "media! media"},
		"editMessageReplyMarkup": {(*botAPI).editMessageReplyMarkup, edit},
		"deleteMessage":          {(*botAPI).deleteMessage, "chat_id! chat, message_id! int"},
		"answerCallbackQuery":    {(*botAPI).answerCallbackQuery, "callback_query_id! str, text str, show_alert bool, url str, cache_time int"},
		"setMessageReaction":     {(*botAPI).setMessageReaction, "chat_id! chat, message_id! int, reaction [reaction], is_big bool"},
		"sendChatAction":         {(*botAPI).sendChatAction, "chat_id! chat, message_thread_id int, action! str"},
		"getChat":                {(*botAPI).getChat, "chat_id! chat"},
		"getChatMember":          {(*botAPI).getChatMember, "chat_id! chat, user_id! int"},
		"getChatAdministrators":  {(*botAPI).getChatAdministrators, "chat_id! chat"},
		"getFile":                {(*botAPI).getFile, "file_id! str"},
	}
}

// objectTable says what stands in the structured values.
func objectTable() map[string]string {
	return map[string]string{
		"entity": "type! str, offset! int, length! int, url str, user user, language str, custom_emoji_id str, unix_time int, date_time_format str",
		"user": "id! int, is_bot bool, first_name str, last_name str, username str, language_code str, is_premium bool, " +
			"added_to_attachment_menu bool, can_join_groups bool, can_read_all_group_messages bool, supports_inline_queries bool, " +
			"can_connect_to_business bool, has_main_web_app bool",
		"keyboard": "inline_keyboard! [[button]]",
		"force":    "force_reply! bool, input_field_placeholder str, selective bool",
		"button": "text! str, style str, url str, callback_data str, switch_inline_query str, switch_inline_query_current_chat str, " +
			"copy_text copy, pay bool",
		"copy":     "text! str",
		"reply":    "message_id! int, chat_id chat, allow_sending_without_reply bool, quote str",
		"preview":  "is_disabled bool, url str, prefer_small_media bool, prefer_large_media bool, show_above_text bool",
		"scope":    "type! str, chat_id chat, user_id int",
		"command":  "command! str, description! str",
		"reaction": "type! str, emoji str",
		"media": "type! str, media! str, caption str, caption_entities [entity], parse_mode str, show_caption_above_media bool, " +
			"has_spoiler bool, width int, height int, duration int, thumbnail str, disable_content_type_detection bool",
	}
}

// field is a parameter, or what stands in an object.
type field struct {
	name, kind string
	needed     bool
}

func fields(list string) []field {
	var all []field
	for f := range strings.SplitSeq(list, ", ") {
		if name, kind, ok := strings.Cut(strings.TrimSuffix(f, ","), " "); ok {
			short, needed := strings.CutSuffix(name, "!")
			all = append(all, field{short, kind, needed})
		}
	}
	return all
}

// read reads and checks a request. What isn't as the method's table has it is a
// fault; the answer is the server's.
func (a *botAPI) read(q *http.Request, method string) (*request, *apiError) {
	r := &request{ctx: q.Context(), method: method, values: map[string]any{}, uploads: map[string]upload{}, used: map[string]bool{}}
	known, ok := methodTable()[method]
	var problems []string
	if !ok {
		problems = append(problems, "there is no such method")
	} else {
		r.does = known.does
		params := fields(known.params)
		if err := r.decode(q, params); err != nil {
			problems = append(problems, err.Error())
		} else {
			problems = r.check(params)
		}
	}
	if len(problems) == 0 {
		return r, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range problems {
		a.faultf("%s: %s", method, p)
	}
	if !ok {
		return r, &apiError{status: http.StatusNotFound, text: "Not Found: method not found"}
	}
	return r, bad("%s", problems[0])
}

// decode reads the body in any of the forms that the server takes.
func (r *request) decode(q *http.Request, params []field) error {
	for name, v := range q.URL.Query() {
		if err := r.form(name, v[0], params); err != nil {
			return err
		}
	}
	if q.Body == nil || q.Method == http.MethodGet {
		return nil
	}
	body, err := io.ReadAll(q.Body)
	if err != nil || len(body) == 0 {
		return err
	}
	kind, options, _ := mime.ParseMediaType(q.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		return d.Decode(&r.values)
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		for name, v := range values {
			if err := r.form(name, v[0], params); err != nil {
				return err
			}
		}
		return err
	case "multipart/form-data":
		return r.multipart(multipart.NewReader(bytes.NewReader(body), options["boundary"]), params)
	}
	return fmt.Errorf("a body of type %q", kind)
}

func (r *request) multipart(parts *multipart.Reader, params []field) error {
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return err
		}
		if p.FileName() != "" {
			r.uploads[p.FormName()] = upload{p.FileName(), data}
		} else if err := r.form(p.FormName(), string(data), params); err != nil {
			return err
		}
	}
}

// form reads a value of a form, where all is text, by the kind that it has to
// be.
func (r *request) form(name, value string, params []field) error {
	i := slices.IndexFunc(params, func(f field) bool { return f.name == name })
	if i < 0 {
		r.values[name] = value
		return nil
	}
	switch kind := params[i].kind; kind {
	case "str", "file":
		r.values[name] = value
	case "int", "chat":
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			r.values[name] = value
			return nil
		}
		r.values[name] = json.Number(value)
	default:
		d := json.NewDecoder(strings.NewReader(value))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return fmt.Errorf("%s isn't JSON: %q", name, value)
		}
		r.values[name] = v
	}
	return nil
}

// check returns what isn't as it has to be.
func (r *request) check(params []field) []string {
	c := &checker{objects: objectTable()}
	values := maps.Clone(r.values)
	for _, f := range params {
		if _, ok := r.uploads[f.name]; ok && f.kind == "file" {
			values[f.name] = "attach://" + f.name
		}
	}
	c.object(values, params, "")
	if len(c.problems) == 0 {
		r.values = values
	}
	return c.problems
}

// checker compares values with what they have to be.
type checker struct {
	objects  map[string]string
	problems []string
}

func (c *checker) addf(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *checker) object(values map[string]any, fields []field, at string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			c.addf("there is no %s%s", at, name)
		}
	}
	for _, f := range fields {
		switch v := values[f.name]; {
		case v != nil:
			c.value(v, f.kind, at+f.name)
		case f.needed:
			c.addf("%s%s is missing", at, f.name)
		}
	}
}

func (c *checker) value(v any, kind, at string) {
	if of, ok := strings.CutPrefix(kind, "["); ok {
		list, ok := v.([]any)
		if !ok {
			c.addf("%s is no list", at)
		}
		for i, item := range list {
			c.value(item, strings.TrimSuffix(of, "]"), fmt.Sprintf("%s[%d]", at, i))
		}
		return
	}
	ok := true
	switch kind {
	case "str", "file":
		_, ok = v.(string)
	case "bool":
		_, ok = v.(bool)
	case "int":
		ok = whole(v)
	case "chat":
		name, isName := v.(string)
		ok = whole(v) || isName && strings.HasPrefix(name, "@")
	case "markup":
		kind = "keyboard"
		if m, isMap := v.(map[string]any); isMap && m["force_reply"] != nil {
			kind = "force"
		}
		c.value(v, kind, at)
	default:
		var m map[string]any
		if m, ok = v.(map[string]any); ok {
			c.object(m, fields(c.objects[kind]), at+".")
		}
	}
	if !ok {
		c.addf("%s is no %s: %.60v", at, kind, v)
	}
}

// whole tells whether a value is a whole number.
func whole(v any) bool {
	n, ok := v.(json.Number)
	if ok {
		_, err := n.Int64()
		ok = err == nil
	}
	return ok
}
