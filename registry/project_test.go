package registry

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProjectKeepsItsIDWhenTheStoreIsRemoved(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	dir := filepath.Join(root, ".patina")
	if p := Lookup(home, root, dir); p.ID != "" {
		t.Fatalf("id %q before there was one", p.ID)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	first, err := Register(home, root, dir)
	if err != nil || !validID.MatchString(first.ID) {
		t.Fatalf("registered %+v, %v", first, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if again := Lookup(home, root, dir); again != first {
		t.Errorf("after clean %+v, want %+v", again, first)
	}
}

func TestProjectKeepsItsIDWhenTheFolderMoves(t *testing.T) {
	home, parent := t.TempDir(), t.TempDir()
	from, to := filepath.Join(parent, "a"), filepath.Join(parent, "b")
	if err := os.MkdirAll(filepath.Join(from, ".patina"), 0o755); err != nil {
		t.Fatal(err)
	}
	first, err := Register(home, from, filepath.Join(from, ".patina"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	moved, err := Register(home, to, filepath.Join(to, ".patina"))
	if err != nil || moved.ID != first.ID || moved.Root != to {
		t.Errorf("moved: %+v, %v; want id %s at %s", moved, err, first.ID, to)
	}
}

func TestForgedIDNeverBecomesAPath(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, IDFile), []byte("../../../../escape"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Register(home, "/somewhere", dir)
	if err != nil || !validID.MatchString(p.ID) {
		t.Errorf("registered %+v, %v", p, err)
	}
}
