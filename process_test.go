package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	p.env = []string{"HISS_LOG_LEVEL=loud"} // whoever asks for help isn't told of that
	for line, want := range map[string]string{
		"--help": usage, "-h": usage, "play --help": usage,
		"board": boardUsage, "board --help": boardUsage, "board classic --help": boardUsage, "board classic -picture a.png -h": boardUsage,
		"replay": replayUsage, "replay --help": replayUsage, "replay K7Q2-9XMD-4TRA-8BZC --help": replayUsage,
	} {
		if out, errs, code := p.run("", strings.Fields(line)...); code != 0 || out != want || errs != "" {
			t.Errorf("%s: exit %d, %q %q", line, code, out, errs)
		}
	}
	for _, line := range []string{
		"--port", "play", "-x y", "board classic --frob", "board -x", "board -picture a.png", "replay -film a.gif", "replay K7Q2 --frob a.gif",
	} {
		out, errs, code := p.run("", strings.Fields(line)...)
		if code == 0 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "--help") {
			t.Errorf("%s: exit %d, %q %q", line, code, out, errs)
		}
	}
	p.env = nil
	if _, errs, code := p.run("", "board", "classic", "frob"); code == 0 || !strings.Contains(errs, `"frob"`) || strings.Contains(errs, "/") {
		t.Errorf("board classic frob: exit %d, %q", code, errs)
	}
	if got := p.files(); len(got) != 0 {
		t.Errorf("it left %q", got)
	}
}

// TestTheLogStaysOutOfTheConversation of whoever plays in a terminal, unless they want
// to see all of it.
func TestTheLogStaysOutOfTheConversation(t *testing.T) {
	for _, test := range []struct {
		level      slog.Level
		conversing bool
		want       string
	}{
		{slog.LevelDebug, true, "usual odd"},
		{slog.LevelInfo, true, "odd"},
		{slog.LevelInfo, false, "usual odd"},
		{slog.LevelWarn, false, "odd"},
	} {
		var out strings.Builder
		log := config{LogLevel: test.level}.logger(&out, test.conversing)
		log.Info("usual")
		log.Warn("odd")
		if got := strings.Join(regexp.MustCompile(`usual|odd`).FindAllString(out.String(), -1), " "); got != test.want {
			t.Errorf("%v, in a conversation %t: %q, want %q", test.level, test.conversing, got, test.want)
		}
	}
}

