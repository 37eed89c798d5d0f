package memory

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"math"
	"math/rand"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"patina/memory/recall"
	"patina/store/doc"
	"patina/store/sqlite"
)

func asked(t *testing.T, s *Store, q Query) (ids []string) {
	t.Helper()
	found, err := s.Recall(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		ids = append(ids, f.ID)
	}
	return ids
}

func TestRecall(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	pool := added(t, s, Memory{
		Content: "The pool size is 8 in production", Tags: []string{"db"}, Path: "config/db.go", Symbol: "maxConns",
		Aliases: []string{"connection limit"},
	}).ID
	retry := added(t, s, Memory{Content: "Retries back off twice as long each time", Type: "decision"}).ID
	for question, want := range map[string]string{
		"how large is the pool in production": pool,
		"maxConns":                            pool, // a symbol
		"what is in config/db.go":             pool,
		"limit of connections":                pool, // an alias
		"who backed off when retrying?":       retry,
	} {
		for _, q := range []Query{{Text: question}, {Text: question, Model: NoteModel()}} {
			if err := s.Embed(t.Context(), NoteModel()); err != nil {
				t.Fatal(err)
			}
			if got := asked(t, s, q); len(got) == 0 || got[0] != want {
				t.Errorf("%q: %v, want %s", question, got, want)
			}
		}
	}
	for _, q := range []string{
		"", "'", "\x00", "the of", "how do grammars parse whitespace", "数据库",
		strings.Repeat("zebra ", 100_000),
	} {
		if got := asked(t, s, Query{Text: q, Model: NoteModel()}); len(got) > 0 {
			t.Errorf("%.40q: %v", q, got)
		}
	}
}

func TestRecallFilters(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	ids := make([]string, 300)
	for i := range ids {
		m := Memory{Content: fmt.Sprintf("cache note %d", i), Type: Types[i%3]}
		if i == 150 {
			m.Tags, m.Path = []string{"rare"}, "a.go"
		}
		ids[i] = added(t, s, m).ID
	}
	for _, f := range []Filter{
		{Tags: []string{"rare", "x"}},
		{Path: "a.go"},
		{Types: []string{Types[0]}, Tags: []string{"rare"}},
	} {
		if got := asked(t, s, Query{Text: "cache note", Filter: f}); len(got) != 1 || got[0] != ids[150] {
			t.Errorf("%+v: %v", f, got)
		}
	}
	if got := asked(t, s, Query{Text: "cache note", Filter: Filter{Tags: []string{"none"}}}); len(got) > 0 {
		t.Errorf("no such tag: %v", got)
	}
	if got := asked(t, s, Query{Text: "cache note", Filter: Filter{Limit: 3}}); len(got) != 3 {
		t.Errorf("3 at most: %v", got)
	}
}

func TestAsOf(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	old := added(t, s, Memory{Content: "The port is 80"}).ID
	now = now.AddDate(0, 1, 0)
	new := added(t, s, Memory{Content: "The port is 8080"}).ID
	if _, err := s.Supersede(t.Context(), old, new); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   time.Time
		want []string
	}{
		{time.Time{}, []string{new}},
		{now.AddDate(0, 0, -1), []string{old}},
		{now.AddDate(0, 0, 1), []string{new}},
		{now.AddDate(-1, 0, 0), nil},
	} {
		if got := asked(t, s, Query{Text: "port", Filter: Filter{AsOf: c.at}}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("as of %v: %v, want %v", c.at, got, c.want)
		}
	}
}

// Age moves a memory down but never hides the only answer. Pinned memories do not age.
func TestAge(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	pinned := added(t, s, Memory{Content: "Deploys need a green build", Pinned: true}).ID
	old := added(t, s, Memory{Content: "Deploys need a ticket today"}).ID
	now = now.AddDate(5, 0, 0)
	fresh := added(t, s, Memory{Content: "Deploys need a second reviewer"}).ID
	got := asked(t, s, Query{Text: "what do deploys need"})
	if len(got) != 3 || got[2] != old {
		t.Errorf("%v, want %s, %s and last %s", got, pinned, fresh, old)
	}
	if got := asked(t, s, Query{Text: "ticket"}); len(got) != 1 || got[0] != old {
		t.Errorf("the only answer: %v", got)
	}
}

