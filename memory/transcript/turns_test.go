package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const outage = `---
type: session
title: The outage
created: 2024-02-10
---

## Activity Log

### 09:10 - Reading the kernel log

The server was killed for memory at 14:02.

Its heap held 38 minutes of unacknowledged writes.

### 10:45 - What collectors knew

All spools are empty.
`

// project writes sessions into a new folder.
func project(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFind(t *testing.T) {
	root := project(t, map[string]string{
		"layer/sessions/20240210-0910.md": outage,
		"layer/sessions/20250101-1000.md": "# Session: Other\n\n## Goals\n\nDescale the kettle.\n",
		"layer/sessions/notes.txt":        "The server was killed for memory.",
	})
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "layer/sessions/20260101-0000.md")); err != nil {
		t.Fatal(err)
	}
	ask := func(q TurnQuery) []FoundTurn {
		t.Helper()
		q.Limit = 10
		got, err := FindTurns(t.Context(), root, q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := ask(TurnQuery{Text: "why was the server killed"})
	if len(got) == 0 || got[0].Line != 11 || got[0].Session != "20240210-0910" ||
		got[0].Block != "09:10 - Reading the kernel log" ||
		got[0].At != time.Date(2024, 2, 10, 0, 0, 0, 0, time.UTC) {
		t.Fatalf("got %+v", got)
	}
	// The next turn has one of the two words, and its neighbour the other.
	if got := ask(TurnQuery{Text: "server heap"}); len(got) != 2 || got[1].Line != 13 || got[1].Relevance < .51 {
		t.Errorf("without the neighbour: %+v", got)
	}
	for _, q := range []TurnQuery{
		{Text: "why was the server killed", AsOf: time.Date(2024, 2, 9, 0, 0, 0, 0, time.UTC)},
		{Text: "why was the server killed", Path: "layer/sessions/20250101-1000.md"},
		{Text: "how do grammars parse whitespace"},
	} {
		if got := ask(q); len(got) > 0 {
			t.Errorf("%+v finds %+v", q, got)
		}
	}
	if got := ask(TurnQuery{Text: "Yesterday billing invoices, exports, dashboards and webhooks were rewritten by another team. " +
		"Why was the server killed for memory at 14:02, and how many minutes of unacknowledged writes did its heap hold?"}); len(got) == 0 || got[0].Session != "20240210-0910" {
		t.Errorf("a long message: %+v", got)
	}
	if got := ask(TurnQuery{Text: "My neighbour planted tomatoes, cucumbers, pumpkins, lavender, rosemary and basil behind a fence. " +
		"Which colour suits the gate, green or yellow, and how long does the paint need?"}); len(got) > 0 {
		t.Errorf("a message about a garden: %+v", got)
	}
	if got := ask(TurnQuery{Text: "kettle", AsOf: time.Date(2025, 1, 1, 23, 0, 0, 0, time.UTC)}); len(got) != 1 {
		t.Errorf("the kettle: %+v", got)
	}
	if got, err := FindTurns(t.Context(), t.TempDir(), TurnQuery{Text: "server", Limit: 1}); err != nil || got != nil {
		t.Errorf("no sessions: %v %v", got, err)
	}
}

// If there are too many sessions, the newest are searched.
func TestFindIsBounded(t *testing.T) {
	files := map[string]string{}
	for i := range 5 {
		files[fmt.Sprintf("layer/sessions/202401%02d-0000.md", i+1)] = "## A\n" +
			strings.Repeat("kettle pot lid\n\n", maxSessionBytes/4/16)
	}
	got, err := FindTurns(t.Context(), project(t, files), TurnQuery{Text: "kettle", Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range got {
		seen[f.Session] = true
	}
	if !seen["20240105-0000"] || seen["20240101-0000"] || len(got) > maxTurns+maxSessionBytes/4/16 {
		t.Errorf("%d turns of %v", len(got), seen)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(outage)
	f.Add("## a\n" + strings.Repeat("é", maxTurn))
	f.Add("## a\n" + strings.Repeat("\xa1", 2*maxTurn) + " b")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, turn := range ParseTurns("layer/sessions/20240101-0000.md", text, time.Time{}) {
			if turn.Line < 1 || turn.Line > lines || len(turn.Text) > 2*maxTurn || turn.Text == "" ||
				!utf8.ValidString(turn.Text) {
				t.Fatalf("%+v", turn)
			}
		}
	})
}
