package ui

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/print"
	"patina/registry"
	"patina/registry/querylog"
)

func init() {
	addRoute("GET /{$}", (*view).askPage)
	addRoute("GET /part/answers", (*view).answers)
	addMenu(10, "Ask", "/")
}

// askPage shows the field for a question, its filters, and a place for the answer.
func (v *view) askPage() error {
	q := questionOf(v.query)
	return v.page("ask", cmp.Or(q.Text, "ask"), "Ask", struct {
		question
		Answers  string // where the answer comes from; empty without a question
		Kinds    []chip
		Set      []chip
		Times    []chip
		Projects []string
		Examples []example
	}{
		question: q, Answers: q.answersLink(), Kinds: q.kindChips(), Set: q.setChips(), Times: q.timeChips(time.Now()),
		Projects: v.projects(), Examples: examples,
	})
}

// answersLink returns the address of the answer, or "" without a question.
func (q question) answersLink() string {
	if strings.TrimSpace(q.Text) == "" {
		return ""
	}
	return "/part/answers?" + q.values().Encode()
}

// An example is a question to begin with.
type example struct{ Text, Link string }

var examples = func() (all []example) {
	for _, text := range []string{"what does this project do", "where are errors handled", "why was it changed"} {
		all = append(all, example{text, "/?" + url.Values{"q": {text}}.Encode()})
	}
	return all
}()

// projects returns the names of the other registered projects.
func (v *view) projects() (names []string) {
	all, err := registry.Listed(v.Place.Home)
	if err != nil {
		return nil
	}
	for _, p := range all {
		if p.Root != v.Place.Root && p.Name != "" && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// A result is a part of an answer with its links.
type result struct {
	deliver.Part
	Number  int
	Link    string // of the whole thing
	Rank    string // why it has its rank
	Code    []codeLine
	Edges   []edge
	Via     string // the edge that led to another project
	Percent float64
}

// answers writes the answer to a question.
func (v *view) answers() error {
	q := questionOf(v.query)
	given := map[string]string{}
	if q.Limit > 0 {
		given["limit"] = strconv.Itoa(q.Limit)
	}
	if q.All {
		given["all-repos"] = "true"
	}
	c, err := v.beginCallWith(ask.Options{Repos: q.Repos, Given: given, Sent: querylog.Delivery{Mode: "find"}})
	if err != nil {
		return err
	}
	a, err := c.Ask(v.r.Context(), q.request())
	if err != nil {
		return explain(err, c)
	}
	o := deliver.Options{Dialect: print.ShellDialect(c, ""), Visits: print.Visits(c.Visits), Logged: a.Found.Logged}
	parts := deliver.PartsOf(a.Found.Answer, o)
	t := trail{ask: q.values().Encode()}
	var results []result
	for _, p := range parts.Results {
		x := result{Part: p, Number: p.Rank, Percent: p.Result.Score}
		at := t
		if visit, ok := o.Visits[p.Key.Project]; ok {
			at.repo, x.Via = visit.Repo, p.Key.Project
		}
		x.Link = at.link(p.ID, 0)
		rank := q.values()
		rank.Set("id", p.DocID)
		x.Rank = "/rank?" + rank.Encode()
		x.Code = coloured(p.Language, p.Lines, at, p.Path)
		x.Edges = at.edges(p.Links)
		results = append(results, x)
	}
	return v.part("answers", struct {
		deliver.Parts
		Results   []result
		Unmatched string
		Took      int64
		Intent    string
		Narrow    []chip
		More      string
	}{parts, results, a.Unmatched, a.Found.Took.Milliseconds(), string(a.Found.Intent), q.narrower(results), q.more(len(results))})
}

// more returns the address of a longer answer, or "" if this one has all.
func (q question) more(shown int) string {
	now := cmp.Or(q.Limit, 10)
	if shown < now || now >= 100 {
		return ""
	}
	q.Limit = min(now*3, 100)
	return "/?" + q.values().Encode()
}

// narrower returns chips of the languages and folders of results, by which a question may be
// narrowed.
func (q question) narrower(results []result) (all []chip) {
	seen := map[string]bool{}
	add := func(name, key, value string) {
		if value != "" && !seen[key+value] && len(all) < 8 && !slices.Contains(q.values()[key], value) {
			seen[key+value] = true
			all = append(all, chip{Name: name, Link: q.toggled(key, value)})
		}
	}
	for _, r := range results {
		if r.Via != "" || r.Path == "" {
			continue
		}
		add(r.Language, "lang", r.Language)
		if dir := path.Dir(r.Path); dir != "." && globFree(dir) {
			add(dir+"/", "path", dir)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// globFree reports whether a folder's name means itself as a pattern.
func globFree(name string) bool { return !strings.ContainsAny(name, `*?[]{}!\`) }