// The lists of a store give the same results as the pure index.
func TestListsAgreeWithIndex(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	r := rand.New(rand.NewSource(3))
	word := func() string { return string(rune('b'+r.Intn(20))) + "ax" }
	var items []recall.Item

	for i := range 200 {
		m := Memory{Content: fmt.Sprint("n", i)}
		for range 1 + r.Intn(12) {
			m.Content += " " + word()
		}
		m.Tags, m.Path = []string{word()}, word()+".go"
		added(t, s, m)
		items = append(items, recall.Item{Text: m.Content, Tags: m.Tags, Path: m.Path})
	}
	index := recall.NewIndex(items)
	for range 50 {
		question := word() + " " + word() + " " + word()
		want := index.Candidates(question)
		all := func(int64) bool { return true }
		got, _, err := s.lexical(t.Context(), recall.Terms(question, nil), recall.Specification, 128, all)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range got {
			if w := want[g.key-1].BM25; math.Abs(g.score-w) > 1e-3*w+.05 {
				t.Errorf("%q, %d: %.4f, index %.4f", question, g.key, g.score, w)
			}
		}
		if len(got) == 0 {
			t.Errorf("%q found nothing", question)
		}
	}
}

// state returns the content of the lists, with words in plain text.
func state(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	rows, err := s.db.Query(`SELECT word, hex(list) FROM word LEFT JOIN posting
		ON posting.key BETWEEN word.key << 24 AND (word.key + 1 << 24) - 1 ORDER BY word, posting.key`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var word string
		var list sql.NullString
		if err := rows.Scan(&word, &list); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, word, list.String)
	}
	var n, words, upto int
	if err := s.db.QueryRow(`SELECT memories, words, upto FROM corpus`).Scan(&n, &words, &upto); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, n, words, upto)
	return b.String()
}

func TestListsFollowChanges(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	added(t, s, Memory{Content: "first note", Tags: []string{"x"}})
	before := state(t, s)
	id := added(t, s, Memory{Content: "a second, secret note", Path: "p/q.go", Symbol: "run"}).ID
	if err := s.Embed(ctx, NoteModel()); err != nil {
		t.Fatal(err)
	}
	after := state(t, s)
	change := func(to string) {
		if _, err := s.Edit(ctx, id, false, func(m *Memory) { m.Content = to }); err != nil {
			t.Fatal(err)
		}
	}
	change("something else")
	if got := asked(t, s, Query{Text: "secret", Model: NoteModel()}); len(got) > 0 {
		t.Errorf("its old word still finds it: %v", got)
	}
	if got := asked(t, s, Query{Text: "something"}); len(got) != 1 {
		t.Errorf("its new word finds %v", got)
	}
	if change("a second, secret note"); state(t, s) != after {
		t.Errorf("after two edits:\n%s\nbefore:\n%s", state(t, s), after)
	}
	if _, err := s.Purge(ctx, id); err != nil {
		t.Fatal(err)
	}
	if got := state(t, s); strings.Replace(got, " 2\n", " 1\n", 1) != before &&
		got != strings.Replace(before, " 1\n", " 2\n", 1) {
		t.Errorf("after a purge:\n%s\nbefore:\n%s", got, before)
	}
}

