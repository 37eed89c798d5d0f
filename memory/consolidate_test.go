package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func exported(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// alike are texts, some of which are equal for Propose, but never for Same.
var alike = []string{
	"The lexer is strict and the parser is lenient.", "The parser is lenient, the lexer is strict.",
	"We store dates in UTC", "Store dates in UTC", "Your store dates in UTC", "Store dates in CET",
	"Get the port from the file", "Get your port from the file", "The port is 80", "The port is 81",
}

func TestConsolidateAndUndo(t *testing.T) {
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
		var pinned []string
		for i := range 12 {
			m := Memory{
				Content: alike[r.IntN(len(alike))], Pinned: r.IntN(4) == 0,
				Confidence: float64(1+r.IntN(9)) / 10,
			}
			m.Tags, m.Aliases = []string{fmt.Sprint("t", i)}, []string{fmt.Sprint("other name ", i)}
			m.Path = []string{"", "", "a.go"}[r.IntN(3)]
			m.Type = []string{"lesson", "lesson", "gotcha"}[r.IntN(3)]
			if a := added(t, s, m); m.Pinned {
				pinned = append(pinned, a.ID)
			}
		}
		if err := s.Link(t.Context(), NoteModel()); err != nil {
			t.Fatal(err)
		}
		before := exported(t, s)
		if !strings.Contains(before, "similar_to") {
			t.Fatal("nothing is similar")
		}
		plan, err := s.Propose(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if exported(t, s) != before {
			t.Fatal("a dry run changed something")
		}
		done, err := s.Consolidate(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(plan.Proposals) != fmt.Sprint(done.Proposals) {
			t.Errorf("planned %v, did %v", plan.Proposals, done.Proposals)
		}
		consolidated(t, s, done, pinned)
		if done.ID == "" {
			continue
		}
		if n, err := s.Undo(t.Context(), done.ID); err != nil || n == 0 {
			t.Fatalf("undone %d: %v", n, err)
		}
		if after := exported(t, s); after != before {
			t.Errorf("undo left\n%s\nof\n%s", after, before)
		}
		if _, err := s.Undo(t.Context(), done.ID); !errors.Is(err, ErrNoRun) {
			t.Errorf("undone twice: %v", err)
		}
	}
}

// consolidated checks a store after a run: pinned memories are current, tags and texts are kept,
// and a second run has nothing to do.
func consolidated(t *testing.T, s *Store, done Consolidation, pinned []string) {
	t.Helper()
	for _, id := range pinned {
		if m, err := s.Get(t.Context(), id); err != nil || !m.Current() || !m.Pinned {
			t.Errorf("pinned: %+v, %v", m, err)
		}
	}
	for _, p := range done.Proposals {
		gone, _ := s.Get(t.Context(), p.Drop)
		keep, _ := s.Get(t.Context(), p.Keep)
		if gone.Content != p.Gone || gone.SupersededBy != keep.ID || !keep.Current() ||
			keep.Confidence < gone.Confidence {
			t.Errorf("%+v stands for %+v", keep, gone)
		}
		for _, tag := range gone.Tags {
			if !slices.Contains(keep.Tags, tag) {
				t.Errorf("%v lacks %q", keep.Tags, tag)
			}
		}
	}
	if again, err := s.Consolidate(t.Context(), nil); err != nil || len(again.Proposals) > 0 || again.ID != "" {
		t.Errorf("a second run: %+v, %v", again, err)
	}
}

func TestUndoRefuses(t *testing.T) {
	ctx := t.Context()
	run := func() (s *Store, a, b, id string) {
		s = opened(t, filepath.Join(t.TempDir(), "memory.db"))
		a = added(t, s, Memory{Content: "We store dates in UTC"}).ID
		b = added(t, s, Memory{Content: "Store dates in UTC", Confidence: .5}).ID
		done, err := s.Consolidate(ctx, nil)
		if err != nil || len(done.Proposals) != 1 || done.Proposals[0].Keep != a {
			t.Fatalf("%+v, %v", done, err)
		}
		return s, a, b, done.ID
	}
	s, a, _, id := run()
	if _, err := s.Edit(ctx, a, false, func(m *Memory) { m.Pinned = true }); err != nil {
		t.Fatal(err)
	}
	was := exported(t, s)
	if _, err := s.Undo(ctx, id); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), a) ||
		exported(t, s) != was {
		t.Errorf("undone over an edit: %v", err)
	}
	s, _, b, id := run()
	if _, err := s.Purge(ctx, b); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(ctx, id); !errors.Is(err, ErrChanged) {
		t.Errorf("undone over a purge: %v", err)
	}
	var left int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM consolidated
		WHERE was GLOB '*"Store dates*'`).Scan(&left); err != nil || left != 0 {
		t.Errorf("a purged text is still there %d times: %v", left, err)
	}
}

func TestConsolidateIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of notes, one after another")
	}
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	r := rand.New(rand.NewPCG(1, 1))
	for len(exportedLines(t, s)) < maxKept+7 {
		words := strings.Fields("walnut cedar maple birch aspen larch")
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		added(t, s, Memory{Content: strings.Join(words, " ")})
	}
	told := 0
	c, err := s.Propose(t.Context(), func(int, int) { told++ })
	if err != nil || len(c.Proposals) > 0 || c.Uncompared != 7 || told != maxKept+7 {
		t.Errorf("%+v, told %d times: %v", c, told, err)
	}
}

func exportedLines(t *testing.T, s *Store) []string {
	return strings.Split(strings.TrimSpace(exported(t, s)), "\n")
}

func TestConsolidateInRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of notes, one after another")
	}
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	var b strings.Builder
	for i := range maxApplied + 1 {
		fmt.Fprintf(&b, "{\"content\":\"Store item %d in the bucket\"}\n{\"content\":\"We store item %d in our bucket\"}\n", i, i)
	}
	if _, err := s.Import(t.Context(), strings.NewReader(b.String()), false, false, nil); err != nil {
		t.Fatal(err)
	}
	before := exported(t, s)
	stopped, stop := context.WithCancel(t.Context())
	_, err := s.Consolidate(stopped, func(done, _ int) {
		if done == 1500 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || exported(t, s) != before {
		t.Errorf("stopped: %v", err)
	}
	first, err := s.Consolidate(t.Context(), nil)
	if err != nil || len(first.Proposals) != maxApplied || first.Rest != 1 {
		t.Fatalf("%d proposals, %d more: %v", len(first.Proposals), first.Rest, err)
	}
	second, err := s.Consolidate(t.Context(), nil)
	if err != nil || len(second.Proposals) != 1 || second.Rest != 0 {
		t.Fatalf("%+v: %v", second, err)
	}
	for _, c := range []Consolidation{second, first} {
		if n, err := s.Undo(t.Context(), c.ID); err != nil || n != 2*len(c.Proposals) {
			t.Errorf("undone %d: %v", n, err)
		}
	}
	if exported(t, s) != before {
		t.Error("undo left something else")
	}
}

// TestConsolidateLeavesWhatChanged edits a note between the search and the transaction.
func TestConsolidateLeavesWhatChanged(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	added(t, s, Memory{Content: "We store dates in UTC"})
	id := added(t, s, Memory{Content: "Store dates in UTC", Confidence: .5}).ID
	c, err := s.Consolidate(t.Context(), func(done, _ int) {
		if done == 1 {
			if _, err := s.Edit(t.Context(), id, false,
				func(m *Memory) { m.Content = "Store dates in CET" }); err != nil {
				t.Error(err)
			}
		}
	})
	if m, _ := s.Get(t.Context(), id); err != nil || len(c.Proposals) > 0 || c.ID != "" || !m.Current() {
		t.Errorf("%+v, %v: %+v", c, err, m)
	}
}
