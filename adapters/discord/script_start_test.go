package discord_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// named returns the names of the commands of a scope.
func (s *stage) named(guild string) []string {
	s.api.mu.Lock()
	defer s.api.mu.Unlock()
	var all []string
	for _, c := range s.api.commands[guild] {
		all = append(all, text(c["name"]))
	}
	return all
}

// TestCommandsAreRegisteredOnce looks at what a first start registers, that what
// older versions left behind goes, and that neither a second start nor new
// sessions have anything to add.
func TestCommandsAreRegisteredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const club = "900000000000000001"
		s := newStage(t, func(a *discordAPI) {
			a.leftover("", "ancient")
			a.leftover(club, "roll")
		})
		s.pass(time.Minute)
		all := strings.Join(s.named(""), " ")
		if !strings.Contains(all, "newgame") || strings.Contains(all, "ancient") || len(s.named(club)) > 0 {
			t.Errorf("everywhere %q, in one server %q", all, s.named(club))
		}
		before := s.api.calls("register")
		if err := s.restart("restart"); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		for range 3 {
			s.api.invalidate(false)
			s.pass(time.Minute)
		}
		if n := s.api.calls("register") - before; n != 0 || before != 2 {
			t.Errorf("registered %d times, then %d times more", before, n)
		}
		if n := s.api.identifies(); n != 5 {
			t.Errorf("%d sessions were begun", n)
		}
	})
}

// TestShardsServeTheirServers lets two connections share the servers.
func TestShardsServeTheirServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(a *discordAPI) { a.gate.shards = 2 })
		s.play("ann: /newgame tiny plain\n#other ben: /newgame tiny plain\n#dm ann: /newgame tiny plain\n!drop\n!wait 10s\nben: [Join]\n#other ann: [Join]\n")
		if out := s.out.String(); strings.Count(out, "🎲 New match") != 4 || strings.Count(out, "You alone") != 1 || !s.api.ready() || s.api.identifies() != 2 {
			t.Errorf("%d sessions:\n%s", s.api.identifies(), out)
		}
	})
}

// TestStrangeEventsChangeNothing tells what Discord may tell one day, or never
// should: all goes on.
func TestStrangeEventsChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		const here = `"id": "1576930818129920034", "application_id": "100000000000000001", "token": "x", "version": 1, "channel_id": "300000000000000101"`
		const ann = `"guild_id": "900000000000000001", "member": {"user": {"id": "200000000000000011", "username": "ann"}, "permissions": "0"}`
		for _, e := range [][2]string{
			{"INTERACTION_CREATE", `{}`},
			{"INTERACTION_CREATE", `null`},
			{"INTERACTION_CREATE", `[]`},
			{"INTERACTION_CREATE", `{"id": 7, "type": "two"}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 2}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 2, "data": {"id": "1", "name": "newgame", "type": 1}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 2, "member": null, "user": null, "data": {"id": "1", "name": "newgame", "type": 1}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 99, ` + ann + `, "data": {}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 1, ` + ann + `}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 3, ` + ann + `, "data": {"custom_id": "roll", "component_type": 77}, "message": {"id": "1", "components": [{"type": 77, "x": [{}]}]}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 3, ` + ann + `, "data": {"component_type": 3, "custom_id": "roll", "values": ["1"]}, "message": null}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 5, ` + ann + `, "data": {"custom_id": "x", "components": [{"type": 18, "component": {"type": 21}}]}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 2, ` + ann + `, "data": {"id": "1", "name": "unseat", "type": 1, "options": [{"name": "player", "type": 6, "value": "1"}, {"name": 5, "type": "x"}]}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 2, ` + ann + `, "data": {"id": "1", "name": "newgame", "type": 2, "target_id": "1"}}`},
			{"INTERACTION_CREATE", `{` + here + `, "type": 4, ` + ann + `, "data": {"id": "1", "name": "newgame", "type": 1, "options": [{"name": "board", "type": 3, "value": 7, "focused": true}]}}`},
			{"GUILD_CREATE", `{}`},
			{"GUILD_CREATE", `{"id": 7, "channels": "none"}`},
			{"GUILD_DELETE", `{}`},
			{"CHANNEL_DELETE", `{"id": null}`},
			{"THREAD_DELETE", `[]`},
			{"MESSAGE_CREATE", `{"id": "1", "author": null, "webhook_id": "2"}`},
			{"SOMETHING_NEW", `{"of": "the year 2030"}`},
		} {
			s.api.inject(e[0], e[1])
		}
		s.pass(time.Minute)
		s.api.forgive("there was no such interaction")
		s.api.forgive("there was no interaction with this token")
		s.play("ann: /newgame tiny plain\n")
		if out := s.out.String(); strings.Count(out, "🎲 New match") != 1 {
			t.Errorf("after all that:\n%s", out)
		}
	})
}
