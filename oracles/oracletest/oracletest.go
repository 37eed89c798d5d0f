// Package oracletest holds the rules of oracles, as one test that every oracle must pass.
package oracletest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"patina/oracles"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// Project writes the files in a txtar archive to a new folder, scrapes it, and returns the store's
// folder. If git is set, it commits each file by itself, with the message "add NAME: " and the
// first line of the file. If git is not set, there is no history.
func Project(t testing.TB, archive string, git bool) string {
	t.Helper()
	root := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = root
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null",
			"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org",
			"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	if git {
		run("init", "-q", "-b", "main")
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		check(t, os.MkdirAll(filepath.Dir(name), 0o755))
		check(t, os.WriteFile(name, f.Data, 0o644))
		if git {
			first, _, _ := strings.Cut(string(f.Data), "\n")
			run("add", "--", f.Name)
			run("commit", "-q", "-m", "add "+f.Name+": "+first)
		}
	}
	dir := filepath.Join(root, ".patina")
	_, err := scrape.Run(context.Background(), scrape.Options{
		Root: root, StoreDir: dir, Embedder: embed.Base(), Load: embed.Load,
	})
	check(t, err)
	return dir
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Run checks an oracle on a project, given as an archive for Project. The oracle must find
// something for the question found.
func Run(t *testing.T, o oracles.Oracle, archive, found string) {
	dir := Project(t, archive, true)
	type change = func(*oracles.Question)
	ask := func(t *testing.T, ctx context.Context, dir, q string, change change) ([]oracles.List, error) {
		t.Helper()
		s, err := store.Open(dir)
		check(t, err)
		defer func() { check(t, s.Close()) }()
		p, err := s.Pin(context.Background(), 1)
		check(t, err)
		defer p.Close()
		question := oracles.Question{Text: q, Parsed: text.ParseQuestion(q), Limit: 50}
		if change != nil {
			change(&question)
		}
		channel, err := o.Open(oracles.Project{Name: "p", Root: filepath.Dir(dir), StoreDir: dir})
		check(t, err)
		defer func() { check(t, channel.Close()) }()
		lists, err := channel.Query(ctx, p.Readers[0], question)
		for _, l := range lists {
			if l.Channel != o.Name() || l.Generation != p.Readers[0].Generation().Number {
				t.Errorf("list of channel %q, generation %d", l.Channel, l.Generation)
			}
			wellFormed(t, l, question.Limit)
		}
		return lists, err
	}
	ctx := context.Background()
	t.Run("finds", func(t *testing.T) {
		lists, err := ask(t, ctx, dir, found, nil)
		if err != nil || countHits(lists) == 0 {
			t.Errorf("%d hits, %v", countHits(lists), err)
		}
		again, err := ask(t, ctx, dir, found, nil)
		if err != nil || !slices.EqualFunc(lists, again, sameList) {
			t.Errorf("the same question has another answer: %v, %v", again, err)
		}
	})
	t.Run("any text is a question", func(t *testing.T) {
		for _, q := range []string{
			"", " ", "?", "\x00", "'", `"`, "a:b", "wal-mode", "std::env", "execute()", "O'Brien", "NEAR(a b)",
			"* AND -x", "\xff\xfe", "東京", strings.Repeat("long words ", 10_000),
		} {
			if _, err := ask(t, ctx, dir, q, nil); err != nil {
				t.Errorf("%.40q: %v", q, err)
			}
		}
	})
	t.Run("filters before the best are chosen", func(t *testing.T) {
		lists, err := ask(t, ctx, dir, found, func(q *oracles.Question) {
			q.Filter = doc.Filter{Paths: []string{"no/such/**"}}
		})
		if err != nil || countHits(lists) != 0 {
			t.Errorf("%d hits in a folder that is not there, %v", countHits(lists), err)
		}
		kind, paths, language := doc.Code, "**/*.go", "go"
		if lists, err = ask(t, ctx, dir, found, nil); err == nil && len(lists) == 1 && lists[0].Kind != kind {
			kind, paths, language = lists[0].Kind, "**/*.md", "markdown"
		}
		filter := doc.Filter{Kinds: []doc.Kind{kind}, Paths: []string{paths}, Languages: []string{language}}
		if isOutside(lists) {
			filter.Paths, filter.Languages = nil, nil
		}
		lists, err = ask(t, ctx, dir, found, func(q *oracles.Question) {
			q.Filter = filter
			q.Limit = 1
		})
		if err != nil || countHits(lists) == 0 {
			t.Errorf("%d hits with a filter that what it finds passes, %v", countHits(lists), err)
		}
		for _, l := range lists {
			if l.Kind != kind {
				t.Errorf("a list of %s though only %s was asked for", l.Kind, kind)
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := ask(t, ctx, dir, found, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("empty store", func(t *testing.T) {
		lists, err := ask(t, ctx, Project(t, "", false), found, nil)
		if isOutside(lists) {
			return // its documents are in no index
		}
		if err != nil && !errors.Is(err, oracles.ErrUnavailable) || countHits(lists) != 0 {
			t.Errorf("%d hits, %v", countHits(lists), err)
		}
	})
}

// isOutside reports whether an oracle's documents are in no index.
func isOutside(lists []oracles.List) bool {
	return len(lists) == 1 && lists[0].Kind.Traits().Shape == doc.Outside
}

// wellFormed checks the order, the ties and the identities of one list.
func wellFormed(t *testing.T, l oracles.List, limit int) {
	t.Helper()
	seen := make(map[string]bool)
	for i, h := range l.Hits {
		if h.DocID == "" || seen[h.DocID] || !(h.Raw > 0) {
			t.Errorf("hit %d: id %q (seen: %v), raw %v", i, h.DocID, seen[h.DocID], h.Raw)
		}
		seen[h.DocID] = true
		if l.Kind == doc.Code && h.Path != h.DocID {
			t.Errorf("code is known by its path: %q, %q", h.DocID, h.Path)
		}
		if i == 0 {
			continue
		}
		if last := l.Hits[i-1]; last.Raw < h.Raw || last.Raw == h.Raw && last.DocID > h.DocID {
			t.Errorf("%q (%v) stands before %q (%v)", last.DocID, last.Raw, h.DocID, h.Raw)
		}
	}
	if len(l.Hits) > limit {
		t.Errorf("%d hits, limit %d", len(l.Hits), limit)
	}
}

func countHits(lists []oracles.List) int {
	n := 0
	for _, l := range lists {
		n += len(l.Hits)
	}
	return n
}

func sameList(a, b oracles.List) bool {
	return a.Kind == b.Kind && slices.EqualFunc(a.Hits, b.Hits, func(x, y doc.Ranked) bool {
		return x.DocID == y.DocID && x.Raw == y.Raw && slices.Equal(x.Chunks, y.Chunks)
	})
}
