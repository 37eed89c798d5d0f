package deliver

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout/layouttest"
	"patina/code/describe"
	"patina/code/history"
	"patina/fusion"
	"patina/store/doc"
)

func samplePeriod() Recent {
	at := time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC)
	p := Recent{Days: 7, Since: at.AddDate(0, 0, -5), Index: sample(0).Indexes[0]}
	p.Index.Generation.ScrapedAt = at
	commit := func(title string, paths ...string) {
		d := doc.Description{
			DocID: "commit:abc123412345", Kind: doc.Commit,
			SHA: "abc1234123450000000000000000000000000000", Title: title, Author: "Ada", Time: at,
		}
		for _, s := range paths {
			d.Links = append(d.Links, doc.Link{Relation: "touches", Target: s})
		}
		p.Commits = append(p.Commits, d)
	}
	commit("feat: add cosine distance metric", "src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs", "src/e.rs", "src/f.rs")
	commit("docs: no file")
	p.Newest, p.Total, p.Merges, p.Touched = at, 12, 1, 30
	p.Files = []history.Churn{{Path: "src/gone.rs", Commits: 5, Gone: true}, {Path: "src/a.rs", Commits: 4}}
	return p
}

func sampleOverview() Orientation {
	v := Orientation{Limit: 2, Index: sample(0).Indexes[0]}
	v.Folder, v.Files, v.Lines = "src/retrieval", 14, 4000
	v.Languages = []describe.Tally{{Name: "Rust", Files: 12, Lines: 3900}, {Name: "", Files: 2, Lines: 100}}
	v.Folders = []describe.Tally{
		{Name: "src/retrieval/a", Files: 4},
		{Name: "src/retrieval/b", Files: 2},
		{Name: "src/retrieval/c", Files: 1},
	}
	v.Central = []describe.Central{
		{Path: "src/retrieval/engine.rs", Users: 9, Commits: 40},
		{Path: "src/retrieval/one.rs", Users: 1, Commits: 1},
		{Path: "src/retrieval/cut.rs"},
	}
	v.EntryPoints = []describe.EntryPoint{
		{Path: "src/retrieval/main.rs", Symbol: "main", Line: 7},
		{Path: "src/retrieval/mod.rs", Line: 1},
		{Path: "src/retrieval/a/mod.rs", Line: 1},
	}
	v.Tests = []describe.Tally{{Name: "src/retrieval/tests", Files: 3}, {Name: "", Files: 1}}
	readme := sample(3).Results[2].Description
	v.Readme = &readme
	return v
}

func TestOverviewsGolden(t *testing.T) {
	old, none := samplePeriod(), sampleOverview()
	old.Commits, old.Files, old.Total = nil, nil, 0
	old.Newest = old.Since.AddDate(0, 0, -10)
	none.Index.Generation.History, none.Readme, none.Folder = "no git history", nil, ""
	o := Options{Dialect: dialect.CLI{}}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"recent.txt":           func(b *bytes.Buffer) error { return Recently(b, samplePeriod(), o) },
		"recent-none.txt":      func(b *bytes.Buffer) error { return Recently(b, old, o) },
		"recent.json":          func(b *bytes.Buffer) error { return RecentJSON(b, samplePeriod()) },
		"orient.txt":           func(b *bytes.Buffer) error { return Orient(b, sampleOverview(), o) },
		"orient-nohistory.txt": func(b *bytes.Buffer) error { return Orient(b, none, o) },
		"orient.json":          func(b *bytes.Buffer) error { return OrientJSON(b, sampleOverview()) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, name, b.Bytes())
	}
}

// For any repository, an overview must keep to its ceiling, and nothing in it may act on a
// terminal.
func TestOverviewsKeepTheirPromises(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		p, v := samplePeriod(), sampleOverview()
		for range r.Intn(40) {
			d := nastyDescription(r)
			p.Commits = append(p.Commits, d)
			p.Files = append(p.Files, history.Churn{Path: d.Path, Commits: r.Intn(1e6), Gone: r.Intn(2) == 0})
			v.Central = append(v.Central, describe.Central{Path: d.Path, Users: r.Intn(1e6)})
			v.EntryPoints = append(v.EntryPoints,
				describe.EntryPoint{Path: d.Path, Symbol: d.Symbol, Line: r.Intn(1e6)})
			v.Folders = append(v.Folders, describe.Tally{Name: d.Path, Files: r.Intn(1e6)})
			v.Tests, v.Folder, v.Readme = v.Folders, d.Path, &d
		}
		if r.Intn(4) == 0 {
			p.Commits = nil
		}
		v.Limit = 1 + r.Intn(100)
		o := Options{Dialect: dialect.CLI{Store: strings.Repeat("s", r.Intn(400))}, Budget: MinBudget + r.Intn(900)}
		var recent, orient bytes.Buffer
		if err := Recently(&recent, p, o); err != nil {
			t.Fatal(err)
		}
		if err := Orient(&orient, v, o); err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string]*bytes.Buffer{"recent": &recent, "orient": &orient} {
			if b.Len() > o.Ceiling() {
				t.Fatalf("%s: %d bytes of %d:\n%s", name, b.Len(), o.Ceiling(), b)
			}
			if err := layouttest.Harmless(b.String()); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

func TestListings(t *testing.T) {
	a := sample(4)
	a.Results[3].Path = "it's\x1b here.go" // a possible file name in a repository
	var paths, nul, grep, format bytes.Buffer
	tmpl, err := ParseTemplate(`{{.rank}}{{"\t"}}{{.path}} {{.sha}} {{len .also}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		Paths(&paths, a, false), Paths(&nul, a, true), Format(&format, a, tmpl, Options{Dialect: dialect.CLI{}}),
		Vimgrep(&grep, a,
			func(path string, n int) (string, error) { return "\tpub fn query_with_options(\x1b) {\r", nil }),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct{ got, want string }{
		"paths": {paths.String(), "src/retrieval/engine.rs\ndocs/guide.md\nit's\\x1b here.go\n"},
		"nul":   {nul.String(), "src/retrieval/engine.rs\x00docs/guide.md\x00it's\x1b here.go\x00"},
		"vimgrep": {
			grep.String(),
			"src/retrieval/engine.rs:120:9:\tpub fn query_with_options(\\x1b) {\ndocs/guide.md:10:2:\tpub fn query_with_options(\\x1b) {\nit's\\x1b here.go:120:9:\tpub fn query_with_options(\\x1b) {\n",
		},
		"format": {
			format.String(),
			"1\tsrc/retrieval/engine.rs  2\n2\t abc1234123450000000000000000000000000000 0\n3\tdocs/guide.md  0\n4\tit's\\x1b here.go  2\n",
		},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q\nwant %q", name, c.got, c.want)
		}
	}
	a.Relevance = fusion.Irrelevant
	if got := a.Relevant(); got != nil {
		t.Errorf("%d results of an answer that is not relevant", len(got))
	}
	if got := Missing(&api.Answer{}); got != "" {
		t.Errorf("missing: %q", got)
	}
}
