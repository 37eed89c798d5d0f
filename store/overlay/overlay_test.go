package overlay_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"patina/oracles"
	"patina/store/doc"
)

// A model with the same vectors in another dimension gives the same answers, to the last digit.
func TestSameVectorsGiveTheSameAnswers(t *testing.T) {
	dir := newProject(t)
	for _, dimension := range []int{256, 384, 768, 1024} {
		m := ownModel(t, dir, dimension, 0)
		if got := update(t, dir, m, indexed()...); got.Embedded == 0 || got.Embedded != m.embedded() || got.Damaged != "" {
			t.Fatalf("%+v, the model embedded %d", got, m.embedded())
		}
		for _, o := range []oracles.Oracle{oracles.NewSemantic(), oracles.NewBelief()} {
			want, _ := answers(t, dir, o, oracles.Project{StoreDir: dir})
			got, notes := answers(t, dir, o, choose(dir, forAll(m)))
			for i := range want {
				if notes[i] != nil {
					t.Errorf("%s: %v", questions[i], notes[i])
				}
				compareLists(t, fmt.Sprintf("%s, %d dimensions, %q", o.Name(), dimension, questions[i]), got[i], want[i], 0)
			}
		}
		if m.asked == 0 {
			t.Error("the model was not asked")
		}
	}
}

// compareLists compares ranks and numbers. With a tolerance above 0, documents may change places if
// their numbers are that close.
func compareLists(t *testing.T, what string, got, want []oracles.List, tolerance float64) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%s: %d lists, want %d", what, len(got), len(want))
		return
	}
	for i, l := range want {
		if got[i].Kind != l.Kind || got[i].Random == nil {
			t.Fatalf("%s: list of %s, want %s; calibration %v", what, got[i].Kind, l.Kind, got[i].Random)
		}
		by := make(map[string]doc.Ranked)
		for _, h := range got[i].Hits {
			by[h.DocID] = h
		}
		for j, h := range l.Hits {
			x, ok := by[h.DocID]
			if !ok && h.Raw < tolerance {
				continue
			}
			if !ok || math.Abs(x.Raw-h.Raw) > tolerance || math.Abs(x.Chance-h.Chance) > tolerance {
				t.Errorf("%s: %s has %v (%v), want %v (%v)", what, h.DocID, x.Raw, x.Chance, h.Raw, h.Chance)
			}
			if tolerance == 0 && (got[i].Hits[j].DocID != h.DocID || !slices.Equal(x.Chunks, h.Chunks) || !slices.Equal(x.Near, h.Near)) {
				t.Errorf("%s: place %d has %+v, want %+v", what, j, got[i].Hits[j], h)
			}
		}
	}
}
