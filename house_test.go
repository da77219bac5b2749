package main

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The floors of the house: what each package may import of ours, and of
// modules that aren't the standard library. This is policy, not something to
// relax to make a build pass: it keeps platforms out of the game, the game out
// of the store and the world out of the rules. A package that isn't listed
// doesn't belong; those of later are listed already. Tests may import what they
// like.
var floors = map[string]struct{ ours, theirs []string }{
	"boards":            {theirs: []string{"go.yaml.in/yaml/v3", "golang.org/x/image", "golang.org/x/text"}},
	"bot":               {},
	"engine/rules":      {ours: []string{"boards"}},
	"engine/odds":       {ours: []string{"boards", "engine/rules"}},
	"engine/words":      {ours: []string{"bot"}, theirs: []string{"github.com/rivo/uniseg"}},
	"adapters/talk":     {ours: []string{"bot"}, theirs: []string{"github.com/rivo/uniseg"}},
	"adapters/console":  {ours: []string{"bot", "adapters/talk"}, theirs: []string{"github.com/rivo/uniseg", "golang.org/x/term"}},
	"adapters/fake":     {ours: []string{"bot", "adapters/talk"}},
	"adapters/queue":    {ours: []string{"bot"}},
	"adapters/web":      {},
	"adapters/discord":  {ours: []string{"bot", "adapters/queue"}, theirs: []string{"github.com/bwmarrin/discordgo", "github.com/gorilla/websocket"}},
	"adapters/telegram": {ours: []string{"bot", "adapters/queue"}, theirs: []string{"github.com/go-telegram/bot"}},
	"engine":            {ours: []string{"boards", "bot", "engine/rules", "engine/odds", "engine/words"}},
	"engine/enginetest": {ours: []string{"boards", "bot", "engine", "engine/rules"}, theirs: []string{"pgregory.net/rapid"}},
	"store":             {ours: []string{"bot", "engine"}, theirs: []string{"modernc.org/sqlite"}},
	"": {
		ours:   []string{"adapters/console", "adapters/discord", "adapters/telegram", "adapters/web", "bot", "engine", "store"},
		theirs: []string{"github.com/kelseyhightower/envconfig"},
	},
}

// never says which parts of the standard library, with all below them, a package
// must not know: pure ones depend on their arguments alone, and the engine is
// handed its clock, its entropy, its store and its settings.
var never = map[string][]string{
	"boards":       world,
	"engine/rules": world,
	"engine/odds":  world,
	"engine/words": world,
	"engine":       {"crypto/rand", "database", "flag", "math/rand", "net", "os"},
	"bot":          {"crypto/rand", "database", "flag", "log", "math/rand", "net", "os"},
	"store":        {"flag", "net/http"},
}

var world = []string{
	"context", "crypto/rand", "database", "flag", "log", "math/rand", "net", "os", "runtime", "sync", "syscall", "time",
}

// The most lines of a file, of a test's file, and of a function.
const maxFile, maxTestFile, maxFunction = 400, 600, 60

// source is one Go file of the house.
type source struct {
	path, dir string
	test      bool
	text      []byte
	files     *token.FileSet
	tree      *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		s := source{path: path, dir: filepath.ToSlash(filepath.Dir(path)), test: strings.HasSuffix(path, "_test.go"), files: token.NewFileSet()}
		if s.dir == "." {
			s.dir = ""
		}
		if s.text, err = os.ReadFile(path); err != nil {
			return err
		}
		s.tree, err = parser.ParseFile(s.files, path, s.text, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, s)
		return err
	})
	if err != nil || len(all) < 50 {
		t.Fatalf("%d files: %v", len(all), err)
	}
	return all
}

func TestFloors(t *testing.T) {
	for _, s := range sources(t) {
		floor, known := floors[s.dir]
		if !known {
			t.Errorf("%s: no floor is set for package %q", s.path, s.dir)
			continue
		}
		if s.test {
			continue
		}
		for _, spec := range s.tree.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			ours, isOurs := strings.CutPrefix(path, "hiss/")
			first, _, _ := strings.Cut(path, "/")
			switch {
			case isOurs && !slices.Contains(floor.ours, ours):
				t.Errorf("%s imports %s, which isn't below its floor", s.path, path)
			case !isOurs && strings.Contains(first, ".") && !inModule(path, floor.theirs):
				t.Errorf("%s imports %s, which isn't its business", s.path, path)
			case !isOurs && inModule(path, never[s.dir]):
				t.Errorf("%s imports %s, which it must not know", s.path, path)
			}
		}
	}
}

