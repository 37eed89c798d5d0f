package deliver

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"
	"time"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/knowledge"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout/layouttest"
	"patina/code/brief"
	"patina/code/describe"
	"patina/fusion"
	"patina/store/doc"
)

func sampleContext() Context {
	c := Context{Project: "patina"}
	c.Index = sample(0).Indexes[0]
	quote := func(text, path string, line int) brief.Quote {
		return brief.Quote{Text: text, Path: path, Line: line}
	}
	purpose := quote(`A "tool" that finds things.`, "README.md", 3)
	c.Purpose = &purpose
	c.Commands = []brief.Command{
		{Use: brief.Build, Quote: quote("make build", "Makefile", 4)},
		{Use: brief.Test, Quote: quote("cargo test --all", ".github/workflows/ci.yml", 31)},
	}
	c.Packages = []brief.Package{{
		Folder:  "src/retrieval",
		Purpose: quote("Ranks documents.", "src/retrieval/mod.rs", 1),
	}}
	c.Central = sampleOverview().Central
	c.Authors = []brief.Author{{Name: "Ada", Commits: 30}, {Name: "Bob", Commits: 2}}
	c.Conventions = []brief.Quote{quote("cargo-deny bans openssl: use rustls", "deny.toml", 12)}
	c.Rules = []brief.Quote{quote("Never panic in a library.", "AGENTS.md", 8), quote("Wrap errors.", "AGENTS.md", 9)}
	c.Recent = brief.Changes{Period: samplePeriod().Period, Until: samplePeriod().Newest}
	return c
}

func sampleLayer() Context {
	c := sampleContext()
	held := func(id, statement string, source belief.Source) knowledge.Held {
		return knowledge.Held{Standing: 0.9, Belief: belief.Belief{
			ID: id, Statement: statement, Entrenchment: 0.8, Source: source,
			Path: "layer/surface/beliefs/" + id + ".md", Line: 9,
		}}
	}
	c.Layer = brief.Layer{
		Patterns: []brief.Pattern{{
			Name:    "unix-philosophy",
			Purpose: brief.Quote{Text: "One tool does one thing.", Path: "layer/core/unix-philosophy.md", Line: 12},
		}},
		Beliefs: []knowledge.Held{
			held("measure-first", "Measure before building.", belief.OwnFile),
			held("no-panics", "Errors are values.", belief.OwnFile),
		},
		Decisions: []knowledge.Held{held("0003-queue", "Use a \x1b[2J queue.", belief.Decision)},
		Active:    2,
		Decided:   1,
	}
	return c
}

// Routine commits, beside enough others, and commits whose message is only "Fix" share one item
// each. A file that matches twice must be listed once.
func TestContextSumsWhatSaysNothing(t *testing.T) {
	c := sampleContext()
	at := func(day int, title string) doc.Description {
		return doc.Description{
			DocID: "commit:0123456789ab", Kind: doc.Commit, SHA: "0123456789ab", Title: title,
			Time: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC),
		}
	}
	c.Recent.Commits = []doc.Description{
		at(9, "feat: a queue"), at(8, "Drop the cache"), at(7, "Raise the limit"), at(6, "Fix"),
		at(5, "Bump x from 1.0 to 2.0"), at(3, "Fix"), at(2, "chore: bump y"),
	}
	var b bytes.Buffer
	if err := Introduce(&b, c, Options{Dialect: dialect.CLI{}, Budget: 4000}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2026-01-03 to 2026-01-06 2 commits that do not say what they change: \"Fix\"\n",
		"2026-01-02 to 2026-01-05 2 commits of routine: \"Bump x from 1.0 to 2.0\", \"chore: bump y\"\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	r := api.Result{Description: doc.Description{Path: "a/b.go", Symbol: "Open"}}
	if s := centralSection(Context{OnTopic: []api.Result{r, r}}); len(s.items) != 1 {
		t.Errorf("one file is %q", s.items)
	}
}

func TestContextGolden(t *testing.T) {
	whole, onTopic := sampleContext(), sampleContext()
	onTopic.Topic, onTopic.OnTopic = "error handling", sample(2).Results
	onTopic.Commits = []api.Result{{Description: onTopic.Recent.Commits[0]}}
	onTopic.Owners = []brief.Owner{{
		Pattern: "*",
		Quote:   brief.Quote{Text: "@org/core", Path: ".github/CODEOWNERS", Line: 1},
	}}
	layered, layeredTopic := sampleLayer(), sampleLayer()
	layeredTopic.Topic = "error handling"
	layeredTopic.Beliefs = []api.Result{{Description: doc.Description{Belief: &belief.Note{Belief: layered.Layer.Beliefs[1].Belief}}}}
	decided := sampleContext()
	decided.Layer = brief.Layer{Decisions: layered.Layer.Decisions, Decided: 1, Proposed: 23}
	o := Options{Dialect: dialect.CLI{}, Budget: ContextTokens}
	small := o
	small.Budget = 150
	for name, write := range map[string]func(*bytes.Buffer) error{
		"context.txt":             func(b *bytes.Buffer) error { return Introduce(b, whole, o) },
		"context-topic.txt":       func(b *bytes.Buffer) error { return Introduce(b, onTopic, o) },
		"context-small.txt":       func(b *bytes.Buffer) error { return Introduce(b, whole, small) },
		"context-layer.txt":       func(b *bytes.Buffer) error { return Introduce(b, layered, o) },
		"context-layer-topic.txt": func(b *bytes.Buffer) error { return Introduce(b, layeredTopic, o) },
		"context-decisions.txt":   func(b *bytes.Buffer) error { return Introduce(b, decided, o) },
		"context-layer.json":      func(b *bytes.Buffer) error { return ContextJSON(b, layered, o) },
		"context.json":            func(b *bytes.Buffer) error { return ContextJSON(b, onTopic, o) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, name, b.Bytes())
	}
}

