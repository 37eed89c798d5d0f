package verify_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	layer "patina/belief"
	"patina/belief/verify"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// belief returns the text of a belief's file with checks.
func belief(id string, checks ...string) string {
	text := "---\ntype: belief\nid: " + id + "\n---\n\n# " + id + "\n\nOne sentence.\n\n## Verification\n\n"
	for _, c := range checks {
		query, expect, _ := strings.Cut(c, " | ")
		text += "```verify type=\"sql\" label=\"l\" expect=\"" + expect + "\"\n" + query + "\n```\n\n"
	}
	return text
}

const spec = `---
type: feat
id: go-public
status: complete
milestones:
- version: 0.9.1
  name: "Version alignment"
  status: complete
- version: 0.10.0
  status: planned
current_milestone: 0.10.0
---
# Going public

**Purpose:** say when
`

// rust returns a file with its facts, as read by a scrape.
func rust() *doc.File {
	body := "/// Runs.\n#[allow(dead_code)]\npub async fn run() {\n\tother::go();\n}\nimpl T {\n\tfn asyncish(&self) {}\n}\n"
	return &doc.File{
		Path: "src/run.rs", Language: "Rust", Kind: doc.Code, Hash: "1", Lines: 8, Body: []byte(body),
		Entries: []doc.Entry{
			{Name: "run", Sort: doc.Function, First: 1, Line: 3, Last: 5, Title: "pub async fn run()", Parent: -1},
			{
				Name: "T.asyncish#2", Sort: doc.Method, First: 7, Line: 7, Last: 7, Title: "fn asyncish(&self)",
				Parent: -1,
			},
		},
		Chunks: []doc.Chunk{
			{Entry: 0, First: 1, Last: 5, Body: "run"},
			{Entry: 1, First: 7, Last: 7, Body: "asyncish"},
		},
		Imports: []string{"crate::other"},
		Calls:   []doc.Call{{Caller: 0, Name: "other::go", Line: 4}, {Caller: -1, Name: "top", Line: 8}},
	}
}

// rows returns a belief's rows, as a scrape writes them, or nil.
func rows(path, text string) *layer.Rows {
	if !layer.IsPath(path) || layer.Broken(text) != "" {
		return nil
	}
	b := layer.Parse(path, text)
	return &layer.Rows{Belief: &b}
}

// index builds a store with some code, documents, beliefs by path, commits and tags.
func index(t testing.TB, files map[string]string) *store.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	storetest.Check(t, k.Put(rust()))
	files["layer/core/unix.md"] = "# Unix\n\nOne job.\n"
	files["layer/surface/build/feat/public/SPEC.md"] = spec
	for path, text := range files {
		n := strings.Count(text, "\n") + 1
		storetest.Check(t, k.Put(&doc.File{
			Path: path, Language: "Markdown", Kind: doc.Pattern, Hash: text, Lines: n, Body: []byte(text),
			Rows:    rows(path, text),
			Entries: []doc.Entry{{Name: "s", Sort: doc.Section, First: 1, Line: 1, Last: n, Title: "s", Parent: -1}},
			Chunks:  []doc.Chunk{{Entry: 0, First: 1, Last: min(n, 60), Body: "s"}},
		}))
	}
	tags := make(map[string][]string)
	for i, subject := range []string{"begin", "feat: a | b", "end", "after"} {
		sha := fmt.Sprintf("%040x", i+1)
		storetest.Check(t, w.AddRevision(doc.Revision{
			SHA: sha, Author: "Ann", Email: "a@x", Time: time.Unix(int64(1000*i), 0), Subject: subject,
			Files: []string{"src/run.rs", fmt.Sprint("gone", i)},
		}))
		switch subject {
		case "begin":
			tags[sha] = []string{"session-7-start"}
		case "end":
			tags[sha] = []string{"session-7-end", "v1"}
		}
	}
	storetest.Check(t, w.SetTags(tags))
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

