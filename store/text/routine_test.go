package text

import (
	"slices"
	"testing"
)

func TestRoutine(t *testing.T) {
	for name, want := range map[string]bool{
		"go.mod": true, "go.sum": true, "Cargo.lock": true, "web/package.json": true, "lib/x.gemspec": true,
		"CHANGES": true, "doc/CHANGELOG.md": true,
		"CHANGES.rst": true, "HISTORY.txt": true, "history.go": false, "release.py": false, "store/mod.go": false,
		"README.md": false, "Makefile": false,
	} {
		if Routine(name) != want {
			t.Errorf("routine(%q) = %t", name, !want)
		}
	}
}

func TestRoutineLast(t *testing.T) {
	paths := []string{"Cargo.lock", "CHANGES", "src/b.rs", "Cargo.toml", "src/a.rs"}
	RoutineLast(paths)
	if want := []string{"src/b.rs", "src/a.rs", "Cargo.lock", "CHANGES", "Cargo.toml"}; !slices.Equal(paths, want) {
		t.Fatalf("%q", paths)
	}
}
