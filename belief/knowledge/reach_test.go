package knowledge_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/belief/knowledge"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// index is a store with a few files, one symbol of each name, and commits.
func index(t *testing.T) *store.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	put := func(path, symbol, body string, class doc.Class) {
		storetest.Check(t, k.Put(&doc.File{
			Path: path, Language: "Rust", Kind: doc.Code, Hash: path, Lines: 1, Body: []byte(body), Class: class,
			Entries: []doc.Entry{{
				Name: symbol, Sort: doc.Function, First: 1, Line: 1, Last: 1, Title: "fn " + symbol,
				Parent: -1,
			}},
			Chunks: []doc.Chunk{{Entry: 0, First: 1, Last: 1, Names: symbol, Body: body}},
		}))
	}
	put("src/log.rs", "append", "the eventlog keeps every immutable record forever", 0)
	put("tests/log.rs", "check", "the eventlog keeps every immutable record forever", doc.TestFolder|doc.TestName)
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
	for i, files := range [][]string{
		{"src/log.rs", "src/only.rs", "gone.rs", "README.md"},
		append(many, "src/log.rs"),
	} {
		storetest.Check(t,
			w.AddRevision(doc.Revision{
				SHA: fmt.Sprintf("abcdef%d%033x", i, 1), Time: time.Unix(1, 0), Subject: "s",
				Files: files,
			}))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

func TestReach(t *testing.T) {
	f, err := knowledge.NewReachFinder(t.Context(), index(t))
	storetest.Check(t, err)
	rows := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("src/m%d/mod.rs", i))
		}
		return out
	}
	for name, test := range map[string]struct {
		belief knowledge.BeliefText
		want   string
	}{
		"a path":            {knowledge.BeliefText{Text: "`src/only.rs`"}, "src/only.rs 1.00 cites src/only.rs"},
		"the end of a path": {knowledge.BeliefText{Text: "`only.rs`"}, "src/only.rs 0.90 cites only.rs"},
		"the end of two": {
			knowledge.BeliefText{Text: "`run.rs`"},
			"src/a/run.rs 0.45 cites run.rs, src/b/run.rs 0.45 cites run.rs",
		},
		"the end of many": {knowledge.BeliefText{Text: "`mod.rs`"}, ""},
		"no file":         {knowledge.BeliefText{Text: "`src/none.rs` and `nly.rs`"}, ""},
		"a symbol": {
			knowledge.BeliefText{Text: "`lonely_name()`"},
			"src/only.rs::lonely_name 0.80 cites lonely_name",
		},
		"a symbol of two": {
			knowledge.BeliefText{Text: "`start()`"},
			"src/a/run.rs::Engine.start 0.40 cites start, src/b/run.rs::Server.start 0.40 cites start",
		},
		"a qualified symbol": {
			knowledge.BeliefText{Text: "`Engine::start`"},
			"src/a/run.rs::Engine.start 0.80 cites Engine::start",
		},
		"a symbol of a folder": {
			knowledge.BeliefText{Text: "`crate::b::start`"},
			"src/b/run.rs::Server.start 0.80 cites crate::b::start",
		},
		"another's symbol": {knowledge.BeliefText{Text: "`std::net::start`"}, ""},
		"a path with a symbol": {
			knowledge.BeliefText{Text: "`src/a/run.rs::start()`"},
			"src/a/run.rs::Engine.start 1.00 cites src/a/run.rs",
		},
		"a commit": {
			knowledge.BeliefText{Text: "[[commit-abcdef0]]"},
			"src/log.rs 0.49 commit abcdef00, src/only.rs 0.49 commit abcdef00",
		},
		"a commit of many files": {knowledge.BeliefText{Text: "[[commit-abcdef1]]"}, ""},
		"an unknown commit":      {knowledge.BeliefText{Text: "[[commit-1234567]]"}, ""},
		"rows": {
			knowledge.BeliefText{Checked: [][]string{rows(4), nil}},
			"src/m0/mod.rs 0.30 rows of a check, src/m1/mod.rs 0.30 rows of a check, src/m2/mod.rs 0.30 rows of a check, src/m3/mod.rs 0.30 rows of a check",
		},
		"words": {knowledge.BeliefText{
			ID:        "eventlog-is-truth",
			Statement: "The eventlog is immutable and keeps every record.",
		}, "src/log.rs 0.50 shares its words"},
		"few words": {knowledge.BeliefText{ID: "eventlog", Statement: "immutable, keeps every"}, ""},
		"named by a word": {
			knowledge.BeliefText{
				ID:        "a-list",
				Statement: "Seven sealed boxes hold eventlog, record and four things.",
			},
			"src/CheckList/rows.rs 0.32 shares its words",
		},
		"the end of a whole path": {
			knowledge.BeliefText{Text: "`run.rs` and `src/a/run.rs`"},
			"src/a/run.rs 1.00 cites src/a/run.rs",
		},
		"the surest way": {
			knowledge.BeliefText{Text: "`lonely_name()` src/only.rs [[commit-abcdef0]]"},
			"src/only.rs::lonely_name 1.00 cites src/only.rs, src/log.rs 0.49 commit abcdef00",
		},
		"nothing": {knowledge.BeliefText{}, ""},
	} {
		got, err := f.Reach(t.Context(), test.belief)
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
	if got, err := f.Reach(t.Context(), knowledge.BeliefText{Checked: [][]string{wide}}); err != nil || len(got) != 0 {
		t.Errorf("a check with many files: %v, %v", got, err)
	}
}
