package verify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/belief/verify"
	"patina/store/storetest"
)

// endless is a condition that never ends.
const endless = `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT count(*) FROM c) > 0`

// No check may sleep, or read a file or a database outside. Each has an outcome, and so has the
// next.
func TestChecksReadNothingOutside(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.txt")
	storetest.Check(t, os.WriteFile(secret, []byte("hush"), 0o600))
	queries := []string{
		`SELECT sleep(3600) | = 0`,
		`SELECT sqlite3_sleep(3600000) | = 0`,
		`SELECT pg_sleep(3600) | = 0`,
		`SELECT readfile('` + secret + `') | contains hush`,
		`SELECT edit('x', 'true') | = 0`,
		`SELECT * FROM fsdir('` + dir + `') | non-empty`,
		`SELECT * FROM '` + secret + `' | non-empty`,
		`SELECT * FROM csv('` + secret + `') | non-empty`,
		`ATTACH 'file:` + secret + `?mode=ro' AS o | = 0`,
		`SELECT load_extension('` + secret + `') | = 0`,
		`SELECT * FROM dbstat | non-empty`,
		`PRAGMA database_list | non-empty`,
		`PRAGMA writable_schema = 1 | empty`,
	}
	reader := index(t, map[string]string{
		"layer/surface/beliefs/a.md": belief("a", append(queries, `SELECT count(*) FROM commits | = 4`)...),
	})
	all, _, err := verify.Run(t.Context(), verify.Source{Reader: reader}, nil, time.Minute)
	storetest.Check(t, err)
	if len(all) != 1 || len(all[0].Outcomes) != len(queries)+1 {
		t.Fatalf("%+v", all)
	}
	for i, o := range all[0].Outcomes {
		if last := i == len(queries); last != (o.Status == verify.Passed) || !last && o.Status != verify.Broken {
			t.Errorf("%s: %s, %s", o.Query, o.Status, o.Detail)
		}
		if strings.Contains(o.Detail+o.Got, "hush") {
			t.Errorf("%s read the file", o.Query)
		}
	}
}

// A broken block affects only itself, and at most a hundred blocks of a file run.
func TestOddBlocks(t *testing.T) {
	pass := "```verify type=\"sql\" label=\"ok\" expect=\"= 4\"\nSELECT count(*) FROM commits\n```\n"
	for name, test := range map[string]struct {
		text                            string
		passed, failed, broken, skipped int
	}{
		"no end": {
			pass + "```verify type=\"sql\" expect=\"= 4\"\nSELECT count(*) FROM commits\n", 2, 0, 0,
			0,
		},
		"no expectation":    {"```verify type=\"sql\"\nSELECT 1\n```\n" + pass, 1, 0, 1, 0},
		"no type":           {"```verify\nSELECT 1\n```\n" + pass, 1, 0, 0, 1},
		"no query":          {"```verify type=\"sql\" expect=\"= 0\"\n```\n" + pass, 1, 0, 1, 0},
		"a broken quote":    {"```verify type=\"sql label=x expect=\"= 0\nSELECT 1\n```\n" + pass, 1, 0, 0, 1},
		"two of one label":  {pass + pass, 2, 0, 0, 0},
		"control bytes":     {"```verify type=\"sql\" label=\"\x1b]0;x\a\" expect=\"= 5\"\nSELECT count(*) FROM commits\n```\n", 0, 1, 0, 0},
		"a thousand checks": {strings.Repeat(pass, 1000), 100, 0, 0, 0},
	} {
		reader := index(t,
			map[string]string{"layer/surface/beliefs/a.md": "---\ntype: belief\n---\n\n# a\n\nOne sentence.\n\n## Verification\n\n" + test.text})
		all, _, err := verify.Run(t.Context(), verify.Source{Reader: reader}, nil, time.Minute)
		storetest.Check(t, err)
		count := make(map[verify.Status]int)
		for _, o := range all[0].Outcomes {
			count[o.Status]++
		}
		got := fmt.Sprint(count[verify.Passed], count[verify.Failed], count[verify.Broken], count[verify.Unsupported])
		if want := fmt.Sprint(test.passed, test.failed, test.broken, test.skipped); got != want {
			t.Errorf("%s: %s, want %s: %+v", name, got, want, all[0].Outcomes)
		}
	}
}

// A few checks that loop affect only their own files. With more of them, checks are no longer
// searched for files, but the other ways still work.
func TestReachSurvivesBombs(t *testing.T) {
	bomb := `SELECT COUNT(*) FROM function_facts WHERE ` + endless + ` | >= 1`
	sound := `SELECT COUNT(*) FROM function_facts WHERE name = 'run' | >= 1`
	for bombs, want := range map[int]string{2: "src/run.rs rows of a check", 3: ""} {
		files := map[string]string{
			"layer/beliefs/z.md": belief("z", sound),
			"layer/beliefs/y.md": belief("y", bomb) + "\n`src/run.rs`\n",
		}
		for i := 1; i < bombs; i++ {
			files[fmt.Sprintf("layer/beliefs/b%d.md", i)] = belief(fmt.Sprint("b", i), bomb)
		}
		r, err := verify.NewRunner(t.Context(), verify.Source{Reader: index(t, files)})
		storetest.Check(t, err)
		all, _, err := r.Reach(t.Context(), nil)
		storetest.Check(t, err)
		storetest.Check(t, r.Close())
		got := make(map[string]string)
		for _, b := range all {
			for _, x := range b.Reached {
				got[b.ID] += x.Path + " " + x.Reason
			}
		}
		if got["z"] != want || got["y"] != "src/run.rs cites src/run.rs" || len(all) != bombs+1 {
			t.Errorf("%d bombs: %q", bombs, got)
		}
	}
}

// Two files may have one id, a belief may be named like a view, and checks may query their own
// reach.
func TestOddBeliefs(t *testing.T) {
	own := `SELECT COUNT(*) FROM belief_code_reach WHERE belief_id = 'twin' | >= 1`
	reader := index(t, map[string]string{
		"layer/beliefs/a.md":         belief("twin", own) + "\n`src/run.rs`\n",
		"layer/surface/beliefs/b.md": belief("twin", own),
		"layer/beliefs/commits.md":   belief("commits", `SELECT count(*) FROM commits | = 4`),
		"layer/beliefs/empty.md":     "",
		"layer/beliefs/sql.md": belief("x' OR '1'='1",
			`SELECT count(*) FROM belief_code_reach WHERE belief_id LIKE 'x%' | = 0`),
	})
	all, missing, err := verify.Run(t.Context(), verify.Source{Reader: reader},
		[]string{"twin", "commits", "sql", "x' OR '1'='1"}, time.Minute)
	storetest.Check(t, err)
	passed := 0
	for _, b := range all {
		for _, o := range b.Outcomes {
			if o.Status != verify.Passed {
				t.Errorf("%s: %+v", b.Path, o)
			}
			passed++
		}
	}
	if passed != 4 || len(missing) != 1 {
		t.Errorf("%d passed, missing %q", passed, missing)
	}
}
