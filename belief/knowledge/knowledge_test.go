package knowledge_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

const beliefs = "layer/surface/beliefs/"

// layer is a project with beliefs and sessions, many of them broken.
var layer = map[string]string{
	"src/cache.go":  "package src\n\n// Evict forgets.\nfunc Evict() {}\n",
	"src/my_set.go": "package src\n",
	beliefs + "cache.md": `---
id: cache
facets: [speed, memory]
entrenchment: high
---
# cache

The cache forgets the oldest entry.

## Evidence
- [[session-20240101-120000]] (weight: 0.9)
- [[src/cache.go]]
- [[nobody-wrote-this]]

## Supports
- [[speed]]
- [[missing]]

## Attacks
- [[grow]] (status: defeated)
`,
	beliefs + "speed.md": "---\nid: speed\n---\n# speed\n\nAnswers come at once, by [[cache]].\n\n## Supports\n- [[cache]]\n",
	beliefs + "grow.md":  "---\nid: grow\nstatus: defeated\n---\n# grow\n\nThe cache grows, unlike in [[cache]].\n\n## Attacks\n- [[grow]]\n- [[grow]]\n",
	beliefs + "twin.md":  "---\nid: twin\n---\n# twin\n\nTwins are alike.\n",
	beliefs + "twin2.md": "---\nid: twin\n---\n# twin\n\nTwins are alike in all.\n",
	// Two sessions cite one belief.
	"layer/sessions/20240101-120000.md": "# Session: One\n\n## Activity Log\n\n### 12:00 - Cache\n\nIt is [[cache]], says [[belief:cache]].\n",
	"layer/sessions/20240202-120000.md": "# Session: Two\n\n## Goals\n\n- [[cache]]\n",
	"layer/surface/plan.md":             "# Plan\n\nNot a use of [[cache]].\n",
	"layer/surface/build/x/SPEC.md":     "# X\n\nA specification.\n",
	"layer/surface/wide_plan.md":        "# Wide\n\nA plan.\n",
}

// project writes files and a commit, and scrapes them.
func project(t *testing.T, files map[string]string) (root, dir string) {
	t.Helper()
	root = t.TempDir()
	scrapetest.Tree(t, root, files)
	scrapetest.Git(t, root, "init", "-q", "-b", "main")
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-qm", "all")
	dir = filepath.Join(root, ".patina")
	again(t, root)
	return root, dir
}

func again(t *testing.T, root string, files ...string) scrape.Summary {
	t.Helper()
	s, err := scrape.Run(context.Background(),
		scrape.Options{Root: root, StoreDir: filepath.Join(root, ".patina"), Files: files})
	storetest.Check(t, err)
	return s
}

// read calls f with a reader on a scraped folder.
func read(t *testing.T, dir string, f func(ctx context.Context, r *store.Reader, snap *store.Snapshot)) {
	t.Helper()
	storetest.Check(t, storetest.Opened(dir, func(r *store.Reader) error {
		snap, err := r.Snapshot(t.Context())
		storetest.Check(t, err)
		f(t.Context(), r, snap)
		return nil
	}))
}

// noteOf returns the Note of the belief in a file.
func noteOf(t *testing.T, ctx context.Context, r *store.Reader, snap *store.Snapshot, path string) (belief.Note, bool) {
	t.Helper()
	f, err := r.FileNamed(ctx, snap, path)
	storetest.Check(t, err)
	n, ok, err := knowledge.NoteOf(ctx, r, snap, f.Key)
	storetest.Check(t, err)
	return n, ok
}

// Evidence is counted with its existing targets. Uses are the files that name the belief, except
// the belief itself and documents that are neither beliefs nor sessions.
func TestNoteOf(t *testing.T) {
	_, dir := project(t, layer)
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		n, ok := noteOf(t, ctx, r, snap, beliefs+"cache.md")
		got := fmt.Sprintf("%v %s %g evidence %d/%d use %d+%d", ok, n.Statement, n.Entrenchment, len(n.Sources),
			n.Resolved, n.Beliefs, n.Sessions)
		if want := "true The cache forgets the oldest entry. 0.8 evidence 3/2 use 2+2"; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		if !slices.Equal(n.Facets, []string{"speed", "memory"}) {
			t.Errorf("facets %q", n.Facets)
		}
		if n, _ := noteOf(t, ctx, r, snap, beliefs+"grow.md"); n.Beliefs != 1 || n.Sessions != 0 {
			t.Errorf("use of a belief that names itself: %d+%d", n.Beliefs, n.Sessions)
		}
		if _, ok := noteOf(t, ctx, r, snap, "src/cache.go"); ok {
			t.Error("code has a note")
		}
	})
}

