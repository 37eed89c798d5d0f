package oracles_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"patina/code/lookup"
	"patina/memory"
	"patina/memory/recall"
	"patina/oracles"
	"patina/oracles/oracletest"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// A note is listed only if it accounts for half of a question, whatever other notes there are.
// Untrusted text is quoted.
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
	oracle := oracles.NewMemory(path, recall.Measured)
	ask := func(question string) []doc.Ranked {
		t.Helper()
		q := oracles.Question{Text: question, Parsed: text.ParseQuestion(question), Limit: 10}
		lists, err := oracle.Query(ctx, pin.Readers[0], q)
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
	if oracle.Needed(doc.Generation{}, doc.Filter{}) || len(ask("kettle")) > 0 {
		t.Error("a missing store answers")
	}
	notes, err := memory.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = notes.Close() }()
	untrusted := memory.Memory{Content: `Descale the "kettle" on Mondays`, Origin: memory.Untrusted, Commit: "abc"}
	a, err := notes.Add(ctx, untrusted, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"The pool size is 8", "Deploys need a ticket", "Retries back off"} {
		if _, err := notes.Add(ctx, memory.Memory{Content: n}, false); err != nil {
			t.Fatal(err)
		}
	}
	id := doc.Memory.FileID(a.ID)
	if got := ask("when is the kettle descaled"); len(got) != 1 || got[0].DocID != id {
		t.Errorf("got %+v", got)
	}
	if got := ask("how does the parser skip whitespace"); len(got) > 0 {
		t.Errorf("unrelated: %+v", got)
	}
	d, body, err := oracle.Describe(ctx, id)
	if err != nil || !strings.HasPrefix(body, `"Descale the 'kettle'`) || d.Outside.Fact("untrusted") == "" ||
		len(d.Links) != 1 {
		t.Errorf("%v: %+v", err, d)
	}
	if _, _, err := oracle.Describe(ctx, id+"x"); !errors.Is(err, lookup.ErrNoDocument) {
		t.Errorf("no such note: %v", err)
	}
}

// The oracle of notes conforms to oracletest, and uses the scoring that it was given.
func TestMemoryConforms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	notes, err := memory.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{
		"The queue of jobs works first in, first out", "Deploys need a ticket", "Retries back off",
	} {
		if _, err := notes.Add(t.Context(), memory.Memory{Content: n}, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := notes.Close(); err != nil {
		t.Fatal(err)
	}
	oracletest.Run(t, oracles.NewMemory(path, recall.Measured), project, "how does the queue of jobs work")
}

// Each question renews some vectors, until all are of the project's model.
func TestMemoryRenewsVectors(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "memory.db")
	notes, err := memory.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = notes.Close() }()
	for i := range 250 {
		note := memory.Memory{Content: "note number " + strings.Repeat("x", i+1)}
		if _, err := notes.Add(ctx, note, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := notes.Embed(ctx, older{memory.NoteModel()}); err != nil {
		t.Fatal(err)
	}
	dir := oracletest.Project(t, "-- a.go --\npackage a\n// A queue of jobs.\nfunc queue() {}\n", false)
	for _, want := range []int{50, 0, 0} {
		if _, err := ask(t, dir, oracles.NewMemory(path, recall.Specification), "queue"); err != nil {
			t.Fatal(err)
		}
		if n, err := notes.Stats(ctx, false); err != nil || n.Unembedded != want {
			t.Errorf("%d vectors are missing, want %d: %v", n.Unembedded, want, err)
		}
	}
}

// older is a model under another name.
type older struct{ doc.BatchEmbedder }

func (older) Model() string { return "older" }
