package memory

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/memory/merge"
	"patina/memory/recall"
	"patina/oracles/embed"
	"patina/store/doc"
)

func TestAddDeduplicated(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	add := func(m Memory) Added {
		t.Helper()
		a, err := s.AddDeduplicated(t.Context(), m, false, NoteModel())
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := add(Memory{Content: "Uploads to the bucket are retried three times with exponential backoff", Confidence: .6})
	same := add(Memory{Content: "uploads to the bucket are retried 3 times with exponential backoff"})
	if !same.Merged || same.ID != first.ID || same.Reason != "" {
		t.Errorf("says the same: %+v", same)
	}
	near := add(Memory{Content: "Uploads to our bucket get retried three times by the worker, with exponential backoff", Tags: []string{"net"}})
	if !near.Merged || near.ID != first.ID || !strings.HasPrefix(near.Reason, "word overlap ") {
		t.Errorf("resembles it: %+v", near)
	}
	m, err := s.Get(t.Context(), first.ID)
	if err != nil {
		t.Fatal(err)
	}
	last := m.Log[len(m.Log)-1]
	if last.Action != "merged" || !strings.Contains(last.Detail, near.Reason+`, by memory.dedup: "Uploads to our bucket get`) {
		t.Errorf("log: %+v", last)
	}
	if m.Confidence != .8 || strings.Join(m.Tags, ",") != "net" {
		t.Errorf("merged into %+v", m)
	}
	apart := add(Memory{Content: "Uploads to the bucket are retried five times with exponential backoff"})
	if apart.Merged {
		t.Fatal("another number was merged")
	}
	m, err = s.Get(t.Context(), apart.ID)
	if last := m.Log[len(m.Log)-1]; err != nil || last.Action != "kept apart" ||
		!strings.Contains(last.Detail, "from "+first.ID+": word overlap ") || !strings.Contains(last.Detail, `number: "three" there, "five" here`) {
		t.Errorf("log: %+v, %v", m.Log, err)
	}
	for _, other := range []Memory{
		{Content: "Uploads to our bucket get retried three times by the worker, with exponential backoff", Type: "gotcha"},
		{Content: "Uploads to our bucket get retried three times by the worker, with exponential backoff", Path: "a.go"},
		{Content: "Uploads to our bucket get retried three times by the worker, with exponential backoff", Origin: Untrusted},
		{Content: "The cache of the importer is emptied at night"},
	} {
		if a := add(other); a.Merged {
			t.Errorf("%+v was merged", other)
		}
	}
	plain := added(t, s, Memory{Content: "Uploads to that bucket get retried three times by a worker with exponential backoff"})
	if plain.Merged {
		t.Error("Add merges by words alone")
	}
}

// The figures of docs/memory.md.
func TestDeduplicatedPairs(t *testing.T) {
	f, err := os.Open("merge/testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	merged, pairs, model := map[bool]int{}, 0, embed.Base()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		p := strings.Split(lines.Text(), " | ")
		if len(p) != 4 || strings.HasPrefix(p[0], "#") {
			continue
		}
		pairs++
		for same, text := range map[bool]string{true: p[1], false: p[3]} {
			v, err := vectorOf(t.Context(), doc.Batched(model), Memory{Content: p[0]})
			if err != nil {
				t.Fatal(err)
			}
			near := recall.Cosines(model, text, [][]int8{v})
			r, ok := resemblanceOf(Memory{Content: p[0]}, text, recall.Question(text), near[0])
			if ok && r.differ.Kind == "" || merge.Same(p[0], text) {
				merged[same]++
			}
		}
	}
	t.Logf("of %d pairs that say the same %d are merged, of as many others %d", pairs, merged[true], merged[false])
	if merged[true] < 143 || merged[false] > 2 {
		t.Error("other figures than in docs/memory.md")
	}
}
