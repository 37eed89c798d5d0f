package fresh

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// long is far longer than any step takes.
const long = 5 * time.Minute

// A mirror is the simplest index: the names and contents of a tree.
type mirror struct {
	root string

	mu    sync.Mutex
	files map[string]string
	reads []Change
	fail  error
	hold  chan struct{}

	listed func() // called after each listing of folders; may be nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read is the Read of a Watcher.
func (m *mirror) read(_ context.Context, c Change) (int, error) {
	m.mu.Lock()
	hold := m.hold
	m.mu.Unlock()
	if hold != nil {
		<-hold
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads = append(m.reads, c)
	if m.fail != nil {
		return 0, m.fail
	}
	names := c.Names
	if c.All {
		names = []string{"."}
	}
	n := 0
	for _, name := range names {
		for known := range m.files {
			if name == "." || known == name || strings.HasPrefix(known, name+"/") {
				delete(m.files, known)
			}
		}
		_ = filepath.WalkDir(filepath.Join(m.root, name), func(p string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == ".git" {
				return filepath.SkipDir
			}
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			text, err := os.ReadFile(p)
			if rel, _ := relativePath(m.root, p); err == nil {
				m.files[rel] = string(text)
				n++
			}
			return nil
		})
	}
	return n, nil
}

// folders lists all folders except those named "ignored".
func (m *mirror) folders(_ context.Context, below []string, most int) (out []string, whole bool, err error) {
	for _, b := range below {
		_ = filepath.WalkDir(filepath.Join(m.root, b), func(p string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil
			}
			if d.Name() == "ignored" || d.Name() == ".git" {
				return filepath.SkipDir
			}
			rel, _ := relativePath(m.root, p)
			out = append(out, rel)
			return nil
		})
	}
	m.mu.Lock()
	listed := m.listed
	m.mu.Unlock()
	if listed != nil {
		listed()
	}
	return out, len(out) < most, nil
}

// follow watches a new folder.
func follow(t *testing.T, o Options) (*mirror, *Watcher) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	m := &mirror{root: root, files: map[string]string{}}
	o.Root, o.Folders, o.Read = root, m.folders, m.read
	w := Start(t.Context(), o)
	t.Cleanup(w.Close)
	return m, w
}

// ready waits until the tree is watched.
func ready(t *testing.T, w *Watcher) {
	t.Helper()
	for end := time.Now().Add(long); !w.Ready(); {
		if w.Settle(t.Context(), w.Read(), long); time.Now().After(end) {
			t.Fatal("the tree is not watched")
		}
	}
}

// same fails the test if the tree differs from the mirror.
func (m *mirror) same(t *testing.T, what string) {
	t.Helper()
	now := &mirror{root: m.root, files: map[string]string{}}
	_, _ = now.read(t.Context(), Change{All: true})
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, text := range now.files {
		if got, ok := m.files[name]; !ok || got != text {
			t.Errorf("%s: %q is %q in the tree, and %q (%v) read", what, name, text, got, ok)
		}
	}
	for name := range m.files {
		if _, ok := now.files[name]; !ok {
			t.Errorf("%s: %q is gone, and still read", what, name)
		}
	}
}

func (m *mirror) write(t *testing.T, name, text string) {
	t.Helper()
	full := filepath.Join(m.root, name)
	check(t, os.MkdirAll(filepath.Dir(full), 0o755))
	check(t, os.WriteFile(full, []byte(text), 0o644))
}

