package scrape

import (
	"bytes"
	"context"
	"crypto/sha1"
	bigendian "encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"patina/scrape/content"
	"patina/scrape/git"
	"patina/scrape/scrapetest"
	"patina/scrape/walk"
)

// secret is outside a tree and must not get into its index.
const secret = "Xylophonequartz"

// everyWay runs every command that a person can start on a tree, by name.
func everyWay(root, storeDir string) map[string]error {
	_, whole := Run(context.Background(), Options{Root: root, StoreDir: storeDir})
	_, named := Run(context.Background(), Options{Root: root, StoreDir: storeDir, Files: []string{"d/a.go"}})
	_, pending := Compare(context.Background(), root, storeDir, nil, time.Time{})
	return map[string]error{"scrape": whole, "scrape --file": named, "doctor": pending}
}

// partial makes a clone without one object, whose remote names a command.
func partial(t *testing.T, run string, settings ...string) string {
	t.Helper()
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{
		"d/a.go": "package d\n", "e/b.go": "package e\n", ".gitattributes": "*.gen linguist-generated\n",
		"d/.gitattributes": "x y\n",
	})
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-qm", "one")
	scrapetest.Must(t, os.WriteFile(filepath.Join(root, ".git/planted"), []byte("#!/bin/sh\n"+run+"\n"), 0o755))
	for _, s := range append(settings, "core.repositoryFormatVersion=1", "extensions.partialClone=o",
		"remote.o.promisor=true") {
		key, value, _ := strings.Cut(s, "=")
		scrapetest.Git(t, root, "config", key, strings.ReplaceAll(value, "RUN", filepath.Join(root, ".git/planted")))
	}
	return root
}

// loseObject removes an object from a repository.
func loseObject(t *testing.T, root, name string) {
	t.Helper()
	id := gitOut(t, root, "rev-parse", name)
	scrapetest.Must(t, os.Remove(filepath.Join(root, ".git/objects", id[:2], id[2:])))
}

func gitOut(t *testing.T, root string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	scrapetest.Must(t, err)
	return strings.TrimSpace(string(out))
}

// Looking at a clone without some objects must never start its remote's command, and must read all
// present objects.
func TestPlantedRemote(t *testing.T) {
	for name, settings := range map[string][]string{
		"uploadpack": {"remote.o.url=/nowhere", "remote.o.uploadpack=RUN"},
		"ext":        {"remote.o.url=ext::RUN", "protocol.ext.allow=always"},
		"ssh":        {"remote.o.url=ssh://nowhere.invalid/x", "core.sshCommand=RUN"},
		"alias":      {"remote.o.url=none::x", "alias.remote-none=!RUN"},
		"git proxy":  {"remote.o.url=git://nowhere.invalid/x", "core.gitProxy=RUN"},
	} {
		t.Run(name, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace")
			attributes := partial(t, "touch "+trace, settings...)
			loseObject(t, attributes, "HEAD:.gitattributes")
			scrapetest.Must(t, os.Remove(filepath.Join(attributes, ".gitattributes")))
			sparse := partial(t, "touch "+trace, settings...)
			scrapetest.Git(t, sparse, "sparse-checkout", "set", "--cone", "--sparse-index", "d")
			loseObject(t, sparse, "HEAD:e")
			commit := partial(t, "touch "+trace, settings...)
			scrapetest.Git(t, commit, "commit", "-q", "--allow-empty", "-m", "two")
			scrapetest.Git(t, commit, "commit", "-q", "--allow-empty", "-m", "three")
			loseObject(t, commit, "HEAD~2")
			for what, root := range map[string]string{
				"attributes": attributes, "sparse index": sparse, "commit": commit,
			} {
				_ = os.Remove(trace) // from the planting
				dir := t.TempDir()
				for way, err := range everyWay(root, dir) {
					if err != nil {
						t.Errorf("%s, %s: %v", what, way, err)
					}
				}
				if _, err := os.Lstat(trace); err == nil {
					t.Errorf("%s: it ran", what)
				}
			}
		})
	}
}

