package reach_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/belief/reach"
	"patina/store"
	"patina/store/storetest"
)

func TestCitations(t *testing.T) {
	for text, want := range map[string]string{
		"See `src/x.rs`.":                         "src/x.rs",
		"in src/a/b.rs:12-30, and ./c/d.go.":      "src/a/b.rs c/d.go",
		"`src/p.rs::is_on()` `src/s.rs:run()`":    "src/p.rs::is_on src/s.rs::run",
		"`run_all()` and `Type::method`":          "::run_all ::Type::method",
		"`handleScry` and `e5-base-v2` and `age`": "::handleScry",
		"`server.rs` but server.rs":               "server.rs",
		"[[CLAUDE.md]] [[session-2026]] [[b-x]]":  "CLAUDE.md",
		"[[commit-6AA7817e]] [[0dd3b9ca]]":        "@6aa7817e @0dd3b9ca",
		"[[deadbeef]] is a word":                  "",
		"commit 9a3bcd5d, not 9a3bcd5e":           "@9a3bcd5d",
		"`git add -p` `a == b` `*.go` `$HOME/x`":  "",
		"https://example.org/x.html":              "",
		"../secret.txt and /etc/passwd.conf":      "",
		"`x.go` `x.go` x/y.go `x/y.go`":           "x.go x/y.go",
		"```\n`src/x.rs`\n```\n`y_z()`":           "::y_z",
		"## Supports\n- [[simple.md]] and [[0dd3b9ca]] `f_g()`\n## Evidence\n- [[a.md]]": "simple.md @0dd3b9ca ::f_g a.md",
		"`MAX_ROWS` `README` `std::os::unix::net`":                                       "::MAX_ROWS ::std::os::unix::net",
	} {
		var got []string
		for _, c := range reach.Citations(text) {
			switch {
			case c.Commit != "":
				got = append(got, "@"+c.Commit)
			case c.Symbol != "":
				got = append(got, c.Path+"::"+c.Symbol)
			default:
				got = append(got, c.Path)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

// Ten megabytes of citations are bounded.
func TestCitationsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, "`src/file%d.rs` [[0dd3b9%d]] `name_%d()`\n", i, i, i)
	}
	if n := len(reach.Citations(b.String())); n != 500 {
		t.Errorf("%d citations", n)
	}
}

func FuzzCitations(f *testing.F) {
	f.Add("`src/x.rs::f()` [[commit-0dd3b9ca]] commit 0dd3b9ca\n```\n")
	f.Add("## Supports\n[[a|b]] `::` `()` `.` a/.b")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range reach.Citations(text) {
			if c.Line < 1 || c.Path == "" && c.Symbol == "" && c.Commit == "" || strings.HasPrefix(c.Path, "/") || strings.Contains(c.Path, "..") {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}

// index is a store with a few files, one symbol of each name, and commits.
func index(t *testing.T) *store.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := store.Build(context.Background(), dir, store.BuildOptions{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	put := func(path, symbol, body string, class store.Class) {
		storetest.Check(t, k.Put(&store.File{
			Path: path, Language: "Rust", Kind: store.Code, Hash: path, Lines: 1, Body: []byte(body), Class: class,
			Entries: []store.Entry{{Name: symbol, Sort: store.Function, First: 1, Line: 1, Last: 1, Title: "fn " + symbol, Parent: -1}},
			Chunks:  []store.Chunk{{Entry: 0, First: 1, Last: 1, Names: symbol, Body: body}},
		}))
	}
	put("src/log.rs", "append", "the eventlog keeps every immutable record forever", 0)
	put("tests/log.rs", "check", "the eventlog keeps every immutable record forever", store.TestFolder|store.TestName)
	put("src/a/run.rs", "Engine.start", "one", 0)
	put("src/b/run.rs", "Server.start", "two", 0)
	put("src/only.rs", "lonely_name", "three", 0)
	put("src/CheckList/rows.rs", "rows", "seven sealed boxes", 0)
	put("src/other.rs", "other", "seven sealed boxes", 0)
	for i := range 7 {
		put(fmt.Sprintf("src/m%d/mod.rs", i), fmt.Sprint("f", i), "four", 0)
	}
	many := []string{}
	for i := range 60 {
		many = append(many, fmt.Sprint("gone", i))
	}
	for i, files := range [][]string{{"src/log.rs", "src/only.rs", "gone.rs", "README.md"}, append(many, "src/log.rs")} {
		storetest.Check(t, w.AddRevision(store.Revision{SHA: fmt.Sprintf("abcdef%d%033x", i, 1), Time: time.Unix(1, 0), Subject: "s", Files: files}))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

func TestReach(t *testing.T) {
	f, err := reach.New(t.Context(), index(t))
	storetest.Check(t, err)
	rows := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("src/m%d/mod.rs", i))
		}
		return out
	}
	for name, test := range map[string]struct {
		belief reach.Belief
		want   string
	}{
		"a path":                  {reach.Belief{Text: "`src/only.rs`"}, "src/only.rs 1.00 cites src/only.rs"},
		"the end of a path":       {reach.Belief{Text: "`only.rs`"}, "src/only.rs 0.90 cites only.rs"},
		"the end of two":          {reach.Belief{Text: "`run.rs`"}, "src/a/run.rs 0.45 cites run.rs, src/b/run.rs 0.45 cites run.rs"},
		"the end of many":         {reach.Belief{Text: "`mod.rs`"}, ""},
		"no file":                 {reach.Belief{Text: "`src/none.rs` and `nly.rs`"}, ""},
		"a symbol":                {reach.Belief{Text: "`lonely_name()`"}, "src/only.rs::lonely_name 0.80 cites lonely_name"},
		"a symbol of two":         {reach.Belief{Text: "`start()`"}, "src/a/run.rs::Engine.start 0.40 cites start, src/b/run.rs::Server.start 0.40 cites start"},
		"a qualified symbol":      {reach.Belief{Text: "`Engine::start`"}, "src/a/run.rs::Engine.start 0.80 cites Engine::start"},
		"a symbol of a folder":    {reach.Belief{Text: "`crate::b::start`"}, "src/b/run.rs::Server.start 0.80 cites crate::b::start"},
		"another's symbol":        {reach.Belief{Text: "`std::net::start`"}, ""},
		"a path with a symbol":    {reach.Belief{Text: "`src/a/run.rs::start()`"}, "src/a/run.rs::Engine.start 1.00 cites src/a/run.rs"},
		"a commit":                {reach.Belief{Text: "[[commit-abcdef0]]"}, "src/log.rs 0.49 commit abcdef00, src/only.rs 0.49 commit abcdef00"},
		"a commit of many files":  {reach.Belief{Text: "[[commit-abcdef1]]"}, ""},
		"an unknown commit":       {reach.Belief{Text: "[[commit-1234567]]"}, ""},
		"rows":                    {reach.Belief{Checked: [][]string{rows(4), nil}}, "src/m0/mod.rs 0.30 rows of a check, src/m1/mod.rs 0.30 rows of a check, src/m2/mod.rs 0.30 rows of a check, src/m3/mod.rs 0.30 rows of a check"},
		"words":                   {reach.Belief{ID: "eventlog-is-truth", Statement: "The eventlog is immutable and keeps every record."}, "src/log.rs 0.50 shares its words"},
		"few words":               {reach.Belief{ID: "eventlog", Statement: "immutable, keeps every"}, ""},
		"named by a word":         {reach.Belief{ID: "a-list", Statement: "Seven sealed boxes hold eventlog, record and four things."}, "src/CheckList/rows.rs 0.32 shares its words"},
		"the end of a whole path": {reach.Belief{Text: "`run.rs` and `src/a/run.rs`"}, "src/a/run.rs 1.00 cites src/a/run.rs"},
		"the surest way":          {reach.Belief{Text: "`lonely_name()` src/only.rs [[commit-abcdef0]]"}, "src/only.rs::lonely_name 1.00 cites src/only.rs, src/log.rs 0.49 commit abcdef00"},
		"nothing":                 {reach.Belief{}, ""},
	} {
		got, err := f.Of(t.Context(), test.belief)
		storetest.Check(t, err)
		var parts []string
		for _, r := range got {
			at := r.Path
			if r.Symbol != "" {
				at += "::" + r.Symbol
			}
			parts = append(parts, fmt.Sprintf("%s %.2f %s", at, r.Score, r.Reason))
		}
		if s := strings.Join(parts, ", "); s != test.want {
			t.Errorf("%s: %q\nwant %q", name, s, test.want)
		}
	}
	wide := slices.Concat(rows(7), []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"})
	if got, err := f.Of(t.Context(), reach.Belief{Checked: [][]string{wide}}); err != nil || len(got) != 0 {
		t.Errorf("a check with many files: %v, %v", got, err)
	}
}
