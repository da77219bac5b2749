package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiss/adapters/console"
)

// TestOutput takes the file to write out of a command's arguments.
func TestOutput(t *testing.T) {
	for line, want := range map[string]string{
		"jungle":                        "jungle|",
		"jungle -picture a.png":         "jungle|a.png",
		"--picture=a.png jungle family": "jungle family|a.png",
		"-picture":                      "error",
		"-picture=":                     "error",
		"-picture a -picture b":         "error",
		"jungle -picture a.PNG":         "jungle|a.PNG",
		"jungle -picture a.jpg":         "error",
		"jungle -film a":                "error",
		"K7Q2 - 9XMD":                   "K7Q2 - 9XMD|",
	} {
		others, file, err := console.Output(strings.Fields(line), "picture", ".png")
		if got := strings.Join(others, " ") + "|" + file; (err != nil) != (want == "error") || err == nil && got != want {
			t.Errorf("%s: %s (%v)", line, got, err)
		}
	}
	if _, _, err := console.Output([]string{"-picture", ""}, "picture", ".png"); err == nil {
		t.Error("no name is no file")
	}
}

// TestWrite writes a file anew, but never over what it was made from.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	out, source, link := filepath.Join(dir, "out"), filepath.Join(dir, "source"), filepath.Join(dir, "link")
	if err := os.WriteFile(source, []byte("matches"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(source, link); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := console.Write(out, []byte("film"), source, filepath.Join(dir, "none")); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{source, link} {
		if err := console.Write(name, []byte("film"), source); err == nil {
			t.Errorf("%s is overwritten", name)
		}
	}
	if data, err := console.Read(source, 5); string(data) != "match" || err != nil {
		t.Errorf("read %q: %v", data, err)
	}
	if data, err := os.ReadFile(source); string(data) != "matches" {
		t.Errorf("%q: %v", data, err)
	}
}