// Changes before a call must be read by it.
func TestWhatWasWrittenIsRead(t *testing.T) {
	for _, most := range []int{0, 1} { // watched, and compared again and again
		t.Run(fmt.Sprint("most ", most), func(t *testing.T) {
			m, w := follow(t, Options{Most: most})
			if most == 0 {
				ready(t, w)
			}
			// The first call relies on the first comparison.
			w.Settle(t.Context(), w.Read(), long)
			steps := map[string]func(){
				"a file":          func() { m.write(t, "a.txt", "1") },
				"an edit":         func() { m.write(t, "a.txt", "22") },
				"folders":         func() { m.write(t, "x/y/z/b.txt", "1") },
				"in a new folder": func() { m.write(t, "x/y/c.txt", "1") },
				"an empty folder": func() { check(t, os.MkdirAll(filepath.Join(m.root, "e/f/g"), 0o755)) },
				"what was empty":  func() { m.write(t, "e/f/g/d.txt", "1") },
				"a rename": func() {
					check(t, os.Rename(filepath.Join(m.root, "a.txt"), filepath.Join(m.root, "x/a.txt")))
				},
				"a renamed folder": func() {
					check(t, os.Rename(filepath.Join(m.root, "x"), filepath.Join(m.root, "v")))
				},
				"in what was moved": func() { m.write(t, "v/y/c.txt", "new") },
				"a replaced file": func() {
					m.write(t, "tmp", "other")
					check(t, os.Rename(filepath.Join(m.root, "tmp"), filepath.Join(m.root, "v/a.txt")))
				},
				"a removed folder": func() { check(t, os.RemoveAll(filepath.Join(m.root, "e"))) },
				"many": func() {
					for i := range 2 * mostNames {
						m.write(t, fmt.Sprintf("many/%d/%d.txt", i%7, i), "x")
					}
				},
				"many gone": func() { check(t, os.RemoveAll(filepath.Join(m.root, "many"))) },
			}
			for _, what := range []string{
				"a file", "an edit", "folders", "in a new folder", "an empty folder", "what was empty", "a rename",
				"a renamed folder", "in what was moved",
				"a replaced file", "a removed folder", "many", "many gone",
			} {
				steps[what]()
				if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
					t.Errorf("%s: %+v", what, s)
				}
				m.same(t, what)
			}
			if (most == 0) != w.Ready() {
				t.Errorf("watched: %v", w.Ready())
			}
		})
	}
}

// A change must be read without a call, once the tree rests.
func TestReadUnasked(t *testing.T) {
	m, w := follow(t, Options{})
	ready(t, w)
	m.write(t, "a.txt", "1")
	for end := time.Now().Add(long); ; time.Sleep(time.Millisecond) {
		m.mu.Lock()
		read := m.files["a.txt"] == "1"
		m.mu.Unlock()
		if read {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nobody has read the change")
		}
	}
	m.write(t, "ignored/b.txt", "1")
	w.Settle(t.Context(), w.Read(), long)
	before := len(m.reads)
	m.write(t, "ignored/b.txt", "2")
	w.Settle(t.Context(), w.Read(), long)
	if len(m.reads) != before {
		t.Errorf("read for a folder in which nothing counts: %+v", m.reads[before:])
	}
}

// An answer must not wait for a slow reader. It is told which changes are not read yet.
func TestNobodyWaitsForASlowReader(t *testing.T) {
	m, w := follow(t, Options{})
	ready(t, w)
	hold := make(chan struct{})
	m.mu.Lock()
	m.hold = hold
	m.mu.Unlock()
	m.write(t, "a.txt", "1")
	s := w.Settle(t.Context(), w.Read(), 10*time.Millisecond)
	if !s.Behind() || !slices.Contains(s.Pending, "a.txt") && !s.All {
		t.Errorf("%+v", s)
	}
	m.mu.Lock()
	m.hold = nil
	m.mu.Unlock()
	close(hold)
	if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
		t.Errorf("%+v", s)
	}
	m.same(t, "afterwards")
}

// A change that could not be read must be tried again, and reported until it is read.
func TestTriedAgain(t *testing.T) {
	m, w := follow(t, Options{})
	ready(t, w)
	broken := errors.New("broken")
	m.mu.Lock()
	m.fail = broken
	m.mu.Unlock()
	m.write(t, "a.txt", "1")
	if s := w.Settle(t.Context(), w.Read(), long); !errors.Is(s.Why, broken) {
		t.Errorf("%+v", s)
	}
	m.mu.Lock()
	m.fail = nil
	m.mu.Unlock()
	for end := time.Now().Add(long); w.Settle(t.Context(), w.Read(), long).Behind(); {
		if time.Now().After(end) {
			t.Fatal("never tried again")
		}
	}
	m.same(t, "afterwards")
}