func inModule(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
}

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		most := maxFile
		if s.test {
			most = maxTestFile
		}
		if n := strings.Count(string(s.text), "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", s.path, n, most)
		}
		for _, d := range s.tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, to := s.files.Position(f.Pos()).Line, s.files.Position(f.End()).Line
			if n := to - from + 1; n > maxFunction && !strings.HasPrefix(f.Name.Name, "english") { // a catalogue, not code
				t.Errorf("%s:%d: %s has %d lines, more than %d", s.path, from, f.Name.Name, n, maxFunction)
			}
		}
	}
}

func TestFormat(t *testing.T) {
	for _, s := range sources(t) {
		if want, err := format.Source(s.text); err != nil || string(want) != string(s.text) {
			t.Errorf("%s isn't as gofmt has it (%v)", s.path, err)
		}
	}
}

// TestDocs holds that every exported name of a package says what it promises.
func TestDocs(t *testing.T) {
	documented := make(map[string]bool)
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		documented[s.dir] = documented[s.dir] || s.tree.Doc != nil
		for _, d := range s.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s has no comment", s.files.Position(d.Pos()))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpec(t, s, d, spec)
				}
			}
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %q has no comment", dir)
		}
	}
}

func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}

// checkSpec wants a comment at an exported name, or above the group it is in.
func checkSpec(t *testing.T, s source, d *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil {
			t.Errorf("%s has no comment", s.files.Position(spec.Pos()))
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s has no comment", s.files.Position(name.Pos()))
			}
		}
	}
}

// unfinished are the marks of what was put off.
var unfinished = regexp.MustCompile(`\b(T[O]DO|F[I]XME|X[X]X)\b`)

// TestManners holds what no reader should have to look for.
func TestManners(t *testing.T) {
	all := sources(t)
	vars := make(map[string][]string)
	for _, s := range all {
		vars[s.tree.Name.Name+" "+s.dir] = append(vars[s.tree.Name.Name+" "+s.dir], s.packageVars()...)
	}
	for _, s := range all {
		for _, d := range s.tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: an init", s.files.Position(f.Pos()))
			}
			checkBody(t, s, f, vars[s.tree.Name.Name+" "+s.dir])
		}
		for _, group := range s.tree.Comments {
			if word := unfinished.FindString(group.Text()); word != "" {
				t.Errorf("%s: %s", s.files.Position(group.Pos()), word)
			}
		}
	}
}

// packageVars returns the names of the variables that a file declares for its
// package.
func (s source) packageVars() (names []string) {
	for _, d := range s.tree.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// checkBody looks for sleeps, skipped tests, and package variables that are
// changed: as a whole, or a part of them. A name that the function declares
// itself is its own.
func checkBody(t *testing.T, s source, f *ast.FuncDecl, packageVars []string) {
	own := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			declare(own, n.Names...)
		case *ast.ValueSpec:
			declare(own, n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				declare(own, identifiers(n.Lhs...)...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				declare(own, identifiers(n.Key, n.Value)...)
			}
		}
		return true
	})
	changed := func(to ...ast.Expr) {
		for _, name := range identifiers(to...) {
			if name.Name != "_" && slices.Contains(packageVars, name.Name) && !own[name.Name] {
				t.Errorf("%s: the package variable %s is changed", s.files.Position(name.Pos()), name.Name)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				changed(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				changed(n.Key, n.Value)
			}
		case *ast.IncDecStmt:
			changed(n.X)
		case *ast.CallExpr:
			checkCall(t, s, n)
		}
		return true
	})
}

func declare(names map[string]bool, all ...*ast.Ident) {
	for _, name := range all {
		names[name.Name] = true
	}
}

// identifiers returns the variables that expressions are, or are parts of.
func identifiers(all ...ast.Expr) (names []*ast.Ident) {
	for _, e := range all {
		switch e := e.(type) {
		case *ast.Ident:
			names = append(names, e)
		case *ast.SelectorExpr:
			names = append(names, identifiers(e.X)...)
		case *ast.IndexExpr:
			names = append(names, identifiers(e.X)...)
		case *ast.StarExpr:
			names = append(names, identifiers(e.X)...)
		case *ast.ParenExpr:
			names = append(names, identifiers(e.X)...)
		}
	}
	return names
}

// bubbled reports whether a test lives in synctest's bubbles, where a sleep
// only moves the clock on.
func (s source) bubbled() bool {
	return s.test && slices.ContainsFunc(s.tree.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` })
}

func checkCall(t *testing.T, s source, n *ast.CallExpr) {
	f, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	of, _ := f.X.(*ast.Ident)
	switch {
	case of != nil && of.Name == "time" && f.Sel.Name == "Sleep" && !s.bubbled():
		t.Errorf("%s: a sleep", s.files.Position(n.Pos()))
	case s.test && (f.Sel.Name == "Skip" || f.Sel.Name == "Skipf" || f.Sel.Name == "SkipNow"):
		t.Errorf("%s: a skipped test", s.files.Position(n.Pos()))
	}
}
