package store_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/code/assay"
	"patina/code/describe"
	"patina/code/history"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/sqlite"
	"patina/store/storetest"
	"patina/store/text"
)

// hostileValues are values a stranger may have planted, by column type.
var hostileValues = map[string][]any{
	"INTEGER": {int64(-1), int64(1 << 31), int64(math.MaxInt64), int64(math.MinInt64), "x"},
	"REAL":    {math.MaxFloat64, "x"},
	"TEXT":    {"", "\xff\xfe", strings.Repeat("x", 1<<16), []byte{0xff, 0}},
	"BLOB": {
		[]byte{},
		"x", []byte(strings.Repeat("\xff", 4000)), sealed(""), sealed("\xff"),
		sealed("\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), // an announced count of 2^62
		sealed("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01"), sealed(strings.Repeat("\x01", 4000)), sealed(strings.Repeat("\xff", 4000)),
	},
}

// sealed adds the right checksum, as an attacker would.
func sealed(s string) []byte {
	return binary.LittleEndian.AppendUint32([]byte(s), crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli)))
}

// With any value in a column, a store answers or reports damage: no panic, no hang, no unbounded
// memory.
func TestHostileValues(t *testing.T) {
	if testing.Short() {
		t.Skip("every column, every value")
	}
	whole := t.TempDir()
	small(t, whole)
	for table, columns := range columnsOf(t, whole) {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "store")
			for _, c := range columns {
				for _, v := range hostileValues[c.kind] {
					storetest.Check(t, os.RemoveAll(dir))
					storetest.Check(t, os.CopyFS(dir, os.DirFS(whole)))
					if !set(t, dir, `UPDATE OR IGNORE `+table+` SET `+c.name+` = ?`, v) {
						continue // the table's key takes no text
					}
					survives(t, fmt.Sprintf("%s.%s = %T %.20v", table, c.name, v, v), dir)
				}
			}
		})
	}
}

// survives asks a store everything and then updates it.
func survives(t *testing.T, what, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s", what, p, debug.Stack())
		}
	}()
	if err := askEverything(ctx, dir); foreignError(err) {
		t.Errorf("%s: read: %v", what, err)
	}
	if err := updateSmall(ctx, dir); foreignError(err) {
		t.Errorf("%s: update: %v", what, err)
	}
	if ctx.Err() != nil {
		t.Errorf("%s: hangs", what)
	}
}

// foreignError reports whether an error gives callers nothing to decide by.
func foreignError(err error) bool {
	for _, known := range []error{store.ErrDamaged, store.ErrOlder, store.ErrNewer, store.ErrNoIndex, lookup.ErrNoDocument, store.ErrNoVectors, build.ErrRebuild, os.ErrNotExist} {
		if errors.Is(err, known) {
			return false
		}
	}
	return err != nil
}

// small makes a store that has a row in every table.
func small(t testing.TB, dir string) {
	t.Helper()
	c := storetest.NewCorpus(5)
	for _, p := range []string{"dir0/alpha0.go", "dir1/beta1.go", "dir2/gamma2.md"} {
		c.Write(p)
	}
	f := c.Files["dir1/beta1.go"]
	f.Imports = []string{"dir0"}
	f.Bindings = []doc.Binding{{Name: "a", Import: "dir0", Of: "alpha"}}
	c.Files["dir2/gamma2.md"].Rows = &belief.Rows{
		Belief: &belief.Belief{
			ID: "x", Statement: "Alpha holds.", Status: belief.Active, Facets: []string{"a"}, Text: "alpha", Source: belief.OwnFile,
			Evidence: []belief.Link{{Target: "y", Weight: 1, Line: 3}}, Attacks: []belief.Edge{{Target: "y", Status: "defeated", Line: 4}},
		},
		Session: &belief.Session{ID: "y", Title: "a session"}, Cited: []string{"x"},
	}
	w, err := build.New(context.Background(), dir, storetest.Options)
	storetest.Check(t, err)
	for _, f := range c.Files {
		storetest.Check(t, w.Worker().Put(f))
	}
	for i, m := range [][2]string{{"old/beta.go", "dir1/beta0.go"}, {"dir1/beta0.go", "dir1/beta1.go"}} {
		storetest.Check(t, w.AddRevision(doc.Revision{
			SHA: fmt.Sprintf("%040d", i), Author: "Ann", Email: "ann@example.org", Time: time.Unix(1700000000, 0), Subject: "move beta to server",
			Body: "because of the merge", Files: []string{m[0], m[1], "dir0/alpha0.go"}, Moves: []doc.Move{{From: m[0], To: m[1]}},
		}))
	}
	storetest.Check(t, w.SetTags(map[string][]string{fmt.Sprintf("%040d", 1): {"v1"}}))
	storetest.Check(t, w.SetCoChanges([]doc.CoChange{{A: "dir0/alpha0.go", B: "dir1/beta1.go", Count: 3, Lift: 2}}))
	storetest.Check(t, w.SetHistory(doc.HistoryState{Head: "abc"}))
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
}

