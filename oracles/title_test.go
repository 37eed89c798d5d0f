package oracles_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"patina/oracles"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// A section accounts for what its title says of the question. It is not demoted if the title has
// three words or more and says nearly all of it.
func TestTitleEvidence(t *testing.T) {
	r := pinned(t, map[string]string{
		"docs/pool.md": "# Pools\n\nA pool keeps connections.\n\n## How do pools shrink under load?\n\n" +
			"They close the oldest.\n\n## Idle timeout\n\nTen seconds.\n",
		"pool/pool.go": "package pool\n\n// Shrink closes idle connections of a pool under load.\nfunc Shrink() {}\n",
	})
	const shrink, idle = "pattern:docs/pool.md#how-do-pools-shrink-under-load", "pattern:docs/pool.md#idle-timeout"
	for _, c := range []struct {
		question, section string
		least, most       float64 // of the share
		demotion          float64
	}{
		{"how do pools shrink under load", shrink, 1, 1, 1},
		{"shrinking pools under load", shrink, 1, 1, 1},
		{"pools under load", shrink, 0.7, 0.8, 1},       // three of four words of the title
		{"how do pools shrink", shrink, 0.5, 0.9, 0.8},  // half of them
		{"idle timeout", idle, 1, 1, 0.8},               // a topic of the code as well
		{"pools > idle timeout", idle, 0.4, 0.99, 0.8},  // the titles above do not count
		{"parsing pools from load", shrink, 0, 0.7, .8}, // the question says more
	} {
		got, err := oracles.Evidence(t.Context(), r, text.ParseQuestion(c.question),
			map[doc.Kind][]string{doc.Pattern: {c.section}, doc.Code: {"pool/pool.go"}})
		storetest.Check(t, err)
		e := got[c.section]
		if e.Share < c.least || e.Share > c.most || e.Demotion != c.demotion {
			t.Errorf("%q: share %v, demotion %v, want %v to %v, %v",
				c.question, e.Share, e.Demotion, c.least, c.most, c.demotion)
		}
		if got["pool/pool.go"].Demotion != 1 {
			t.Errorf("%q: demotion of code %v, want 1", c.question, got["pool/pool.go"].Demotion)
		}
	}
}

// The subject of a commit counts where a belief or a session is among the documents, but for a
// merge, whose subject git writes.
func TestSubjectEvidence(t *testing.T) {
	dir := t.TempDir()
	w, err := build.New(t.Context(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	var ids []string
	for i, subject := range []string{"Close idle pools", "pools: close idle ones at night", "Merge branch 'idle pools'", "Say why"} {
		v := doc.Revision{
			SHA: fmt.Sprintf("%012x", i+1) + strings.Repeat("0", 28), Subject: subject, Merge: i == 2,
			Body: "Idle pools are closed.",
		}
		storetest.Check(t, w.AddRevision(v))
		ids = append(ids, doc.CommitID(v.SHA))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	want := []float64{1, math.Sqrt(3.0 / 5), 0, 0} // "ones" and "night" are not asked for
	for _, told := range []bool{true, false} {
		asked := map[doc.Kind][]string{doc.Commit: ids}
		if told {
			asked[doc.Belief] = []string{"belief:pools.md"}
		}
		got, err := oracles.Evidence(t.Context(), storetest.Pin(t, dir), text.ParseQuestion("closing idle pools"), asked)
		storetest.Check(t, err)
		for i, id := range ids {
			c := want[i]
			if !told {
				c = 0
			}
			if math.Abs(got[id].Coverage-c) > 1e-9 || !got[id].Terse {
				t.Errorf("told %v, commit %d: C %v, want %v", told, i+1, got[id].Coverage, c)
			}
		}
	}
}
