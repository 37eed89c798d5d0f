package main

import (
	"os/exec"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

func TestManualHoldsEveryCommandAndFlag(t *testing.T) {
	page := manual((&app{new(cli.App)}).rootFor(nil))
	for _, want := range []string{
		".TH PATINA 1 ", ".SH NAME\npatina \\- ", ".SS patina scry\n", ".SS patina repo link\n",
		".B \\-l, \\-\\-files\\-with\\-matches\n",
		"echo \\(aqlog.queries = false\\(aq >> \\(ti/.patina", "\\[u2026]",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, hidden := range []string{"no-help", "legacy", ".SS patina man", ".SS patina mother"} {
		if strings.Contains(page, hidden) {
			t.Errorf("the page holds %q, which is hidden", hidden)
		}
	}
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !requests[strings.Fields(line)[0]] {
			t.Errorf("line %d is taken for a request: %q", i+1, line)
		}
	}
}

var requests = map[string]bool{
	".TH": true, ".SH": true, ".SS": true, ".PP": true, ".TP": true, ".B": true, ".br": true,
	".nf": true, ".fi": true,
}

func TestManualHasNoWarnings(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	c := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z")
	c.Stdin = strings.NewReader(manual((&app{new(cli.App)}).rootFor(nil)))
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}

func TestTroffMeansItself(t *testing.T) {
	for in, want := range map[string]string{
		`.x`: `\&.x`, `'x`: `\(aqx`, `a\b`: `a\eb`, "-l": `\-l`, "é…": `\[u00E9]\[u2026]`, "": "", "a\nb": "a b",
	} {
		if got := troff(in); got != want {
			t.Errorf("troff(%q) = %q, want %q", in, got, want)
		}
	}
}