// TestReplay tells a match that is over by its seed, draws it, and leaves the file
// of matches as it is. One that isn't there isn't made.
func TestReplay(t *testing.T) {
	p := newProgram(t)
	p.run("asha: /newgame tiny plain\nbilal: /join\n" + strings.Repeat("asha: /roll\nbilal: /roll\n", 100))
	told, _, _ := p.run("asha: /replay 1\n")
	seed := regexp.MustCompile(`recomputed from (\S+),`).FindStringSubmatch(told)
	path := filepath.Join(p.dir, "hiss.db")
	before, err := os.ReadFile(path)
	if err != nil || seed == nil {
		t.Fatalf("%v, %s", err, told)
	}
	want := strings.NewReplacer("bot: ", "", "\n     ", "\n").Replace(told)
	if out, errs, code := p.run("", "replay", seed[1]); code != 0 || out != want || errs != "" {
		t.Errorf("exit %d, %q\n%s\nwant\n%s", code, errs, out, want)
	}
	if out, errs, code := p.run("", "replay", seed[1], "-film", "match.gif"); code != 0 || out+errs != "" {
		t.Errorf("-film: exit %d, %q, %q", code, out, errs)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
	for _, typo := range []string{"his.db", "nowhere/hiss.db"} {
		p.env = []string{"HISS_DATABASE=" + typo}
		out, errs, code := p.run("", "replay", seed[1])
		if code != 1 || out != "" || errs != "hiss: there's no database at "+typo+"; HISS_DATABASE takes the name of the one to read\n" {
			t.Errorf("exit %d, %q, %q", code, out, errs)
		}
	}
	if got := p.files(); !slices.Equal(got, []string{"hiss.db", "match.gif"}) {
		t.Errorf("it left %q", got)
	}
}

// TestPictures renders the README's pictures again, byte by byte.
func TestPictures(t *testing.T) {
	p := newProgram(t)
	p.run(read(t, "boards/gallery/match.txt"))
	for picture, args := range map[string][]string{
		"jungle.png": {"board", "jungle", "-picture"},
		"match.gif":  {"replay", "K7Q2-9XMD-4TRA-8BZC", "-film"},
	} {
		if out, errs, code := p.run("", append(args, picture)...); code != 0 {
			t.Errorf("%s: exit %d, %q, %q", picture, code, out, errs)
		}
		if read(t, filepath.Join(p.dir, picture)) != read(t, filepath.Join("boards/gallery", picture)) {
			t.Errorf("boards/gallery/%s isn't what is drawn now: look at it, and render it anew, as the README's section on pictures says", picture)
		}
	}
}

// TestBadSettings holds that a wrong value stops the start by one line that
// names the variable and what is wrong, and that nothing is written.
func TestBadSettings(t *testing.T) {
	p := newProgram(t)
	text := filepath.Join(p.dir, "text")
	words := []byte(strings.Repeat("no database\n", 500))
	if err := os.WriteFile(text, words, 0o600); err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]string{
		"HISS_LOG_LEVEL=loud":                         "debug, info, warn or error",
		"HISS_LOG_LEVEL=":                             "debug, info, warn or error",
		"HISS_LOG_FORMAT=xml":                         "text or json",
		"HISS_DATABASE=":                              "no file name",
		"HISS_DATABASE=" + p.dir + "/nowhere/hiss.db": "no directory " + p.dir + "/nowhere",
		"HISS_DATABASE=" + p.dir:                      p.dir + " isn't a file",
		"HISS_DATABASE=" + text + "/hiss.db":          text,
		"HISS_DATABASE=" + text:                       text + " isn't an SQLite file",
		"HISS_DATABASE=/proc/self/environ":            "/proc/self/environ",
	} {
		p.env = []string{setting}
		p.fails(setting, want)
	}
	if got := p.files(); len(got) != 1 {
		t.Errorf("it left %q", got)
	}
	if got, err := os.ReadFile(text); err != nil || !bytes.Equal(got, words) {
		t.Errorf("it wrote into a file that isn't its own: %v", err)
	}
}

// fails starts the program with a setting that is wrong.
func (p program) fails(setting, want string) {
	p.t.Helper()
	out, errs, code := p.run("asha: /newgame\n")
	name, _, _ := strings.Cut(setting, "=")
	if code != 1 || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "hiss: "+name) || !strings.Contains(errs, want) {
		p.t.Errorf("%s: exit %d, %q, %q", setting, code, out, errs)
	}
}

// TestNewerFile holds that a file of a later version is refused and left alone.
func TestNewerFile(t *testing.T) {
	p := newProgram(t)
	p.run("asha: /newgame tiny\n")
	path := filepath.Join(p.dir, "hiss.db")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(file[60:], []byte{0, 0, 0, 99}) // where SQLite keeps user_version
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	p.fails("HISS_DATABASE", "newer Hiss (version 99 of the file")
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, file) {
		t.Errorf("the file was changed: %v", err)
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

// TestNobodyReads lets nobody read what is said: the disk behind the output is
// full, or the reader has gone. What was accepted until then is kept.
func TestNobodyReads(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	reader, gone, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	for want, out := range map[string]*os.File{"no space left on device": full, "broken pipe": gone} {
		p := newProgram(t)
		cmd := p.command(t.Context())
		cmd.Stdin = strings.NewReader("asha: /newgame tiny\n" + strings.Repeat("asha: /help\n", 100))
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = out, &errs
		_ = cmd.Run() // its exit status is looked at below
		if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit %d, %q", want, code, errs.String())
		}
		if said, errs, _ := p.run("asha: /status\n"); !strings.HasPrefix(said, "bot: New match on Tiny") || errs != "" {
			t.Errorf("%s: then %q, %q", want, said, errs)
		}
	}
}

