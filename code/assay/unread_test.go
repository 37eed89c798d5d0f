package assay

import "testing"

// A name must not be part of a longer name or hyphenated word. Two hyphens are an operator or a
// comment.
func TestHoldsWord(t *testing.T) {
	for body, want := range map[string]bool{
		"run": true, "(run)": true, "re-run": false, "run-all now": false, "run--": true, "--run": true, "run-all--": false,
		"rerun": false, "runs": false, "run_": false, "runs run": true, "": false,
	} {
		if got := holdsWord(body, "run"); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}
