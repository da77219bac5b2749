package discord_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// request is a call that was read: its values are of the kinds that the route's
// body has, numbers as json.Number.
type request struct {
	route   *route
	path    string
	vars    map[string]string
	query   url.Values
	values  map[string]any // of a body that is an object
	list    []any          // of one that is a list
	uploads []upload
}

type upload struct {
	n    string // of files[n]
	name string
	data []byte
}

// same is what a request that asks for the same again would have in common.
func (r *request) same() string {
	body, _ := json.Marshal(r.values)
	return r.route.method + r.path + string(body)
}

// object returns a value that is an object, nil if there is none.
func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// list returns a value that is a list, nil if there is none.
func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func isTrue(v any) bool {
	b, _ := v.(bool)
	return b
}

// number returns a value that is a whole number, 0 if there is none.
func number(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

var agent = regexp.MustCompile(`^DiscordBot \(https?://\S+, v?[0-9.]+\)`)

// read finds the route of a request, and reads and checks what it holds. What
// isn't as the route's table has it is a fault; the answer is Discord's.
func (a *discordAPI) read(q *http.Request) (*request, *apiError) {
	r := &request{path: q.URL.Path, query: q.URL.Query()}
	raw, err := io.ReadAll(q.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		return r, badRequest(50109, "The request body contains invalid JSON.")
	}
	notFound := &apiError{status: http.StatusNotFound, text: "404: Not Found"}
	version, rest, _ := strings.Cut(strings.TrimPrefix(q.URL.Path, "/api/v"), "/")
	if !strings.HasPrefix(q.URL.Path, "/api/v") || version != "9" && version != "10" {
		a.faultf("%s %s is not below /api/v9 or /api/v10", q.Method, q.URL.Path)
		return r, notFound
	}
	if r.route, r.vars = findRoute(q.Method, rest); r.route == nil {
		a.faultf("%s %s: there is no such route", q.Method, q.URL.Path)
		return r, notFound
	}
	if !agent.MatchString(q.UserAgent()) {
		a.faultf("%s: the user agent is %q, not DiscordBot (url, version)", r.route.name, q.UserAgent())
	}
	_, own := r.vars["token"]
	if auth := q.Header.Get("Authorization"); !own && r.route.path != "gateway" && auth != "Bot "+a.token {
		return r, a.refuse(r, &apiError{status: http.StatusUnauthorized, text: "401: Unauthorized"}, "it isn't authorized by this bot's token")
	}
	if app, ok := r.vars["app"]; ok && app != a.self.ID {
		return r, a.refuse(r, forbidden(20012, "You are not authorized to perform this action on this application"), "application %s isn't this one", app)
	}
	if err := r.decode(q.Header.Get("Content-Type"), raw); err != nil {
		return r, a.refuse(r, badRequest(50109, "The request body contains invalid JSON."), "%v", err)
	}
	all := r.check()
	for _, p := range all {
		a.faultf("%s: %s %s", r.route.name, p.at, p.text)
	}
	if len(all) > 0 {
		return r, invalidForm(all...)
	}
	return r, nil
}

// decode reads the body, in one of the forms that the route takes.
func (r *request) decode(contentType string, raw []byte) error {
	if r.route.body == "" {
		if len(raw) > 0 && string(raw) != "null" {
			return fmt.Errorf("it takes no body: %.60s", raw)
		}
		return nil
	}
	kind, options, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "application/json":
	case "multipart/form-data":
		var err error
		if raw, err = r.multipart(multipart.NewReader(bytes.NewReader(raw), options["boundary"])); err != nil {
			return err
		}
	default:
		return fmt.Errorf("a body of type %q", contentType)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if strings.HasPrefix(r.route.body, "[") {
		return d.Decode(&r.list)
	}
	return d.Decode(&r.values)
}

var fileField = regexp.MustCompile(`^files\[(\d)\]$`)

// multipart returns the payload of a form and keeps its files.
func (r *request) multipart(parts *multipart.Reader) ([]byte, error) {
	var payload []byte
	total := 0
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		total += len(data)
		m := fileField.FindStringSubmatch(p.FormName())
		switch {
		case p.FormName() == "payload_json" && payload == nil:
			payload = data
		case m == nil || p.FileName() == "":
			return nil, fmt.Errorf("the part %q is neither payload_json nor files[n] with a name", p.FormName())
		case slices.ContainsFunc(r.uploads, func(u upload) bool { return u.n == m[1] }):
			return nil, fmt.Errorf("two parts are %s", p.FormName())
		case len(data) == 0 || len(data) > 10<<20:
			return nil, fmt.Errorf("%s has %d bytes", p.FileName(), len(data))
		default:
			r.uploads = append(r.uploads, upload{m[1], p.FileName(), data})
		}
	}
	if payload == nil || total > 25<<20 {
		return nil, fmt.Errorf("a form of %d bytes, of which the payload has %d", total, len(payload))
	}
	return payload, nil
}

