package merge

import (
	"encoding/json"
	"os"
	"testing"
)

// TestPairs measures the rule on a file with pairs of notes: [{"a":…,"b":…,"same":bool}, …]. It
// runs where $PATINA_MEMORY_PAIRS names one.
func TestPairs(t *testing.T) {
	file := os.Getenv("PATINA_MEMORY_PAIRS")
	if file == "" {
		t.Skip("PATINA_MEMORY_PAIRS names no file")
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []struct {
		A, B string
		Same bool
	}
	if err := json.Unmarshal(content, &pairs); err != nil {
		t.Fatal(err)
	}
	alike, merged := 0, 0
	for _, p := range pairs {
		switch same := Same(p.A, p.B); {
		case p.Same && same:
			alike, merged = alike+1, merged+1
		case p.Same:
			alike++
			t.Logf("missed: %q | %q", p.A, p.B)
		case same:
			t.Errorf("merged wrongly: %q and %q", p.A, p.B)
		}
	}
	t.Logf("%d of %d pairs that say the same are merged; %d others", merged, alike, len(pairs)-alike)
}