func TestResolve(t *testing.T) {
	root, dir := project(t, layer)
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		head := r.Generation().Head
		for target, want := range map[string]string{
			"":                        "",
			"session-20240101-120000": "session:layer/sessions/20240101-120000.md",
			"20240101-120000":         "session:layer/sessions/20240101-120000.md",
			"session-1":               "",
			"commit-" + head[:8]:      doc.CommitID(head),
			strings.ToUpper(head):     doc.CommitID(head),
			head[:6]:                  "",
			"commit-0000000000":       "",
			"commit-":                 "",
			"deadbeef":                "",
			"cache":                   "belief:" + beliefs + "cache.md",
			"belief-cache":            "belief:" + beliefs + "cache.md",
			"twin":                    "belief:" + beliefs + "twin.md",
			"twin2":                   "belief:" + beliefs + "twin2.md", // by its file
			"src/cache.go":            "src/cache.go",
			"./src/cache.go::Evict":   "src/cache.go",
			"src/my_set.go":           "src/my_set.go",
			"src/cache.go:3-4":        "src/cache.go",
			"src/cache.go:":           "src/cache.go",
			"layer/surface/plan":      "pattern:layer/surface/plan.md",
			"x/SPEC.md":               "pattern:layer/surface/build/x/SPEC.md",
			"src/none.go":             "",
			"../" + filepath.Base(root) + "/src/cache.go": "",
			"/etc/passwd":   "",
			"plan":          "pattern:layer/surface/plan.md",
			"x":             "pattern:layer/surface/build/x/SPEC.md",
			"wide_plan":     "pattern:layer/surface/wide_plan.md",
			"wide%":         "",
			`wide\_plan`:    "",
			"':--":          "",
			"owner/project": "",
		} {
			got, err := knowledge.Resolve(ctx, r, snap, target)
			if err != nil || got != want {
				t.Errorf("%q: %q, %v; want %q", target, got, err, want)
			}
		}
	})
}

// Equal ids, an attack on itself, a cycle and missing targets must not lose a belief, and standing
// must stay within 0 to 1.
func TestBeliefsOdd(t *testing.T) {
	_, dir := project(t, layer)
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		all, err := knowledge.Beliefs(ctx, r, snap)
		storetest.Check(t, err)
		var got []string
		for _, b := range all {
			got = append(got, fmt.Sprintf("%s %s %d>%d", b.ID, b.Status, len(b.Supports), len(b.Attacks)))
			if b.Standing < 0 || b.Standing > 1 {
				t.Errorf("%s stands at %v", b.ID, b.Standing)
			}
		}
		want := []string{
			"cache active 2>1", "grow defeated 0>2", "speed active 1>0", "twin active 0>0",
			"twin active 0>0",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		active, err := knowledge.Active(ctx, r, snap)
		if err != nil || len(active) != 4 {
			t.Errorf("%d active ones, %v", len(active), err)
		}
		for _, h := range active {
			if h.ID == "cache" && h.Standing <= h.Entrenchment {
				t.Errorf("a supported belief stands at %v, entrenched at %v", h.Standing, h.Entrenchment)
			}
		}
	})
}

// content returns all rows of the tables, by path.
func content(t *testing.T, dir string) (rows []string) {
	t.Helper()
	read(t, dir, func(ctx context.Context, r *store.Reader, _ *store.Snapshot) {
		for _, query := range []string{
			`SELECT 'belief', f.path, b.id || '|' || b.statement || '|' || b.status FROM belief b LEFT
				JOIN file f ON f.key = b.key`,
			`SELECT 'edge', f.path, e.relation || '|' || e.target FROM belief_edge e LEFT
				JOIN file f ON f.key = e.belief`,
			`SELECT 'evidence', f.path, e.section || '|' || e.target FROM belief_evidence e LEFT
				JOIN file f ON f.key = e.belief`,
			`SELECT 'words', f.path, w.statement FROM belief_fts w LEFT JOIN file f ON f.key = w.rowid`,
			`SELECT 'session', f.path, s.id || '|' || s.title FROM session s LEFT JOIN file f ON f.key = s.key`,
			`SELECT 'citation', f.path, c.target FROM citation c LEFT JOIN file f ON f.key = c.file`,
		} {
			err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
				var table, path, said string
				err := scan(&table, &path, &said)
				rows = append(rows, table+" "+path+" "+said)
				return err
			})
			storetest.Check(t, err)
		}
	})
	slices.Sort(rows)
	return rows
}

// keys returns the keys of beliefs and sessions, by path.
func keys(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	read(t, dir, func(ctx context.Context, r *store.Reader, _ *store.Snapshot) {
		const query = `SELECT f.path, f.key FROM file f WHERE f.key IN (SELECT key FROM belief UNION SELECT key
			FROM session)`
		err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
			var path string
			var key int64
			err := scan(&path, &key)
			out[path] = key
			return err
		})
		storetest.Check(t, err)
	})
	return out
}

