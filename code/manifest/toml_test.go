package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// Name must agree with a full parser.
func FuzzTOMLTexts(f *testing.F) {
	for _, text := range []string{
		"[package]\nname = \"serde\" # x\n", "package.name = 'a'\n", "package = { name = \"b\", version = \"1\" }\n", "[ package ]\n\"name\" = \"c\"\n",
		"x = \"\"\"\n[package]\nname = \"no\"\n\"\"\"\n[package]\nname = \"yes\"\n", "[a]\nx = [\n [\"package\"]\n]\nname = \"no\"\n[package]\nname = \"yes\"\n",
		"[[package]]\nname = \"no\"\n", "[tool.poetry]\nname = \"p\"\n[project]\nname = \"q\"\n", "[tool]\npoetry.name = \"r\"\n", "tool = { poetry = { name = \"t\" } }\n",
		"\"package.name\" = \"no\"\n", "[package]\nname = 3\n", "[package]\nname = \"\\u00e9\\t\"\n", "[package.metadata]\nname = \"no\"\n[package]\nname = \"yes\"\n",
		"[package]\nname = \"a\"\nname = \"b\"\n", "[project]\nname = 'a'\n[project.b]\nname = 'c'\n[project]\n", "package={name={x=1}}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tree map[string]any
		if toml.Unmarshal([]byte(text), &tree) != nil {
			_ = Name("Cargo.toml", text) // values before a mistake
			return
		}
		want := func(keys ...string) string {
			var at any = tree
			for _, k := range keys {
				table, _ := at.(map[string]any)
				at = table[k]
			}
			name, _ := at.(string)
			return name
		}
		if got := Name("Cargo.toml", text); got != want("package", "name") {
			t.Errorf("%q: crate %q, want %q", text, got, want("package", "name"))
		}
		name := want("project", "name")
		if name == "" {
			name = want("tool", "poetry", "name")
		}
		if got := Name("pyproject.toml", text); got != name {
			t.Errorf("%q: project %q, want %q", text, got, name)
		}
	})
}

// None of the ten thousands of keys before the name may be kept.
func TestManifestOfManyKeys(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 256<<10; i++ {
		fmt.Fprintf(&b, "[k%d]\nx = 1\n", i)
	}
	b.WriteString("[project]\nname = \"last\"\n")
	if got := Name("pyproject.toml", b.String()); got != "last" {
		t.Errorf("%q", got)
	}
	keys := testing.AllocsPerRun(3, func() { Name("pyproject.toml", b.String()) })
	if lines := float64(strings.Count(b.String(), "\n")); keys > 4*lines {
		t.Errorf("%.0f allocations for %.0f lines", keys, lines)
	}
}
