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

// mounted returns a home on a small disk of its own. It skips the test if it cannot mount one.
func mounted(t *testing.T, options string) string {
	t.Helper()
	home := t.TempDir()
	if err := syscall.Mount("none", home, "tmpfs", 0, options); err != nil {
		t.Skipf("a disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(home, syscall.MNT_DETACH)) })
	return home
}

// On a full disk a new link is refused with an error, earlier links are read, and linking works
// again once there is room.
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
	for range 50 { // until the log has used its reserve
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

// On a read-only disk the graph is read, and a new link is refused with an error.
func TestReadOnlyDisk(t *testing.T) {
	home, ctx := mounted(t, "size=4m"), t.Context()
	ids := lay(t, home, "app", "lib")
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses}))
	check(t, syscall.Mount("none", home, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	if edges, err := mother.Edges(ctx, home, ""); err != nil || len(edges) != 1 {
		t.Errorf("%+v, %v", edges, err)
	}
	err := mother.Link(ctx, home, mother.Edge{From: ids[1], To: ids[0], Relation: mother.Uses})
	if !errors.Is(err, registry.ErrUnused) {
		t.Errorf("linked: %v", err)
	}
	if _, err := mother.Learn(ctx, home); !errors.Is(err, registry.ErrUnused) {
		t.Errorf("learned: %v", err)
	}
}