// Hooks, monitors and filters must not run, whether the repository, the user or the system sets
// them.
func TestPlantedPrograms(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	hooks := t.TempDir()
	for _, h := range []string{
		"post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman", "query-watchman",
	} {
		scrapetest.Must(t, os.WriteFile(filepath.Join(hooks, h), []byte("#!/bin/sh\ntouch "+trace+"\n"), 0o755))
	}
	run := "touch " + trace + ";"
	settings := "[core]\n\thooksPath = " + hooks + "\n\tfsmonitor = \"" + run + "\"\n\tpager = \"" + run +
		"\"\n[pager]\n\tls-files = \"" + run +
		"\"\n[filter \"x\"]\n\tclean = \"" + run + "\"\n\tsmudge = \"" + run + "\"\n\tprocess = \"" + run +
		"\"\n\trequired\n[diff \"x\"]\n\ttextconv = \"" + run +
		"\"\n\tcommand = \"" + run + "\"\n[diff]\n\texternal = \"" + run +
		"\"\n[log]\n\tshowSignature\n[gpg]\n\tprogram = \"" + run + "\"\n"
	global := filepath.Join(t.TempDir(), "gitconfig")
	scrapetest.Must(t, os.WriteFile(global, []byte(settings), 0o600))
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_EXTERNAL_DIFF", run)
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{
		"d/a.go": "package d\n", "d/b.txt": "b", ".gitattributes": "* filter=x diff=x\n", ".patinaignore": "*.txt\n",
	})
	scrapetest.Must(t, os.WriteFile(filepath.Join(root, ".git/config"), []byte("[core]\n\tbare = false\n"), 0o600))
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-qm", "one")
	scrapetest.Tree(t, root, map[string]string{"d/a.go": "package changed\n"})
	scrapetest.Must(t, os.WriteFile(filepath.Join(root, ".git/config"), []byte(settings), 0o600))
	scrapetest.Must(t, os.RemoveAll(trace))
	dir := t.TempDir()
	for way, err := range everyWay(root, dir) {
		if err != nil {
			t.Errorf("%s: %v", way, err)
		}
	}
	if _, err := os.Lstat(trace); err == nil {
		t.Error("it ran")
	}
}

// A bare repository in a clone's folder must be treated as files of the clone.
func TestBareRepositoryInAClone(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	root, bare := t.TempDir(), ""
	scrapetest.Git(t, root, "init", "-q")
	bare = filepath.Join(root, "docs")
	scrapetest.Git(t, root, "init", "-q", "--bare", bare)
	scrapetest.Tree(t, bare, map[string]string{"d/a.go": "package d\n", "refs/heads/keep": "", "objects/keep": ""})
	scrapetest.Git(t, bare, "config", "core.fsmonitor", "touch "+trace+";")
	scrapetest.Git(t, bare, "config", "core.bare", "false")
	scrapetest.Git(t, bare, "config", "core.worktree", ".")
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-qm", "one")
	_ = os.Remove(trace)
	for _, dir := range []string{bare, filepath.Join(bare, "d"), filepath.Join(bare, "objects")} {
		if tree, err := git.Find(dir); err != nil || !sameDir(tree.Root, root) || tree.Bare {
			t.Errorf("Find(%q) = %+v, %v", dir, tree, err)
		}
	}
	for way, err := range everyWay(bare, t.TempDir()) {
		if way != "scrape --file" && !errors.Is(err, walk.ErrGit) {
			t.Errorf("%s of the folder itself: %v", way, err)
		}
	}
	s := scrape(t, Options{Root: root, StoreDir: t.TempDir()})
	if s.Added == 0 || s.Commits != 1 {
		t.Errorf("the clone: %+v", s)
	}
	if _, err := os.Lstat(trace); err == nil {
		t.Error("it ran")
	}
}

func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// writeIndex gives a repository an index with names that git itself refuses.
func writeIndex(t *testing.T, root string, names ...string) {
	t.Helper()
	slices.Sort(names)
	var b bytes.Buffer
	b.WriteString("DIRC")
	_ = bigendian.Write(&b, bigendian.BigEndian, []uint32{2, uint32(len(names))})
	for _, name := range names {
		entry := make([]byte, 62)
		bigendian.BigEndian.PutUint32(entry[24:], 0o100644)
		bigendian.BigEndian.PutUint16(entry[60:], uint16(len(name)))
		entry = append(entry, name...)
		b.Write(append(entry, make([]byte, 8-len(entry)%8)...))
	}
	sum := sha1.Sum(b.Bytes())
	scrapetest.Must(t, os.WriteFile(filepath.Join(root, ".git/index"), append(b.Bytes(), sum[:]...), 0o644))
}