// TestTwoProcesses plays three matches by two processes on one file: each has
// one of its own, and both play a third. Whatever either prints stands in the
// record, once, and nothing else does.
func TestTwoProcesses(t *testing.T) {
	p := newProgram(t)
	const board = "/newgame board=random size=400 ladders=0 snakes=5 plain"
	p.run("p1: " + board + "\np2: /join\n")
	owns := []string{"#north x: ", "#south x: "}
	said := make([]string, len(owns))
	var up, done sync.WaitGroup
	up.Add(len(owns))
	for i, own := range owns {
		presses := strings.Repeat("p1: /roll\np2: /roll\n"+own+"/roll\n", 60)
		done.Go(func() { said[i] = p.playTogether(own+board+"\n", presses, &up) })
	}
	done.Wait()
	north, south := goesByChannel(said[0]), goesByChannel(said[1])
	if len(north[""]) == 0 || len(south[""]) == 0 {
		t.Errorf("they didn't play together: %d and %d goes", len(north[""]), len(south[""]))
	}
	for channel, printed := range map[string][]string{
		"": append(north[""], south[""]...), "#north ": north["#north "], "#south ": south["#south "],
	} {
		out, errs, _ := p.run(channel + "p1: /cancel\n" + channel + "x: /cancel\n" + channel + "x: /replay\n" + channel + "x: [1]\n")
		record := goesByChannel(out)[channel]
		if channel == "" { // who of the two printed first can't be told
			slices.Sort(printed)
			slices.Sort(record)
		}
		if errs != "" || len(record) < 20 || !slices.Equal(printed, record) || !strings.Contains(out, "Checked:") {
			t.Errorf("in %q, %q: printed\n%q, on record\n%q\n%s", channel, errs, printed, record, out)
		}
	}
}

// playTogether says a first line, and the others once everybody is up.
func (p program) playTogether(first, others string, up *sync.WaitGroup) string {
	cmd := p.command(p.t.Context())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		p.t.Error(err)
		up.Done()
		return ""
	}
	_, err := io.WriteString(in, first)
	said := bufio.NewReader(out)
	_, peekErr := said.Peek(1)
	up.Done()
	up.Wait()
	go func() { // it ends with the program, at the latest
		_, _ = io.WriteString(in, others)
		_ = in.Close()
	}()
	text, readErr := io.ReadAll(said)
	if err := errors.Join(err, peekErr, readErr, cmd.Wait()); err != nil || errs.Len() > 0 {
		p.t.Errorf("%v, %q", err, errs.String())
	}
	return string(text)
}

// goesByChannel returns the goes that were printed in each channel, but for
// those told as what was missed.
func goesByChannel(said string) map[string][]string {
	of := make(map[string]string)
	for line := range strings.Lines(said) {
		channel, text, ok := strings.Cut(line, " ")
		if channel += " "; !ok || !strings.HasPrefix(line, "#") {
			channel, text = "", line
		}
		of[channel] += text
	}
	goes := make(map[string][]string)
	for channel, text := range of {
		_, goes[channel] = goesOf(text)
	}
	return goes
}

// TestTheExampleStarts starts with the settings of .env.example as they stand.
func TestTheExampleStarts(t *testing.T) {
	p := newProgram(t)
	for line := range strings.Lines(read(t, ".env.example")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			p.env = append(p.env, line)
		}
	}
	out, errs, code := p.run("asha: /newgame\n")
	if code != 0 || errs != "" || !strings.Contains(out, "New match") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}
