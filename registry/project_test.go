package registry

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"patina/store/folder"
)

// makeFolder makes a project's folder with a store in it.
func makeFolder(t *testing.T) (root, dir string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "app")
	dir = filepath.Join(root, ".patina")
	check(t, os.MkdirAll(dir, 0o700))
	return root, dir
}

// index puts a published index into a store, as far as Lookup looks.
func index(t *testing.T, dir string) {
	t.Helper()
	check(t, os.WriteFile(filepath.Join(dir, "current"), []byte("index-000001.db\n"), 0o600))
}

func registered(t *testing.T, home, root, dir string) Project {
	t.Helper()
	p, err := Register(home, root, dir)
	check(t, err)
	return p
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestProjectKeepsItsIDWhenTheStoreIsRemoved(t *testing.T) {
	home := t.TempDir()
	root, dir := makeFolder(t)
	if p := Lookup(home, root, dir); p.ID != "" {
		t.Fatalf("id %q before there was one", p.ID)
	}
	first := registered(t, home, root, dir)
	if !folder.IsProjectID(first.ID) || len(first.Secret) != 32 {
		t.Fatalf("registered %+v", first)
	}
	check(t, os.RemoveAll(dir))
	if again := Lookup(home, root, dir); again.ID != first.ID || again.Doubt != "" {
		t.Errorf("after clean %+v, want %+v", again, first)
	}
	if again := registered(t, home, root, dir); again != first {
		t.Errorf("registered again %+v, want %+v", again, first)
	}
}

// A folder that moves keeps its id, but its index must be built anew because it is in another
// folder.
func TestProjectKeepsItsIDWhenTheFolderMoves(t *testing.T) {
	home := t.TempDir()
	from, dir := makeFolder(t)
	first := registered(t, home, from, dir)
	index(t, dir)
	to := from + "-moved"
	check(t, os.Rename(from, to))
	moved := registered(t, home, to, filepath.Join(to, ".patina"))
	if moved.ID != first.ID || moved.Root != to || moved.Doubt != doubtMoved || moved.Secret == first.Secret {
		t.Errorf("moved: %+v; want id %s at %s", moved, first.ID, to)
	}
}

func TestForgedIDNeverBecomesAPath(t *testing.T) {
	home := t.TempDir()
	_, dir := makeFolder(t)
	check(t, os.WriteFile(filepath.Join(dir, folder.ProjectFile), []byte("../../../../escape"), 0o600))
	check(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o600))
	if p := registered(t, home, "/somewhere", dir); !folder.IsProjectID(p.ID) {
		t.Errorf("registered %+v", p)
	}
}

// An index is trusted only in the folder that was registered. A cloned, copied or swapped index is
// not, nor one with the id of another project.
func TestDoubt(t *testing.T) {
	home := t.TempDir()
	root, dir := makeFolder(t)
	index(t, dir)
	if p := Lookup(home, root, dir); p.Doubt != doubtUnknown || p.Secret != "" {
		t.Errorf("an index that came along: %+v", p)
	}
	first := registered(t, home, root, dir)
	if first.Doubt != doubtUnknown {
		t.Errorf("registered: %+v", first)
	}
	if p := Lookup(home, root, dir); p.Doubt != "" || p.Secret != first.Secret {
		t.Errorf("registered, looked up: %+v", p)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	check(t, os.CopyFS(copied, os.DirFS(root)))
	p := Lookup(home, copied, filepath.Join(copied, ".patina"))
	if p.Doubt != doubtUnknown || p.Secret != "" || p.ID == first.ID {
		t.Errorf("a copy: %+v", p)
	}
	p = registered(t, home, copied, filepath.Join(copied, ".patina"))
	if p.ID == first.ID || p.Secret == first.Secret {
		t.Errorf("a copy, registered: %+v", p)
	}
	check(t, os.Rename(dir, dir+".away"))
	check(t, os.Mkdir(dir, 0o700))
	index(t, dir)
	if p := Lookup(home, root, dir); p.Doubt != doubtMoved || p.ID != first.ID || p.Secret != "" {
		t.Errorf("another folder in its place: %+v", p)
	}
}

// A project may have several indexes, and each is known.
func TestSeveralStores(t *testing.T) {
	home := t.TempDir()
	root, dir := makeFolder(t)
	first := registered(t, home, root, dir)
	_, other := makeFolder(t)
	second := registered(t, home, root, other)
	if first.ID != second.ID || first.Secret == second.Secret {
		t.Errorf("%+v and %+v", first, second)
	}
	index(t, dir)
	index(t, other)
	for _, want := range []Project{first, second} {
		if p, ok := Whereabouts(home, want.Store); !ok || p != want {
			t.Errorf("%+v, want %+v", p, want)
		}
	}
}

// A record of a version without inodes and secrets keeps the id.
func TestOlderRecord(t *testing.T) {
	home := t.TempDir()
	root, dir := makeFolder(t)
	index(t, dir)
	p := registered(t, home, root, dir)
	record := `{"id":"` + p.ID + `","name":"app","root":"` + root + `","store":"` + dir + `"}`
	check(t, os.WriteFile(recordFile(home, p.ID), []byte(record), 0o600))
	if old := Lookup(home, root, dir); old.ID != p.ID || old.Doubt != DoubtOlder || old.Secret != "" {
		t.Errorf("%+v", old)
	}
}

// First scrapes of one folder at the same time agree on one project.
func TestRegisterAtOnce(t *testing.T) {
	home := t.TempDir()
	root, dir := makeFolder(t)
	ps := make([]Project, 8)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Go(func() {
			var err error
			if ps[i], err = Register(home, root, dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, p := range ps {
		if p != ps[0] {
			t.Errorf("%+v and %+v", p, ps[0])
		}
	}
}

// If the home cannot be written, the error says so and the project is still valid.
func TestHomeThatCannotBeWritten(t *testing.T) {
	home := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(home, nil, 0o600))
	root, dir := makeFolder(t)
	p, err := Register(home, root, dir)
	if !errors.Is(err, ErrNotNoted) || p.Secret == "" || p.ID == "" {
		t.Errorf("%+v, %v", p, err)
	}
}

// The record that a folder names agrees with mother.db. It does not answer for a copied folder or
// one that names another project.
func TestOneRecordSaysTheSame(t *testing.T) {
	home := t.TempDir()
	root, dir := makeFolder(t)
	registered(t, home, root, dir)
	index(t, dir)
	var want Project
	check(t, withBook(home, func(b *book) { want = b.lookup(root, dir) }))
	if got, ok := byRecord(home, root, dir); !ok || got != want {
		t.Errorf("by its record %+v, %v; by mother.db %+v", got, ok, want)
	}
	other, copied := makeFolder(t)
	registered(t, home, other, copied)
	index(t, copied)
	id, err := os.ReadFile(filepath.Join(dir, folder.ProjectFile))
	check(t, err)
	check(t, os.WriteFile(filepath.Join(copied, folder.ProjectFile), id, 0o600))
	if p, ok := byRecord(home, other, copied); ok {
		t.Errorf("a folder that names another project: %+v", p)
	}
	check(t, os.Rename(dir, dir+".old"))
	check(t, os.CopyFS(dir, os.DirFS(dir+".old")))
	if p, ok := byRecord(home, root, dir); ok {
		t.Errorf("a copy: %+v", p)
	}
}
