package project

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"patina/registry"
)

func TestDefinitions(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md":         "It reads change data capture (CDC), see [the guide](docs/guide.md).",
		"docs/guide.md":     "The OMS (order management system) is ours.",
		"docs/deep/more.md": "The quality gate report (QGR) is not read.",
		"main.go":           "// unit of measure (UOM)",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := Place{Project: registry.Project{Root: root}}
	if got, want := fmt.Sprint(Definitions(p)), "[{CDC change data capture} {OMS order management system}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.Root = filepath.Join(root, "missing")
	if got := Definitions(p); got != nil {
		t.Errorf("of a missing folder: %v", got)
	}
}

func BenchmarkDefinitions(b *testing.B) {
	p := Place{Project: registry.Project{Root: "../.."}}
	for b.Loop() {
		Definitions(p)
	}
}