// Items on the topic come first, in the order of the answers.
func TestFocus(t *testing.T) {
	c := sampleContext()
	c.Packages = append(c.Packages, brief.Package{Folder: "src/other"}, brief.Package{Folder: "src/last"})
	c.Rules = append(c.Rules, brief.Quote{Text: "x", Path: "a*.md", Line: 1})
	c.Layer.Decisions = []knowledge.Held{{Belief: belief.Belief{Path: "a.md"}}, {Belief: belief.Belief{Path: "b.md"}}}
	at := func(path string, first, last int) api.Result {
		return api.Result{
			Result:      fusion.Result{Share: 0.3},
			Description: doc.Description{Path: path, First: first, Last: last},
		}
	}
	commit := func(subject string, day int, share float64) api.Result {
		return api.Result{
			Result:      fusion.Result{Share: share},
			Description: doc.Description{Title: subject, Time: time.Unix(int64(day), 0)},
		}
	}
	c.Owners = []brief.Owner{{Pattern: "src/last/"}, {Pattern: "docs/"}}
	weak := at("src/retrieval/z.go", 1, 1)
	weak.Share = 0.2
	c.Focus([]api.Result{weak, at("src/last/x.go", 1, 1), at("src/otherwise.go", 1, 1), at("src/other/y.go", 1, 1)},
		[]api.Result{at("AGENTS.md", 9, 10)}, []api.Result{at("b.md", 1, 1)},
		[]api.Result{commit("old", 1, 0.3), commit("new", 2, 0.3), commit("vague", 3, 0.1)})
	if len(c.Packages) != 2 || c.Packages[0].Folder != "src/last" || c.Packages[1].Folder != "src/other" {
		t.Errorf("packages %+v", c.Packages)
	}
	if len(c.Owners) != 1 || c.Owners[0].Pattern != "src/last/" || len(c.Commits) != 2 || c.Commits[0].Title != "new" {
		t.Errorf("owners %+v, commits %+v", c.Owners, c.Commits)
	}
	if c.Rules[0].Line != 9 || c.Rules[1].Line != 8 || len(c.Layer.Decisions) != 1 ||
		c.Layer.Decisions[0].Path != "b.md" {
		t.Errorf("rules %+v, decisions %+v", c.Rules, c.Layer.Decisions)
	}
	if files := c.RuleFiles(); len(files) != 1 || files[0] != "AGENTS.md" {
		t.Errorf("%q", files)
	}
}

// For any repository, a context keeps to its ceiling and says how much it left out. Nothing in it
// may act on a terminal.
func TestContextKeepsItsPromises(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 80 {
		c, layered := sampleContext(), r.Intn(2) == 0
		for range r.Intn(40) {
			d := nastyDescription(r)
			q := brief.Quote{Text: d.Title + d.Summary, Path: d.Path, Line: r.Intn(1e6)}
			c.Topic, c.Project, c.Purpose = d.Title, d.Symbol, &q
			c.Commands = append(c.Commands, brief.Command{Use: brief.Run, Quote: q})
			c.Packages = append(c.Packages, brief.Package{Folder: d.Path, Purpose: q})
			c.Central = append(c.Central, describe.Central{Path: d.Path, Users: r.Intn(1e6)})
			c.Owners = append(c.Owners, brief.Owner{Pattern: d.Symbol, Quote: q})
			c.Rules, c.Conventions = append(c.Rules, q), append(c.Conventions, q)
			c.Authors = append(c.Authors, brief.Author{Name: d.Author, Commits: 1})
			c.Recent.Commits = append(c.Recent.Commits, d)
			held := knowledge.Held{Belief: belief.Belief{ID: d.Symbol, Statement: d.Title, Path: d.Path}}
			if c.Layer.Decisions = append(c.Layer.Decisions, held); layered {
				c.Layer.Beliefs = append(c.Layer.Beliefs, held)
			}
			if r.Intn(4) == 0 {
				c.OnTopic = append(c.OnTopic, api.Result{Description: d})
			}
		}
		o := Options{Dialect: dialect.CLI{Store: strings.Repeat("s", r.Intn(400))}, Budget: MinBudget + r.Intn(900)}
		var b bytes.Buffer
		if err := Introduce(&b, c, o); err != nil {
			t.Fatal(err)
		}
		if b.Len() > o.Ceiling() {
			t.Fatalf("%d bytes of %d:\n%s", b.Len(), o.Ceiling(), &b)
		}
		if err := layouttest.Harmless(b.String()); err != nil {
			t.Fatal(err)
		}
		whole := strings.Count(b.String(), "AGENTS.md:") == 2 && !c.IsLayered()
		if !whole && (!c.IsLayered() || len(c.Layer.Beliefs) > 20) && !strings.Contains(b.String(), "cut to ") {
			t.Fatalf("a silent cut:\n%s", &b)
		}
	}
}
