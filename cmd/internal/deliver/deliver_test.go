package deliver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/layout/layouttest"
	"patina/fusion"
	"patina/store/doc"
)

// sample returns an ordinary answer: n results in three kinds, with links.
func sample(n int) *api.Answer {
	a := &api.Answer{
		QueryID: "q_260202143000_abc", Query: "how does hybrid query work", Intent: fusion.Mechanism,
		Relevance: fusion.Relevant, Took: 4200 * time.Microsecond,
		Indexes: []api.IndexState{{
			Project: "patina", Root: "/r", Behind: 2, ChangedFiles: 1,
			Generation: doc.Generation{Number: 7, Head: "0123456789abcdef0123456789abcdef01234567"},
		}},
		Channels: []api.ChannelState{
			{Project: "patina", Channel: "lexical", Status: api.OK, Hits: 50, Elapsed: 900 * time.Microsecond},
			{
				Project: "patina", Channel: "temporal", Status: api.Deadline, Elapsed: 1500 * time.Millisecond,
				Detail: "deadline 1500 ms",
			},
		},
	}
	for i := range n {
		r := api.Result{Rank: i + 1}
		r.Score, r.Share, r.Agreement, r.Prior = 0.9-float64(i)/20, 0.7, 1, 1
		r.Contributions = []fusion.Contribution{{
			Channel: "lexical", Rank: i + 1, Raw: 12.5, Normalised: 0.71,
			Weight: 1, Added: 0.71,
		}}
		r.Description = doc.Description{
			DocID: "src/retrieval/engine.rs", Shown: "src/retrieval/engine.rs::query_with_options", Kind: doc.Code,
			Path: "src/retrieval/engine.rs", Symbol: "query_with_options", Language: "Rust", First: 120, Last: 164,
			Title: "pub fn query_with_options(&self, query: &str, limit: usize, options: &QueryOptions) -> Result<Vec<Hit>>", Summary: "Asks all oracles at once and fuses what they say.",
			Signed: 120, Line: 131,
			Lines: []doc.Line{
				{Number: 131, Text: "\t\tif hits.is_empty() {"},
				{Number: 126, Text: "\tlet hits = ask(query);"},
			},
			Also: []doc.Place{{Symbol: "query", First: 90, Last: 99}, {First: 300, Last: 320}},
			Links: []doc.Link{
				{Relation: "co-changes", Target: "src/mcp/server.rs", Note: "28 of 40 commits"},
				{Relation: "commit", Target: "commit:abc123412345", Note: "feat: hybrid"},
			},
		}
		r.Blended = 1.2
		r.Evidence = fusion.Evidence{Share: 0.7, Demotion: 1, Coverage: 0.33, Known: 0.9}
		r.Contributions = append(
			r.Contributions,
			fusion.Contribution{Channel: "temporal", Rank: 2, Raw: 3, Normalised: 0.4, Weight: 0.2, Added: 0.08},
			fusion.Contribution{Channel: "coverage", Raw: 0.33, Normalised: 0.33, Weight: 0.2, Added: 0.066},
		)
		switch i % 4 {
		case 1:
			r.Blended, r.Contributions = 0, r.Contributions[:1]
			r.Description = doc.Description{
				DocID: "commit:abc123412345", Kind: doc.Commit, SHA: "abc1234123450000000000000000000000000000",
				Title: "feat: add cosine distance metric", Author: "Ada",
				Time:  time.Date(2026, 1, 30, 12, 0, 0, 0, time.UTC),
				Links: []doc.Link{{Relation: "touches", Target: "src/retrieval/engine.rs"}},
			}
		case 2:
			r.Blended, r.Contributions = 0, r.Contributions[:1]
			r.Description = doc.Description{
				DocID: "pattern:docs/guide.md#install", Kind: doc.Pattern, Path: "docs/guide.md", Symbol: "install",
				First: 10, Last: 22, Title: "Guide > Install", Summary: "Run the installer, then scrape.",
			}
		case 3:
			r.Exact, r.Changed = true, true
		}
		r.Key = fusion.Key{Project: "patina", Kind: string(r.Kind), ID: r.DocID}
		a.Results = append(a.Results, r)
	}
	return a
}

