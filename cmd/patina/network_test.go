package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// No command, and no git that it starts, may open a connection. This includes clones that lack
// objects and name a remote for them.
func TestNothingIsSent(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	tmp := t.TempDir()
	root := filepath.Join(tmp, "app")
	check(t, os.Mkdir(root, 0o755))
	check(t, os.WriteFile(filepath.Join(root, "tea.go"),
		[]byte("package tea\n\n// PourTea pours.\nfunc PourTea() {}\n"), 0o644))
	env := append(os.Environ(), "PATINA_HOME="+filepath.Join(tmp, "home"), "PATINA_TIMEOUT=5m",
		"GIT_CEILING_DIRECTORIES="+tmp, "GORACE="+raceOptions)
	for _, line := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "pour tea"},
		{"remote", "add", "origin", "http://127.0.0.1:9/tea.git"},
		{"config", "remote.origin.promisor", "true"},
		{"config", "remote.origin.partialclonefilter", "blob:none"},
		{"config", "extensions.partialClone", "origin"},
		{"config", "core.repositoryformatversion", "1"},
	} {
		c := exec.Command("git", append([]string{"-C", root}, line...)...)
		c.Env = env
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", line, err, out)
		}
	}
	c := exec.Command("git", "-C", root, "rev-parse", "HEAD:tea.go")
	c.Env = env
	blob, err := c.Output()
	check(t, err)
	check(t, os.Remove(filepath.Join(root, ".git", "objects", string(blob[:2]), strings.TrimSpace(string(blob[2:])))))
	trace := filepath.Join(tmp, "trace")
	for _, args := range [][]string{{"scrape"}, {"scrape", "--full"}, {"scry", "pour tea"}, {"doctor"}} {
		c := exec.Command("strace",
			append([]string{"-f", "-e", "trace=socket,connect", "-o", trace, "patina"}, args...)...)
		c.Dir, c.Env = root, env
		out, err := c.CombinedOutput()
		b, missing := os.ReadFile(trace)
		if missing != nil || !strings.Contains(string(b), "exited with") {
			t.Skipf("strace cannot run here: %v: %s", err, out)
		}
		if err != nil && args[0] != "doctor" {
			t.Errorf("patina %v: %v: %s", args, err, out)
		}
		for line := range strings.Lines(string(b)) {
			if strings.Contains(line, "AF_INET") || strings.Contains(line, "AF_NETLINK") {
				t.Errorf("patina %v: %s", args, line)
			}
		}
	}
}
