package scrape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/scrape/content"
	"patina/scrape/parse"
	"patina/scrape/scrapetest"
	"patina/scrape/walk"
	"patina/store/doc"
)

// In any folder, every readable file must be indexed and every other one counted.
func TestHostileFolder(t *testing.T) {
	for _, repository := range []bool{true, false} {
		root, dir := t.TempDir(), t.TempDir()
		good := map[string]string{
			"a.go": "package a\n", "new\nline.go": "package a\n", "日本/東京.go": "package a\n",
			"bad\xff.go": "package a\n", strings.Repeat("x", 200) + ".go": "package a\n",
			"with space/-dash.go": "package a\n",
		}
		scrapetest.Tree(t, root, good)
		scrapetest.Tree(t, root, map[string]string{"big.txt": "", "zero.bin": "", "data.txt": "a\x00b"})
		scrapetest.Must(t, os.Truncate(filepath.Join(root, "big.txt"), 200<<20))
		scrapetest.Must(t, os.Symlink("loop", filepath.Join(root, "loop")))
		scrapetest.Must(t, os.Symlink("there", filepath.Join(root, "back")))
		scrapetest.Must(t, os.Symlink("back", filepath.Join(root, "there")))
		scrapetest.Must(t, os.Symlink("..", filepath.Join(root, "日本/up")))
		scrapetest.Must(t, os.Symlink("/nowhere", filepath.Join(root, "dangling.go")))
		scrapetest.Must(t, syscall.Mkfifo(filepath.Join(root, "pipe.go"), 0o644))
		if repository {
			scrapetest.Git(t, root, "init", "-q")
			scrapetest.Git(t, root, "add", "a.go", "loop", "back", "日本")
		}
		s := scrape(t, Options{Root: root, StoreDir: dir})
		if s.Added != len(good) || s.Skipped[content.TooLarge] != 1 || s.Skipped[content.Binary] != 2 ||
			s.Skipped[content.SymbolicLink] != 5 || len(s.Notes) != 0 {
			t.Errorf("repository %v: %+v", repository, s)
		}
		if !slices.Contains(s.LeftOut, Troubled{"big.txt", content.TooLarge}) {
			t.Errorf("repository %v: left out %v", repository, s.LeftOut)
		}
		got := dump(t, dir)
		for name := range good {
			if !strings.Contains(got, fmt.Sprintf("file %q code", name)) {
				t.Errorf("repository %v: %q is not indexed", repository, name)
			}
		}
		if s := scrape(t, Options{Root: root, StoreDir: dir}); s.Unchanged != len(good) ||
			s.Added+s.Changed+s.Removed != 0 {
			t.Errorf("repository %v, again: %+v", repository, s)
		}
	}
}

func TestUnreadableIsCounted(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read everything")
	}
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Tree(t, root, map[string]string{
		"a.go": "package a\n", "closed.go": "package a\n", "shut/in.go": "package a\n",
	})
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Must(t, os.Chmod(filepath.Join(root, "closed.go"), 0))
	scrapetest.Must(t, os.Chmod(filepath.Join(root, "shut"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "shut"), 0o755) })
	if s := scrape(t, Options{Root: root, StoreDir: dir}); s.Added != 1 || s.Skipped[content.Unreadable] != 2 {
		t.Errorf("%+v", s)
	}
}

func TestUTF16IgnoreFileIsNamed(t *testing.T) {
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{
		".gitignore": "\xFF\xFE*\x00.\x00g\x00o\x00\n\x00", "sub/" + ".patinaignore": "\xFE\xFF\x00*",
		"a.go": "package a\n",
	})
	s := scrape(t, Options{Root: root, StoreDir: t.TempDir()})
	if s.Added != 3 || len(s.Notes) != 2 || !strings.HasPrefix(s.Notes[0], `".gitignore" is UTF-16`) ||
		!strings.HasPrefix(s.Notes[1], `"sub/.patinaignore" is UTF-16`) {
		t.Errorf("%+v", s)
	}
}

// A folder that changes while it is read gives some state of each file. The next scrape must have
// all changes.
func TestChangedWhileScraped(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	for i := range 4 * reportEvery {
		scrapetest.Tree(t, root, map[string]string{
			fmt.Sprintf("f%03d.go", i): fmt.Sprintf("package a\n\nfunc F%d() {}\n", i),
		})
	}
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-qm", "first")
	once := false
	s := scrape(t, Options{Root: root, StoreDir: dir, Workers: 1, Progress: func(p Progress) {
		if p.Stage != "files" || once {
			return
		}
		once = true
		for i := range 4 * reportEvery {
			name := filepath.Join(root, fmt.Sprintf("f%03d.go", i))
			switch i % 5 {
			case 0:
				scrapetest.Must(t, os.Remove(name))
			case 1:
				scrapetest.Must(t, os.WriteFile(name, []byte(fmt.Sprintf("package b\n\nfunc G%d() {}\n", i)), 0o644))
			case 2:
				scrapetest.Must(t, errors.Join(os.Remove(name), os.Mkdir(name, 0o755)))
			case 3:
				scrapetest.Must(t, errors.Join(os.Remove(name), os.Symlink("f004.go", name)))
			}
		}
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-qm", "meanwhile")
	}})
	if !once || s.Skipped[content.Unreadable] == 0 || s.Generation.Files < reportEvery {
		t.Errorf("while it changed: %+v", s)
	}
	scrape(t, Options{Root: root, StoreDir: dir})
	fresh := t.TempDir()
	scrape(t, Options{Root: root, StoreDir: fresh})
	if got, want := dump(t, dir), dump(t, fresh); got != want {
		t.Errorf("after it: %s", firstDifference(got, want))
	}
}