func TestSnippetsGolden(t *testing.T) {
	weak, none, empty, alone := sample(2), sample(5), sample(0), sample(1)
	weak.Relevance, weak.Notes = fusion.Weak, []string{"question cut to 64 words"}
	none.Relevance, empty.Relevance = fusion.Irrelevant, fusion.Irrelevant
	none.Channels, empty.Channels = none.Channels[:1], empty.Channels[:1] // complete
	alone.Results[0].Path, alone.Results[0].Shown = "it's here/ü.go", "it's here/ü.go::f"
	for name, c := range map[string]struct {
		a *api.Answer
		o Options
	}{
		"ten.txt":     {sample(10), Options{Logged: true}},
		"budget.txt":  {sample(10), Options{Logged: true, Budget: 250}},
		"explain.txt": {sample(3), Options{Logged: true, Explain: true}},
		"weak.txt":    {weak, Options{Logged: true}},
		"none.txt":    {none, Options{Logged: true}},
		"empty.txt":   {empty, Options{Logged: true}},
		"nolog.txt":   {alone, Options{Dialect: dialect.CLI{Store: "/tmp/my store"}}},
		"colour.txt":  {sample(1), Options{Logged: true, Colour: true}},
	} {
		if c.o.Dialect == nil {
			c.o.Dialect = dialect.CLI{}
		}
		var b bytes.Buffer
		if err := Snippets(&b, c.a, c.o); err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, name, b.Bytes())
	}
}

func TestJSONGolden(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, sample(3), Options{Dialect: dialect.CLI{}, Logged: true}); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "answer.json", b.Bytes())
	b.Reset()
	if err := DetailJSON(&b, Document{Description: sample(1).Results[0].Description, Body: "fn f() {}\n"}); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "detail.json", b.Bytes())
}

// random returns an answer in which every text is hostile.
func random(r *rand.Rand) *api.Answer {
	a := sample(r.Intn(16))
	a.Relevance = []fusion.Relevance{fusion.Relevant, fusion.Weak, fusion.Irrelevant}[r.Intn(3)]
	a.Query, a.Intent = layouttest.Nasty(r), fusion.Intent(layouttest.Nasty(r))
	for range r.Intn(4) {
		a.Notes = append(a.Notes, layouttest.Nasty(r))
	}
	for i := range a.Results {
		d := &a.Results[i].Description
		for _, s := range []*string{&d.DocID, &d.Shown, &d.Path, &d.Symbol, &d.Title, &d.Summary, &d.Author, &d.SHA} {
			if r.Intn(3) > 0 {
				*s = layouttest.Nasty(r)
			}
		}
		if r.Intn(5) == 0 {
			d.Kind = doc.Kind(layouttest.Nasty(r))
		}
		for range r.Intn(5) {
			d.Links = append(d.Links,
				doc.Link{Relation: layouttest.Nasty(r), Target: layouttest.Nasty(r), Note: layouttest.Nasty(r)})
			d.Also = append(d.Also, doc.Place{Symbol: layouttest.Nasty(r), First: r.Int(), Last: r.Int()})
			d.Lines = append(d.Lines, doc.Line{Number: r.Intn(1e6), Text: layouttest.Nasty(r)})
		}
		a.Results[i].Score = r.NormFloat64() * math.Pow(10, float64(r.Intn(3)))
		a.Results[i].Contributions = append(a.Results[i].Contributions,
			fusion.Contribution{Channel: layouttest.Nasty(r), Rank: r.Intn(2), Raw: math.Inf(1)})
	}
	a.Channels[1].Detail = layouttest.Nasty(r)
	a.Indexes[0].Behind = r.Int()
	return a
}