// problem is a place in a body and what is wrong with it.
type problem struct{ at, text string }

// check returns what isn't as the route has it.
func (r *request) check() []problem {
	c := &checker{objects: objectTable()}
	for _, name := range slices.Sorted(maps.Keys(r.query)) {
		if !slices.Contains(r.route.query, name) {
			c.addf(name, "isn't known in the query")
		}
	}
	switch {
	case r.route.body == "":
	case r.list != nil:
		c.value(r.list, r.route.body, "")
	default:
		if r.values == nil {
			r.values = map[string]any{}
		}
		c.value(r.values, r.route.body, "")
	}
	return c.problems
}

// field is something that stands in an object: its kind, and how many
// characters or parts it has.
type field struct {
	name, kind  string
	needed      bool
	least, most int
}

// fields reads a list of names, kinds and sizes: "label! str:1-80". Needed ones
// are marked with "!"; a lone number is the most that there may be.
func fields(list string) []field {
	var all []field
	for one := range strings.SplitSeq(list, ", ") {
		name, kind, ok := strings.Cut(one, " ")
		if !ok {
			continue
		}
		f := field{}
		f.name, f.needed = strings.CutSuffix(name, "!")
		kind, size, _ := strings.Cut(kind, ":")
		least, most, ranged := strings.Cut(size, "-")
		if !ranged {
			least, most = "", size
		}
		f.kind = kind
		f.least, _ = strconv.Atoi(least)
		f.most, _ = strconv.Atoi(most)
		all = append(all, f)
	}
	return all
}

// checker compares values with what they have to be.
type checker struct {
	objects  map[string]string
	problems []problem
}

func (c *checker) addf(at, format string, args ...any) {
	c.problems = append(c.problems, problem{strings.TrimPrefix(at, "."), fmt.Sprintf(format, args...)})
}

func (c *checker) object(values map[string]any, fields []field, at string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			c.addf(at+"."+name, "isn't known")
		}
	}
	for _, f := range fields {
		switch v := values[f.name]; {
		case v != nil:
			c.value(v, f.kind, at+"."+f.name)
			c.size(v, f, at+"."+f.name)
		case f.needed:
			c.addf(at+"."+f.name, "is missing")
		}
	}
}

// size finds texts and lists that are too short or too long.
func (c *checker) size(v any, f field, at string) {
	n, what := 0, "characters"
	switch v := v.(type) {
	case string:
		n = utf8.RuneCountInString(v)
	case json.Number:
		n = len(v)
	case []any:
		n, what = len(v), "parts"
	default:
		return
	}
	if n < f.least || f.most > 0 && n > f.most {
		c.addf(at, "has %d %s, from %d to %d are taken", n, what, f.least, f.most)
	}
}

var snowflake = regexp.MustCompile(`^\d{15,20}$`)

func (c *checker) value(v any, kind, at string) {
	if of, ok := strings.CutPrefix(kind, "["); ok {
		all, ok := v.([]any)
		if !ok {
			c.addf(at, "is no list")
		}
		for i, item := range all {
			c.value(item, strings.TrimSuffix(of, "]"), fmt.Sprintf("%s[%d]", at, i))
		}
		return
	}
	s, isText := v.(string)
	n, isNumber := v.(json.Number)
	ok := true
	switch kind {
	case "any":
	case "str":
		ok = isText
	case "bool":
		_, ok = v.(bool)
	case "int":
		_, err := n.Int64()
		ok = isNumber && err == nil
	case "num":
		ok = isNumber
	case "id":
		ok = isText && snowflake.MatchString(s)
	case "scalar", "nonce", "ref":
		ok = isText || isNumber
	case "texts":
		ok = object(v) != nil
		for _, one := range object(v) {
			_, isText := one.(string)
			ok = ok && isText
		}
	case "component":
		kind = fmt.Sprintf("component%d", number(object(v)["type"]))
		if c.objects[kind] == "" {
			c.addf(at, "is a component of type %v, which isn't played here", object(v)["type"])
			return
		}
		c.object(object(v), fields(c.objects[kind]), at)
	default:
		var m map[string]any
		if m, ok = v.(map[string]any); ok {
			c.object(m, fields(c.objects[kind]), at)
		}
	}
	if !ok {
		c.addf(at, "is no %s: %.60v", kind, v)
	}
}
