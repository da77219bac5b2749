package fake

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiss/adapters/talk"
	"hiss/bot"
)

// Play plays a script to h, on a new platform, and returns it as it was this
// time: input in place, what it caused below it. What can't be read or obeyed
// fails the test and is left without answer.
func Play(t testing.TB, script string, h bot.Handler, stage talk.Stage) string {
	t.Helper()
	p := New(Config{})
	p.Serve(h, stage)
	got, err := p.Play(t.Context(), script)
	if err != nil {
		t.Error(err)
	}
	return got
}

// Check plays the file at path to h, on a new platform, and compares it with
// what it was this time. With update it rewrites the file instead. Files that
// the script attaches lie beside it.
func Check(t testing.TB, path string, update bool, h bot.Handler, stage talk.Stage) {
	t.Helper()
	p := New(Config{Dir: filepath.Dir(path)})
	p.Serve(h, stage)
	p.Check(t, path, update)
}

// Play plays a script and returns it as it was this time. The error joins a
// *talk.Fault for each line that can't be read or obeyed.
func (p *Platform) Play(ctx context.Context, script string) (string, error) {
	var out strings.Builder
	var faults []error
	lines := talk.NewReader(strings.NewReader(script))
	out.WriteString(p.Printed())
	for {
		l, err := lines.Next()
		if err == io.EOF {
			return out.String(), errors.Join(faults...)
		}
		if err == nil && l.Kind == talk.Output {
			continue
		}
		out.WriteString(strings.TrimRight(lines.Raw(), " \t") + "\n")
		if err == nil {
			err = p.session.Say(ctx, l)
		}
		if err != nil {
			faults = append(faults, err)
		}
		out.WriteString(p.Printed())
	}
}

// Check plays the file at path and compares it with what it was this time, or
// rewrites it with update. A script with faults is never rewritten.
func (p *Platform) Check(t testing.TB, path string, update bool) {
	t.Helper()
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Play(t.Context(), string(script))
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	switch {
	case got == string(script):
	case update:
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s went otherwise this time (- as written, + now; run with -update to rewrite it, then review):\n%s", path, diff(string(script), got))
	}
}
