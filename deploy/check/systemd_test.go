package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// verifyUnit returns what systemd-analyze says about a unit. Its program is replaced by one that
// exists on every machine.
func verifyUnit(t *testing.T, name string, change func(string) string) string {
	t.Helper()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd is not installed")
	}
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	start := regexp.MustCompile(`(?m)^ExecStart=\S+/bin/patina `)
	if !start.Match(text) {
		t.Fatalf("%s does not start patina", name)
	}
	unit := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(unit, []byte(change(start.ReplaceAllString(string(text), "ExecStart=/bin/true "))), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "verify", "--man=no", "--recursive-errors=no", unit)
	c.Env = append(os.Environ(), "SYSTEMD_LOG_LEVEL=warning")
	out, err := c.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

func unchanged(text string) string { return text }

// systemd finds nothing in the units, and finds a misspelt setting.
func TestUnitsAreValid(t *testing.T) {
	for _, name := range []string{"patina-node.service", "patina-serve.service"} {
		if said := verifyUnit(t, name, unchanged); said != "" {
			t.Errorf("%s: %s", name, said)
		}
	}
	said := verifyUnit(t, "patina-node.service", func(text string) string {
		return strings.Replace(text, "ProtectSystem=", "ProtectSystems=", 1)
	})
	if !strings.Contains(said, "ProtectSystems") {
		t.Errorf("a misspelt setting: %q", said)
	}
}

// systemd-analyze counts the rights of a service, from 0 to 10. The node must have less than 2.
func TestNodeUnitIsHardened(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd is not installed")
	}
	out, err := exec.Command(program, "security", "--offline=true", "--threshold=20", "--no-pager", filepath.Join("..", "patina-node.service")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
