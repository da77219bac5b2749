package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiss/engine"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// variables returns the environment variables of the configuration and their
// defaults, named as envconfig names them.
func variables() map[string]string {
	all := make(map[string]string)
	addVariables(all, "HISS", reflect.TypeFor[config]())
	return all
}

func addVariables(all map[string]string, prefix string, group reflect.Type) {
	words := regexp.MustCompile(`[A-Z][a-z]*`)
	for f := range group.Fields() {
		name := prefix + "_" + strings.ToUpper(f.Name)
		if f.Tag.Get("split_words") == "true" {
			name = prefix + "_" + strings.ToUpper(strings.Join(words.FindAllString(f.Name, -1), "_"))
		}
		if f.Type.Kind() == reflect.Struct {
			addVariables(all, name, f.Type)
			continue
		}
		all[name] = f.Tag.Get("default")
	}
}

// TestEnvironment compares .env.example with the configuration: the same
// variables with the same defaults, each with a comment above it.
func TestEnvironment(t *testing.T) {
	want := variables()
	lines := strings.Split(read(t, ".env.example"), "\n")
	for i, line := range lines {
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if def, known := want[name]; !known || def != value {
			t.Errorf("%s=%s, but the default is %q (known: %v)", name, value, def, known)
		}
		if i == 0 || !strings.HasPrefix(lines[i-1], "# ") {
			t.Errorf("%s has no comment", name)
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is missing in .env.example", name)
	}
}

// TestReadme holds that the README is true where that can be read off: the
// conversations in it are transcripts, and no command, variable or package is
// left out.
func TestReadme(t *testing.T) {
	readme := read(t, "README.md")
	fences := regexp.MustCompile("(?s)```text (\\S+)\n(.*?)```").FindAllStringSubmatch(readme, -1)
	if len(fences) == 0 {
		t.Error("no conversation")
	}
	for _, f := range fences {
		if read(t, f[1]) != f[2] {
			t.Errorf("the conversation isn't %s", f[1])
		}
	}
	for _, want := range []string{"\ngo run .\n", "\ngo test ./...\n"} {
		if !strings.Contains(readme, want) {
			t.Errorf("the README lacks %q", want)
		}
	}
	for _, c := range engine.New(engine.Config{}).Commands() {
		if !regexp.MustCompile("/" + c.Name + `\b`).MatchString(readme) {
			t.Errorf("the README lacks /%s", c.Name)
		}
	}
	for name := range variables() {
		if !strings.Contains(readme, name) || !strings.Contains(usage, name) {
			t.Errorf("the README or the usage lacks %s", name)
		}
	}
	for dir := range floors {
		if _, err := os.Stat(dir); err == nil && !strings.Contains(readme, "]("+dir+")") {
			t.Errorf("the README lacks the package %s", dir)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(link[1]); err != nil {
			t.Error(err)
		}
	}
}

// TestBuilds holds that README, CI and Dockerfile build the same binary.
func TestBuilds(t *testing.T) {
	build := regexp.MustCompile(`CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o \S+ \.`)
	for _, path := range []string{"README.md", "Dockerfile", ".ci/run"} {
		if !build.MatchString(read(t, path)) {
			t.Errorf("%s doesn't build the static binary", path)
		}
	}
	if !strings.Contains(read(t, ".ci/run"), "go test -race -shuffle=on ./...") {
		t.Error("CI doesn't run the README's tests")
	}
	info, err := os.Stat(".ci/run")
	if err != nil || info.Mode()&0o111 == 0 {
		t.Error(".ci/run can't be executed", err)
	}
}

// TestTopLevel holds that nothing stands beside what the house is made of. What
// begins with a dot is for tools, and what .gitignore names comes and goes.
func TestTopLevel(t *testing.T) {
	known := []string{
		"go.mod", "go.sum", "main.go", "bot", "adapters", "engine", "store", "boards", "Dockerfile", "README.md", "LICENSE", "staticcheck.conf",
	}
	passing := strings.Fields(read(t, ".gitignore"))
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		ignored := slices.ContainsFunc(passing, func(pattern string) bool {
			ok, err := filepath.Match(strings.TrimPrefix(pattern, "/"), name)
			return ok || err != nil
		})
		if !slices.Contains(known, name) && !ignored && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s doesn't belong at the top level", name)
		}
	}
}