// Commits and branch switches are noticed by the git folder.
func TestGitMoves(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		c.Dir, c.Env = root, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	m := &mirror{root: root, files: map[string]string{}}
	w := Start(t.Context(), Options{
		Root: root, Git: []string{filepath.Join(root, ".git")}, Folders: m.folders, Read: m.read,
	})
	t.Cleanup(w.Close)
	m.write(t, "a.txt", "1")
	ready(t, w)
	for _, args := range [][]string{
		{"add", "-A"},
		{"commit", "-q", "-m", "one"},
		{"checkout", "-q", "-b", "feature/deep/branch"},
		{"commit", "-q", "--allow-empty", "-m", "two"},
		{"checkout", "-q", "main"},
		{"merge", "-q", "--ff-only", "feature/deep/branch"},
		{"reset", "-q", "--hard", "HEAD~1"},
		{"update-ref", "refs/heads/other", "HEAD"},
		{"gc", "-q"},
	} {
		m.mu.Lock()
		m.reads = nil
		m.mu.Unlock()
		git(args...)
		if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
			t.Errorf("%v: %+v", args, s)
		}
		m.mu.Lock()
		if !slices.ContainsFunc(m.reads, func(c Change) bool { return c.Head }) {
			t.Errorf("%v: not noticed: %+v", args, m.reads)
		}
		m.mu.Unlock()
	}
}

// A name from a notification must be read even if the whole tree is compared, because a comparison
// by the times of folders does not find every file.
func TestNamesAreReadBesideAComparison(t *testing.T) {
	m, w := follow(t, Options{})
	ready(t, w)
	w.note(change{all: true, head: true})
	m.write(t, "e/f/new.txt", "1")
	w.note(change{all: true})
	if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
		t.Fatalf("%+v", s)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	told := func(c Change) bool { return len(c.Names) > 0 && strings.HasPrefix(c.Names[0], "e") }
	if !slices.ContainsFunc(m.reads, told) {
		t.Errorf("the name was dropped: %+v", m.reads)
	}
}

// If there are too many names to keep, the whole tree must be read.
func TestManyNamesAreTheWholeTree(t *testing.T) {
	c := change{}
	for i := range mostNames + 1 {
		c.join(change{names: map[string]bool{fmt.Sprint(i): true}})
	}
	c.join(change{names: map[string]bool{"one more": true}})
	if !c.all || !c.lost || len(c.names) != 1 {
		t.Errorf("all %v, lost %v, %d names", c.all, c.lost, len(c.names))
	}
}

// With many writers and callers, no call may be told that all is read before it is.
func TestManyAtOnce(t *testing.T) {
	m, w := follow(t, Options{})
	ready(t, w)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 30 {
				name, text := fmt.Sprintf("d%d/f%d.txt", i, j%5), fmt.Sprint(j)
				full := filepath.Join(m.root, name)
				err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644))
				if err != nil {
					t.Error(err)
				}
				if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
					t.Errorf("%s: %+v", name, s)
				}
				m.mu.Lock()
				if got := m.files[name]; got != text {
					t.Errorf("%s is %q, and %q was read", name, text, got)
				}
				m.mu.Unlock()
			}
		})
	}
	all.Wait()
	m.same(t, "at the end")
}

// A folder that was made in a new one after that was listed must be watched.
func TestFoldersAppearWhileTheyAreListed(t *testing.T) {
	m, w := follow(t, Options{})
	ready(t, w)
	once := sync.OnceFunc(func() { m.write(t, "new/deep/file", "first") })
	m.mu.Lock()
	m.listed = once
	m.mu.Unlock()
	check(t, os.Mkdir(filepath.Join(m.root, "new"), 0o755))
	w.Settle(t.Context(), w.Read(), long)
	m.write(t, "new/deep/file", "second")
	w.Settle(t.Context(), w.Read(), long)
	m.same(t, "a deep folder")
}

// A tree that was removed and made again must be read, though there are no notifications about the
// new one.
func TestTreeMadeAgain(t *testing.T) {
	m, w := follow(t, Options{})
	m.write(t, "a.txt", "1")
	ready(t, w)
	w.Settle(t.Context(), w.Read(), long)
	// A process may use the folder; then the system does not report its removal.
	held, err := os.Open(m.root)
	check(t, err)
	defer func() { check(t, held.Close()) }()
	check(t, os.RemoveAll(m.root))
	m.write(t, "b.txt", "2")
	for range 2 {
		if s := w.Settle(t.Context(), w.Read(), long); s.Behind() {
			t.Errorf("%+v", s)
		}
		m.same(t, "made again")
		m.write(t, "b.txt", "3")
	}
}
