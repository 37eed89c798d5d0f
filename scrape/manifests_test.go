package scrape

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/scrapetest"
)

func TestManifestNames(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"go.mod", "// Deprecated: x\nmodule example.org/a/b // note\n\ngo 1.26\n", "example.org/a/b"},
		{"go.mod", "module \"example.org/q\"\n", "example.org/q"},
		{"go.mod", "go 1.26\n", ""},
		{"package.json", `{"name": "@scope/ui", "version": "1.0.0"}`, "@scope/ui"},
		{"package.json", "\uFEFF{\"name\": \"marked\"}", "marked"},
		{"package.json", `{"type": "module"}`, ""},
		{"package.json", `{"name": 3}`, ""},
		{"package.json", `{"name": "a", broken`, ""},
		{"package.json", `{"name": "two words"}`, ""},
		{"package.json", `{"name": "line\nfeed"}`, ""},
		{"package.json", `{"name": "` + strings.Repeat("x", maxPackageName+1) + `"}`, ""},
		{"Cargo.toml", "[package]\nname = \"serde\"\nversion.workspace = true\n", "serde"},
		{"Cargo.toml", "[workspace]\nmembers = [\"a\"]\n", "dir"},
		{"Cargo.toml", "[dependencies]\nname = \"other\"\n", "dir"},
		{"pyproject.toml", "[project]\nname = \"flask\"\n", "flask"},
		{"pyproject.toml", "[tool.poetry]\nname = \"rich\"\n", "rich"},
		{"pyproject.toml", "[tool.ruff]\nline-length = 100\n", ""},
		{"setup.cfg", "[options]\nname = wrong\n[metadata]\nversion = 1\nname = right\n", "right"},
		{"setup.cfg", "[flake8]\nmax-line-length = 100\n", ""},
		{"setup.py", "from setuptools import setup\nsetup(\n    name='requests',\n    version=v,\n)\n", "requests"},
		{"setup.py", "setup(name=NAME, author=\"x\")\n", "dir"},
		{"pom.xml", `<?xml version="1.0" encoding="ISO-8859-1"?><project ` +
			`xmlns="x"><parent><artifactId>above</artifactId></parent><artifactId>gson</artifactId></project>`, "gson"},
		{"pom.xml", `<project><artifactId>${x}</artifactId></project>`, "dir"},
		{"build.gradle", "plugins { id 'java' }\n", "dir"},
		{"build.gradle.kts", "plugins { java }\n", "dir"},
		{"composer.json", `{"name": "monolog/monolog"}`, "monolog/monolog"},
		{"composer.json", `{"require": {}}`, "dir"},
		{"rack.gemspec", "Gem::Specification.new do |s|\n  s.name = \"rack\"\nend\n", "rack"},
		{"rails.gemspec", "s.name = NAME\n", "rails"},
		{"Web.Api.csproj", "<Project Sdk=\"x\"><PropertyGroup></PropertyGroup></Project>", "Web.Api"},
		{"Web.csproj", "<Project><PropertyGroup><AssemblyName>A</AssemblyName></PropertyGroup><PropertyGroup><PackageId>P</PackageId></PropertyGroup></Project>", "P"},
		{"Web.csproj", "<Project><PropertyGroup><AssemblyName>$(Name)</AssemblyName></PropertyGroup></Project>", "Web"},
		{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.8)\nproject(FMT CXX)\n", "FMT"},
		{"CMakeLists.txt", "  PROJECT ( \"curl\" C)\n", "curl"},
		{"CMakeLists.txt", "# project(no)\nadd_library(x x.c)\n", ""},
		{"CMakeLists.txt", "project(${NAME})\n", ""},
		{".csproj", "<Project/>", ""},
		{"go.mod", "module large\n" + strings.Repeat("\n", maxManifest), ""}, // not read
		{"main.go", "module x\n", ""},
	} {
		root := t.TempDir()
		scrapetest.Tree(t, root, map[string]string{"dir/" + c.file: c.text})
		if got := findPackages(scrapetest.Open(t, root), slices.Values([]string{
			"dir/" + c.file,
		})).packageOf("dir/sub/file.x"); got != c.want {
			t.Errorf("%s: %.80q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// The nearest manifest counts. In one folder the first that gives a name does.
func TestNearestManifest(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.org/all\n", "package.json": `{"name": "tooling"}`,
		"web/package.json": `{"name": "web"}`, "web/dist/package.json": `{"type": "module"}`,
		"rust/Cargo.toml": "[workspace]\n", "rust/package.json": `{"name": "napi"}`,
		"rust/core/Cargo.toml": "[package]\nname = \"core\"\n", "java/build.gradle": "", "a b/setup.py": "setup()",
		"unreadable/go.mod": "",
	}
	scrapetest.Tree(t, root, files)
	if err := os.Remove(filepath.Join(root, "unreadable/go.mod")); err != nil {
		t.Fatal(err)
	}
	p := findPackages(scrapetest.Open(t, root), maps.Keys(files))
	for file, want := range map[string]string{
		"a.go": "example.org/all", "x/y/z.go": "example.org/all", "web/a.ts": "web", "web/dist/a.js": "web",
		"web/package.json": "web", "rust/a.rs": "napi", "rust/core/src/lib.rs": "core", "java/src/A.java": "java",
		"a b/m.py": "a b", "unreadable/a.go": "example.org/all",
	} {
		if got := p.packageOf(file); got != want {
			t.Errorf("%q belongs to %q, want %q", file, got, want)
		}
	}
	if got := (packageIndex{}).packageOf("a/b.go"); got != "" {
		t.Errorf("without manifests: %q", got)
	}
}