// After each change the tables must equal those of a fresh scrape, and only changed files may be
// written.
func TestScrapeAgain(t *testing.T) {
	root, dir := project(t, layer)
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for _, step := range []struct {
		name   string
		change func() error
		kept   []string // files whose rows are unchanged
		gone   string   // a file without rows afterwards
	}{
		{"edited", func() error {
			return os.WriteFile(at(beliefs+"cache.md"), []byte("---\nid: cache\n---\n# cache\n\nThe cache is gone.\n"),
				0o644)
		}, []string{beliefs + "speed.md", "layer/sessions/20240101-120000.md"}, "forgets the oldest"},
		{"another id", func() error {
			return os.WriteFile(at(beliefs+"cache.md"),
				[]byte("---\nid: renamed\n---\n# renamed\n\nThe cache is gone.\n"), 0o644)
		}, []string{beliefs + "twin.md"}, "cache|The cache"},
		{
			"moved", func() error { return os.Rename(at(beliefs+"twin.md"), at(beliefs+"twin3.md")) },
			[]string{beliefs + "twin2.md"},
			beliefs + "twin.md",
		},
		{
			"broken", func() error { return os.WriteFile(at(beliefs+"speed.md"), []byte("# speed\n"), 0o644) },
			[]string{beliefs + "twin2.md"},
			beliefs + "speed.md",
		},
		{
			"removed", func() error { return os.Remove(at("layer/sessions/20240202-120000.md")) },
			[]string{beliefs + "twin2.md"},
			"20240202",
		},
		{
			"emptied", func() error { return os.Remove(at(beliefs + "grow.md")) },
			[]string{beliefs + "twin2.md"},
			beliefs + "grow.md",
		},
	} {
		before := keys(t, dir)
		storetest.Check(t, step.change())
		again(t, root)
		after, rows := keys(t, dir), content(t, dir)
		for _, path := range step.kept {
			if before[path] == 0 || before[path] != after[path] {
				t.Errorf("%s: %s was written again: %d, %d", step.name, path, before[path], after[path])
			}
		}
		if i := slices.IndexFunc(rows, func(s string) bool { return strings.Contains(s, step.gone) }); i >= 0 {
			t.Errorf("%s: left behind: %s", step.name, rows[i])
		}
		fresh := t.TempDir()
		_, err := scrape.Run(context.Background(), scrape.Options{Root: root, StoreDir: fresh})
		storetest.Check(t, err)
		if want := content(t, fresh); !slices.Equal(rows, want) {
			t.Errorf("%s:\n%s\nfresh:\n%s", step.name, strings.Join(rows, "\n"), strings.Join(want, "\n"))
		}
	}
}

// Decision records are named by their file, with the folder if names collide. Their edges lead to
// the records meant in their own folder.
func TestDecisions(t *testing.T) {
	record := func(status string) string {
		return "# A title\n\nStatus: " + status + "\n\n## Decision\n\nWe keep it.\n"
	}
	_, dir := project(t, map[string]string{
		"docs/adr/0001-old.md":   record("superseded by [ADR-0002](0002-new.md)"),
		"docs/adr/0002-new.md":   record("accepted, supersedes [ADR-0001](0001-old.md)"),
		"docs/adr/0003-never.md": record("rejected"),
		"a/adr/0001-same.md":     record("accepted"),
		"b/adr/0001-same.md":     record("accepted"),
	})
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		all, err := knowledge.Beliefs(ctx, r, snap)
		storetest.Check(t, err)
		ids := map[string]belief.Belief{}
		for _, b := range all {
			ids[b.Path] = b.Belief
		}
		for path, want := range map[string]string{
			"docs/adr/0001-old.md": "0001-old 1 archived", "docs/adr/0002-new.md": "0002-new 2 active",
			"docs/adr/0003-never.md": "0003-never 3 defeated",
			"a/adr/0001-same.md":     "a-adr-0001-same 1 active", "b/adr/0001-same.md": "b-adr-0001-same 1 active",
		} {
			if b := ids[path]; b.ID+" "+b.Number+" "+b.Status != want {
				t.Errorf("%s: %s %s %s, want %s", path, b.ID, b.Number, b.Status, want)
			}
		}
		edges, back := ids["docs/adr/0002-new.md"].Attacks, ids["docs/adr/0001-old.md"].AttackedBy
		if len(edges) != 1 || edges[0].Target != "0001-old" || len(back) != 1 || back[0].Target != "0002-new" {
			t.Errorf("edges %+v and %+v", edges, back)
		}
		if active, err := knowledge.Active(ctx, r, snap); err != nil || len(active) != 3 {
			t.Errorf("%d hold, %v", len(active), err)
		}
		for _, b := range ids {
			path, err := knowledge.PathOf(ctx, r, snap, "belief:"+b.ID)
			if err != nil || path != b.Path {
				t.Errorf("%s: %q, %v", b.ID, path, err)
			}
		}
	})
}

