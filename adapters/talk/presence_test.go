package talk_test

import (
	"testing"

	"hiss/adapters/talk"
)

// TestWhoIsThere is everybody, but who has left by a directive and said nothing
// since.
func TestWhoIsThere(t *testing.T) {
	r := newRoom(talk.Config{})
	here := talk.ChannelOf("console", "garden").Chat
	in := func(name string) bool {
		t.Helper()
		is, err := r.Member(t.Context(), here, talk.UserOf("console", name).ID)
		if err != nil {
			t.Error(err)
		}
		return is
	}
	r.lines(t, "asha: /join", "!gone asha", `!gone "Bo: the second"`)
	if in("asha") || in("Bo: the second") || !in("Bo") {
		t.Error("asha:", in("asha"), "Bo: the second:", in("Bo: the second"), "Bo:", in("Bo"))
	}
	r.lines(t, "#garden asha: hello")
	if !in("asha") {
		t.Error("asha has spoken")
	}
	if _, err := r.Member(t.Context(), "discord:1", talk.UserOf("console", "asha").ID); err == nil {
		t.Error("in another platform's chat")
	}
	r.fault(t, "!gone", "takes a name")
	r.fault(t, "!gone asha: /join", "takes a name")
}

// TestOutages begin and end by directives.
func TestOutages(t *testing.T) {
	r := newRoom(talk.Config{})
	for _, step := range []struct {
		line string
		want bool
	}{{"asha: hello", true}, {"!unreachable", false}, {"asha: hello", false}, {"!unreachable", false}, {"!reachable", true}} {
		r.lines(t, step.line)
		if r.Reachable() != step.want {
			t.Errorf("after %q: %t", step.line, !step.want)
		}
	}
	r.fault(t, "!unreachable now", "stands alone")
	if !r.Reachable() {
		t.Error("a fault changed something")
	}
}
