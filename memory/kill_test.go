package memory

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// manyPairs is the number of pairs of equal notes in a store from withPairs.
const manyPairs = 25

func withPairs(t *testing.T, s *Store) {
	t.Helper()
	for i := range manyPairs {
		added(t, s, Memory{
			Content: fmt.Sprintf("We store item %d in our bucket", i), Tags: []string{"a"},
			Confidence: .5,
		})
		added(t, s, Memory{Content: fmt.Sprintf("Store item %d in the bucket", i), Tags: []string{"b"}})
	}
}

// consolidateOn consolidates, exports and undoes the run in a loop, and prints each step once it is
// stored. If patient is set, it ends after ten rounds.
func consolidateOn(s *Store, patient bool) int {
	ctx := context.Background()
	for round := 0; !patient || round < 10; round++ {
		done, err := s.Consolidate(ctx, func(done, total int) {
			if done%10 == 0 {
				fmt.Println("compared")
			}
		})
		if err == nil {
			fmt.Println("did", done.ID)
			err = s.Export(ctx, io.Discard)
		}
		if err == nil {
			fmt.Println("exported")
			_, err = s.Undo(ctx, done.ID)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println("undid", done.ID)
	}
	return 0
}

// TestKillsWhileConsolidating kills a process that consolidates and undoes. Each run must have
// happened completely or not at all, as acknowledged, and undoing it must restore exactly the
// former state.
func TestKillsWhileConsolidating(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := opened(t, path)
	withPairs(t, s)
	before := exported(t, s)
	kills, happened := 200, 0
	if testing.Short() {
		kills = 20
	}
	for i := range kills {
		last := killed(t, path, i%17)
		var runs []string
		rows, err := s.db.Query(`SELECT id FROM consolidation`)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			runs = append(runs, id)
		}
		if err := rows.Close(); err != nil || len(runs) > 1 {
			t.Fatalf("kill %d: runs %q: %v", i, runs, err)
		}
		if said, ok := strings.CutPrefix(last, "did "); ok && !slices.Contains(runs, said) {
			t.Errorf("kill %d: run %s was acknowledged, and is lost: %q", i, said, runs)
		}
		if said, ok := strings.CutPrefix(last, "undid "); ok && slices.Contains(runs, said) {
			t.Errorf("kill %d: run %s was taken back, and is there", i, said)
		}
		for _, id := range runs {
			happened++
			if _, err := s.Undo(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if after := exported(t, s); after != before {
			t.Fatalf("kill %d after %q left\n%s\nof\n%s", i, last, after, before)
		}
	}
	t.Logf("%d kills, %d after a run was kept", kills, happened)
}

// killed starts a consolidator, kills it after so many lines, and returns the last step that it
// acknowledged.
func killed(t *testing.T, path string, after int) (last string) {
	t.Helper()
	c := writer(path, "consolidator to be killed")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if lines.Text() != "compared" {
			last = lines.Text()
		}
		if n == after {
			_ = c.Process.Kill()
		}
	}
	_ = c.Wait()
	return last
}
