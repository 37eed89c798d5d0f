package serve

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/registry"
	"patina/scrape"
)

// ages is far longer than anything here takes.
const ages = 5 * time.Minute

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// descriptors returns the number of open files of this process.
func descriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(open)
}

// indexedPlaces makes indexes of small projects.
func indexedPlaces(t *testing.T, n int) (places []project.Place) {
	t.Helper()
	t.Setenv("PATINA_HOME", t.TempDir())
	for i := range n {
		root := filepath.Join(t.TempDir(), fmt.Sprint("project", i))
		check(t, os.MkdirAll(root, 0o700))
		source := fmt.Sprintf("package p%d\n\n// Boil%d heats water.\nfunc Boil%d() {}\n", i, i, i)
		check(t, os.WriteFile(filepath.Join(root, "boil.go"), []byte(source), 0o600))
		p, err := project.At(root, "")
		check(t, err)
		_, err = project.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
		check(t, err)
		places = append(places, p.Of(p.Root, p.Store))
	}
	return places
}

// askAll asks about one place in a pool, with visits to others, and returns the number of projects
// that answered.
func askAll(t *testing.T, w *Pool, home project.Place, others ...project.Place) int {
	t.Helper()
	e, done, err := w.Open(t.Context(), home, time.Minute)
	check(t, err)
	defer done()
	r := api.Request{Text: "heats water", Timeout: time.Minute}
	if len(others) > 0 {
		to := visit.Route{}
		for _, o := range others {
			to.Visits = append(to.Visits, visit.Visit{Place: o, Name: o.Name, Weight: 1})
		}
		r, _, err = visit.Widen(t.Context(), home, e.(visit.Host), nil, r, to)
		check(t, err)
	}
	a, err := e.Scry(t.Context(), r)
	check(t, err)
	from := map[string]bool{}
	for _, x := range a.Results {
		from[x.Key.Project] = true
	}
	return len(from)
}

// Twenty projects are asked in one process, each alone and from one another. Never may more
// projects or files be open than the setting allows, and idle ones must be closed.
func TestOpenProjectsAreBounded(t *testing.T) {
	const most = 6
	places := indexedPlaces(t, 20)
	life, end := context.WithCancel(t.Context())
	defer end()
	w := NewPool(life, slog.New(slog.DiscardHandler), registry.Settings{Open: most, Idle: time.Hour})
	defer w.Close()
	before := descriptors(t)
	askAll(t, w, places[0])
	each := descriptors(t) - before
	if each < 2 {
		t.Fatalf("an open project has %d files", each)
	}
	opened := func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.opened()
	}
	for i, p := range places {
		if n := askAll(t, w, p, places[(i+7)%20], places[(i+11)%20], places[(i+13)%20]); n != 4 {
			t.Errorf("question %d: %d projects answered", i, n)
		}
		if n := opened(); n > most {
			t.Errorf("question %d: %d projects are open", i, n)
		}
	}
	// Closed projects end with their last query, so the next one may overlap.
	settled := func(bound int) (n int) {
		for end := time.Now().Add(ages); ; time.Sleep(25 * time.Millisecond) {
			if n = descriptors(t); n <= bound || time.Now().After(end) {
				return n
			}
		}
	}
	if n := settled(before + 2*most*each); n > before+2*most*each {
		t.Errorf("%d files are open, %d before, %d for each project", n, before, each)
	}
	w.closeIdle(time.Now().Add(time.Minute))
	if n := opened(); n != 0 {
		t.Errorf("%d projects are open that nobody asks", n)
	}
	if n := settled(before + 2); n > before+2 {
		t.Errorf("%d files are open after all was closed, %d before", n, before)
	}
	if n := askAll(t, w, places[3], places[4]); n != 2 {
		t.Errorf("after all was closed: %d projects answered", n)
	}
}

// A project in use must never be closed, even if there is no room.
func TestRoomIsNotTakenFromCalls(t *testing.T) {
	places := indexedPlaces(t, 4)
	life, end := context.WithCancel(t.Context())
	defer end()
	w := NewPool(life, slog.New(slog.DiscardHandler), registry.Settings{Open: 1, Idle: time.Hour})
	defer w.Close()
	for _, p := range places {
		e, done, err := w.Open(t.Context(), p, time.Minute)
		check(t, err)
		defer func() {
			a, err := e.Scry(context.Background(), api.Request{Text: "heats water", Timeout: time.Minute})
			if err != nil || len(a.Results) == 0 {
				t.Errorf("%s: %v", p.Root, err)
			}
			done()
		}()
	}
}

// A folder that another working tree of the repository moves into must get an engine of its own.
func TestAnotherTreeInAFolder(t *testing.T) {
	p := indexedPlaces(t, 1)[0]
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{
			"-C", p.Root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main",
		}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "boil.go")
	git("commit", "-q", "-m", "feat: boil")
	beside := func(name string) string { return filepath.Join(filepath.Dir(p.Root), name) }
	tree := func(name string) project.Place {
		git("worktree", "add", "-q", "-b", name, beside(name))
		source := fmt.Sprintf("package %s\n\n// Pour pours it.\nfunc Pour() {}\n", name)
		check(t, os.WriteFile(filepath.Join(beside(name), name+".go"), []byte(source), 0o600))
		q, err := project.At(beside(name), "")
		check(t, err)
		_, err = project.Scrape(t.Context(), q, scrape.Options{}, func(err error) { t.Error(err) })
		check(t, err)
		return q.Of(q.Root, q.Store)
	}
	w := NewPool(t.Context(), slog.New(slog.DiscardHandler), registry.Settings{Open: 6, Idle: time.Hour})
	defer w.Close()
	files := func(p project.Place) (paths []string) {
		e, done, err := w.Open(t.Context(), p, ages)
		check(t, err)
		defer done()
		a, err := e.Tree(t.Context(), api.TreeRequest{ReadOptions: api.ReadOptions{Timeout: ages}, Limit: 10})
		check(t, err)
		for _, f := range a.Files {
			paths = append(paths, f.Path)
		}
		return paths
	}
	first := tree("tea")
	if got := files(first); !slices.Equal(got, []string{"boil.go", "tea.go"}) {
		t.Errorf("%v", got)
	}
	tree("milk")
	git("worktree", "remove", "--force", beside("tea"))
	git("worktree", "move", beside("milk"), beside("tea"))
	if got := files(first); !slices.Equal(got, []string{"boil.go", "milk.go"}) {
		t.Errorf("%v", got)
	}
}
