package memory

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/oracles/embed"
)

func exported(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// alike are texts of which some say the same to Propose, and none to Same.
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
			m := Memory{Content: alike[r.IntN(len(alike))], Pinned: r.IntN(4) == 0, Confidence: float64(1+r.IntN(9)) / 10}
			m.Tags, m.Aliases = []string{fmt.Sprint("t", i)}, []string{fmt.Sprint("other name ", i)}
			m.Path = []string{"", "", "a.go"}[r.IntN(3)]
			m.Type = []string{"lesson", "lesson", "gotcha"}[r.IntN(3)]
			if a := added(t, s, m); m.Pinned {
				pinned = append(pinned, a.ID)
			}
		}
		if err := s.Link(t.Context(), embed.Base()); err != nil {
			t.Fatal(err)
		}
		before := exported(t, s)
		if !strings.Contains(before, "similar_to") {
			t.Fatal("nothing is similar")
		}
		plan, err := s.Propose(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if exported(t, s) != before {
			t.Fatal("a dry run changed something")
		}
		done, err := s.Consolidate(t.Context())
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

// consolidated checks a store after a run: pinned memories hold, tags and texts are there, and a
// second run has nothing to do.
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
		if gone.Content != p.Gone || gone.SupersededBy != keep.ID || !keep.Current() || keep.Confidence < gone.Confidence {
			t.Errorf("%+v stands for %+v", keep, gone)
		}
		for _, tag := range gone.Tags {
			if !slices.Contains(keep.Tags, tag) {
				t.Errorf("%v lacks %q", keep.Tags, tag)
			}
		}
	}
	if again, err := s.Consolidate(t.Context()); err != nil || len(again.Proposals) > 0 || again.ID != "" {
		t.Errorf("a second run: %+v, %v", again, err)
	}
}

func TestUndoRefuses(t *testing.T) {
	ctx := t.Context()
	run := func() (s *Store, a, b, id string) {
		s = opened(t, filepath.Join(t.TempDir(), "memory.db"))
		a = added(t, s, Memory{Content: "We store dates in UTC"}).ID
		b = added(t, s, Memory{Content: "Store dates in UTC", Confidence: .5}).ID
		done, err := s.Consolidate(ctx)
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
	if _, err := s.Undo(ctx, id); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), a) || exported(t, s) != was {
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
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM consolidated WHERE was GLOB '*"Store dates*'`).Scan(&left); err != nil || left != 0 {
		t.Errorf("a purged text is still there %d times: %v", left, err)
	}
}
