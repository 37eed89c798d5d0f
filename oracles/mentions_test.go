package oracles_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"patina/code/lookup"
	"patina/oracles"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// A mention in a long text counts for the files that match it: by the end of a path, by a frame, or
// by a definition in the same case.
func TestMentionsOfLongTexts(t *testing.T) {
	c := storetest.NewCorpus(9)
	for _, p := range []string{
		"src/lex/low.py", "src/parse/low.py", "src/lex/run.py", "a/many.py", "b/many.py", "c/many.py", "d/many.py",
		"root.py", "src/parse/low_test.py",
	} {
		c.Write(p)
		c.Files[p].Entries = c.Files[p].Entries[:1]
		c.Files[p].Chunks = c.Files[p].Chunks[:1]
		c.Files[p].Entries[0].Last = 9
	}
	define := func(p, name string, sort doc.Sort) {
		c.Files[p].Entries[0].Name, c.Files[p].Entries[0].Sort = name, sort
	}
	define("src/lex/low.py", "Reader.next_token", doc.Method)
	define("src/lex/run.py", "Runner", doc.Type)
	define("src/parse/low.py", "runner", doc.Function)
	define("src/parse/low_test.py", "Runner#2", doc.Type)
	r := c.PinAll(t)
	var paths []string
	for p := range c.Files {
		paths = append(paths, p)
	}
	const pad = "\n```\nzz\n```\n"
	type want = map[string][3]float64 // P, F, N
	for q, w := range map[string]want{
		"see lex/low.py":                  {"src/lex/low.py": {1, 0, 0}},
		"see /usr/lib/x/src/parse/low.py": {"src/parse/low.py": {1, 0, 0}},
		"see low.py":                      {"src/lex/low.py": {0.5, 0, 0}, "src/parse/low.py": {0.5, 0, 0}},
		"see other/low.py":                {},
		"see many.py":                     {},
		"see a/many.py":                   {"a/many.py": {1, 0, 0}},
		"see /home/u/root.py":             {"root.py": {1, 0, 0}},
		"see parse/low_test.py":           {},
		"the `Runner` stops":              {"src/lex/run.py": {0, 0, 1}},
		"RUNNER stops":                    {},
		"next_token and Runner":           {"src/lex/low.py": {0, 0, 0.6 / 0.8}, "src/lex/run.py": {0, 0, 1}},
		"`runner` and `Runner`": {
			"src/parse/low.py": {0, 0, 0.85 * 0.5 / 0.8}, "src/lex/run.py": {0, 0, 1},
		},
		"x\n  File \"/x/lib.py\", line 1, in f": {},
		"x\n  File \"/x/lex/run.py\", line 1, in f\n  File \"/x/lex/low.py\", line 1, in f\n" +
			"  File \"/x/y.py\", line 1, in f": {
			"src/lex/low.py": {0, 1, 0}, "src/lex/run.py": {0, 1 / 1.5, 0},
		},
	} {
		question := text.ParseQuestion(q + pad)
		ev, err := oracles.Evidence(context.Background(), r, question, map[doc.Kind][]string{doc.Code: paths})
		storetest.Check(t, err)
		for _, p := range paths {
			e := ev[p]
			for i, got := range [3]float64{e.Paths, e.Frames, e.Names} {
				if math.Abs(got-w[p][i]) > 1e-9 {
					t.Errorf("%q: %s has P, F, N %v, want %v", q, p, [3]float64{e.Paths, e.Frames, e.Names}, w[p])
					break
				}
			}
			if e.Stem != 0 || e.Coverage != 0 {
				t.Errorf("%q: %s has J %v, C %v: a long text has none", q, p, e.Stem, e.Coverage)
			}
		}
	}
	// A short question has no such evidence.
	short := text.ParseQuestion("where is Runner in lex/low.py")
	ev, err := oracles.Evidence(context.Background(), r, short, map[doc.Kind][]string{doc.Code: paths})
	storetest.Check(t, err)
	for p, e := range ev {
		if e.Paths+e.Frames+e.Names != 0 {
			t.Errorf("short question: %s has %+v", p, e)
		}
	}
}

// Only the title of a long text lifts a demotion, and the text names only commits exactly.
func TestLongTextsLiftAndNameLess(t *testing.T) {
	c := storetest.NewCorpus(10)
	c.Write("x.go")
	c.Write("y.go")
	c.Write("x_test.go")
	c.Files["x_test.go"].Entries[0].Name = "Only"
	v := c.Commit()
	r := c.PinAll(t)
	const fence = "\n```\nalpha\n```\n"
	for q, want := range map[string]float64{
		"alpha" + fence + "see the test": 0.3, "alpha test" + fence: 1, "alpha test": 1,
	} {
		ids := map[doc.Kind][]string{doc.Code: {"x_test.go"}}
		ev, err := oracles.Evidence(context.Background(), r, text.ParseQuestion(q), ids)
		storetest.Check(t, err)
		if d := ev["x_test.go"].Demotion; math.Abs(d-want) > 1e-9 {
			t.Errorf("%q: demotion %v, want %v", q, d, want)
		}
	}
	got, err := lookup.Exact(context.Background(), r, text.ParseQuestion("`x_test.go` and Only() since "+v.SHA+fence))
	storetest.Check(t, err)
	if len(got) != 1 || !strings.HasPrefix(got[0].DocID, "commit:") {
		t.Errorf("named exactly: %+v, want %s", got, v.SHA)
	}
}
