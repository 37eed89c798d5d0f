package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/store/sqlite"
)

// small limits end the bombs in tests soon. No bomb must end only because of the time.
var small = sqlite.Limits{Steps: 5_000_000, Time: time.Minute, Bytes: 64 << 20, Rows: 10}

func sandbox(t testing.TB) *sqlite.Sandbox {
	t.Helper()
	s, err := sqlite.OpenSandbox(`CREATE TABLE t(a, b); CREATE TABLE u(x); CREATE TABLE secret(s)`, []string{"t", "u"})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	check(t, s.Fill("t", 2, values(1000)))
	check(t, s.Fill("secret", 1, func(yield func([]any, error) bool) { yield([]any{"hush"}, nil) }))
	return s
}

func values(n int) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for i := range n {
			if !yield([]any{int64(i), fmt.Sprintf("name %d", i)}, nil) {
				return
			}
		}
	}
}

func TestSandboxAnswers(t *testing.T) {
	s := sandbox(t)
	for query, want := range map[string]string{
		`SELECT COUNT(*) FROM t`:                                                                       "[[1000]]",
		`SELECT count(*) FROM t WHERE b LIKE '%\_%' ESCAPE '\'`:                                        "[[0]]",
		`SELECT max(a), min(b) FROM t;`:                                                                "[[999 name 0]]",
		"-- how many\nSELECT count(*) FROM t; -- done\n ":                                              "[[1000]]",
		`SELECT ';' || "a" FROM t WHERE a = 1 /* ; */`:                                                 "[[;1]]",
		`SELECT avg(n) FROM (SELECT count(*) AS n FROM t GROUP BY a % 10)`:                             "[[100]]",
		`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n<5) SELECT sum(n) FROM c`: "[[15]]",
		`SELECT count(*) FROM u`:                                                                       "[[0]]",
		`SELECT count(*) FROM json_each('[1, 2]')`:                                                     "[[2]]",
		`VALUES (1)`: "[[1]]",
	} {
		got, err := s.Ask(t.Context(), query, small)
		if fmt.Sprint(got.Rows) != want || err != nil {
			t.Errorf("%s: %v, %v, want %s", query, got.Rows, err, want)
		}
	}
	if got, err := s.Ask(t.Context(), `SELECT a FROM t`, small); err != nil || len(got.Rows) != 10 || !got.More {
		t.Errorf("rows: %d, more %v, %v", len(got.Rows), got.More, err)
	}
	read, err := s.Reads(t.Context(), `SELECT 1 FROM t WHERE EXISTS (SELECT * FROM u)`, small)
	if slices.Sort(read); err != nil || !slices.Equal(read, []string{"t", "u"}) {
		t.Errorf("reads %q, %v", read, err)
	}
}

// No statement may do anything but read the tables. After each, the sandbox must still give the
// same results.
func TestSandboxForbids(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.db")
	s := sandbox(t)
	for _, query := range []string{
		`DELETE FROM t`, `INSERT INTO t VALUES(1, 2)`, `UPDATE t SET a = 1`, `REPLACE INTO t VALUES(1, 2)`,
		`DROP TABLE t`, `CREATE TABLE v(a)`, `CREATE TEMP TABLE v(a)`, `CREATE VIEW v AS SELECT 1`,
		`CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END`, `ALTER TABLE t RENAME TO v`,
		`WITH x AS (SELECT 1) DELETE FROM t`, `SELECT 1; DELETE FROM t`, `SELECT 1; SELECT 2`,
		`ATTACH '` + outside + `' AS o`, `DETACH main`, `VACUUM INTO '` + outside + `'`, `VACUUM`, `REINDEX`, `ANALYZE`,
		`PRAGMA query_only = ON`, `PRAGMA table_info(t)`, `SELECT * FROM pragma_table_info('t')`,
		`SELECT * FROM pragma_database_list`, `SELECT * FROM sqlite_schema`, `SELECT * FROM sqlite_master`,
		`SELECT s FROM secret`, `SELECT count(*) FROM sqlite_schema`, `SELECT count(*) FROM pragma_database_list`,
		`SELECT count(*) FROM fts5vocab`, `SELECT (SELECT s FROM secret) FROM t`,
		`SELECT load_extension('x')`, `SELECT readfile('/etc/passwd')`, `SELECT writefile('` + outside + `', 'x')`,
		`SELECT patina_released()`, `SELECT patina_confine(1, 1, 1)`, `SELECT patina_stopped()`,
		`SELECT patina_integers(a) FROM t`,
		`SELECT randomblob(100)`, `SELECT zeroblob(100)`, `SELECT printf('%100d', 1)`, `SELECT format('%100d', 1)`,
		`SELECT fts3_tokenizer('x')`, `SELECT sqlite_version()`,
		`BEGIN`, `COMMIT`, `SAVEPOINT x`, `EXPLAIN DELETE FROM t`, "SELECT 1\x00; DELETE FROM t",
	} {
		if _, err := s.Ask(t.Context(), query, small); err == nil || errors.Is(err, sqlite.ErrLimit) {
			t.Errorf("%s: %v", query, err)
		} else if _, err := s.Reads(t.Context(), query, small); err == nil {
			t.Errorf("%s: can be prepared", query)
		}
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file was made")
	}
	got, err := s.Ask(t.Context(), `SELECT count(*), sum(a) FROM t`, small)
	if fmt.Sprint(got.Rows) != "[[1000 499500]]" || err != nil {
		t.Errorf("afterwards: %v, %v", got.Rows, err)
	}
	_, err = s.Ask(t.Context(), `SELECT randomblob(9)`, small)
	if !errors.Is(err, sqlite.ErrForbidden) || !strings.Contains(err.Error(), "randomblob") {
		t.Errorf("a forbidden function: %v", err)
	}
}

