package registry

import (
	"os"
	"path/filepath"
	"testing"
)

// A project that is forgotten is in no list, and what is kept beside its record is gone. The others
// stay. If it comes back to its folder, it has its id again.
func TestForget(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	var all []Project
	for _, name := range []string{"gone", "stays"} {
		dir := filepath.Join(root, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		p, err := Register(home, dir, filepath.Join(dir, ".patina"))
		if err != nil {
			t.Fatal(err)
		}
		if err := PutSketch(home, p.ID, []byte("s")); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	for range 2 { // again: it is unknown then
		if err := Forget(t.Context(), home, all[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Projects(home)
	if err != nil || len(got) != 1 || got[0].ID != all[1].ID {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := os.Lstat(filepath.Join(home, "projects", all[0].ID)); !os.IsNotExist(err) {
		t.Error(err)
	}
	if s, err := Sketch(home, all[1].ID, 10); err != nil || string(s) != "s" {
		t.Errorf("%q, %v", s, err)
	}
	if err := Check(home); err != nil {
		t.Error(err)
	}
	again, err := Register(home, all[0].Root, all[0].Store)
	if err != nil || again.ID != all[0].ID {
		t.Errorf("%v, %v, before %v", again, err, all[0])
	}
	if err := Forget(t.Context(), home, "../../etc"); err == nil {
		t.Error("a path is an id")
	}
}
