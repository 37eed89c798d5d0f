package main

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// onlyTested lists modules in the test binary that the command lacks.
var onlyTested = map[string]bool{"github.com/rogpeppe/go-internal": true, "golang.org/x/tools": true}

// THIRD-PARTY.md names every linked module with its version. A change in either thus prompts a look
// at the licence.
func TestThirdPartiesAreNamed(t *testing.T) {
	b, err := os.ReadFile("../../THIRD-PARTY.md")
	if err != nil {
		t.Fatal(err)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || len(info.Deps) < 20 {
		t.Fatal("the test binary does not say which modules it holds")
	}
	rows := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		if module, rest, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "` | "); ok {
			version, licence, _ := strings.Cut(rest, " | ")
			rows[module+" "+version] = strings.Trim(licence, " |\n") != ""
		}
	}
	replaced := 0
	for _, m := range info.Deps {
		if m.Replace != nil && strings.HasPrefix(m.Replace.Path, "./third_party/") { // it is ours
			replaced++
			continue
		}
		if !onlyTested[m.Path] && !rows[m.Path+" "+m.Version] {
			t.Errorf("THIRD-PARTY.md has no row of %s %s with its licence", m.Path, m.Version)
		}
	}
	if replaced != 1 {
		t.Errorf("%d modules are replaced, want the JSON schema validator", replaced)
	}
}
