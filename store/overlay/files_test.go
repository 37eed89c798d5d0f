package overlay_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/overlay"
	"patina/store/vector"
)

// modelFile returns the one file of a model with an ending.
func modelFile(t testing.TB, dir, ending string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "model-*"+ending))
	check(t, err)
	if len(names) != 1 {
		t.Fatalf("%d files end with %s: %q", len(names), ending, names)
	}
	return names[0]
}

// Damage to any file, at any place, costs at most the model's answers: they are the built-in ones
// then, and a note says so. The next update makes the vectors again, and embeds only what is lost.
func TestDamage(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, .5)
	all := update(t, dir, m, indexed()...).Embedded
	old, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	whole, _ := answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m)))
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte { b[(at+len(b))%len(b)] ^= 4; return b }
	}
	cut := func(to int) func([]byte) []byte {
		return func(b []byte) []byte { return b[:(to+len(b))%len(b)] }
	}
	for _, c := range []struct {
		what, ending string
		change       func([]byte) []byte // nil removes the file
		most         int                 // texts that are embedded again
		unseen       bool                // the damage does not concern readers
	}{
		{"a row", ".vec", flip(4096 + 5*384 + 7), all, false},
		{"the last row of the sample or a segment", ".vec", flip(-3), all, true},
		{"the header", ".vec", flip(9), all, false},
		{"lost rows", ".vec", cut(4096 + 3*384), all, false},
		{"no rows", ".vec", nil, all, false},
		{"an empty file of rows", ".vec", cut(0), all, false},
		{"a key", ".keys", flip(30), all, true},
		{"a count of keys", ".keys", flip(2), all, true},
		{"lost keys", ".keys", cut(-5), all, true},
		{"no keys", ".keys", nil, all, true},
		{"the state", ".state", flip(60), all, false},
		{"half a state", ".state", cut(100), all, false},
		{"no state", ".state", nil, all, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			name := modelFile(t, dir, c.ending)
			b, err := os.ReadFile(name)
			check(t, err)
			check(t, os.Remove(name))
			if c.change != nil {
				check(t, os.WriteFile(name, c.change(b), 0o600))
			}
			got, notes := answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m)))
			for i := range got {
				switch {
				case notes[i] == nil:
					compareExactly(t, questions[i], got[i], whole[i])
					if !c.unseen {
						t.Errorf("%q: no note", questions[i])
					}
				case !errors.Is(notes[i], oracles.ErrUnavailable):
					t.Errorf("%q: %v", questions[i], notes[i])
				default:
					sameLists(t, questions[i], got[i], old[i])
				}
			}
			before := m.embedded()
			r := update(t, dir, m, indexed()...)
			if r.Damaged == "" && c.what != "no state" || m.embedded()-before > c.most {
				t.Errorf("%+v, %d embedded", r, m.embedded()-before)
			}
			got, notes = answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m)))
			for i := range got {
				if notes[i] != nil {
					t.Errorf("after the update: %v", notes[i])
				}
				compareExactly(t, questions[i], got[i], whole[i])
			}
		})
	}
}

// An update with nothing to do reads no rows, so it is not told of damage under an old time. A
// reader that finds some tells the next update.
func TestDamageUnderAnOldTime(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, .5)
	update(t, dir, m, indexed()...)
	name := modelFile(t, dir, ".vec")
	b, err := os.ReadFile(name)
	check(t, err)
	info, err := os.Stat(name)
	check(t, err)
	b[4096+5*384+7] ^= 4
	check(t, os.WriteFile(name, b, 0o600))
	check(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	if r := update(t, dir, m, indexed()...); r != (overlay.Report{}) {
		t.Errorf("nothing was to be done, but %+v", r)
	}
	damaged := func(notes []error) bool {
		return slices.ContainsFunc(notes, func(err error) bool { return err != nil && strings.Contains(err.Error(), "damaged") })
	}
	if _, notes := answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m))); !damaged(notes) {
		t.Errorf("a reader finds no damage: %v", notes)
	}
	if r := update(t, dir, m, indexed()...); r.Damaged == "" || r.Embedded == 0 {
		t.Errorf("the damage stays: %+v", r)
	}
	if _, notes := answers(t, dir, oracles.NewSemantic(), choose(dir, forAll(m))); damaged(notes) {
		t.Errorf("after the update: %v", notes)
	}
}