// Every view has the columns and rows in docs/knowledge.md.
func TestViews(t *testing.T) {
	r, err := verify.NewRunner(t.Context(), verify.Source{Reader: index(t, map[string]string{})})
	storetest.Check(t, err)
	defer func() { storetest.Check(t, r.Close()) }()
	for query, want := range map[string]string{
		`SELECT count(*) FROM git_tracked_files WHERE status = 'tracked'`: "3",
		`SELECT count(*) FROM commits`:                                    "4",
		`SELECT message || author_name || author_email || timestamp FROM commits
			WHERE sha LIKE '%2'`: "feat: a | bAnna@x1970-01-01T00:16:40Z",
		`SELECT avg(n) FROM (SELECT count(*) AS n FROM commit_files GROUP BY sha)`: "2",
		`SELECT count(*) FROM git_tags WHERE tag_name LIKE 'session-%-start'`:      "1",
		`SELECT tag_date FROM git_tags
			WHERE tag_name = 'v1'`: "1970-01-01T00:33:20Z",
		`SELECT name FROM function_facts WHERE is_async = 1 AND is_public = 1`: "run",
		`SELECT container || name || line || is_async || is_public FROM function_facts
			WHERE name != 'run'`: "Tasyncish700",
		`SELECT import_path FROM import_facts
			WHERE file = 'src/run.rs'`: "crate::other",
		`SELECT caller || callee || file || line_number FROM call_graph
			WHERE callee LIKE '%go'`: "runother::gosrc/run.rs4",
		`SELECT caller FROM call_graph WHERE callee = 'top'`:                               "",
		`SELECT name FROM code_search WHERE context LIKE '%allow(dead\_code)%' ESCAPE '\'`: "run",
		`SELECT layer || title FROM patterns WHERE id = 'unix'`:                            "coreUnix",
		`SELECT status || purpose || current_milestone FROM patterns
			WHERE id = 'go-public'`: "completesay when0.10.0",
		`SELECT group_concat(version || name || status) FROM milestones
			WHERE spec_id = 'go-public'`: "0.9.1Version alignmentcomplete,0.10.0planned",
		`SELECT count(*) FROM eventlog WHERE event_type = 'git.commit' AND data LIKE '%"session_id":"7"%'`: "3",
		`SELECT count(*) FROM commits WHERE sha IN (SELECT source_id FROM eventlog)`:                       "4",
		`SELECT count(*) FROM eventlog WHERE event_type = 'git.tag'`:                                       "3",
		`SELECT json_extract(data, '$.title') FROM eventlog WHERE event_type = 'pattern.core'`:             "Unix",
	} {
		o, err := r.Run(t.Context(), verify.Check{Type: "sql", Expect: "= '" + want + "'", Query: query})
		if err != nil || o.Status != verify.Passed {
			t.Errorf("%s: %s %q %s %v, want %q", query, o.Status, o.Got, o.Detail, err, want)
		}
	}
}

// A belief reaches the files that it cites, and those whose rows it expects. A check can query
// that.
func TestReach(t *testing.T) {
	r, err := verify.NewRunner(t.Context(), verify.Source{Reader: index(t, map[string]string{
		"layer/surface/beliefs/b.md": belief("cites",
			`SELECT count(*) FROM belief_code_reach WHERE belief_id = 'rows' | = 1`) + "\n`src/run.rs`\n",
		"layer/surface/beliefs/r.md": belief("rows",
			`SELECT COUNT(*) FROM function_facts WHERE name LIKE 'run%' | >= 1`,
			`SELECT COUNT(*) FROM import_facts | = 1`),
		"layer/surface/beliefs/n.md": belief("none", `SELECT COUNT(*) FROM import_facts | = 0`),
	})})
	storetest.Check(t, err)
	defer func() { storetest.Check(t, r.Close()) }()
	for query, want := range map[string]string{
		`SELECT group_concat(belief_id || ' ' || file_path || ' ' || reach_score || ' ' || hop_path, ', ')
			FROM belief_code_reach`: "cites src/run.rs 1.0 cites src/run.rs, rows src/run.rs 0.6 rows of a check",
		`SELECT count(*) FROM belief_code_reach
			WHERE belief_id = 'none'`: "0",
	} {
		o, err := r.Run(t.Context(), verify.Check{Type: "sql", Expect: "= '" + want + "'", Query: query})
		if err != nil || o.Status != verify.Passed {
			t.Errorf("%s: %s %q %s %v, want %q", query, o.Status, o.Got, o.Detail, err, want)
		}
	}
}