type column struct{ name, kind string }

func columnsOf(t *testing.T, dir string) map[string][]column {
	t.Helper()
	db := firstBehind(t, dir)
	defer db.Close()
	rows, err := db.Query(`SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'
		AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'belief_fts_%'`) // which take no writes
	storetest.Check(t, err)
	defer rows.Close()
	out := make(map[string][]column)
	for rows.Next() {
		var table string
		var c column
		storetest.Check(t, rows.Scan(&table, &c.name, &c.kind))
		out[table] = append(out[table], c)
	}
	storetest.Check(t, rows.Err())
	for table := range out {
		n := 0
		if storetest.Check(t, db.QueryRow(`SELECT count(*) FROM `+table).Scan(&n)); n == 0 {
			t.Errorf("%s has no rows", table)
		}
	}
	return out
}

// firstBehind opens the published database of a store behind its back.
func firstBehind(t testing.TB, dir string) *sql.DB {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "index-*.db"))
	storetest.Check(t, err)
	db, err := sql.Open("sqlite3", names[0])
	storetest.Check(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec(sqlite.Released)
	storetest.Check(t, err)
	return db
}

// set changes rows and removes the checksums, which would notice everything.
func set(t testing.TB, dir, statement string, value any) (done bool) {
	t.Helper()
	db := firstBehind(t, dir)
	_, err := db.Exec(statement, value)
	storetest.Check(t, db.Close())
	if err != nil && strings.Contains(err.Error(), "datatype mismatch") {
		return false
	}
	storetest.Check(t, err)
	sums, err := filepath.Glob(filepath.Join(dir, "*.sum"))
	storetest.Check(t, err)
	for _, s := range sums {
		storetest.Check(t, os.Remove(s))
	}
	return true
}

// askEverything asks every question and joins the errors.
func askEverything(ctx context.Context, dir string) error {
	x := store.Examine(ctx, dir, store.MainView, store.Seal{})
	s, err := store.Open(dir)
	if err != nil {
		return errors.Join(x.Err, err)
	}
	defer s.Close()
	p, err := s.Pin(ctx, 2)
	if err != nil {
		return err
	}
	defer p.Close()
	var errs []error
	for _, r := range p.Readers {
		errs = append(errs, askReader(ctx, r)...)
	}
	if err := build.Graph(ctx, dir, store.Seal{}, 1, func(int64, int64) {}); err == nil {
		r := p.Readers[1]
		errs = append(errs, r.OpenGraph(1))
		_, err := oracles.Nearest(ctx, r, question("server"), doc.Filter{}, 10)
		errs = append(errs, err)
	}
	for _, err := range errs { // each by itself: a known one must not hide another
		if foreignError(err) {
			return err
		}
	}
	return nil
}

func question(s string) []float32 {
	return storetest.Hashed{}.Question([]doc.QuestionPart{{Text: s, Weight: 1}})
}

// askKnowledge reads all beliefs, their matches and their edges.
func askKnowledge(ctx context.Context, r *store.Reader, q text.Question) error {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	all, err := knowledge.Beliefs(ctx, r, snap)
	if err != nil {
		return err
	}
	for _, x := range all {
		if _, _, err := knowledge.NoteOf(ctx, r, snap, x.Key); err != nil {
			return err
		}
	}
	_, err = knowledge.Matches(ctx, r, q)
	return err
}