// Index names that lead out of the tree, or into the git directory, must be left out and counted.
func TestRawIndexEntries(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "r")
	scrapetest.Tree(t, parent, map[string]string{
		"private.go": "package p // " + secret + "\n",
		"r/in.go":    "package r\n", "r/d/a.go": "package d\n",
	})
	scrapetest.Git(t, root, "init", "-q")
	odd := []string{
		"../private.go", "d/../../private.go", filepath.Join(parent, "private.go"), "d//a.go", "./in.go",
		"d/./a.go", ".git/config", "d/.GIT/x", "..", "../",
	}
	writeIndex(t, root, append(odd, "in.go", "d/a.go")...)
	dir := t.TempDir()
	s := scrape(t, Options{Root: root, StoreDir: dir})
	if got := dump(t, dir); strings.Contains(got, "private") || strings.Contains(got, secret) {
		t.Errorf("it left the tree:\n%s", got)
	}
	if s.Added != 2 || s.Skipped[content.Outside] != len(odd) {
		t.Errorf("%+v, want 2 files and %d left out", s, len(odd))
	}
}

// A core.worktree outside the repository must not be followed, and a note must say so.
func TestForeignWorktreeSetting(t *testing.T) {
	victim, root := t.TempDir(), t.TempDir()
	scrapetest.Tree(t, victim, map[string]string{"private.go": "package p // " + secret + "\n"})
	scrapetest.Tree(t, root, map[string]string{"in.go": "package r\n"})
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-qm", "one")
	scrapetest.Git(t, root, "config", "core.worktree", victim)
	for _, o := range []Options{{}, {Files: []string{"in.go", "private.go"}}} {
		dir := t.TempDir()
		o.Root, o.StoreDir = root, dir
		s := scrape(t, o)
		if got := dump(t, dir); strings.Contains(got, "private") || !strings.Contains(got, `"in.go"`) {
			t.Errorf("it left the tree:\n%s", got)
		}
		if notes := strings.Join(s.Notes, "\n"); !strings.Contains(notes, "core.worktree is not followed: ") {
			t.Errorf("notes %q", notes)
		}
	}
}

