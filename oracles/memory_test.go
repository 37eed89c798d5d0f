package oracles_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"patina/memory"
	"patina/oracles"
	"patina/oracles/oracletest"
	"patina/store"
	"patina/store/lookup"
	"patina/store/text"
)

// A note is listed if it accounts for half of a question, whatever else is kept, and untrusted text
// is quoted.
func TestMemory(t *testing.T) {
	ctx := t.Context()
	dir := oracletest.Project(t, "-- a.go --\npackage a\n", false)
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	pin, err := s.Pin(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer pin.Close()
	path := filepath.Join(t.TempDir(), "memory.db")
	oracle := oracles.NewMemory(path)
	ask := func(question string) []store.Ranked {
		t.Helper()
		lists, err := oracle.Query(ctx, pin.Readers[0], oracles.Question{Text: question, Parsed: text.ParseQuestion(question), Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(lists) == 0 {
			return nil
		}
		for _, x := range lists[0].Hits {
			if lists[0].Stems[x.DocID] == "" {
				t.Errorf("%s has no stems", x.DocID)
			}
		}
		return lists[0].Hits
	}
	if oracle.Needed(store.Generation{}, store.Filter{}) || len(ask("kettle")) > 0 {
		t.Error("a missing store answers")
	}
	notes, err := memory.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = notes.Close() }()
	a, err := notes.Add(ctx, memory.Memory{Content: `Descale the "kettle" on Mondays`, Origin: memory.Untrusted, Commit: "abc"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"The pool size is 8", "Deploys need a ticket", "Retries back off"} {
		if _, err := notes.Add(ctx, memory.Memory{Content: n}, false); err != nil {
			t.Fatal(err)
		}
	}
	id := store.Memory.FileID(a.ID)
	if got := ask("when is the kettle descaled"); len(got) != 1 || got[0].DocID != id {
		t.Errorf("got %+v", got)
	}
	if got := ask("how does the parser skip whitespace"); len(got) > 0 {
		t.Errorf("unrelated: %+v", got)
	}
	d, body, err := oracle.Describe(ctx, id)
	if err != nil || !strings.HasPrefix(body, `"Descale the 'kettle'`) || d.Outside.Fact("untrusted") == "" || len(d.Links) != 1 {
		t.Errorf("%v: %+v", err, d)
	}
	if _, _, err := oracle.Describe(ctx, id+"x"); !errors.Is(err, lookup.ErrNoDocument) {
		t.Errorf("no such note: %v", err)
	}
}
