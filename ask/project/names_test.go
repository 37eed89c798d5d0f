package project

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/registry"
)

// stand changes to a folder of a project and returns the place.
func stand(t testing.TB, folder string) Place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(filepath.Join(root, folder))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chdir(before) })
	return Place{Project: registry.Project{Root: root}}
}

func TestNames(t *testing.T) {
	p := stand(t, "a")
	if err := os.WriteFile(filepath.Join(p.Root, "a", "b", "::odd.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string][]string{
		"x.go":                {"x.go", "a/x.go"},
		"a/x.go":              {"a/x.go", "a/a/x.go"},
		"./x.go":              {"a/x.go"},
		"../x.go":             {"x.go"},
		"b/../x.go":           {"b/../x.go", "x.go", "a/x.go"},
		"b/":                  {"b/", "b", "a/b"},
		"d/::x.go::F":         {"d/::x.go::F", "d::x.go::F", "a/d::x.go::F"},
		"./b/::odd.go::F":     {"a/b/::odd.go::F"}, // the file exists
		"./b/::odd.go":        {"a/b/::odd.go"},
		".":                   {"a"},
		"..":                  {"."},
		p.Root + "/a/x.go":    {"a/x.go"},
		"x.go::F":             {"x.go::F", "a/x.go::F"},
		"./x.go::T.m#2":       {"a/x.go::T.m#2"},
		"pattern:X.md#intro":  {"pattern:X.md#intro", "pattern:a/X.md#intro"},
		"pattern:./X.md":      {"pattern:a/X.md"},
		"commit:0123456789ab": {"commit:0123456789ab"},
		"Writer.Publish":      {"Writer.Publish", "a/Writer.Publish"},
		".github/ci.yml":      {".github/ci.yml", "a/.github/ci.yml"},
	} {
		if got, err := p.Names(typed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{"../..", "/", p.Root + "x/y.go", "./../../x", "pattern:../../X.md"} {
		got, err := p.Names(typed)
		if outside, ok := errors.AsType[*OutsideError](err); !ok || outside.Path != typed || outside.Root != p.Root {
			t.Errorf("%q: %q, %v", typed, got, err)
		}
	}
	for glob, want := range map[string]string{
		"src/**": "src/**", "!**/*_test.go": "!**/*_test.go", "./**": "a/**", "!./b/*.go": "!a/b/*.go",
		"../*.go": "*.go", "..": "**",
	} {
		if got, err := p.Pattern(glob); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", glob, got, err, want)
		}
	}
}

// From a folder outside the project, as with --store, a name begins at the root.
func TestNamesFromOutside(t *testing.T) {
	p := stand(t, "a")
	p.Root = filepath.Join(p.Root, "a", "b")
	for typed, want := range map[string][]string{"x.go": {"x.go"}, "./x.go": {"x.go"}, ".": {"."}} {
		if got, err := p.Names(typed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", typed, got, err, want)
		}
	}
}

// No name may lead out of the project.
func FuzzNames(f *testing.F) {
	for _, s := range []string{
		"x.go", "../../etc", "/etc", "a/../../../x", "./b/..//..", "pattern:../..#x", "caf\u00e9/../..", "a::../../x",
		"..\x00",
	} {
		f.Add(s)
	}
	p := stand(f, "a")
	f.Fuzz(func(t *testing.T, typed string) {
		names, err := p.Names(typed)
		if err != nil {
			return
		}
		for _, name := range names {
			path := strings.TrimPrefix(name, "pattern:")
			if path == ".." || strings.HasPrefix(path, "../") || filepath.IsAbs(path) {
				t.Errorf("%q is read as %q", typed, name)
			}
		}
		rel, err := p.Path(typed)
		if err == nil && (rel == ".." || strings.HasPrefix(rel, "../") || filepath.IsAbs(rel)) {
			t.Errorf("%q is the path %q", typed, rel)
		}
	})
}

// Names in a far repository are read from its root, and nothing here counts.
func TestFarNames(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	if err := os.MkdirAll("src/a.go", 0o755); err != nil { // a folder here, a file there
		t.Fatal(err)
	}
	p := Place{Project: registry.Project{Name: "lib", Far: "git.example.com/team/lib"}}
	for typed, want := range map[string][]string{
		"src/a.go":           {"src/a.go"},
		"./src/a.go":         {"./src/a.go", "src/a.go"},
		"src//a.go::Run":     {"src//a.go::Run", "src/a.go::Run"},
		"README.md#use":      {"README.md#use"},
		"belief:close-first": {"belief:close-first"},
		"Run":                {"Run"},
		"src/":               {"src/", "src"},
	} {
		if got, err := p.Names(typed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{"../x", "..", "/etc/passwd", "src/../../x", here} {
		if got, err := p.Names(typed); err == nil {
			t.Errorf("%q: %q", typed, got)
		}
		if got, err := p.Pattern(typed); err == nil {
			t.Errorf("pattern %q: %q", typed, got)
		}
	}
	for glob, want := range map[string]string{
		"**/*.go": "**/*.go", "src/*.go": "src/*.go", "./src/*.go": "src/*.go", "src/": "src/**", "src": "{src,src/**}",
		"!src/a.go": "!{src/a.go,src/a.go/**}", ".": "**", "!.": "!**", "*.md": "*.md",
	} {
		if got, err := p.Pattern(glob); err != nil || got != want {
			t.Errorf("pattern %q: %q, %v; want %q", glob, got, err, want)
		}
	}
	for typed, want := range map[string]string{".": "", "src": "src", "./src/": "src"} {
		if got, ok, err := p.Folder(typed); err != nil || !ok || got != want {
			t.Errorf("folder %q: %q, %v, %v", typed, got, ok, err)
		}
	}
	if p.Exists("src/a.go") || p.Published() || p.RepositoryName() != p.Far {
		t.Error("it is taken for one of this machine")
	}
}
