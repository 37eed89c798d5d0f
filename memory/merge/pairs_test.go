package merge

import (
	"crypto/sha256"
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
	line string
}

// TestPairs measures the rule on testdata/pairs.txt, and on the file in $PATINA_MEMORY_PAIRS:
// [{"a":…,"b":…,"same":bool}, …].
func TestPairs(t *testing.T) {
	measure(t, triples(t, "testdata/pairs.txt"))
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

// TestNotes measures the rule on testdata/notes.txt. The half whose lines have an even hash was not
// read while rules were made.
func TestNotes(t *testing.T) {
	var halves [2][]pair
	for _, p := range triples(t, "testdata/notes.txt") {
		h := sha256.Sum256([]byte(p.line))
		halves[h[0]%2] = append(halves[h[0]%2], p)
	}
	t.Run("read", func(t *testing.T) { measure(t, halves[1]) })
	t.Run("held back", func(t *testing.T) { measure(t, halves[0]) })
	t.Run("later", func(t *testing.T) { measure(t, triples(t, "testdata/later.txt")) })
}

// triples reads a file with a note, the same in other words, how the last differs, and another
// note, and returns three pairs for each line.
func triples(t *testing.T, file string) (pairs []pair) {
	content, err := os.ReadFile(file)
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
		pairs = append(pairs, pair{f[0], f[1], true, "same", line}, pair{f[0], f[3], false, f[2], line},
			pair{f[1], f[3], false, f[2], line})
	}
	if len(pairs) < 100 {
		t.Fatalf("%q has %d pairs", file, len(pairs))
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
				alarms++
				t.Logf("told apart wrongly by %+v: %q and %q", d, p.A, p.B)
				if d.Certain() {
					t.Error("that is certainly wrong")
				}
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
			t.Errorf("proposed wrongly (%s): %q and %q", p.kind, p.A, p.B)
		}
	}
	t.Logf("of %d pairs that say the same, %d are merged and %d proposed; of %d others 0 and %d", alike, merged,
		proposed, len(pairs)-alike, wrong)
	t.Logf("told apart: %d of %d that differ, %d of %d that say the same", found-alarms, len(pairs)-alike, alarms, alike)
}