func TestTextsKeepTheirPromises(t *testing.T) {
	check := func(seed int64) bool {
		r := rand.New(rand.NewSource(seed))
		a := random(r)
		o := Options{Dialect: dialect.CLI{}, Logged: r.Intn(2) == 0, Explain: r.Intn(3) == 0}
		limit := 4000
		switch {
		case r.Intn(2) == 0:
			o.Budget = MinBudget + r.Intn(900)
			limit = 4 * o.Budget
		case o.Explain:
			limit = 12000
		}
		if r.Intn(2) == 0 {
			o.Dialect = dialect.CLI{Store: layouttest.Nasty(r)}
		}
		var b bytes.Buffer
		if err := Snippets(&b, a, o); err != nil {
			t.Error(err)
		}
		got := b.String()
		ok := len(got) <= limit && strings.HasPrefix(got, a.QueryID+"  ") &&
			strings.Contains(got, "not searched: temporal (")
		if shown := strings.Count(got, "\n[") + strings.Count(got, ". ["); len(a.Results) > 3 && shown == 0 &&
			o.Budget == 0 {
			ok = false
		}
		if err := layouttest.Harmless(got); err != nil || !ok {
			t.Errorf("seed %d: %d of %d bytes, %v:\n%s", seed, len(got), limit, err, got)
			return false
		}
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
}

func TestJSONIsHarmlessAndKeepsEveryValue(t *testing.T) {
	for seed := range int64(60) {
		a := random(rand.New(rand.NewSource(seed)))
		var b bytes.Buffer
		if err := JSON(&b, a, Options{Dialect: dialect.CLI{}, Logged: true}); err != nil {
			t.Fatal(err)
		}
		if err := layouttest.Harmless(b.String()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var back jsonAnswer
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(a.Query, "\ufffd"); len(back.Results) != len(a.Results) ||
			squeeze(back.Query) != squeeze(want) {
			t.Errorf("seed %d: query %q became %q", seed, want, back.Query)
		}
	}
}

// squeeze merges each run of replacement runes into one, because encoding/json replaces byte by
// byte and strings.ToValidUTF8 run by run.
func squeeze(s string) string {
	for strings.Contains(s, "\ufffd\ufffd") {
		s = strings.ReplaceAll(s, "\ufffd\ufffd", "\ufffd")
	}
	return s
}

func TestTenOrdinaryResultsStayUnder900Tokens(t *testing.T) {
	var b bytes.Buffer
	if err := Snippets(&b, sample(10), Options{Dialect: dialect.CLI{}, Logged: true}); err != nil {
		t.Fatal(err)
	}
	if n := b.Len() / 4; n > 900 || strings.Count(b.String(), "\n   ") < 10 {
		t.Errorf("%d tokens:\n%s", n, b.String())
	}
}

func TestPagesTogetherAreTheWholeBody(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		d := Document{
			Description: nastyDescription(r),
			Next:        func(p int) string { return dialect.CLI{}.Detail("q_260202143000_abc", 3, p) },
		}
		for range r.Intn(40) {
			d.Body += layouttest.Nasty(r) + "\n"
		}
		whole := d.text()
		read, page := "", 1
		for ; ; page++ {
			var b bytes.Buffer
			if err := Detail(&b, d, page, Options{Dialect: dialect.CLI{}}); err != nil {
				t.Fatal(err)
			}
			if b.Len() > layout.PageBytes {
				t.Fatalf("seed %d: page %d has %d bytes", seed, page, b.Len())
			}
			if err := layouttest.Harmless(b.String()); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			_, text, _ := strings.Cut(b.String(), "\n\n")
			text, next, more := cutLast(text, fmt.Sprintf("\n\npage %d of ", page))
			read += text
			if !more {
				break
			}
			if want := fmt.Sprintf("patina show q_260202143000_abc 3 --page %d\n",
				page+1); !strings.HasSuffix(next, want) {
				t.Fatalf("seed %d: %q does not lead on", seed, next)
			}
		}
		if strings.ReplaceAll(read, "\n", "") != strings.ReplaceAll(whole, "\n", "") {
			t.Errorf("seed %d: %d pages hold %d bytes of %d", seed, page, len(read), len(whole))
		}
		if err := Detail(io.Discard, d, page+1, Options{Dialect: dialect.CLI{}}); err == nil {
			t.Errorf("seed %d: page %d exists", seed, page+1)
		}
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Only a path that need not be opened may be cut, and only at its folders.
func TestPathsAreShortenedInOnePlace(t *testing.T) {
	long := "packages/" + strings.Repeat("inner/", 30) + "leaf/file.ts"
	for path, want := range map[string]string{
		"a/b.go":                        "a/b.go",
		long:                            "packages/…/inner/inner/inner/inner/inner/leaf/file.ts",
		long + "::Store.put":            "packages/…/inner/inner/inner/inner/leaf/file.ts::Store.put",
		strings.Repeat("x", 70) + ".go": strings.Repeat("x", 19) + "…" + strings.Repeat("x", 35) + ".go",
	} {
		got := layout.ShortPath(path, layout.MaxShortPath)
		if got != want || len(got) > layout.MaxShortPath {
			t.Errorf("%q: %q of %d bytes, want %q", path, got, len(got), want)
		}
	}
	d := doc.Description{
		DocID: long, Path: long, Kind: doc.Code, First: 3, Last: 9, Line: 4,
		Links: []doc.Link{{Relation: "co-changes", Target: long, Note: "3"}},
	}
	a := &api.Answer{QueryID: "q_1", Results: []api.Result{{Rank: 1, Description: d}}}
	var b strings.Builder
	if err := Snippets(&b, a, Options{Dialect: dialect.CLI{}}); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "1. [code] "+long+":4") ||
		!strings.Contains(s, "→ co-changes packages/…/") {
		t.Errorf("no whole path, or no short link:\n%s", s)
	}
}

// nastyDescription returns a description with nasty texts.
func nastyDescription(r *rand.Rand) doc.Description {
	for {
		if a := random(r); len(a.Results) > 0 {
			return a.Results[0].Description
		}
	}
}
