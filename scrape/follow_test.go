package scrape

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/git"
	"patina/store/folder"
)

// A repo is a repository with a folder for stored answers.
type repo struct {
	t      *testing.T
	dir    string
	folder *folder.Folder
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	r := &repo{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	var err error
	if r.folder, err = folder.Make(filepath.Join(r.dir, folder.DefaultName), false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.folder.Close() })
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.com"}, args...)...)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(path, text string) {
	r.t.Helper()
	full := filepath.Join(r.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}

// follow follows function b of a file in the working tree.
func (r *repo) follow(path string) (subjects []string, c Changes, err error) {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, path))
	if err != nil {
		r.t.Fatal(err)
	}
	s := Symbol{Path: path, Name: "b", Text: string(text)}
	for i, line := range strings.Split(s.Text, "\n") {
		if strings.HasPrefix(line, "func b(") {
			s.First, s.Last = i+1, i+3
		}
	}
	tree, err := git.Find(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	c, err = Follow(r.t.Context(), tree, r.folder, s)
	for _, x := range c.Commits {
		subjects = append(subjects, x.Subject)
	}
	return subjects, c, err
}

func source(a, b string) string {
	return "package p\n\nfunc a() {\n\t" + a + "\n}\n\nfunc b() {\n\t" + b + "\n}\n"
}

func TestFollow(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", source("one()", "one()"))
	r.commit("first")
	r.write("a.go", source("two()", "one()"))
	r.commit("a alone")
	r.write("a.go", source("two()", "two()"))
	r.commit("b alone")
	r.git("mv", "a.go", "c.go")
	r.commit("moved")
	r.write("c.go", "// Package p is longer.\n"+source("three()", "two()"))
	r.commit("a again")

	want := []string{"b alone", "first"}
	got, c, err := r.follow("c.go")
	if err != nil || !slices.Equal(got, want) || !c.Whole || c.Edited {
		t.Fatalf("%q, %+v, %v; want %q whole", got, c, err, want)
	}
	if c.Commits[0].Author != "Ann" || c.Commits[0].Time.IsZero() || c.Commits[0].SHA != r.git("rev-parse", "HEAD~2") {
		t.Errorf("%+v", c.Commits[0])
	}

	// The file has been edited since, so the lines must be those of HEAD.
	r.write("c.go", "// Package p\n// is\n// longer.\n"+source("three()", "three()"))
	if got, c, err = r.follow("c.go"); err != nil || !slices.Equal(got, want) || !c.Edited {
		t.Errorf("edited: %q, %+v, %v; want %q", got, c, err, want)
	}

	// HEAD has moved, so the stored answer must not be used.
	r.commit("b again")
	if got, _, err = r.follow("c.go"); err != nil || !slices.Equal(got, []string{"b again", "b alone", "first"}) {
		t.Errorf("after a commit: %q, %v", got, err)
	}

	r.write("new.go", source("one()", "one()"))
	if got, _, err = r.follow("new.go"); !errors.Is(err, ErrNew) || got != nil {
		t.Errorf("a new file: %q, %v", got, err)
	}
	r.write("c.go", strings.ReplaceAll(source("three()", "three()"), "func b", "func d"))
	r.commit("no b")
	r.write("c.go", source("three()", "three()"))
	if got, _, err = r.follow("c.go"); !errors.Is(err, ErrNew) || got != nil {
		t.Errorf("a new function: %q, %v", got, err)
	}
}

// An answer must be stored, and used while HEAD stays, even if the objects are gone.
func TestKept(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", source("one()", "one()"))
	r.commit("first")
	if _, _, err := r.follow("a.go"); err != nil {
		t.Fatal(err)
	}
	kept := readCache(r.folder)
	if len(kept.Answers) != 1 || len(kept.Answers[0].Commits) != 1 || !kept.Answers[0].Whole {
		t.Fatalf("%+v", kept)
	}
	kept.Answers[0].Commits[0].Subject = "from the file"
	kept.putAnswer(r.folder, kept.Answers[0].key, kept.Answers[0].Changes)
	if got, _, err := r.follow("a.go"); err != nil || !slices.Equal(got, []string{"from the file"}) {
		t.Errorf("%q, %v", got, err)
	}
	if err := r.folder.Replace(folder.LinesFile, []byte("{half")); err != nil {
		t.Fatal(err)
	}
	if got, _, err := r.follow("a.go"); err != nil || !slices.Equal(got, []string{"first"}) {
		t.Errorf("with a damaged file: %q, %v", got, err)
	}
}

func TestBounds(t *testing.T) {
	k := key{Head: "h", Path: "p", Name: "0"}
	r := newRepo(t)
	for i := range maxKept + 10 {
		k.First = i
		k.Name = strings.Repeat("x", i+1)
		readCache(r.folder).putAnswer(r.folder, k, Changes{
			Commits: []git.Change{{Subject: strings.Repeat("s", 20_000)}},
		})
	}
	c := readCache(r.folder)
	if n := len(c.Answers); n < 20 || n > maxKept || c.Answers[0].First != maxKept+9 {
		t.Errorf("%d answers, the first %+v", len(c.Answers), c.Answers[0].key)
	}

	r.write("a.go", source("one()", "one()"))
	r.commit("first")
	tree, err := git.Find(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Follow(ctx, tree, nil, Symbol{
		Path: "a.go", Name: "b", First: 7, Last: 9, Text: source("one()", "one()"),
	}); err == nil {
		t.Error("no error, though the time was up")
	}
}

// A stranger's settings and attributes must start no program.
func TestHostile(t *testing.T) {
	r := newRepo(t)
	trace := filepath.Join(t.TempDir(), "trace")
	run := "touch " + trace + "; cat"
	r.write("a.go", source("one()", "one()"))
	r.write(".gitattributes", "* diff=evil filter=evil\n")
	r.commit("first")
	r.write("a.go", source("one()", "two()"))
	r.commit("second")
	for _, s := range []string{
		"diff.evil.textconv", "diff.evil.command", "diff.external", "filter.evil.smudge", "filter.evil.clean",
		"core.pager", "gpg.program", "core.fsmonitor", "core.sshCommand", "pager.log", "interactive.diffFilter",
	} {
		r.git("config", s, run)
	}
	r.git("config", "log.showSignature", "true")
	r.git("config", "log.follow", "true")
	r.git("config", "log.mailmap", "true")
	got, _, err := r.follow("a.go")
	if err != nil || !slices.Equal(got, []string{"second", "first"}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a program of the repository ran")
	}
}

// Paths are names, whatever they contain.
func TestOddPaths(t *testing.T) {
	for _, path := range []string{"a:b.go", "-x.go", "a b.go", "[x].go", "ä.go", "d/:(top)a.go"} {
		r := newRepo(t)
		r.write(path, source("one()", "one()"))
		r.commit("first")
		r.write(path, source("one()", "two()"))
		r.commit("second")
		if got, _, err := r.follow(path); err != nil || !slices.Equal(got, []string{"second", "first"}) {
			t.Errorf("%q: %q, %v", path, got, err)
		}
	}
}
