package mother_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"patina/registry"
	"patina/registry/mother"
)

// mounted is a home on a small disk of its own.
func mounted(t *testing.T, options string) string {
	t.Helper()
	home := t.TempDir()
	if err := syscall.Mount("none", home, "tmpfs", 0, options); err != nil {
		t.Skipf("a disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(home, syscall.MNT_DETACH)) })
	return home
}

// On a full disk a link is refused and named, what was linked is read, and with room it goes on.
func TestFullDisk(t *testing.T) {
	home, ctx := mounted(t, "size=1m"), t.Context()
	ids := lay(t, home, "app", "lib")
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses}))
	fill := filepath.Join(home, "fill")
	f, err := os.Create(fill)
	check(t, err)
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	check(t, f.Close())
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	refused := 0
	for range 50 { // until what the log has in reserve is spent
		if err := mother.Link(ctx, home, mother.Edge{From: ids[1], To: ids[0], Relation: mother.Sibling}); err != nil {
			if refused++; !errors.Is(err, registry.ErrUnused) {
				t.Fatalf("it is not said of the registry: %v", err)
			}
		}
		if err := mother.Count(ctx, home, []mother.Use{{From: ids[0], To: ids[1], Asked: 1}}); err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("a full disk refuses nothing")
	}
	check(t, os.Remove(fill))
	if edges, err := mother.Edges(ctx, home, ids[0]); err != nil || len(edges) != 1 {
		t.Errorf("%+v, %v", edges, err)
	}
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[1], To: ids[0], Relation: mother.Domain}))
	check(t, registry.Check(home))
}

// On a disk that cannot be written the graph is read, and a link is refused and named.
func TestReadOnlyDisk(t *testing.T) {
	home, ctx := mounted(t, "size=4m"), t.Context()
	ids := lay(t, home, "app", "lib")
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses}))
	check(t, syscall.Mount("none", home, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	if edges, err := mother.Edges(ctx, home, ""); err != nil || len(edges) != 1 {
		t.Errorf("%+v, %v", edges, err)
	}
	if err := mother.Link(ctx, home, mother.Edge{From: ids[1], To: ids[0], Relation: mother.Uses}); !errors.Is(err, registry.ErrUnused) {
		t.Errorf("linked: %v", err)
	}
	if _, err := mother.Learn(ctx, home); !errors.Is(err, registry.ErrUnused) {
		t.Errorf("learned: %v", err)
	}
}
