package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/ask/project"
	"patina/cmd/internal/cli"
)

// Every patina command in the documents runs, in order, in a copy of this repository. It may find
// nothing (exit code 1), because the copy has one commit.
func TestDocumentsShowWhatRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("scrapes this repository, which takes minutes under the race detector")
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	copyTree(t, top, root)
	env := append(os.Environ(), "PATINA_HOME="+t.TempDir(), "PATINA_TIMEOUT=5m", "PATINA_REFRESH=5m",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GORACE="+raceOptions)
	sh := func(line string) ([]byte, error) {
		c := exec.Command("sh", "-c", line)
		c.Dir, c.Env = root, env
		return c.CombinedOutput()
	}
	for _, line := range []string{
		"git init -q -b main", "git add -A",
		"git -c user.name=Ada -c user.email=ada@example.org commit -q -m 'fusion: the shown score never rises'",
	} {
		if out, err := sh(line); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	questions := `[{"id": "q1", "query": "where are posting lists merged", "expect": ["store/build/segment.go"]}, {"id": "q2", "query": "recipe for dumplings", "expect": []}]`
	if err := os.WriteFile(filepath.Join(root, "questions.json"), []byte(questions), 0o644); err != nil {
		t.Fatal(err)
	}
	lines := fmt.Sprintf(`[{"name": %q, "questions": [{"query": "where are posting lists merged", "expect": ["store/build/segment.go"]}]}]`, filepath.Base(root))
	if err := os.WriteFile(filepath.Join(root, "lines.json"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(top, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{filepath.Join(top, "README.md")}, documents...) {
		switch filepath.Base(name) {
		case "nodes.md", "models.md": // TestPageOfNodesShowsWhatRuns, TestPageOfModelsShowsWhatRuns
			continue
		}
		lines := shown(t, name)
		if len(lines) == 0 && filepath.Base(name) == "README.md" {
			t.Error("README.md shows no command")
		}
		for _, line := range lines {
			var code *exec.ExitError
			if out, err := sh(line); err != nil && (!errors.As(err, &code) || code.ExitCode() != cli.ExitNothing) {
				t.Errorf("%s shows %q: %v\n%s", filepath.Base(name), line, err, out)
			}
		}
	}
	if out, err := sh("patina scrape && patina belief verify"); err != nil {
		t.Errorf("the checks of our own beliefs fail: %v\n%s", err, out)
	}
}

// shown returns a document's commands: the lines in its console blocks that begin with "$ patina".
func shown(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []string
	console := false
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		switch {
		case strings.HasPrefix(line, "```"):
			console = line == "```console"
		case console && strings.HasPrefix(line, "$ patina"):
			out = append(out, strings.TrimPrefix(line, "$ "))
		}
	}
	return out
}

// copyTree copies sources and documents, without ignored files.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == project.StoreName || rel == "bin" ||
			d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular() || d.Name() == ".git": // a file in a linked worktree
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