// A file without its state is looked at again, and so is one that was written since.
func TestUpdateWithNothingToDo(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, 0)
	update(t, dir, m, indexed()...)
	state, err := os.ReadFile(modelFile(t, dir, ".state"))
	check(t, err)
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"nothing", func() {}},
		{"a leftover", func() {
			check(t, os.WriteFile(strings.TrimSuffix(modelFile(t, dir, ".state"), ".state")+"-1.vec", nil, 0o600))
		}},
		{"a time", func() { check(t, os.Chtimes(modelFile(t, dir, ".keys"), time.Time{}, time.Unix(1, 0))) }},
		{"more rows", func() {
			f, err := os.OpenFile(modelFile(t, dir, ".vec"), os.O_APPEND|os.O_WRONLY, 0)
			check(t, err)
			_, err = f.Write(make([]byte, 100))
			check(t, errors.Join(err, f.Close()))
		}},
	} {
		c.change()
		if r := update(t, dir, m, indexed()...); r != (overlay.Report{}) {
			t.Errorf("%s: %+v", c.what, r)
		}
		if got := modelFiles(t, dir); len(got) != 3 {
			t.Errorf("%s: %q", c.what, got)
		}
		now, err := os.ReadFile(modelFile(t, dir, ".state"))
		check(t, err)
		looked := c.what == "a time" || c.what == "more rows"
		if slices.Equal(now, state) == looked {
			t.Errorf("%s: the state was written: %v", c.what, !looked)
		}
		state = now
	}
}

func compareExactly(t *testing.T, what string, got, want []oracles.List) {
	t.Helper()
	compareLists(t, what, got, want, 0)
}