// If git can list its files, that list is used.
func TestTrackedFiles(t *testing.T) {
	from := verify.Source{Reader: index(t, map[string]string{}), Tracked: func(context.Context) ([]string, error) {
		return []string{"logo.png", ".patina/config.toml"}, nil
	}}
	r, err := verify.NewRunner(t.Context(), from)
	storetest.Check(t, err)
	defer func() { storetest.Check(t, r.Close()) }()
	o, err := r.Run(t.Context(),
		verify.Check{Type: "sql", Expect: "= 2", Query: `SELECT count(*) FROM git_tracked_files`})
	if err != nil || o.Status != verify.Passed {
		t.Errorf("%+v, %v", o, err)
	}
}

// Checks run by belief and in order. A check that fails, writes or loops affects only itself.
func TestVerify(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.db")
	reader := index(t, map[string]string{
		"layer/surface/beliefs/b.md": belief("second", `SELECT count(*) FROM commits | = 4`,
			`SELECT count(*) FROM commits | = 5`),
		"layer/surface/epistemic/beliefs/a.md": belief("first",
			`DELETE FROM commits | = 0`,
			`ATTACH '`+outside+`' AS o | = 0`,
			`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT count(*) FROM c | = 0`,
			`SELECT * FROM nowhere | = 0`,
			`SELECT `+strings.Repeat("1 + ", 3_000_000)+`1 | = 0`,
			`SELECT count(*) FROM commits | about right`,
			`SELECT count(*) FROM commits | = 4`),
		"layer/surface/beliefs/c.md": "---\ntype: belief\n---\nOne sentence.\n```verify type=\"assay\" label=\"x\" expect=\"= 0\"\ncallers\n```\n",
		"docs/beliefs/d.md":          belief("elsewhere", `SELECT 1 | = 1`),
	})
	all, missing, err := verify.Run(t.Context(), verify.Source{Reader: reader}, nil, time.Minute)
	if err != nil || len(missing) > 0 {
		t.Fatal(missing, err)
	}
	var got []string
	for _, b := range all {
		for _, o := range b.Outcomes {
			got = append(got, fmt.Sprintf("%s %s %s", b.ID, o.Status, o.Got))
		}
	}
	want := `c unsupported , first error , first error , first error , first error , first error , first error 4, first passed 4, second passed 4, second failed 4`
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a check made a file")
	}
	for i, part := range []string{"SELECT", "SELECT", "limit reached", "no such table", "bytes", "expectation"} {
		if o := all[1].Outcomes[i]; !strings.Contains(o.Detail, part) || len(o.Detail) > 500 {
			t.Errorf("%.60s: %s", o.Query, o.Detail)
		}
	}
	one, missing, err := verify.Run(t.Context(), verify.Source{Reader: reader}, []string{"second", "nobody"},
		time.Minute)
	if err != nil || len(one) != 1 || len(missing) != 1 || missing[0] != "nobody" {
		t.Errorf("%+v, missing %q, %v", one, missing, err)
	}
	late, _, err := verify.Run(t.Context(), verify.Source{Reader: reader}, []string{"second"}, 0)
	if err != nil || late[0].Outcomes[0].Status != verify.Broken ||
		!strings.Contains(late[0].Outcomes[0].Detail, "not run") {
		t.Errorf("without time: %+v, %v", late, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := verify.Run(ctx, verify.Source{Reader: reader}, nil, time.Minute); err == nil {
		t.Error("a cancelled verification has no error")
	}
}

// The document lists exactly the views with their columns.
func TestViewsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/knowledge.md")
	storetest.Check(t, err)
	_, list, _ := strings.Cut(string(page), "\n### Views\n")
	list, _, found := strings.Cut(list, "\n### ")
	if !found {
		t.Fatal("the page has no section of views")
	}
	rows := 0
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "| `") {
			rows++
		}
	}
	views := verify.Views()
	if rows != len(views) {
		t.Errorf("%d views are documented, there are %d", rows, len(views))
	}
	for name, columns := range views {
		if row := "| `" + name + "` | `" + strings.Join(columns, "`, `") + "` |"; !strings.Contains(string(page), row) {
			t.Errorf("no row %s", row)
		}
	}
}
