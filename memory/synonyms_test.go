package memory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/memory/recall"
	"patina/store/doc"
)

// Notes are found by other forms of their words: word forms, common abbreviations, and those that
// the notes of the project define.
func TestSynonyms(t *testing.T) {
	content, err := os.ReadFile("testdata/synonyms.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	type asked struct{ kind, question, id string }
	var all []asked
	for line := range strings.Lines(string(content)) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		id := added(t, s, Memory{Content: strings.TrimPrefix(f[len(f)-1], "| ")}).ID
		if f[0] != "beside" {
			all = append(all, asked{f[0], f[1], id})
		}
	}
	if err := s.Embed(t.Context(), NoteModel()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		model doc.BatchEmbedder
		first int // of 34; before forms, 14 and 20, and in five 23 and 24
	}{{"words", nil, 30}, {"hybrid", NoteModel(), 29}} {
		first, found, kinds := 0, 0, map[string][2]int{}
		for _, a := range all {
			list, err := s.Recall(t.Context(), Query{Text: a.question, Model: c.model})
			if err != nil {
				t.Fatal(err)
			}
			k := kinds[a.kind]
			if k[1]++; len(list) > 0 && list[0].ID == a.id {
				first++
				k[0]++
			} else {
				t.Logf("%s: %q: not first (%+v)", c.name, a.question, firstTexts(list))
			}
			kinds[a.kind] = k
			for _, f := range list[:min(5, len(list))] {
				if f.ID == a.id {
					found++
				}
			}
		}
		t.Logf("%s: first %d, in five %d of %d; first by kind %v", c.name, first, found, len(all), kinds)
		if first < c.first || found < len(all)-1 {
			t.Errorf("%s: of %d notes %d are first, and %d in five", c.name, len(all), first, found)
		}
	}
}

func firstTexts(list []Found) (out []string) {
	for _, f := range list[:min(3, len(list))] {
		out = append(out, f.Content)
	}
	return out
}

// A definition of the caller counts as one of a note does.
func TestDefined(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	id := added(t, s, Memory{Content: "The nightly reconciliation engine stops at six"}).ID
	added(t, s, Memory{Content: "The nightly build stops at six"})
	q := Query{Text: "when does the NRE stop"}
	if got := asked(t, s, q); len(got) > 0 && got[0] == id && len(got) == 1 {
		t.Errorf("without a definition: %v", got)
	}
	q.Defined = []recall.Definition{{Short: "NRE", Long: "nightly reconciliation engine"}}
	if got := asked(t, s, q); len(got) == 0 || got[0] != id {
		t.Errorf("with a definition: %v, want %s", got, id)
	}
}
