package fusion

import "testing"

// Meaning counts more where neither names nor several places of a file answer, by degrees.
func TestMeaningFactor(t *testing.T) {
	const full = 0.4 * bareSemantic
	for name, test := range map[string]struct {
		best   Evidence // of b.go
		long   bool
		intent Intent
		want   float64 // weight of meaning
	}{
		"bare":           {Evidence{}, false, General, full},
		"half named":     {Evidence{Coverage: 0.5}, false, General, (0.4 + full) / 2},
		"named":          {Evidence{Stem: 1}, false, General, 0.4},
		"a symbol":       {Evidence{Symbol: 1.3}, false, General, 0.4},
		"half broad":     {Evidence{Breadth: bareBreadth / 2}, false, General, (0.4 + full) / 2},
		"broad":          {Evidence{Breadth: 2 * bareBreadth}, false, General, 0.4},
		"a task":         {Evidence{}, false, Task, 0.4},
		"a time":         {Evidence{}, false, Temporal, 0.4},
		"of a long text": {Evidence{}, true, General, longSemantic},
	} {
		in := Input{Long: test.long, Intent: test.intent, Evidence: map[Key]Evidence{code("b.go"): test.best}, Lists: []List{
			list("lexical", "code", "a.go", 4.0, "b.go", 3.0),
			list("semantic", "code", "a.go", 0.2, "b.go", 0.4),
		}}
		for _, r := range Fuse(in) {
			for _, c := range r.Contributions {
				if c.Channel == "semantic" && !near(c.Weight, test.want) {
					t.Errorf("%s: %s has meaning with weight %v, want %v", name, r.Key.ID, c.Weight, test.want)
				}
			}
		}
	}
}
