package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// program is the real binary in an empty folder and an empty environment.
type program struct {
	t    *testing.T
	hiss string
	dir  string
	env  []string
}

func newProgram(t *testing.T) program {
	t.Helper()
	hiss, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return program{t: t, hiss: hiss, dir: t.TempDir()}
}

func (p program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.hiss, args...)
	cmd.Dir = p.dir
	cmd.Env = append([]string{"HOME=" + p.dir}, p.env...)
	return cmd
}

// run runs it to its end.
func (p program) run(input string, args ...string) (out, errs string, code int) {
	p.t.Helper()
	cmd := p.command(p.t.Context(), args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// files returns the names of what is in the folder.
func (p program) files() []string {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestFreshMachine(t *testing.T) {
	p := newProgram(t)
	out, errs, code := p.run("!dice 4\nasha: /newgame tiny plain\nbilal: [Join]\nasha: [Roll]\n")
	if code != 0 || errs != "" || !strings.Contains(out, "asha rolls 4: 0 → 4, ladder to 7\n") {
		t.Fatalf("exit %d, %q\n%s", code, errs, out)
	}
	if got := p.files(); len(got) != 1 || got[0] != "hiss.db" {
		t.Errorf("it left %q", got)
	}
	out, errs, code = p.run("!dice 6\nbilal: /roll\n")
	if code != 0 || errs != "" || !strings.HasPrefix(out, "bot: bilal rolls 6: 0 → 6\n     asha 7 · bilal 6\n") {
		t.Errorf("it didn't go on: exit %d, %q\n%s", code, errs, out)
	}
}

func TestArguments(t *testing.T) {
	p := newProgram(t)
	if out, errs, code := p.run("", "--help"); code != 0 || !strings.Contains(out+errs, "HISS_DATABASE") {
		t.Errorf("--help: exit %d, %q %q", code, out, errs)
	}
	for _, args := range [][]string{{"--port"}, {"play"}, {"-x", "y"}} {
		_, errs, code := p.run("", args...)
		if code == 0 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "--help") {
			t.Errorf("%q: exit %d, %q", args, code, errs)
		}
	}
	if got := p.files(); len(got) != 0 {
		t.Errorf("it left %q", got)
	}
}

func TestBadSettings(t *testing.T) {
	p := newProgram(t)
	text := filepath.Join(p.dir, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]string{
		"HISS_LOG_LEVEL=loud":                         "debug, info, warn or error",
		"HISS_LOG_FORMAT=xml":                         "text or json",
		"HISS_DATABASE=" + p.dir + "/nowhere/hiss.db": "nowhere",
		"HISS_DATABASE=" + p.dir:                      p.dir,
		"HISS_DATABASE=" + text:                       text,
		"HISS_DATABASE=/proc/self/environ":            "/proc/self/environ",
	} {
		p.env = []string{setting}
		out, errs, code := p.run("asha: /newgame\n")
		if code == 0 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %q, %q", setting, code, out, errs)
		}
	}
	if got := p.files(); len(got) != 1 {
		t.Errorf("it left %q", got)
	}
}

// TestSignals stops the program while it waits for a line.
func TestSignals(t *testing.T) {
	p := newProgram(t)
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd := p.command(t.Context())
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, "asha: /status\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is up and has answered
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(out); err != nil || !bytes.HasSuffix(rest, []byte("\n")) {
			t.Errorf("%v: %q, %v", signal, rest, err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", signal, err)
		}
	}
}

// TestFullPipe lets nobody read what is said.
func TestFullPipe(t *testing.T) {
	p := newProgram(t)
	cmd := p.command(t.Context())
	cmd.Stdin = strings.NewReader(strings.Repeat("asha: /help\n", 100))
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &errs
	if err := cmd.Run(); err == nil || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("%v, %q", err, errs.String())
	}
}

// TestTwoProcesses plays two matches, and one of them together, by two
// processes on one file.
func TestTwoProcesses(t *testing.T) {
	p := newProgram(t)
	p.run("p1: /newgame pit marathon\np2: /join\n")
	const presses = 150
	script := func(own string) string {
		var b strings.Builder
		b.WriteString("#" + own + " x: /newgame pit plain\n")
		for range presses {
			b.WriteString("p1: /roll\np2: /roll\n#" + own + " x: /roll\n")
		}
		return b.String()
	}
	said := make([]string, 2)
	var both sync.WaitGroup
	for i, own := range []string{"north", "south"} {
		both.Go(func() {
			out, errs, code := p.run(script(own))
			if code != 0 || errs != "" {
				t.Errorf("exit %d, %q", code, errs)
			}
			said[i] = out
		})
	}
	both.Wait()
	here := 0
	for _, out := range said {
		_, goes := goesOf(out)
		for _, line := range goes {
			if !strings.HasPrefix(line, "#") {
				here++
			}
		}
	}
	status, _, _ := p.run("p1: /cancel\np1: /replay\np1: [1]\n")
	_, record := goesOf(status)
	if told := len(record); told != here || !strings.Contains(status, "Checked:") {
		t.Errorf("%d goes were printed, %d are on record\n%s", here, told, status)
	}
}
