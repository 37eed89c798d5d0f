package brief_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/code/brief"
	"patina/code/describe"
	"patina/code/lookup"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/storetest"
)

// scraped scrapes a repository with one commit and opens it.
func scraped(t *testing.T, files map[string]string, message ...string) *store.Reader {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	scrapetest.Tree(t, root, files)
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", "-A")
	for i, m := range message {
		args := []string{"commit", "-q", "-m", m}
		if i > 0 {
			args = append(args, "--allow-empty", "--author=renovate[bot] <r@b>")
		}
		scrapetest.Git(t, root, args...)
	}
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

const aBelief = "---\ntype: belief\nid: %s\nstatus: %s\nentrenchment: %s\n---\n# %[1]s\n\nErrors of %[1]s are values.\n"

// read gathers a brief from a new survey.
func read(t *testing.T, r *store.Reader, topic string, now time.Time) (*brief.Brief, error) {
	t.Helper()
	s, err := describe.NewSurvey(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return brief.Read(t.Context(), r, s, topic, now)
}

func TestRead(t *testing.T) {
	r := scraped(t, map[string]string{
		"README.md": "# App\n\nApp is a server that answers calls.\n", "go.mod": "module example.org/app\n",
		"main.go":  "package main\n\nimport \"example.org/app/lib\"\n\nfunc main() { lib.Open() }\n",
		"lib/a.go": "package lib\n\nfunc Open() {}\n", "lib/doc.go": "// Package lib opens things.\npackage lib\n",
		"docs/adr/0001-queue.md":           "# 1. Use a queue\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use a queue for all calls.\n",
		"docs/adr/0002-cache.md":           "# 2. Use a cache\n\n## Status\n\nProposed\n\n## Decision\n\nWe use a cache for all calls.\n",
		"layer/core/tools.md":              "---\nid: tools\n---\n# Tools\n\n**Purpose:** One tool does one thing.\n",
		"layer/core/none.md":               "# None\n\nIt says no purpose at all.\n",
		"layer/surface/beliefs/calls.md":   fmt.Sprintf(aBelief, "calls", "active", "low"),
		"layer/surface/beliefs/rows.md":    fmt.Sprintf(aBelief, "rows", "active", "high"),
		"layer/surface/beliefs/strings.md": fmt.Sprintf(aBelief, "strings", "defeated", "high"),
	}, "feat: all", "chore: bump")
	b, err := read(t, r, "", time.Now())
	storetest.Check(t, err)
	if b.Purpose == nil || b.Purpose.Text != "App is a server that answers calls." || b.Purpose.Line != 3 {
		t.Errorf("purpose %+v", b.Purpose)
	}
	if len(b.Packages) != 1 || b.Packages[0].Folder != "lib" || b.Packages[0].Purpose != (brief.Quote{Text: "Package lib opens things.", Path: "lib/doc.go", Line: 1}) {
		t.Errorf("packages %+v", b.Packages)
	}
	if len(b.Authors) != 1 || strings.Contains(b.Authors[0].Name, "bot") || b.Authors[0].Commits != 1 {
		t.Errorf("authors %+v", b.Authors)
	}
	if b.Recent.Total != 2 || b.Recent.Commits[0].Title != "feat: all" {
		t.Errorf("routine comes first: %+v", b.Recent.Commits)
	}
	l := b.Layer
	if l.Active != 2 || l.Decided != 1 || l.Proposed != 1 || len(l.Decisions) != 1 || l.Decisions[0].Statement != "We use a queue for all calls." {
		t.Errorf("layer %+v", l)
	}
	if len(l.Patterns) != 1 || l.Patterns[0].Name != "tools" || l.Patterns[0].Purpose.Line != 6 {
		t.Errorf("patterns %+v", l.Patterns)
	}
	if ids := idsOf(b); !slices.Equal(ids, []string{"rows", "calls"}) {
		t.Errorf("by standing: %q", ids)
	}
	b, err = read(t, r, "how to treat calls", time.Now())
	storetest.Check(t, err)
	if ids := idsOf(b); !slices.Equal(ids, []string{"calls", "rows"}) {
		t.Errorf("by topic: %q", ids)
	}
}

func idsOf(b *brief.Brief) (ids []string) {
	for _, x := range b.Layer.Beliefs {
		ids = append(ids, x.ID)
	}
	return ids
}

// If nothing has changed for a month, the changes are those before the newest commit.
func TestOldChangesAreTold(t *testing.T) {
	r := scraped(t, map[string]string{"a.go": "package a\n"}, "feat: all")
	now := time.Now().AddDate(3, 0, 0)
	b, err := read(t, r, "", now)
	storetest.Check(t, err)
	if b.Recent.Total != 1 || !b.Recent.Until.Before(now.AddDate(-2, 0, 0)) {
		t.Errorf("%+v", b.Recent)
	}
}

// A folder without git and without documents also has a brief. An empty index returns an error.
func TestLittleIsEnough(t *testing.T) {
	r := scraped(t, map[string]string{"a.go": "package a\n"})
	b, err := read(t, r, "x", time.Now())
	if err != nil || b.Purpose != nil || len(b.Authors) > 0 || b.Recent.Total != 0 {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := read(t, scraped(t, nil), "", time.Now()); !errors.Is(err, lookup.ErrNoDocument) {
		t.Errorf("empty: %v", err)
	}
}
