package check

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	spdx "github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
)

// tool returns the path of a linter, or skips the test with the command that brings it.
func tool(t *testing.T, name, bring string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not here: %s", name, bring)
	}
	return path
}

// Scripts of deploy must pass shellcheck.
func TestScriptsAreLinted(t *testing.T) {
	shellcheck := tool(t, "shellcheck", "apt-get install shellcheck")
	scripts, _ := filepath.Glob("../release/*.sh")
	if len(scripts) < 5 {
		t.Fatalf("only %q", scripts)
	}
	if out, err := exec.Command(shellcheck, scripts...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	cmd := exec.Command(shellcheck, "-")
	cmd.Stdin = strings.NewReader("#!/bin/sh\nrm -rf $1/bin\n")
	if err := cmd.Run(); err == nil {
		t.Error("shellcheck accepts a fault")
	}
}

// actionlint is run by version: as a library it needs another yaml than the modules of this one.
const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"

// Workflows, and the action as a workflow uses it, must pass actionlint, which must find a fault.
func TestWorkflowsAreLinted(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "github", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write(".git/HEAD", "")
	write("deploy/github/action/action.yml", read("action/action.yml"))
	uses := "on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n" +
		"      - uses: ./deploy/github/action\n        id: p\n        with: {releases: dist, sum: abc}\n      - run: echo \"$OUT\"\n" +
		"        env: {OUT: \"${{ steps.p.outputs.impact }}\"}\n"
	lint := func() string {
		cmd := exec.Command("go", "run", actionlint, "-oneline", "-shellcheck=", "-pyflakes=")
		cmd.Dir = root
		// The folder has no go.mod, and the flags of a build are none of the linter.
		cmd.Env = append(os.Environ(), "GOFLAGS=")
		var failure strings.Builder
		cmd.Stderr = &failure // go names here what it fetches, too
		out, err := cmd.Output()
		if (err == nil) != (len(out) == 0) {
			t.Fatalf("%v: %s%s", err, out, failure.String())
		}
		return string(out)
	}
	write(".github/workflows/impact.yml", read("impact.yml"))
	write(".github/workflows/release.yml", read("release.yml"))
	write(".github/workflows/use.yml", uses)
	if out := lint(); out != "" {
		t.Error(out)
	}
	write(".github/workflows/release.yml", strings.Replace(read("release.yml"), "runner: macos-15,", "runner: macos-3,", 1))
	write(".github/workflows/use.yml", strings.Replace(strings.Replace(uses, "sum: abc", "sums: abc", 1), "outputs.impact", "outputs.effect", 1))
	out := lint()
	for _, want := range []string{"macos-3", `"sums"`, `"effect"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no word about %s:\n%s", want, out)
		}
	}
}

// The list of packages in a release must be a valid document of SPDX, equal each time.
func TestListOfPackagesIsSPDX(t *testing.T) {
	list := func() []byte {
		cmd := exec.Command("go", "run", "./third_party/notices", "-spdx", "0.0.1")
		cmd.Dir = filepath.Join("..", "..")
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1790000000")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	text := list()
	if !bytes.Equal(text, list()) {
		t.Error("two lists differ")
	}
	document, err := spdx.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := spdxlib.ValidateDocument(document); err != nil {
		t.Error(err)
	}
	names := map[string]bool{}
	for _, p := range document.Packages {
		names[p.PackageName] = true
		if p.PackageLicenseDeclared == "" || p.PackageCopyrightText == "" {
			t.Errorf("%s: licence %q, copyright %q", p.PackageName, p.PackageLicenseDeclared, p.PackageCopyrightText)
		}
	}
	for _, want := range []string{"patina", "USearch", "SQLite", "musl", "htmx", "github.com/spf13/cobra"} {
		if !names[want] {
			t.Errorf("no %s", want)
		}
	}
	if names["libstdc++"] {
		t.Error("a release is linked with libc++, not libstdc++")
	}
	if len(document.Relationships) != len(document.Packages) {
		t.Errorf("%d relationships of %d packages", len(document.Relationships), len(document.Packages))
	}
}