// A folder becomes a link, and a folder again, while it is read. No file behind the link may get
// in.
func TestFolderSwappedForALink(t *testing.T) {
	victim, root := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	for i := range 40 {
		name := fmt.Sprintf("%02d.go", i)
		scrapetest.Tree(t, root, map[string]string{
			"d/" + name: "package d\n", "e/" + name: "package e\n", "d/package.json": `{"name":"inner"}`,
		})
		scrapetest.Tree(t, victim, map[string]string{
			name:           "package p // " + secret + "\n\nfunc " + secret + "() {}\n",
			"package.json": `{"name":"` + secret + `"}`,
		})
	}
	scrapetest.Git(t, root, "add", ".")
	var stop atomic.Bool
	ended := make(chan error)
	go func() {
		d, away := filepath.Join(root, "d"), filepath.Join(root, "away")
		for !stop.Load() {
			if err := errors.Join(os.Rename(d, away), os.Symlink(victim, d), os.Remove(d),
				os.Rename(away, d)); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	for i := range 12 {
		dir := t.TempDir()
		o := Options{Root: root, StoreDir: dir, Workers: 2}
		if i%3 == 2 {
			o.Files = []string{"d"}
		}
		if _, err := Run(context.Background(), o); err != nil && !errors.Is(err, walk.ErrGit) {
			t.Errorf("scrape: %v", err)
			continue
		} else if err != nil {
			continue
		}
		if got := dump(t, dir); strings.Contains(got, secret) {
			t.Errorf("scrape %d read what lies outside", i)
		}
	}
	stop.Store(true)
	scrapetest.Must(t, <-ended)
}

// The store in use must be refused if git tracks it, and no other folder may be.
func TestTrackedStore(t *testing.T) {
	for name, c := range map[string]struct {
		file, store string
		want        bool
	}{
		"default":                  {".patina/index.db", "", true},
		"default, store elsewhere": {".patina/index.db", "/", false}, // nobody reads it
		"other case":               {".Patina/index.db", "", true},
		"a store of its own":       {"own/store/index.db", "own/store", true},
		"beside it":                {"own/stored/index.db", "own/store", false},
		"settings":                 {".patina.toml", "", false},
		"a folder below":           {"sub/.patina/x", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			scrapetest.Git(t, root, "init", "-q")
			scrapetest.Tree(t, root, map[string]string{"d/a.go": "package d\n", c.file: "x"})
			scrapetest.Git(t, root, "add", "-f", ".")
			dir := filepath.Join(root, ".patina")
			switch c.store {
			case "":
			case "/":
				dir = t.TempDir()
			default:
				dir = filepath.Join(root, c.store)
			}
			for _, files := range [][]string{nil, {"d/a.go"}} {
				_, err := Run(context.Background(), Options{Root: root, StoreDir: dir, Files: files})
				if errors.Is(err, walk.ErrTracked) != c.want || err != nil && !c.want {
					t.Errorf("files %q: %v", files, err)
				}
				if c.want && !strings.Contains(fmt.Sprint(err), "git rm -r --cached") {
					t.Errorf("no hint: %v", err)
				}
			}
		})
	}
}

// A file on which git would block must be an error at once, before git's own deadline.
func TestPipesInTheGitDirectory(t *testing.T) {
	for _, name := range []string{
		"config", "index", "packed-refs", "info/exclude", "shallow", "objects/info/alternates",
	} {
		root := t.TempDir()
		scrapetest.Git(t, root, "init", "-q")
		scrapetest.Tree(t, root, map[string]string{"d/a.go": "package d\n"})
		scrapetest.Git(t, root, "add", ".")
		scrapetest.Git(t, root, "commit", "-qm", "one")
		file := filepath.Join(root, ".git", name)
		scrapetest.Must(t, os.RemoveAll(file))
		scrapetest.Must(t, syscall.Mkfifo(file, 0o600))
		for way, err := range everyWay(root, t.TempDir()) {
			if err == nil || !strings.Contains(err.Error(), "not a regular file") {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
	}
}

// Another user's repository must be read only if the user told git so. The hint is a command for
// that.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	global := filepath.Join(t.TempDir(), "gitconfig")
	root := filepath.Join(t.TempDir(), `it's a "place"`)
	scrapetest.Tree(t, root, map[string]string{"d/a.go": "package d\n"})
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-qm", "one")
	for _, dir := range []string{root, filepath.Join(root, ".git")} {
		scrapetest.Must(t, os.Chown(dir, 4242, 4242))
	}
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	for way, err := range everyWay(root, t.TempDir()) {
		if !errors.Is(err, walk.ErrGit) || !strings.Contains(err.Error(), "belongs to another user") {
			t.Fatalf("%s: %v", way, err)
		}
		_, hint, _ := strings.Cut(err.Error(), "(hint: ")
		if out, err := exec.Command("sh", "-c", strings.TrimSuffix(hint, ")")).CombinedOutput(); err != nil {
			t.Fatalf("the hint %q: %v\n%s", hint, err, out)
		}
		break
	}
	for way, err := range everyWay(root, t.TempDir()) {
		if err != nil {
			t.Errorf("%s of a folder that is trusted: %v", way, err)
		}
	}
}

// The same at the worst moment: after files are listed, and before most are read.
func TestFolderSwappedWhileRead(t *testing.T) {
	victim, root, dir := t.TempDir(), t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	for i := range 4 * reportEvery {
		name := fmt.Sprintf("%03d.go", i)
		scrapetest.Tree(t, root, map[string]string{"d/e/" + name: "package e\n"})
		scrapetest.Tree(t, victim, map[string]string{"e/" + name: "package p // " + secret + "\n"})
	}
	once := false
	s := scrape(t, Options{Root: root, StoreDir: dir, Workers: 1, Progress: func(p Progress) {
		if p.Stage == "files" && !once {
			once = true
			scrapetest.Must(t, errors.Join(os.Rename(filepath.Join(root, "d"), filepath.Join(t.TempDir(), "d")),
				os.Symlink(victim, filepath.Join(root, "d"))))
		}
	}})
	if !once || s.Skipped[content.Unreadable] < reportEvery || strings.Contains(dump(t, dir), secret) {
		t.Errorf("read what lies outside: %+v", s)
	}
}
