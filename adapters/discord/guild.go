package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"hiss/bot"
)

// ready, joined, removed and deleted are what else the gateway tells.

func (d *Discord) ready(r *discordgo.Ready) {
	if r.User != nil {
		d.log.Info("connected", "bot", r.User.Username)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, g := range r.Guilds {
		if g != nil {
			d.guilds[g.ID] = true
		}
	}
}

func (d *Discord) joined(guild string) {
	d.mu.Lock()
	d.guilds[guild] = true
	d.mu.Unlock()
	select {
	case d.stale <- guild:
	default: // looked at after another start
	}
}

func (d *Discord) removed(guild string) {
	d.log.Info("the bot isn't in a server any more", "server", guild)
	d.mu.Lock()
	delete(d.guilds, guild)
	d.mu.Unlock()
	d.out.removed(guild)
}

func (d *Discord) deleted(channel string) {
	d.out.mu.Lock()
	l := d.out.lines[channel]
	d.out.mu.Unlock()
	if l != nil {
		l.mu.Lock()
		l.leave()
		l.mu.Unlock()
	}
}

// unknownMember is Discord's code for somebody who isn't in a server.
const unknownMember = 10007

// Member asks Discord whether somebody is in a server. What isn't one that the bot
// is in is a direct message, mostly, which nobody leaves.
func (d *Discord) Member(ctx context.Context, chat bot.ChatID, user bot.UserID) (in bool, err error) {
	guild, ours := strings.CutPrefix(string(chat), name+":")
	who, known := userNumber(user)
	if !ours || !known {
		return false, fmt.Errorf("%s and %s aren't both of Discord's", chat, user)
	}
	d.mu.Lock()
	server := d.guilds[guild]
	d.mu.Unlock()
	if !server {
		return true, nil
	}
	err = d.asks.Make(ctx, func(ctx context.Context) (time.Duration, error) {
		next, err := d.rest.do(ctx, call{method: http.MethodGet, path: "/guilds/" + guild + "/members/" + who})
		var e *apiError
		if in = err == nil; errors.As(err, &e) && e.Status == http.StatusNotFound && e.Code == unknownMember {
			return next, nil
		}
		_, rest := classify(err)
		return max(next, rest), err
	})
	if err != nil {
		return false, fmt.Errorf("asking whether somebody is in the server: %w", err)
	}
	return in, nil
}
