package archtest

import (
	"os/exec"
	"strings"
	"testing"
)

// The part that finds other projects has one name, mother. Its earlier name must not come back.
func TestMotherHasOneName(t *testing.T) {
	earlier := "mother" + "ship"
	out, err := exec.Command("git", "grep", "-il", "--untracked", earlier, "--", ".", ":!third_party").Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Skipf("no git: %v", err) // an archive of the sources
	}
	if files := strings.TrimSpace(string(out)); files != "" {
		t.Errorf("named by its earlier name in:\n%s", files)
	}
}
