package telegram

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	client "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// menuNote is under what the hash of what was registered last is kept.
const menuNote = name + "/menu"

// menu is what Telegram shows of the bot: commands where they make sense, and
// what it is for.
type menu struct {
	Bot                     int64
	Groups, Admins, Private []models.BotCommand
	Short, About            string
}

// menuOf returns the menu of a handler.
func menuOf(self int64, h bot.Handler) menu {
	m := menu{Bot: self}
	for _, c := range h.Commands() {
		entry := models.BotCommand{Command: c.Name, Description: c.Summary}
		if c.Menus&bot.InGroups != 0 {
			m.Groups = append(m.Groups, entry)
		}
		if c.Menus&(bot.InGroups|bot.ForAdmins) != 0 {
			m.Admins = append(m.Admins, entry)
		}
		if c.Menus&bot.InPrivate != 0 {
			m.Private = append(m.Private, entry)
		}
	}
	m.Short, m.About = h.About()
	return m
}

// register tells Telegram the menu, if it isn't the one told last. It tries
// until it's done or ctx ends.
func (t *Telegram) register(ctx context.Context) {
	m := menuOf(t.self.ID, t.handler)
	data, err := json.Marshal(m)
	if err != nil {
		t.log.Error("the menu of commands", "error", err)
		return
	}
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	if noted, err := t.notes.Get(menuNote); err == nil && string(noted) == hash {
		return
	}
	err = t.persist(ctx, "registering the menu of commands", func(ctx context.Context) error { return t.api.setMenu(ctx, m) })
	if err != nil {
		return // said where it was tried
	}
	if err := t.notes.Put(menuNote, []byte(hash)); err != nil {
		t.log.Error("noting the menu of commands", "error", err)
	}
}

// setMenu tells Telegram a menu.
func (a *api) setMenu(ctx context.Context, m menu) error {
	for _, s := range []struct {
		scope    models.BotCommandScope
		commands []models.BotCommand
	}{
		{&models.BotCommandScopeAllGroupChats{}, m.Groups},
		{&models.BotCommandScopeAllChatAdministrators{}, m.Admins},
		{&models.BotCommandScopeAllPrivateChats{}, m.Private},
	} {
		if len(s.commands) == 0 {
			continue
		}
		if _, err := a.SetMyCommands(ctx, &client.SetMyCommandsParams{Commands: s.commands, Scope: s.scope}); err != nil {
			return fmt.Errorf("commands: %w", a.hide(err))
		}
	}
	if _, err := a.SetMyShortDescription(ctx, &client.SetMyShortDescriptionParams{ShortDescription: m.Short}); err != nil {
		return fmt.Errorf("short description: %w", a.hide(err))
	}
	_, err := a.SetMyDescription(ctx, &client.SetMyDescriptionParams{Description: m.About})
	return a.hide(err)
}

// persist makes a call until it succeeds, with growing waits while Telegram
// can't be reached. It gives up where trying again can't help.
func (t *Telegram) persist(ctx context.Context, what string, do func(context.Context) error) error {
	for tries := 0; ; tries++ {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		err := do(limited)
		cancel()
		kind, wait, _ := classify(err)
		switch {
		case err == nil:
			t.healthy(nil)
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case kind != tryAgain && kind != waits && kind != contended:
			t.log.Error(what, "error", err)
			return fmt.Errorf("%s: %w", what, err)
		}
		t.healthy(err)
		wait = max(wait, min(time.Second<<min(tries, 5), longPause))
		t.log.Warn(what+" has to wait", "error", err, "again in", wait)
		if !pause(ctx, wait) {
			return ctx.Err()
		}
	}
}

// pause waits, and reports whether ctx lasted that long.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