func TestEmbedFollowsTheModel(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	id := added(t, s, Memory{Content: "The cache is dropped when the process ends"}).ID
	other := renamed{NoteModel()}
	vectors := func(q Query) int {
		found, err := s.nearestMemories(ctx, q.Model, make([]int8, q.Model.Dimension()), 5,
			func(int64) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := vectors(Query{Model: other}); n != 0 {
		t.Errorf("%d vectors before any were made", n)
	}
	for range 2 {
		if err := s.Embed(ctx, NoteModel()); err != nil {
			t.Fatal(err)
		}
	}
	if n, m := vectors(Query{Model: NoteModel()}), vectors(Query{Model: other}); n != 1 || m != 0 {
		t.Errorf("%d vectors by the model, %d by another", n, m)
	}
	if err := s.Embed(ctx, other); err != nil {
		t.Fatal(err)
	}
	added(t, s, Memory{Content: "Forks run in containers"})
	if n, m := vectors(Query{Model: NoteModel()}), vectors(Query{Model: other}); n != 0 || m != 1 {
		t.Errorf("%d vectors by the old model, %d by the new", n, m)
	}
	if _, err := s.Purge(ctx, id); err != nil {
		t.Fatal(err)
	}
	if m := vectors(Query{Model: other}); m != 0 {
		t.Errorf("%d vectors of purged memories", m)
	}
}

// renamed is a model with another name.
type renamed struct{ doc.BatchEmbedder }

func (renamed) Model() string { return "another" }

// A store of the first version is upgraded, even by a reader.
func TestOldStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	first, err := fs.ReadFile(migrations, "0001_memory.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.OpenAuthored(t.Context(), path, fstest.MapFS{"0001_memory.sql": {Data: first}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := db.Exec(`INSERT INTO memory(`+strings.TrimSuffix(columns, ", ground, aliases, scope")+
			`, words) VALUES(?, ?, 'lesson', .8, 0, '', '', '', '', '', 1, NULL, '', 'user', '')`,
			fmt.Sprint("m-", i), fmt.Sprint("kettle number ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	err = Look(t.Context(), path, func(s *Store) error {
		if got := asked(t, s, Query{Text: "kettle"}); len(got) != 3 {
			t.Errorf("found %v", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := opened(t, path).Embed(context.Background(), NoteModel()); err != nil {
		t.Error(err)
	}
}

func TestSpecifiedScoring(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	id := added(t, s, Memory{Content: "The kettle is descaled on Mondays"}).ID
	for i := range 30 {
		added(t, s, Memory{Content: fmt.Sprint("filler about something else ", i)})
	}
	if err := s.Embed(t.Context(), NoteModel()); err != nil {
		t.Fatal(err)
	}
	for _, q := range []Query{{Text: "kettle descaled"}, {Text: "kettle descaled", Model: NoteModel()}} {
		q.Scoring = recall.Specification
		found, err := s.Recall(t.Context(), q)
		if err != nil || len(found) == 0 || found[0].ID != id {
			t.Fatalf("%v: %+v", err, found)
		}
		if q.Model != nil && math.Abs(found[0].Score-.8*2/61) > .001 {
			t.Errorf("hybrid score %v", found[0].Score)
		}
	}
}

// A long message about several things shows the notes about each, and none if it shares only a
// common word with them.
func TestLongMessageFindsNotes(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	pool := added(t, s, Memory{Content: "The connection pool of the ledger has eight slots"}).ID
	retry := added(t, s, Memory{Content: "Uploads to the archive are retried by the courier"}).ID
	added(t, s, Memory{Content: "The banner is green"})
	ask := func(text string) (ids []string) {
		found, err := s.Recall(t.Context(), Query{Text: text, Scoring: recall.Measured})
		check(t, err)
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		slices.Sort(ids)
		return ids
	}
	want := []string{pool, retry}
	slices.Sort(want)
	if got := ask("Yesterday somebody rewrote billing invoices, customer exports, nightly reports, dashboards and webhooks. " +
		"Does anybody remember how many slots the ledger's connection pool had? Perhaps uploads to the archive were retried, too."); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := ask("Hello again! Okay, sure, thanks a lot. Now I really want to know something, so please tell me exactly: what did we " +
		"say yesterday about the pool of the ledger, for invoices and exports? Let me think, maybe after next week another thing was good to understand already."); !slices.Equal(got, []string{pool}) {
		t.Errorf("a chatty message finds %q, want %q", got, pool)
	}
	if got := ask("My neighbour planted tomatoes, cucumbers, pumpkins, lavender, rosemary and basil behind a wooden fence. " +
		"Which colour suits the garden gate, perhaps green or yellow, beside white gravel and old bricks?"); len(got) > 0 {
		t.Errorf("a message about a garden finds %q", got)
	}
}

// Each published formula shows a note just above its floor, and hides it below.
func TestSpecifiedFloors(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	fresh := added(t, s, Memory{Content: "The kettle is descaled on Mondays"}).ID
	long := added(t, s, Memory{Content: "The toaster " + strings.Repeat("stands beside other things ", 60)}).ID
	weak := added(t, s, Memory{Content: "The samovar is polished", Confidence: .1}).ID
	for i := range 30 {
		added(t, s, Memory{Content: fmt.Sprint("filler about something else ", i)})
	}
	if err := s.Embed(t.Context(), NoteModel()); err != nil {
		t.Fatal(err)
	}
	// By words: 0.05 = 1.25 / 25. One word in one of 33 notes is worth about 3 × 2.
	found := func(text string, scoring recall.Scoring, id string) (score float64, shown bool) {
		t.Helper()
		all, err := s.Recall(t.Context(), Query{Text: text, Scoring: scoring, Model: NoteModel()})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if f.ID == id {
				return f.Score, true
			}
		}
		return 0, false
	}
	if score, shown := found("kettle", recall.SpecificationWords, fresh); !shown || score < .05 || score > 1 {
		t.Errorf("a fresh note: %v, %v", score, shown)
	}
	if score, shown := found("toaster", recall.SpecificationWords, long); shown {
		t.Errorf("one word of a long note: %v", score)
	}
	if score, shown := found("samovar", recall.SpecificationWords, weak); shown {
		t.Errorf("a note of little confidence: %v", score)
	}
	if _, shown := found("samovar", "", weak); !shown {
		t.Error("the measured formula hides a note of little confidence")
	}
	// Hybrid: 0.01. The best by words and by meaning has .8 · 2/61 = .026, and .013 when old.
	if score, shown := found("kettle descaled", recall.Specification, fresh); !shown || math.Abs(score-.8*2/61) > .001 {
		t.Errorf("a fresh note: %v, %v", score, shown)
	}
	if score, shown := found("samovar polished", recall.Specification, weak); shown { // .003
		t.Errorf("a note of little confidence: %v", score)
	}
	now = now.AddDate(1, 0, 0)
	if score, shown := found("kettle descaled", recall.Specification, fresh); !shown || math.Abs(score-.4*2/61) > .001 {
		t.Errorf("an old note: %v, %v", score, shown)
	}
	filler := func() (n int) { // 30 old notes with the same word: those of rank 21 and more fall below
		all, err := s.Recall(t.Context(), Query{
			Text: "filler about something", Scoring: recall.Specification, Model: NoteModel(), Filter: Filter{Limit: 100},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if f.Score < .01 {
				t.Errorf("shown with %v", f.Score)
			}
			if strings.HasPrefix(f.Content, "filler") {
				n++
			}
		}
		return n
	}
	if n := filler(); n == 0 || n > 25 {
		t.Errorf("%d of 30 old notes are shown", n)
	}
	now = now.AddDate(-1, 0, 0)
	if n := filler(); n != 30 {
		t.Errorf("%d of 30 fresh notes are shown", n)
	}
}

func FuzzPosting(f *testing.F) {
	f.Add([]byte{1, 2, 3, 2})
	f.Fuzz(func(t *testing.T, keys []byte) {
		var list []byte
		has := map[byte]bool{}
		for _, k := range keys { // adds a key, or removes it
			at, in := placeOfKey(list, uint16(k))
			if in != has[k] {
				t.Fatalf("key %d in the list: %v", k, in)
			}
			if in {
				list = append(list[:at:at], list[at+entrySize:]...)
			} else {
				list = append(list[:at:at], append([]byte{k, 0, 1, 1}, list[at:]...)...)
			}
			has[k] = !in
		}
		for i := entrySize; i < len(list); i += entrySize {
			if bytes.Compare(list[i-entrySize:i-3], list[i:i+1]) >= 0 {
				t.Fatalf("unsorted: %v", list)
			}
		}
	})
}