// Files written with a clock that goes back, or was ahead, must be noticed.
func TestClocks(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	name := filepath.Join(root, "a.go")
	o := Options{Root: root, StoreDir: dir}
	at := time.Now()
	write := func(text string, at time.Time) {
		t.Helper()
		scrapetest.Tree(t, root, map[string]string{"a.go": text})
		scrapetest.Must(t, os.Chtimes(name, at, at))
	}
	write("package a\n", at)
	scrape(t, o)
	old := at.AddDate(-10, 0, 0)
	write("package c\n", old)
	if s := scrape(t, o); s.Changed != 1 {
		t.Errorf("ten years back: %+v", s)
	}
	if s := scrape(t, o); s.Changed != 0 || s.Unchanged != 1 {
		t.Errorf("unchanged: %+v", s)
	}
	write("package d\n", at.AddDate(10, 0, 0))
	s := scrape(t, o)
	if s.Changed != 1 || !strings.Contains(dump(t, dir), `"a.go" code "Go"`) {
		t.Errorf("ten years ahead: %+v", s)
	}
	if again := scrape(t, o); again.Changed != 0 || again.Generation.Number != s.Generation.Number {
		t.Errorf("ten years ahead, unchanged: %+v", again)
	}
}

// A file that was read very soon after it was written must be read again, because its time proves
// little.
func TestDoubtedFilesAreReadAgain(t *testing.T) {
	is := doc.Stat{Size: 1, ModTime: 1_700_000_000_500_000_000, Inode: 7}
	was := is
	was.Inode = 0
	for stat, jobs := range map[doc.Stat]int{is: 0, was: 1} {
		if got, _ := compareFiles(scrapetest.Open(t, t.TempDir()),
			walk.Listing{Files: []walk.File{{Path: "a.go", Stat: is}}}, map[string]doc.FileState{"a.go": {Stat: stat}},
			distrust{}); len(got) != jobs {
			t.Errorf("known as %+v: %d files to read, want %d", stat, len(got), jobs)
		}
	}
}

// If a store cannot be made, or another scrape holds it, the error must say so.
func TestStoreThatCannotBeWritten(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"a.go": "package a\n", "file": "no folder"})
	_, err := Run(context.Background(), Options{Root: root, StoreDir: filepath.Join(root, "file", "store")})
	if !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
	if os.Geteuid() != 0 { // root can write every folder
		dir := t.TempDir()
		scrapetest.Must(t, os.Chmod(dir, 0o555))
		if _, err := Run(context.Background(), Options{Root: root, StoreDir: dir}); !errors.Is(err, os.ErrPermission) {
			t.Errorf("read-only: %v", err)
		}
		dir = t.TempDir()
		scrape(t, Options{Root: root, StoreDir: dir})
		scrapetest.Tree(t, root, map[string]string{"a.go": "package b\n"})
		scrapetest.Must(t, os.Chmod(dir, 0o555))
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
		for _, full := range []bool{false, true} {
			if _, err := Run(context.Background(), Options{Root: root, StoreDir: dir, Full: full}); !errors.Is(err,
				os.ErrPermission) {
				t.Errorf("read-only, with an index, full %v: %v", full, err)
			}
		}
	}
}

func TestHeadMovesWhileScraped(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	commit := func(n int) {
		scrapetest.Tree(t, root, map[string]string{"a.go": fmt.Sprintf("package a // %d\n", n)})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-qm", fmt.Sprintf("number %d", n))
	}
	for n := range 2 * reportEvery {
		commit(n)
	}
	moved := false
	s := scrape(t, Options{Root: root, StoreDir: dir, Progress: func(p Progress) {
		if p.Stage == "history" && !moved {
			moved = true
			commit(1000)
		}
	}})
	if !moved || s.Commits != 2*reportEvery {
		t.Errorf("while HEAD moved: %+v", s)
	}
	if s = scrape(t, Options{Root: root, StoreDir: dir}); s.Commits != 1 || s.Generation.Commits != 2*reportEvery+1 {
		t.Errorf("after it: %+v", s)
	}
	if got := dump(t, dir); strings.Count(got, `"number 1000"`) == 0 || slices.Contains(s.Notes, "rewritten") {
		t.Errorf("the commit that came meanwhile is missing; notes %q", s.Notes)
	}
}

// A file that is too costly to parse must be named.
func TestCostlyFileIsNamed(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"huge.c": strings.Repeat("a b\n", 1<<18+1), "broken.c": "int f( {"})
	s := scrape(t, Options{Root: root, StoreDir: filepath.Join(t.TempDir(), "store")})
	want := []string{"1 file " + string(parse.TooCostly) + " (huge.c)", "1 file " + string(parse.SyntaxError)}
	if !slices.Equal(s.Notes, want) {
		t.Errorf("notes %q, want %q", s.Notes, want)
	}
}
