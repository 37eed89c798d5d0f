package fresh

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/ask/project"
	"patina/registry"
	"patina/scrape"
)

// ample is enough time on any machine.
const ample = time.Hour

// settled returns a project of some files, scraped when their times are old.
func settled(t *testing.T, files map[string]string) project.Place {
	t.Helper()
	t.Setenv("PATINA_HOME", t.TempDir())
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
		old := time.Now().Add(-time.Hour)
		must(t, os.Chtimes(full, old, old))
	}
	time.Sleep(50 * time.Millisecond) // younger files are not trusted
	t.Chdir(root)
	p, err := project.Here("")
	must(t, err)
	_, err = project.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
	must(t, err)
	p, err = project.Here("")
	must(t, err)
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sight returns a look at a place.
func sight(t *testing.T, p project.Place, within time.Duration) Sight {
	t.Helper()
	e, err := project.Open(t.Context(), p, 0)
	must(t, err)
	defer func() { must(t, e.Close(context.Background())) }()
	s, err := Look(t.Context(), p, e, within, actor.BeginStopwatch(nil, 0))
	must(t, err)
	return s
}

func TestLookAndRefresh(t *testing.T) {
	base := map[string]string{
		"a.go": "package a\n", "b.go": "package a\n\nfunc B() {}\n", "sub/c.go": "package c\n", "sub/d.md": "# D\n",
	}
	for _, test := range []struct {
		name    string
		do      func() error
		changed []string
		removed []string
		news    []string
		read    int
	}{
		{name: "nothing", do: func() error { return nil }},
		{name: "edited", do: func() error {
			return os.WriteFile("a.go", []byte("package a // x\n"), 0o644)
		}, changed: []string{"a.go"}, read: 1},
		{name: "deleted", do: func() error { return os.Remove("sub/d.md") }, removed: []string{"sub/d.md"}, read: 1},
		{name: "new", do: func() error {
			return os.WriteFile("sub/e.go", []byte("package c\n"), 0o644)
		}, news: []string{"sub/e.go"}, read: 1},
		{name: "renamed", do: func() error {
			return os.Rename("b.go", "z.go")
		}, removed: []string{"b.go"}, news: []string{"z.go"}, read: 2},
		{name: "new folder", do: func() error {
			return os.MkdirAll("new/deep", 0o755)
		}, news: []string{"new"}},
		{name: "folder moved", do: func() error {
			return os.Rename("sub", "sup")
		}, removed: []string{"sub/c.go", "sub/d.md"}, news: []string{"sup"}, read: 4},
		{name: "touched", do: func() error {
			return os.Chtimes("a.go", time.Time{}, time.Now())
		}, changed: []string{"a.go"}},
		{name: "other mode", do: func() error { return os.Chmod("a.go", 0o600) }, changed: []string{"a.go"}},
		{name: "edited in place with its time", do: func() error {
			old, err := os.Stat("a.go")
			if err == nil {
				err = os.WriteFile("a.go", []byte("package b\n"), 0o644)
			}
			if err == nil {
				err = os.Chtimes("a.go", old.ModTime(), old.ModTime())
			}
			return err
		}, changed: []string{"a.go"}, read: 1},
		{name: "replaced with its time", do: func() error {
			old, err := os.Stat("a.go")
			if err == nil {
				err = os.WriteFile("n", []byte("package b\n"), 0o644)
			}
			if err == nil {
				err = os.Chtimes("n", old.ModTime(), old.ModTime())
			}
			if err == nil {
				err = os.Rename("n", "a.go")
			}
			return err
		}, changed: []string{"a.go"}, read: 1},
		{name: "file to link", do: func() error { return swap("a.go", "b.go") }, changed: []string{"a.go"}, read: 1},
		{name: "folder to link", do: func() error {
			if err := os.Rename("sub", "../"+filepath.Base(t.TempDir())+"moved"); err != nil {
				return err
			}
			return os.Symlink(t.TempDir(), "sub")
		}, removed: []string{"sub/c.go", "sub/d.md"}, read: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := settled(t, base)
			must(t, test.do())
			s := sight(t, p, ample)
			if s.Known != 4 || s.Looked != 4 || !s.Folders || s.Head || len(s.Unsure) > 0 ||
				!slices.Equal(s.Changed, test.changed) || !slices.Equal(s.Removed, test.removed) ||
				!slices.Equal(s.New, test.news) {
				t.Fatalf("%+v", s)
			}
			if !s.Moved() {
				return
			}
			n, err := Refresh(t.Context(), p, s, ample)
			if err != nil || n != test.read {
				t.Errorf("read %d, %v, want %d", n, err, test.read)
			}
			// An empty folder may be as young as the look.
			if s := sight(t, p, ample); len(s.Changed)+len(s.Removed) > 0 || len(s.New) > 0 && test.read > 0 {
				t.Errorf("after it: %+v", s)
			}
		})
	}
}