// What a killed process leaves is used: rows and keys up to the last whole block.
func TestKilledUpdateGoesOn(t *testing.T) {
	dir := newProject(t)
	manyFiles(t, dir, 300)
	scrapeAgain(t, dir, true) // one segment, which is not completed
	m := ownModel(t, dir, 256, 0)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m.limit, m.stop = 300, cancel
	if _, err := overlay.Update(ctx, index(dir), m, []doc.Kind{doc.Code}, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	before := m.embedded()
	for _, ending := range []string{".vec", ".keys"} { // a block that was being written
		name := modelFile(t, dir, ending)
		b, err := os.ReadFile(name)
		check(t, err)
		check(t, os.WriteFile(name, append(b, slices.Repeat([]byte{7}, 1000)...), 0o600))
	}
	m.limit = 0
	r := update(t, dir, m, doc.Code)
	if r.Damaged != "" || r.Embedded != m.embedded()-before || r.Copied < 256 { // a batch
		t.Errorf("%+v after %d", r, before)
	}
	seen := map[string]bool{}
	for _, p := range m.texts {
		if text := fmt.Sprint(p); seen[text] {
			t.Errorf("embedded twice: %v", p)
		} else {
			seen[text] = true
		}
	}
	covers(t, dir, m, doc.Code)
}

// Rows that no segment uses are removed once they are the most, and nothing is embedded for it.
func TestGarbageIsRemoved(t *testing.T) {
	dir := newProject(t)
	manyFiles(t, dir, 400)
	m := ownModel(t, dir, 64*5, 0)
	update(t, dir, m, doc.Code)
	name := modelFile(t, dir, ".vec")
	for i := 0; ; i++ {
		for n := range 400 {
			writeFile(t, dir, fmt.Sprintf("many/file%03d.go", n), fmt.Sprintf("package many\n\n// G%d%03d.\nfunc F() {}\n", i, n))
		}
		scrapeAgain(t, dir, false)
		r := update(t, dir, m, doc.Code)
		if r.Embedded > 1300 {
			t.Errorf("%+v", r)
		}
		if now := modelFile(t, dir, ".vec"); now != name {
			break
		}
		if i == 5 {
			t.Fatal("the file grows and grows")
		}
	}
	f, err := vector.Open(modelFile(t, dir, ".vec"))
	check(t, err)
	rows := f.Rows()
	check(t, f.Close())
	p, err := overlay.Pending(context.Background(), index(dir), m.Model(), []doc.Kind{doc.Code})
	check(t, err)
	if a := p.Kinds[doc.Code]; a.Left != 0 || rows > 2*int64(a.Texts) {
		t.Errorf("%d rows for %+v", rows, a)
	}
	before := m.embedded()
	if r := update(t, dir, m, doc.Code); r != (overlay.Report{}) || m.embedded() != before {
		t.Errorf("%+v", r)
	}
	covers(t, dir, m, doc.Code)
}

// Questions have whole answers while vectors are made, replaced and removed.
func TestReadersWhileUpdating(t *testing.T) {
	dir := newProject(t)
	m := ownModel(t, dir, 384, 0)
	old, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	c, err := oracles.NewSemantic().Open(choose(dir, forAll(m)))
	check(t, err)
	ended := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-ended:
					return
				default:
				}
				at := i % len(questions)
				lists, err := askOne(context.Background(), dir, c, questions[at])
				if err != nil && !errors.Is(err, oracles.ErrUnavailable) {
					t.Errorf("%q: %v", questions[at], err)
				}
				for j, l := range lists {
					if !slices.EqualFunc(l.Hits, old[at][j].Hits, func(a, b doc.Ranked) bool { return a.DocID == b.DocID && a.Raw == b.Raw }) {
						t.Errorf("%q: %+v, want %+v", questions[at], l.Hits, old[at][j].Hits)
					}
				}
			}
		})
	}
	for range 8 {
		update(t, dir, m, doc.Belief, doc.Pattern)
		update(t, dir, m, indexed()...)
		removeVectors(t, dir, m.Model(), true)
	}
	close(ended)
	readers.Wait()
	check(t, c.Close())
}

func removeVectors(t *testing.T, dir, model string, want bool) {
	t.Helper()
	removed, err := overlay.Remove(context.Background(), index(dir), model)
	if err != nil || removed != want {
		t.Errorf("%s: removed: %v, want %v; %v", model, removed, want, err)
	}
}

// Removing a model leaves nothing of it and everything of others.
func TestRemove(t *testing.T) {
	dir := newProject(t)
	removeVectors(t, dir, "never made", false)
	a, b := ownNamed(t, dir, "a"), ownNamed(t, dir, "b")
	update(t, dir, a, doc.Pattern)
	files := modelFiles(t, dir)
	update(t, dir, b, doc.Pattern)
	removeVectors(t, dir, "b", true)
	if got := modelFiles(t, dir); !slices.Equal(got, files) {
		t.Errorf("%q, want %q", got, files)
	}
	covers(t, dir, a, doc.Pattern)
	check(t, overlay.Keep(context.Background(), index(dir), []string{"b"}))
	if got := modelFiles(t, dir); len(got) > 0 {
		t.Errorf("left: %q", got)
	}
	update(t, dir, a, doc.Pattern)
	for _, name := range modelFiles(t, dir) {
		info, err := os.Lstat(filepath.Join(dir, name))
		check(t, err)
		if !folder.Owns(name) || info.Mode() != 0o600 {
			t.Errorf("%s has mode %v, owned: %v", name, info.Mode(), folder.Owns(name))
		}
	}
	for _, name := range modelFiles(t, dir) { // as an interrupted removal may leave them
		if strings.HasSuffix(name, ".state") {
			check(t, os.Remove(filepath.Join(dir, name)))
		}
	}
	check(t, overlay.Keep(context.Background(), index(dir), []string{"a"}))
	if got := modelFiles(t, dir); len(got) != 2 {
		t.Errorf("of a kept model without a state: %q", got)
	}
	removeVectors(t, dir, "a", true)
	if got := modelFiles(t, dir); len(got) > 0 {
		t.Errorf("left without a state: %q", got)
	}
	update(t, dir, a, doc.Pattern)
	kept, err := folder.Clear(dir, true)
	if _, lost := os.Stat(dir); err != nil || len(kept) > 0 || !errors.Is(lost, fs.ErrNotExist) {
		t.Errorf("clean keeps %q, %v", kept, err)
	}
}

