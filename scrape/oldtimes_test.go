package scrape

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/scrape/scrapetest"
	"patina/scrape/walk"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// overwrite changes a file in place and gives it its old time back, as "rsync -t", "cp -p" and "tar
// x" do.
func overwrite(t *testing.T, name, text string) {
	t.Helper()
	before, err := os.Stat(name)
	scrapetest.Must(t, err)
	if before.Size() != int64(len(text)) {
		t.Fatalf("%d bytes, want %d", len(text), before.Size())
	}
	scrapetest.Must(t, os.WriteFile(name, []byte(text), 0o644))
	scrapetest.Must(t, os.Chtimes(name, before.ModTime(), before.ModTime()))
}

// An edit of the same size with the old time must be read, however the scrape is started.
func TestEditWithItsOldTimeIsRead(t *testing.T) {
	for _, x := range []struct {
		name string
		o    Options
	}{
		{"whole tree", Options{}},
		{"by name", Options{Files: []string{"a.go"}}},
		{"by folder", Options{Files: []string{"."}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			root, dir := t.TempDir(), t.TempDir()
			scrapetest.Tree(t, root, map[string]string{"a.go": "package a // one\n", "b.go": "package a\n"})
			file := filepath.Join(root, "a.go")
			long := time.Now().Add(-time.Hour)
			scrapetest.Must(t, os.Chtimes(file, long, long))
			x.o.Root, x.o.StoreDir = root, dir
			scrape(t, Options{Root: root, StoreDir: dir})
			overwrite(t, file, "package a // two\n")
			if s := scrape(t, x.o); s.Changed != 1 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A file that is named, or reported by the file system, must be compared by content, because a file
// system may keep all times.
func TestNamedFileIsReadByContent(t *testing.T) {
	for _, o := range []Options{{Files: []string{"a.go"}}, {Told: []string{"a.go"}}} {
		root, dir := t.TempDir(), t.TempDir()
		scrapetest.Tree(t, root, map[string]string{"a.go": "package a // one\n", "b.go": "package a\n"})
		o.Root, o.StoreDir = root, dir
		scrape(t, Options{Root: root, StoreDir: dir})
		overwrite(t, filepath.Join(root, "a.go"), "package a // two\n")
		believe(t, root, dir)
		if jobs, _ := pending(t, root, dir, time.Now().Add(time.Hour)); len(jobs) > 0 {
			t.Fatalf("%+v", jobs)
		}
		if s := scrape(t, o); s.Changed != 1 {
			t.Errorf("%+v: %+v", o, s)
		}
	}
}

// A file that the file system reports must be read, and so must all files below a reported folder,
// however old their times are.
func TestToldFilesMustBeRead(t *testing.T) {
	d := distrustRacy(time.Now().Add(time.Hour), []string{"a.go", "sub"})
	for name, want := range map[string]bool{
		"a.go": true, "sub/b.go": true, "sub/c/d.go": true, "b.go": false, "subs/b.go": false,
	} {
		if got := d.mustRead(walk.File{Path: name}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// A file that was written in the two seconds before the last comparison must be read again, once.
func TestRacilyCleanFileIsReadAgain(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"a.go": "package a // one\n", "b.go": "package a\n"})
	scrape(t, Options{Root: root, StoreDir: dir})
	overwrite(t, filepath.Join(root, "a.go"), "package a // two\n")
	believe(t, root, dir)
	p, err := Compare(t.Context(), root, dir, files(t, dir), time.Now())
	if err != nil || p.Changed != 1 {
		t.Errorf("compare: %+v, %v", p, err)
	}
	if s := scrape(t, Options{Root: root, StoreDir: dir}); s.Changed != 1 {
		t.Errorf("%+v", s)
	}
	believe(t, root, dir)
	for _, x := range []struct {
		compared time.Duration // from now
		read     int
	}{{0, 2}, {-time.Hour, 2}, {time.Minute, 0}} {
		if jobs, _ := pending(t, root, dir, time.Now().Add(x.compared)); len(jobs) != x.read {
			t.Errorf("compared %s from now: %+v", x.compared, jobs)
		}
	}
	if jobs, _ := pending(t, root, dir, time.Time{}); len(jobs) != 2 {
		t.Errorf("compared nobody knows when: %+v", jobs)
	}
	future := time.Now().Add(24 * time.Hour)
	scrapetest.Must(t, os.Chtimes(filepath.Join(root, "a.go"), future, future))
	believe(t, root, dir)
	if jobs, _ := pending(t, root, dir, time.Now().Add(time.Minute)); len(jobs) > 0 {
		t.Errorf("a time of tomorrow: %+v", jobs)
	}
}

// After a change of mode a file must be read once. Then the index knows the file's new times.
func TestChangeOfModeIsReadOnce(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	scrape(t, Options{Root: root, StoreDir: dir})
	believe(t, root, dir)
	scrapetest.Must(t, os.Chmod(filepath.Join(root, "a.go"), 0o600))
	later := time.Now().Add(time.Minute)
	if jobs, _ := pending(t, root, dir, later); len(jobs) != 1 {
		t.Errorf("after the change: %+v", jobs)
	}
	if s := scrape(t, Options{Root: root, StoreDir: dir}); s.Unchanged != 2 || s.Changed != 0 {
		t.Errorf("%+v", s)
	}
	for path, x := range files(t, dir) {
		if x.Stat.ChangeTime == 0 || path == "a.go" && x.Stat.ChangeTime != stat(t, root, path).ChangeTime {
			t.Errorf("%s: %+v", path, x)
		}
	}
}

// believe records the files' current stats, whatever was read.
func believe(t *testing.T, root, dir string) {
	t.Helper()
	w, err := build.Update(t.Context(), dir, build.Options{Root: root, Extractor: extractor})
	scrapetest.Must(t, err)
	defer w.Abort()
	known, err := w.Files()
	scrapetest.Must(t, err)
	for path := range known {
		scrapetest.Must(t, w.Touch(path, stat(t, root, path)))
	}
	_, err = w.Publish(w.Last())
	scrapetest.Must(t, err)
}

func stat(t *testing.T, root, path string) doc.Stat {
	t.Helper()
	f, err := scrapetest.Open(t, root).Open(path)
	scrapetest.Must(t, err)
	defer f.Close()
	return f.Stat()
}

// files returns the files that an index knows.
func files(t *testing.T, dir string) map[string]doc.FileState {
	t.Helper()
	s, err := store.Open(dir)
	scrapetest.Must(t, err)
	defer func() { scrapetest.Must(t, s.Close()) }()
	p, err := s.Pin(t.Context(), 1)
	scrapetest.Must(t, err)
	defer p.Close()
	known, err := p.Readers[0].States(t.Context())
	scrapetest.Must(t, err)
	return known
}

// pending returns the files that a scrape would read if the tree was last compared at a time.
func pending(t *testing.T, root, dir string, compared time.Time) (jobs []job, gone []string) {
	t.Helper()
	l, err := walk.Files(context.Background(), root, dir, nil)
	scrapetest.Must(t, err)
	return compareFiles(scrapetest.Open(t, root), l, files(t, dir), distrustRacy(compared, nil))
}