// A file in a folder without files, however deep, is new, though no folder above has a new time.
func TestLookIntoFoldersWithoutFiles(t *testing.T) {
	p := settled(t, map[string]string{"a.go": "package a\n"})
	must(t, os.MkdirAll("bare/deep/er", 0o755))
	_, err := Refresh(t.Context(), p, sight(t, p, ample), ample)
	must(t, err)
	time.Sleep(50 * time.Millisecond) // so that the next look is later than their times
	_, err = Refresh(t.Context(), p, sight(t, p, ample), ample)
	must(t, err)
	time.Sleep(50 * time.Millisecond)
	if s := sight(t, p, ample); s.Moved() {
		t.Fatalf("nothing was written: %+v", s)
	}
	must(t, os.WriteFile("bare/deep/er/b.go", []byte("package er\n"), 0o644))
	s := sight(t, p, ample)
	if !slices.Contains(s.New, "bare/deep/er/b.go") && !slices.Contains(s.New, "bare/deep/er") {
		t.Fatalf("%+v", s)
	}
	if n, err := Refresh(t.Context(), p, s, ample); err != nil || n != 1 {
		t.Errorf("read %d, %v", n, err)
	}
}

func swap(name, target string) error {
	if err := os.Remove(name); err != nil {
		return err
	}
	return os.Symlink(target, name)
}

// A look that runs out of time must say how far it came.
func TestLookIsBounded(t *testing.T) {
	files := map[string]string{}
	for i := range 1100 {
		files[fmt.Sprintf("d%d/f%d.txt", i%7, i)] = fmt.Sprint("text ", i)
	}
	p := settled(t, files)
	must(t, os.WriteFile("d1/new.txt", []byte("new"), 0o644))
	if s := sight(t, p, -time.Hour); s.Looked != 0 || s.Known != len(files) || s.Folders || s.Files() > 0 || s.whole() {
		t.Errorf("without time: %+v", s)
	}
	for name := range files {
		must(t, os.WriteFile(name, []byte("other text"), 0o644))
	}
	s := sight(t, p, ample)
	if len(s.Changed) != len(files) || len(s.New) != 1 {
		t.Errorf("%d changed, new %v", len(s.Changed), s.New)
	}
	if _, err := Refresh(t.Context(), p, s, 250*time.Millisecond); err != ErrSlow {
		t.Errorf("all files: %v", err)
	}
}

// If changes cannot be read, the index stays as it is and the error says why.
func TestRefreshGivesWay(t *testing.T) {
	p := settled(t, map[string]string{"a.go": "package a\n"})
	must(t, os.WriteFile("a.go", []byte("package b\n"), 0o644))
	s := sight(t, p, ample)
	if _, err := Refresh(t.Context(), p, s, 0); err != ErrForbidden || Unread(err) != "" {
		t.Errorf("forbidden: %v", err)
	}
	anyone := p
	anyone.Anyone = true
	if _, err := Refresh(t.Context(), anyone, s, ample); err != ErrStrange {
		t.Errorf("another's: %v", err)
	}
	inner, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Refresh(inner, p, s, ample); err == nil {
		t.Error("refreshed after its end")
	}
	held, free, done := make(chan struct{}), make(chan struct{}), make(chan error)
	hold := sync.OnceFunc(func() { close(held); <-free })
	go func() {
		progress := func(scrape.Progress) { hold() }
		_, err := project.Scrape(t.Context(), p, scrape.Options{Progress: progress}, func(error) {})
		done <- err
	}()
	<-held
	if _, err := Refresh(t.Context(), p, s, ample); Unread(err) != "another scrape is at work" {
		t.Errorf("locked: %v", err)
	}
	close(free)
	must(t, <-done)
	if s := sight(t, p, ample); len(s.Changed) > 0 {
		t.Errorf("after the scrape: %+v", s)
	}
}

