package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/storetest"
)

// A worktree is a working tree as git would show it: files by path and its history's commits.
type worktree struct {
	name    string
	files   map[string]*doc.File
	commits []doc.Revision
}

func (t *worktree) clone(name string) *worktree {
	return &worktree{name, maps.Clone(t.files), slices.Clone(t.commits)}
}

// head names a tree's history, so that the store can be asked which one a view shows.
func (t *worktree) head(histories map[string][]doc.Revision) string {
	var ids strings.Builder
	for _, v := range t.commits {
		ids.WriteString(v.SHA)
	}
	head := fmt.Sprintf("%x", ids.String())
	histories[head] = slices.Clone(t.commits)
	return head
}

// options returns the build options for scraping the tree.
func (t *worktree) options(all []*worktree) build.Options {
	o := storetest.Options
	o.Root, o.View = "/src/"+t.name, t.name
	for _, x := range all {
		o.Views = append(o.Views, x.name)
	}
	return o
}

// sync updates a tree's view as a scrape does.
func (t *worktree) sync(tb testing.TB, w *build.Writer, histories map[string][]doc.Revision) {
	tb.Helper()
	known, err := w.Files()
	storetest.Check(tb, err)
	for p := range known {
		if t.files[p] == nil {
			storetest.Check(tb, w.Remove(p))
		}
	}
	k := w.Worker()
	for _, p := range slices.Sorted(maps.Keys(t.files)) {
		f := t.files[p]
		if known[p].Hash == f.Hash {
			continue
		}
		adopted, err := w.Adopt(p, doc.FileState{Stat: f.Stat, Hash: f.Hash})
		storetest.Check(tb, err)
		if !adopted {
			storetest.Check(tb, k.Put(f))
		}
	}
	h, err := w.History()
	storetest.Check(tb, err)
	was := histories[h.Head]
	has := func(vs []doc.Revision, sha string) bool {
		return slices.ContainsFunc(vs, func(v doc.Revision) bool { return v.SHA == sha })
	}
	var gone []string
	for _, v := range was {
		if !has(t.commits, v.SHA) {
			gone = append(gone, v.SHA)
		}
	}
	storetest.Check(tb, w.Hide(gone))
	for _, v := range t.commits {
		if has(was, v.SHA) {
			continue
		}
		held, err := w.Show(v.SHA)
		storetest.Check(tb, err)
		if !held {
			storetest.Check(tb, w.AddRevision(v))
		}
	}
	storetest.Check(tb, w.SetHistory(doc.HistoryState{Head: t.head(histories)}))
	g, err := w.Publish(storetest.Generation)
	storetest.Check(tb, err)
	if g.Files != len(t.files) || g.Commits != len(t.commits) {
		tb.Errorf("view %q: %d files, %d commits; want %d, %d", t.name, g.Files, g.Commits, len(t.files), len(t.commits))
	}
}

// change edits a tree, or copies another tree's content into it.
func (t *worktree) change(c *storetest.Corpus, others []*worktree) {
	ps := c.Paths()
	from := others[c.Rnd.Intn(len(others))]
	for range 1 + c.Rnd.Intn(4) {
		p := ps[c.Rnd.Intn(len(ps))]
		switch c.Rnd.Intn(4) {
		case 0:
			delete(t.files, p)
		case 1:
			if f := from.files[p]; f != nil {
				t.files[p] = f
			}
		default:
			c.Write(p)
			t.files[p] = c.Files[p]
		}
	}
	switch c.Rnd.Intn(6) {
	case 0: // another branch
		t.commits = slices.Clone(from.commits)
	case 1: // thrown away
		t.commits = t.commits[:c.Rnd.Intn(len(t.commits)+1)]
	case 2, 3:
		t.commits = append(slices.Clone(t.commits), c.Commit())
	}
}

func dumpView(t testing.TB, dir, view string) string {
	t.Helper()
	s, err := store.OpenView(dir, view)
	storetest.Check(t, err)
	defer s.Close()
	p, err := s.Pin(context.Background(), 1)
	storetest.Check(t, err)
	defer p.Close()
	var b strings.Builder
	storetest.Check(t, storetest.WriteDump(context.Background(), p.Readers[0], &b))
	_, err = p.Readers[0].Verify(context.Background(), true)
	storetest.Check(t, err)
	return b.String()
}

// count queries a store's database behind its back.
func count(t testing.TB, dir, query string) (n int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "index-*.db"))
	storetest.Check(t, err)
	db, err := sql.Open("sqlite3", names[0])
	storetest.Check(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec(sqlite.Released)
	storetest.Check(t, err)
	defer db.Close()
	storetest.Check(t, db.QueryRow(query).Scan(&n))
	return n
}

// Each view must answer like a store with only that tree, whatever happens in the others. Nothing
// may outlive its last view.
func TestViewsEqualStoresOfTheirOwn(t *testing.T) {
	for seed := range int64(4) {
		c := storetest.NewCorpus(seed)
		c.Fill()
		histories := map[string][]doc.Revision{}
		trees := []*worktree{{name: store.MainView, files: maps.Clone(c.Files)}}
		dir := t.TempDir()
		w, err := build.New(context.Background(), dir, trees[0].options(trees))
		storetest.Check(t, err)
		trees[0].sync(t, w, histories)
		for round := range 16 {
			switch n := c.Rnd.Intn(10); {
			case n == 0 && len(trees) < 5:
				trees = append(trees, trees[c.Rnd.Intn(len(trees))].clone(fmt.Sprintf("worktrees/%d", round)))
			case n == 1 && len(trees) > 1:
				trees = slices.Delete(trees, len(trees)-1, len(trees))
			}
			x := trees[c.Rnd.Intn(len(trees))]
			if round%3 != 0 {
				x = trees[len(trees)-1] // a new one begins
			}
			x.change(c, trees)
			w, err := build.Update(context.Background(), dir, x.options(trees))
			storetest.Check(t, err)
			x.sync(t, w, histories)
			checkViews(t, fmt.Sprintf("seed %d, round %d", seed, round), dir, trees, c.Rnd)
		}
	}
}

