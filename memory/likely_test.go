package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/store/doc"
)

// One note has an abbreviation, the other its words.
func TestLikely(t *testing.T) {
	content, err := os.ReadFile("testdata/bridged.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, model := range map[string]doc.BatchEmbedder{"words": nil, "with meaning": NoteModel()} {
		found, pairs := map[bool]int{}, map[bool]int{}
		for line := range strings.Lines(string(content)) {
			f := strings.Split(strings.TrimSpace(line), " | ")
			if len(f) != 3 {
				continue
			}
			same := f[0] == "same"
			list, err := likelyPairs(t.Context(), model, []Memory{{ID: "a", Content: f[1]}, {ID: "b", Content: f[2]}})
			if err != nil {
				t.Fatal(err)
			}
			pairs[same]++
			if len(list) > 0 {
				found[same]++
			}
			if same != (len(list) > 0) {
				t.Logf("%s: %s: %q, %q: %+v", name, f[0], f[1], f[2], list)
			}
		}
		t.Logf("%s: of %d pairs that say the same %d are proposed, of %d others %d", name, pairs[true], found[true],
			pairs[false], found[false])
		if found[true] < 29 || found[false] > 0 {
			t.Errorf("%s: %d of %d that say the same, %d of %d others", name, found[true], pairs[true], found[false], pairs[false])
		}
	}
}

func TestLikelyIsAskedFor(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	a := added(t, s, Memory{Content: "We read the change data capture (CDC) topic of Postgres with two workers", Confidence: .9})
	b := added(t, s, Memory{Content: "Two workers read the topic of Postgres for CDC"})
	added(t, s, Memory{Content: "Three workers read the topic of Postgres for CDC"})
	plan, err := s.Propose(t.Context(), nil)
	if err != nil || len(plan.Proposals) > 0 {
		t.Fatalf("%+v, %v", plan.Proposals, err)
	}
	if err := s.AddLikely(t.Context(), NoteModel(), &plan); err != nil {
		t.Fatal(err)
	}
	if len(plan.Proposals) != 1 || plan.Proposals[0].Keep != a.ID || plan.Proposals[0].Drop != b.ID || !plan.Proposals[0].Likely {
		t.Fatalf("%+v", plan.Proposals)
	}
	done, err := s.Apply(t.Context(), plan)
	if err != nil || done.ID == "" {
		t.Fatal(err)
	}
	if m, err := s.Get(t.Context(), b.ID); err != nil || m.SupersededBy != a.ID {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := s.Undo(t.Context(), done.ID); err != nil {
		t.Error(err)
	}
}