// An empty folder is noticed again when it gets its first file.
func TestLookAtAnEmptyFolder(t *testing.T) {
	p := settled(t, map[string]string{"a.go": "package a\n"})
	must(t, os.Mkdir("new", 0o755))
	for s := sight(t, p, ample); len(s.New) > 0; s = sight(t, p, ample) {
		_, err := Refresh(t.Context(), p, s, ample)
		must(t, err)
	}
	must(t, os.WriteFile("new/b.go", []byte("package b\n"), 0o644))
	s := sight(t, p, ample)
	if n, err := Refresh(t.Context(), p, s, ample); n != 1 || err != nil {
		t.Errorf("read %d, %v of %+v", n, err, s)
	}
}

// Two questions at the same time must both answer from the tree as it is.
func TestRefreshTwiceAtOnce(t *testing.T) {
	p := settled(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	must(t, os.WriteFile("a.go", []byte("package a\n\nfunc Walrus() {}\n"), 0o644))
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			e, err := project.Open(t.Context(), p, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = e.Close(context.Background()) }()
			s, err := Look(t.Context(), p, e, ample, actor.BeginStopwatch(nil, 0))
			if err == nil && s.Moved() {
				_, err = Refresh(t.Context(), p, s, ample)
			}
			if err != nil {
				t.Error(err)
			}
			a, err := e.Scry(t.Context(), api.Request{Text: "Walrus", Timeout: ample})
			if err != nil || len(a.Results) == 0 || a.Results[0].Path != "a.go" {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	all.Wait()
}

// A refresh must keep the model that the scrape chose, so that the next scrape of that kind is an
// update.
func TestRefreshKeepsTheModel(t *testing.T) {
	p := settled(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	_, err := project.Scrape(t.Context(), p, scrape.Options{Full: true, NoAdapt: true}, func(error) {})
	must(t, err)
	must(t, os.WriteFile("a.go", []byte("package a\n\nfunc Walrus() {}\n"), 0o644))
	if n, err := Refresh(t.Context(), p, sight(t, p, ample), ample); err != nil || n == 0 {
		t.Fatalf("read %d, %v", n, err)
	}
	must(t, os.WriteFile("b.go", []byte("package a\n\nfunc Seal() {}\n"), 0o644))
	again := scrape.Options{NoAdapt: true, Update: true}
	if _, err := project.Scrape(t.Context(), p, again, func(error) {}); err != nil {
		t.Error(err)
	}
}

// A tree is quiet if HEAD, git's index and all folders are unchanged, and the look has reached all
// folders.
func TestQuietTree(t *testing.T) {
	files := map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n"}
	p := settled(t, files)
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)
		out, err := exec.Command("git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "a.go", "sub")
	git("commit", "-qm", "all")
	time.Sleep(50 * time.Millisecond) // folders that git has just written to are not trusted
	_, err := project.Scrape(t.Context(), p, scrape.Options{}, func(error) {})
	must(t, err)
	past := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(".git/index", past, past))
	look := func() Sight {
		t.Helper()
		s := sight(t, p, ample)
		return s
	}
	if s := look(); !s.Quiet || s.Moved() {
		t.Fatalf("nothing was written: %+v", s)
	}
	if s := sight(t, p, -time.Hour); s.Quiet {
		t.Errorf("nothing was looked at: %+v", s)
	}
	must(t, os.Chtimes(".git/index", time.Now(), time.Now().Add(time.Second)))
	if s := look(); s.Quiet {
		t.Errorf("git's index was written: %+v", s)
	}
	must(t, os.Chtimes(".git/index", past, past))
	must(t, os.WriteFile("sub/new.go", []byte("package b\n"), 0o644))
	if s := look(); s.Quiet || !slices.Equal(s.New, []string{"sub/new.go"}) {
		t.Errorf("a new file: %+v", s)
	}
}

// A question may read a small change of a manifest, for which the whole tree is listed, even in a
// tree of 10,000 files.
func TestCostOfAManifest(t *testing.T) {
	for known, want := range map[int]bool{10_000: true, 50_000: false} {
		s := Sight{Known: known, Glance: scrape.Glance{Changed: []string{"go.mod"}, Size: 500}}
		o, cost := s.options(project.Place{Project: registry.Project{Root: t.TempDir()}})
		if len(o.Files) > 0 || (cost <= 250*time.Millisecond) != want {
			t.Errorf("%d files: %s, by name %q", known, cost, o.Files)
		}
	}
}