func askReader(ctx context.Context, r *store.Reader) (errs []error) {
	note := func(err error) { errs = append(errs, err) }
	q := text.ParseQuestion("server merge alpha beta Sym0 cannot index store")
	narrow := doc.Filter{Paths: []string{"dir*/**"}, Languages: []string{"go"}}
	ids := map[doc.Kind][]string{}
	note(askKnowledge(ctx, r, q))
	for _, f := range []doc.Filter{{}, narrow, {Paths: []string{"**"}}} {
		lists, err := oracles.BM25(ctx, r, q, f, 10)
		note(err)
		near, err := oracles.Nearest(ctx, r, question("server merge"), f, 10)
		note(err)
		votes, err := oracles.Votes(ctx, r, q, f, 10)
		note(err)
		_, err = history.Recent(ctx, r, time.Unix(0, 0), f, 10)
		note(err)
		survey, err := describe.NewSurvey(ctx, r)
		if note(err); err == nil {
			_, err = survey.Orient(ctx, r, "", f)
			note(err)
		}
		for k, list := range lists {
			for _, x := range slices.Concat(list, near[k], votes) {
				ids[k] = append(ids[k], x.DocID)
				_, err := describe.Describe(ctx, r, []describe.Want{{DocID: x.DocID, Kind: k, Found: []excerpt.Found{{Chunks: x.Chunks, Near: x.Near}}, Question: q, Usage: true}})
				note(err)
			}
		}
	}
	_, err := oracles.Evidence(ctx, r, q, ids)
	note(err)
	for _, token := range []string{"Sym0", "dir1/beta1.go", "cannot", "0000000", "v1", "beta1.go"} {
		_, err := lookup.Exact(ctx, r, text.ParseQuestion(token))
		note(err)
		_, err = lookup.Resolve(ctx, r, token)
		note(err)
	}
	for _, id := range []string{"dir0/alpha0.go", "dir1/beta1.go::Sym0", "pattern:dir2/gamma2.md#section-0", doc.CommitID(fmt.Sprintf("%040d", 1))} {
		_, _, err := describe.Body(ctx, r, id)
		note(err)
	}
	for _, kind := range assay.Types() {
		for _, pattern := range []string{"alpha", "Sym0", "dir1/beta1.go", "."} {
			_, err := assay.Ask(ctx, r, assay.Query{Type: kind, Pattern: pattern})
			note(err)
		}
	}
	_, err = r.States(ctx)
	note(err)
	_, err = r.Stats(ctx, []string{"dir1/beta1.go"})
	note(err)
	_, err = history.CoChanged(ctx, r, "dir1/beta1.go", 5)
	note(err)
	_, _, err = history.Touching(ctx, r, "dir1/beta1.go", 5)
	note(err)
	_, err = lookup.NearNames(ctx, r, "Symm0", 5)
	note(err)
	_, err = lookup.Packages(ctx, r)
	note(err)
	_, err = lookup.Symbols(ctx, r, []lookup.Symbol{{Path: "dir1/beta1.go", Name: "Sym0"}})
	note(err)
	_, err = lookup.Line(ctx, r, "dir1/beta1.go", 2)
	note(err)
	_, err = r.Table(ctx)
	note(err)
	_, err = r.Calibration(ctx)
	note(err)
	note(lookup.Chunks(ctx, r, func(lookup.ChunkText) error { return nil }))
	note(storetest.WriteDump(ctx, r, io.Discard))
	_, err = r.Verify(ctx, true)
	note(err)
	return errs
}

// updateSmall updates a store as a scrape may.
func updateSmall(ctx context.Context, dir string) error {
	w, err := build.Update(ctx, dir, storetest.Options)
	if err != nil {
		return err
	}
	defer w.Abort()
	c := storetest.NewCorpus(6)
	c.Write("dir0/alpha0.go")
	c.Write("dir3/delta9.go")
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	_, err = w.Files()
	note(err)
	_, err = w.Adopt("dir2/gamma2.md", doc.FileState{Hash: "x"})
	note(err)
	note(w.Remove("dir1/beta1.go"))
	for _, f := range c.Files {
		note(w.Worker().Put(f))
	}
	_, err = w.Show(fmt.Sprintf("%040d", 1))
	note(err)
	note(w.Hide([]string{fmt.Sprintf("%040d", 0)}))
	note(w.AddRevision(doc.Revision{SHA: strings.Repeat("a", 40), Time: time.Unix(1700000001, 0), Subject: "server", Files: []string{"dir0/alpha0.go"}}))
	note(w.Touched(func(then, later []string) {}))
	note(w.SetCoChanges([]doc.CoChange{{A: "dir0/alpha0.go", B: "dir3/delta9.go", Count: 3, Lift: 2}}))
	_, err = w.Publish(storetest.Generation)
	note(err)
	return errors.Join(errs...)
}