func checkViews(t *testing.T, when, dir string, trees []*worktree, rnd *rand.Rand) {
	t.Helper()
	files, commits := map[string]bool{}, map[string]bool{}
	for _, x := range trees {
		s, err := store.OpenView(dir, x.name)
		if errors.Is(err, store.ErrNoIndex) { // not scraped yet
			continue
		}
		storetest.Check(t, err)
		storetest.Check(t, s.Close())
		state := viewState(t, dir, x.name)
		for p, f := range state {
			files[p+" "+f.Hash] = true
		}
		for _, line := range strings.Split(dumpView(t, dir, x.name), "\n") {
			if strings.HasPrefix(line, "commit ") {
				commits[strings.Fields(line)[1]] = true
			}
		}
	}
	if got := count(t, dir, `SELECT COUNT(*) FROM file`); got != len(files) {
		t.Fatalf("%s: %d files are kept, %d are seen", when, got, len(files))
	}
	if got := count(t, dir, `SELECT COUNT(*) FROM revision`); got != len(commits) {
		t.Fatalf("%s: %d commits are kept, %d are seen", when, got, len(commits))
	}
	for _, table := range []string{"touch", "move"} {
		if got := count(t, dir, `SELECT COUNT(*) FROM `+table+` WHERE revision NOT IN (SELECT key FROM revision)`); got > 0 {
			t.Fatalf("%s: %d rows of %s are of no commit", when, got, table)
		}
	}
	x := trees[rnd.Intn(len(trees))]
	if state := viewState(t, dir, x.name); !x.shown(state) {
		return // changed since it was scraped
	}
	own := t.TempDir()
	w, err := build.New(context.Background(), own, storetest.Options)
	storetest.Check(t, err)
	x.sync(t, w, map[string][]doc.Revision{})
	got, want := alone(dumpView(t, dir, x.name)), alone(storetest.Dump(t, own))
	if got != want {
		t.Fatalf("%s: view %q differs from a store of its own:\n%s", when, x.name, firstDifference(got, want))
	}
}

// shown reports whether a view shows the tree as it is.
func (t *worktree) shown(state map[string]doc.FileState) bool {
	return len(state) == len(t.files) && !slices.ContainsFunc(slices.Collect(maps.Keys(state)), func(p string) bool {
		return t.files[p] == nil || t.files[p].Hash != state[p].Hash
	})
}

// alone removes the lines counted over all views from a dump.
func alone(dump string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(dump, "\n"), func(l string) bool { return strings.HasPrefix(l, "co-change ") }), "\n")
}

func viewState(t testing.TB, dir, view string) map[string]doc.FileState {
	t.Helper()
	s, err := store.OpenView(dir, view)
	if errors.Is(err, store.ErrNoIndex) {
		return nil
	}
	storetest.Check(t, err)
	defer s.Close()
	p, err := s.Pin(context.Background(), 1)
	storetest.Check(t, err)
	defer p.Close()
	state, err := p.Readers[0].States(context.Background())
	storetest.Check(t, err)
	return state
}

func TestViewsAreKeptApart(t *testing.T) {
	c := storetest.NewCorpus(21)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	if _, err := store.OpenView(dir, "worktrees/x"); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("a view that was never scraped: %v", err)
	}
	before := storetest.Dump(t, dir)
	histories := map[string][]doc.Revision{}
	x := &worktree{name: "worktrees/x", files: maps.Clone(c.Files)}
	var p string
	for p = range x.files {
		break
	}
	c.Write(p)
	x.files[p] = c.Files[p]
	x.files[p].Stat = doc.Stat{Size: 5, ModTime: 6, Inode: 7}
	size := count(t, dir, `SELECT COUNT(*) FROM body`)
	w, err := build.Update(context.Background(), dir, x.options([]*worktree{{name: store.MainView}, x}))
	storetest.Check(t, err)
	x.sync(t, w, histories)
	if got := storetest.Dump(t, dir); got != before {
		t.Errorf("the main view has changed: %s", firstDifference(got, before))
	}
	if got := viewState(t, dir, x.name)[p]; got.Stat != x.files[p].Stat {
		t.Errorf("stat of %q in the new view: %+v", p, got.Stat)
	}
	if got := viewState(t, dir, store.MainView)[p]; got.Stat == x.files[p].Stat {
		t.Errorf("stat of %q in the main view: %+v", p, got.Stat)
	}
	if got := count(t, dir, `SELECT COUNT(*) FROM body`); got != size+1 {
		t.Errorf("%d texts more for one file that differs", got-size)
	}
	main := &worktree{name: store.MainView}
	w, err = build.Update(context.Background(), dir, main.options([]*worktree{main}))
	storetest.Check(t, err)
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	if _, err := store.OpenView(dir, x.name); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("a view whose tree is gone: %v", err)
	}
	if got := count(t, dir, `SELECT COUNT(*) FROM body`); got != size {
		t.Errorf("%d texts more, and nobody sees them", got-size)
	}
	if got := store.Views(context.Background(), dir, store.Seal{}); !slices.Equal(got, []string{store.MainView}) {
		t.Errorf("views %q", got)
	}
}