// modelFiles are the files of all models but the lock.
func modelFiles(t testing.TB, dir string) (out []string) {
	t.Helper()
	names, err := os.ReadDir(dir)
	check(t, err)
	for _, x := range names {
		if strings.HasPrefix(x.Name(), "model-") {
			out = append(out, x.Name())
		}
	}
	return out
}

// One process makes vectors at a time, and the other says who does.
func TestTwoUpdates(t *testing.T) {
	dir := newProject(t)
	m := ownNamed(t, dir, "first")
	m.entered = make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := overlay.Update(context.Background(), index(dir), m, indexed(), nil)
		done <- err
	}()
	<-m.entered
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := overlay.Update(ctx, index(dir), ownNamed(t, dir, "second"), indexed(), nil)
	if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "process") {
		t.Errorf("a second update: %v", err)
	}
	if _, err := overlay.Remove(ctx, index(dir), "first"); err != nil && !errors.Is(err, store.ErrLocked) {
		t.Errorf("removal: %v", err)
	}
	for {
		select {
		case <-m.entered:
			continue
		case err := <-done:
			check(t, err)
		}
		break
	}
	covers(t, dir, m, indexed()...)
}

// An index without vectors has none by other models, and says so.
func TestIndexWithoutVectors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), ".patina")
	m := &tableModel{name: "m", dimension: 64}
	if _, err := overlay.Update(context.Background(), index(empty), m, indexed(), nil); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("%v", err)
	}
	if _, err := overlay.Pending(context.Background(), index(empty), "m", indexed()); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("%v", err)
	}
}

// With many vectors there is a graph over them, and answers come from it.
func TestGraph(t *testing.T) {
	dir := newProject(t)
	manyFiles(t, dir, 300)
	m := ownModel(t, dir, 384, 0)
	undo := overlay.BuildGraphsFrom(200)
	defer undo()
	update(t, dir, m, indexed()...)
	modelFile(t, dir, ".hnsw")
	o := overlay.Open(dir, m.Model())
	defer o.Close()
	graphed := int64(0)
	for graphed == 0 { // it is opened beside the first questions
		read(t, dir, func(r *store.Reader) error {
			v, err := o.View(context.Background(), r)
			if err == nil {
				graphed = v.GraphRows()
				v.Release()
			}
			return err
		})
	}
	if graphed < 600 {
		t.Errorf("the graph covers %d rows", graphed)
	}
	want, _ := answers(t, dir, oracles.NewSemantic(), oracles.Project{StoreDir: dir})
	c, err := oracles.NewSemantic().Open(choose(dir, forAll(m)))
	check(t, err)
	defer func() { check(t, c.Close()) }()
	for range 3 {
		for i, q := range questions {
			lists, err := askOne(context.Background(), dir, c, q)
			check(t, err)
			for j, l := range lists {
				if len(l.Hits) > 0 && l.Hits[0].DocID != want[i][j].Hits[0].DocID {
					t.Errorf("%q: %s first, want %s", q, l.Hits[0].DocID, want[i][j].Hits[0].DocID)
				}
			}
		}
	}
}