// nested returns a query that doubles its work with every level.
func nested(levels int) string {
	var b strings.Builder
	b.WriteString("WITH c0 AS (SELECT a FROM t)")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, ", c%d AS (SELECT x.a FROM c%d x, c%d y)", i, i-1, i-1)
	}
	fmt.Fprintf(&b, " SELECT count(*) FROM c%d", levels)
	return b.String()
}

// Every bomb ends at one of the limits.
func TestSandboxStopsBombs(t *testing.T) {
	s := sandbox(t)
	long := `'` + strings.Repeat("a", 30_000) + `'`
	for name, query := range map[string]string{
		"endless recursion":  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT count(*) FROM c`,
		"growing recursion":  `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT n FROM c ORDER BY n DESC`,
		"cross join":         `SELECT count(*) FROM t a, t b, t c, t d`,
		"sorted cross join":  `SELECT a.b || b.b || c.b AS x FROM t a, t b, t c ORDER BY x`,
		"long values":        `SELECT group_concat(` + long + `) FROM t`,
		"sorted long values": `SELECT ` + long + ` || a.a AS x FROM t a, t b, t c ORDER BY x`,
		"doubling":           `WITH RECURSIVE c(s) AS (SELECT 'aa' UNION ALL SELECT s || s FROM c) SELECT max(length(s)) FROM c`,
		"long pattern":       `SELECT count(*) FROM t WHERE b LIKE '` + strings.Repeat("%a", 3000) + `'`,
		"long query":         `SELECT ` + strings.Repeat("1+", 5_000_000) + `1`,
		"deep query":         `SELECT ` + strings.Repeat("(", 20_000) + `1` + strings.Repeat(")", 20_000),
		"nested expressions": nested(30),
	} {
		if _, err := s.Ask(t.Context(), query, small); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
	if _, err := s.Ask(t.Context(), `SELECT count(*) FROM t a, t b, t c`,
		sqlite.Limits{Steps: 1 << 40, Time: time.Millisecond, Bytes: 1 << 30}); !errors.Is(err, sqlite.ErrLimit) {
		t.Errorf("time: %v", err)
	}
	slow := `SELECT count(*) FROM t a, t b WHERE instr(` + long + ` || a.a, ` + long[:20_000] + `b') > 0`
	if _, err := s.Ask(t.Context(), slow, sqlite.Limits{
		Steps: 1 << 40, Time: 50 * time.Millisecond,
		Bytes: 1 << 30,
	}); !errors.Is(err, sqlite.ErrLimit) {
		t.Errorf("slow rows: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Ask(ctx, `SELECT count(*) FROM t a, t b, t c`, small); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
	if got, err := s.Ask(t.Context(), `SELECT count(*) FROM t`, small); err != nil ||
		fmt.Sprint(got.Rows) != "[[1000]]" {
		t.Errorf("afterwards: %v, %v", got.Rows, err)
	}
}

// An error among the rows leaves the table unchanged.
func TestFillStopsAtAnError(t *testing.T) {
	s := sandbox(t)
	broken := errors.New("broken")
	err := s.Fill("u", 1, func(yield func([]any, error) bool) {
		_ = yield([]any{int64(1)}, nil) && yield(nil, broken)
	})
	got, asked := s.Ask(t.Context(), `SELECT count(*) FROM u`, small)
	if !errors.Is(err, broken) || asked != nil || fmt.Sprint(got.Rows) != "[[0]]" {
		t.Errorf("%v; then %v, %v", err, got.Rows, asked)
	}
}

// A query of any bytes ends and changes nothing.
func FuzzSandbox(f *testing.F) {
	for _, seed := range []string{
		`SELECT count(*) FROM t`, `DELETE FROM t`, `SELECT 1; SELECT 2`, `'`, `/*`, nested(3),
		"SELECT [a;b] FROM t -- ;",
	} {
		f.Add(seed)
	}
	s := sandbox(f)
	limits := sqlite.Limits{Steps: 200_000, Time: 10 * time.Second, Bytes: 64 << 20, Rows: 5}
	f.Fuzz(func(t *testing.T, query string) {
		if got, err := s.Ask(t.Context(), query, limits); err == nil && len(got.Rows) > limits.Rows {
			t.Fatalf("%q: %d rows", query, len(got.Rows))
		}
		got, err := s.Ask(t.Context(), `SELECT count(*), sum(a) FROM t`, limits)
		if err != nil || fmt.Sprint(got.Rows) != "[[1000 499500]]" {
			t.Fatalf("after %q: %v, %v", query, got.Rows, err)
		}
	})
}
