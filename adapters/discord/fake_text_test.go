package discord_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// shown returns what people see of a text: without the marks that dress it, and
// with what its mentions stand for. What a client doesn't take for a mark stays,
// so a name that isn't escaped can't be overlooked.
func (a *discordAPI) shown(c *channel, s string) string {
	return a.blocks(c, s)
}

var (
	fence    = regexp.MustCompile("(?s)^```(?:[A-Za-z0-9_+.-]+\n)?\n?(.*?[^\n])\n?```")
	lineMark = regexp.MustCompile(`^(?:(#{1,3} +|-# +)|(>{1,3} )|( *)[-*] )`)
	linked   = regexp.MustCompile(`^\[([^\[\]]+)\]\(<?https?://[^()\s]+>?\)|^<(https?://[^\s>]+)>`)
	special  = regexp.MustCompile(`^<(@!?|@&|#|a?:\w+:|t:)(-?\d+)(?::([a-zA-Z]))?>`)
	escaped  = regexp.MustCompile(`^\\([^0-9A-Za-z\s])`)
)

// blocks cuts a text into blocks of code and lines.
func (a *discordAPI) blocks(c *channel, s string) string {
	var b strings.Builder
	start := true // of a line
	for s != "" {
		if start {
			if m := lineMark.FindStringSubmatch(s); m != nil {
				s = s[len(m[0]):]
				switch {
				case m[2] != "":
					b.WriteString("▎ ")
				case m[1] == "":
					b.WriteString(m[3] + "• ")
				}
			}
		}
		start = false
		if m := fence.FindStringSubmatch(s); m != nil {
			b.WriteString(m[1])
			s = s[len(m[0]):]
			continue
		}
		out, rest := a.inline(c, s)
		start = strings.HasSuffix(out, "\n")
		b.WriteString(out)
		s = rest
	}
	return b.String()
}

// inline returns what the beginning of a text looks like, and the rest of it.
func (a *discordAPI) inline(c *channel, s string) (out, rest string) {
	if m := escaped.FindStringSubmatch(s); m != nil {
		return m[1], s[len(m[0]):]
	}
	if m := special.FindStringSubmatch(s); m != nil {
		return a.meant(c, m), s[len(m[0]):]
	}
	if m := linked.FindStringSubmatch(s); m != nil {
		if m[2] != "" {
			return m[2], s[len(m[0]):]
		}
		return a.blocks(c, m[1]), s[len(m[0]):]
	}
	if strings.HasPrefix(s, "`") {
		ticks := s[:len(s)-len(strings.TrimLeft(s, "`"))]
		for i := len(ticks); i < len(s); i++ {
			end := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
			if end == len(ticks) {
				return strings.Trim(s[len(ticks):i], " "), s[i+end:]
			}
			i += end
		}
		return ticks, s[len(ticks):]
	}
	for _, mark := range []string{"**", "__", "~~", "||", "*", "_"} {
		if inner, after, ok := marked(s, mark); ok {
			return a.blocks(c, "\u2060"+inner)[len("\u2060"):], after
		}
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], s[size:]
}

// marked returns what stands between a mark at the beginning and the next.
func marked(s, mark string) (inner, rest string, ok bool) {
	body, ok := strings.CutPrefix(s, mark)
	if !ok || body == "" || mark == "*" && strings.TrimLeft(body[:1], " \n*") == "" {
		return "", "", false
	}
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' {
			i++
			continue
		}
		after, found := strings.CutPrefix(body[i:], mark)
		double := len(mark) == 1 && strings.HasPrefix(after, mark)
		switch {
		case double:
			i++
		case !found || i == 0 || len(mark) == 2 && strings.HasPrefix(after, mark[:1]):
		case mark == "_" && after != "" && isWordy(after[0]), mark == "*" && strings.TrimRight(body[:i], " \n") != body[:i]:
		default:
			return body[:i], after, true
		}
	}
	return "", "", false
}

func isWordy(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// meant returns what a mention, an emoji or a time looks like.
func (a *discordAPI) meant(c *channel, m []string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case m[1] == "@&":
		return "@a role"
	case strings.HasPrefix(m[1], "@"):
		if u := a.users[m[2]]; u != nil {
			return "@" + a.nameOf(c.guild, u)
		}
		return "@unknown-user"
	case m[1] == "#":
		if other := a.channels[m[2]]; other != nil {
			return "#" + other.name
		}
		return "#unknown"
	case m[1] == "t:" && m[3] == "R":
		seconds, _ := strconv.ParseInt(m[2], 10, 64)
		return relative(time.Until(time.Unix(seconds, 0)))
	}
	return m[0]
}

// relative is how clients count down to a moment, or up from it.
func relative(d time.Duration) string {
	form := "in %d %s"
	if d < 0 {
		d, form = -d, "%d %s ago"
	}
	for _, u := range []struct {
		name string
		span time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if n := int(d.Round(u.span) / u.span); d >= u.span || u.span == time.Second {
			if n != 1 {
				u.name += "s"
			}
			return fmt.Sprintf(form, n, u.name)
		}
	}
	return ""
}

func TestTextsLookAsClientsShowThem(t *testing.T) {
	a := newDiscordAPI(t)
	a.addUser(user{ID: "200000000000000011", Username: "ann", Global: "Ann"})
	c := a.addChannel(channel{id: "300000000000000001", kind: directChat, with: a.self})
	for text, want := range map[string]string{
		"**Ann** rolls 4":                  "Ann rolls 4",
		`\*\*Ann\*\* and \_b\_`:            "**Ann** and _b_",
		"a_b*c and snake_case_name":        "a_b*c and snake_case_name",
		"_x_ *y* __z__ ~~w~~ ||v||":        "x y z w v",
		"***both***, 2 * 3 * 4":            "both, 2 * 3 * 4",
		"<@200000000000000011> is next":    "@Ann is next",
		"<@1> <@&2> <#300000000000000001>": "@unknown-user @a role #",
		"```\n|_1|\n|*2|\n```after":        "|_1|\n|*2|after",
		"`a*b*` ``c`d`` `open":             "a*b* c`d `open",
		"# big\n> said\n- one\n-# small":   "big\n▎ said\n• one\nsmall",
		`\# big` + "\n" + `\- one`:         "# big\n- one",
		"[text](https://x.org) [x](y)":     "text [x](y)",
		"<https://x.org/a_b_>":             "https://x.org/a_b_",
		`¯\\\_(ツ)\_/¯ \[x\]\(y\)`:          `¯\_(ツ)_/¯ [x](y)`,
	} {
		if got := a.shown(c, text); got != want {
			t.Errorf("%q looks like %q, not %q", text, got, want)
		}
	}
}
