package merge

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A pair is two notes that say the same, or differ in one detail.
type pair struct {
	A, B string
	Same bool
	kind string
}

// TestPairs measures the rule on testdata/pairs.txt, and on the file in $PATINA_MEMORY_PAIRS:
// [{"a":…,"b":…,"same":bool}, …].
func TestPairs(t *testing.T) {
	measure(t, ours(t))
	file := os.Getenv("PATINA_MEMORY_PAIRS")
	if file == "" {
		return
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []pair
	if err := json.Unmarshal(content, &pairs); err != nil {
		t.Fatal(err)
	}
	measure(t, pairs)
}

func ours(t *testing.T) (pairs []pair) {
	content, err := os.ReadFile("testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) != 4 {
			t.Fatalf("%q has not four fields", line)
		}
		pairs = append(pairs, pair{f[0], f[1], true, "same"}, pair{f[0], f[3], false, f[2]},
			pair{f[1], f[3], false, f[2]})
	}
	if len(pairs) < 450 {
		t.Fatalf("%d pairs", len(pairs))
	}
	return pairs
}

func measure(t *testing.T, pairs []pair) {
	alike, merged, proposed, wrong, found, alarms := 0, 0, 0, 0, 0, 0
	for _, p := range pairs {
		_, loose := Propose(p.A, p.B)
		_, back := Propose(p.B, p.A)
		if loose != back || loose && LooseKey(p.A) != LooseKey(p.B) {
			t.Errorf("%q and %q: proposed one way only, or have two loose keys", p.A, p.B)
		}
		if d, differ := Contradict(p.A, p.B); differ {
			if e, ok := Contradict(p.B, p.A); !ok || e.Kind != d.Kind {
				t.Errorf("%q and %q contradict by %+v, and back by %+v", p.A, p.B, d, e)
			}
			if found++; p.Same {
				t.Errorf("told apart wrongly by %+v: %q and %q", d, p.A, p.B)
				alarms++
			}
		}
		switch same := Same(p.A, p.B); {
		case p.Same:
			alike++
			if same {
				merged++
			}
			if loose {
				proposed++
			}
			if same && Key(p.A) != Key(p.B) {
				t.Errorf("%q and %q have two keys", p.A, p.B)
			}
		case same:
			t.Errorf("merged wrongly (%s): %q and %q", p.kind, p.A, p.B)
		case loose:
			wrong++
			t.Logf("proposed wrongly (%s): %q and %q", p.kind, p.A, p.B)
		}
	}
	if wrong > 1 {
		t.Errorf("%d pairs are proposed wrongly", wrong)
	}
	t.Logf("of %d pairs that say the same, %d are merged and %d proposed; of %d others 0 and %d", alike, merged,
		proposed, len(pairs)-alike, wrong)
	t.Logf("told apart: %d of %d that differ, %d of %d that say the same", found-alarms, len(pairs)-alike, alarms, alike)
}
