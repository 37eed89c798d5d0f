package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

// With too little address space the command ends with one line and a hint.
func TestAddressSpace(t *testing.T) {
	program, err := os.Executable()
	must(t, err)
	for _, limit := range []string{"300000", "800000"} {
		c := exec.Command("sh", "-c", `ulimit -v `+limit+` && exec "$0" -test.run=^$`, program)
		out, _ := c.CombinedOutput()
		if said := string(out); c.ProcessState.ExitCode() != cli.ExitError || strings.Count(said, "\n") != 2 ||
			!strings.HasPrefix(said, "patina: the address space is limited to "+limit+" kB") {
			t.Errorf("%s kB: %d %s", limit, c.ProcessState.ExitCode(), said)
		}
	}
}