// A proposal's status is in another file beside it. A change of only that file must be seen by
// every kind of scrape.
func TestProposalStatus(t *testing.T) {
	const proposal, head = "keps/7-shutdown/README.md", "keps/7-shutdown/kep.yaml"
	root, dir := project(t, map[string]string{
		proposal: "# KEP-7: Shutdown\n\n## Summary\n\nWorkers end in order.\n",
		head:     "title: Shutdown\nstatus: implemented\n",
	})
	held := func() (n int) {
		read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
			active, err := knowledge.Active(ctx, r, snap)
			storetest.Check(t, err)
			n = len(active)
		})
		return n
	}
	if held() != 1 {
		t.Fatal("no belief")
	}
	for _, step := range []struct {
		status string
		files  []string
		want   int
	}{
		{"withdrawn", nil, 0},
		{"implemented", []string{head}, 1},
		{"withdrawn", []string{head}, 0},
		{"implemented", []string{proposal}, 1},
	} {
		scrapetest.Tree(t, root, map[string]string{head: "title: Shutdown\nstatus: " + step.status + "\n"})
		again(t, root, step.files...)
		if got := held(); got != step.want {
			t.Errorf("%s, scraped %q: %d beliefs", step.status, step.files, got)
		}
	}
}

// A word of a belief finds it in any form. A belief with all words scores at most 1.
func TestMatches(t *testing.T) {
	_, dir := project(t, layer)
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		for question, want := range map[string]string{
			"twins alike": "twin", "answering at once": "speed", "the of and": "", "zebra": "", `" OR * NEAR(`: "",
			"": "",
		} {
			shares, err := knowledge.Matches(ctx, r, text.ParseQuestion(question))
			storetest.Check(t, err)
			active, err := knowledge.Active(ctx, r, snap)
			storetest.Check(t, err)
			best, id := 0.0, ""
			for key, share := range shares {
				if share < 0 || share > 1 {
					t.Errorf("%q: share %v", question, share)
				}
				if h, ok := active[key]; ok && share > best {
					best, id = share, h.ID
				}
			}
			if id != want {
				t.Errorf("%q: %q with %v, want %q", question, id, best, want)
			}
		}
	})
}

// A project without beliefs returns none, without an error.
func TestNoBeliefs(t *testing.T) {
	_, dir := project(t, map[string]string{"a.go": "package a\n"})
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		all, err := knowledge.Beliefs(ctx, r, snap)
		if err != nil || len(all) != 0 || r.Generation().Beliefs != 0 {
			t.Errorf("%v, %v, %+v", all, err, r.Generation())
		}
		if id, err := knowledge.Resolve(ctx, r, snap, "a.go"); err != nil || id != "a.go" {
			t.Errorf("%q, %v", id, err)
		}
		about, err := knowledge.AboutCode(ctx, r, snap, "a.go", "")
		if err != nil || len(about) != 0 {
			t.Errorf("%v, %v", about, err)
		}
	})
}

// A session captured the beliefs that have it as evidence, under either name. Its commits are those
// in this generation.
func TestSessions(t *testing.T) {
	root, dir := project(t, layer)
	head, err := os.ReadFile(filepath.Join(root, ".git", "refs", "heads", "main"))
	storetest.Check(t, err)
	sha := strings.TrimSpace(string(head))
	read(t, dir, func(ctx context.Context, r *store.Reader, snap *store.Snapshot) {
		key := keys(t, dir)
		for path, want := range map[string]string{
			"layer/sessions/20240101-120000.md": "[{captured belief:cache }]",
			"layer/sessions/20240202-120000.md": "[]", // names the belief, but is not evidence
			beliefs + "cache.md":                "[]", // not a session
		} {
			got, err := knowledge.Captured(ctx, r, snap, key[path])
			if err != nil || fmt.Sprint(got) != want {
				t.Errorf("%s: %v, %v; want %s", path, got, err, want)
			}
		}
		lines := []string{
			"the commit " + sha[:8] + ", also " + sha + " and `" + sha[:7] + "`",
			"deadbeef1 is none, nor are defaced, 12345 and " + sha + "0",
		}
		links, err := knowledge.Commits(ctx, r, snap, lines)
		if err != nil || len(links) != 1 || links[0].Target != doc.CommitID(sha) || links[0].Note == "" {
			t.Errorf("%v, %v", links, err)
		}
		var many []string
		for i := range 1000 {
			many = append(many, fmt.Sprintf("%08x1", i))
		}
		if links, err := knowledge.Commits(ctx, r, snap, append(many, sha)); err != nil || len(links) != 0 {
			t.Errorf("behind a thousand words: %v, %v", links, err)
		}
	})
}
