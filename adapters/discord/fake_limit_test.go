package discord_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// limit is how often something may be done in a span of time, and how often it
// was. The span begins with the first time.
type limit struct {
	most  int
	span  time.Duration
	used  int
	reset time.Time
	told  time.Time // when an answer told that nothing is left
	until time.Time // when it may be tried again, as an answer told
	// unaware says that the bot was started since, so that it can't know.
	unaware bool
}

// take uses up one of what's left, and tells how long to wait if there is none.
func (l *limit) take(now time.Time) time.Duration {
	if !now.Before(l.reset) {
		l.used, l.reset, l.told = 0, now.Add(l.span), time.Time{}
	}
	if l.used++; l.used > l.most {
		return l.reset.Sub(now)
	}
	return 0
}

// rests names what a request shares a limit with, and says how large it is:
// writing and editing by channel, and all that is done with the token of one
// interaction. The first answer has no limit, 0.
func (r *request) rests() (name string, most int, span time.Duration) {
	switch r.route.name {
	case "callback":
		return "callback " + r.vars["interaction"], 0, 0
	case "send", "edit":
		return r.route.name + " " + r.vars["channel"], 5, 5 * time.Second
	case "followup", "edit answer", "delete answer", "get answer":
		return "answers " + r.vars["token"], 5, 2 * time.Second
	case "register":
		return "register " + r.vars["guild"], 5, 20 * time.Second
	}
	return strings.TrimSpace(r.route.name + " " + r.vars["channel"] + r.vars["guild"]), 50, time.Second
}

// limitOf returns a limit by its name. The lock is held.
func (a *discordAPI) limitOf(name string, most int, span time.Duration) *limit {
	l := a.limits[name]
	if l == nil {
		l = &limit{most: most, span: span}
		a.limits[name] = l
	}
	return l
}

// limited holds back what comes too fast. The headers tell what is left, so
// whoever goes on all the same, or before retry_after is over, is at fault.
func (a *discordAPI) limited(r *request, h http.Header) *apiError {
	a.mu.Lock()
	defer a.mu.Unlock()
	name, most, span := r.rests()
	now := time.Now()
	all, own := a.limitOf("all", 50, time.Second), a.limitOf(name, most, span)
	for _, l := range []*limit{all, own} {
		left := l.until.Sub(now)
		if left <= 0 || l == all && most == 0 {
			continue
		}
		if !l.unaware {
			a.faultf("%s: sent again %v before retry_after was over", r.route.name, left)
		}
		l.unaware = false
		return tooMany(left, l == all)
	}
	if most == 0 {
		return nil
	}
	if _, hook := r.vars["token"]; !hook {
		if left := all.take(now); left > 0 {
			all.until = now.Add(left)
			return a.refuse(r, tooMany(left, true), "more than %d requests in a second", all.most)
		}
	}
	left := own.take(now)
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%x", strings.Fields(name)[0]))
	h.Set("X-RateLimit-Limit", fmt.Sprint(own.most))
	h.Set("X-RateLimit-Remaining", fmt.Sprint(max(0, own.most-own.used)))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(own.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", own.reset.Sub(now).Seconds()))
	if left > 0 {
		h.Set("X-RateLimit-Scope", "user")
		own.until = own.reset
		if !own.told.IsZero() && now.Sub(own.told) > 50*time.Millisecond && !own.unaware {
			a.faultf("%s: sent although the headers said that nothing is left", r.route.name)
		}
		own.unaware = false
		return tooMany(left, false)
	}
	if own.used >= own.most {
		own.told = now
	}
	if own.used == 1 {
		own.unaware = false
	}
	return nil
}

// pause lets what a request is limited with rest. The lock is held.
func (a *discordAPI) pause(r *request, d time.Duration, global bool) {
	name, most, span := r.rests()
	if global {
		name, most, span = "all", 50, time.Second
	}
	a.limitOf(name, most, span).until = time.Now().Add(d)
}
