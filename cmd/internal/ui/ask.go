package ui

import (
	"cmp"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
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

// answers writes the answer to a question. If home has found something while other projects or slow
// channels are still asked, that comes first, in a part that the next one replaces.
func (v *view) answers() error {
	q := questionOf(v.query)
	given := map[string]string{}
	if q.Limit > 0 {
		given["limit"] = strconv.Itoa(q.Limit)
	}
	if q.All {
		given["all-repos"] = "true"
	}
	var c *ask.Call
	var first *answerView // the newest glimpse
	glimpse := func(g *api.Glimpse) {
		x := q.view(c, &g.Answer, false)
		x.Awaited, x.Said = g.Awaited, saidSoFar(v.Place.Name, len(x.Results), g.Awaited)
		if len(x.Results) == 0 { // others may have something
			x.Parts = deliver.Parts{}
		}
		if v.writeSoFar(x) == nil {
			first = x
		}
	}
	c, err := v.beginCallWith(ask.Options{Repos: q.Repos, Given: given, Sent: querylog.Delivery{Mode: "find"}, Glimpse: glimpse})
	if err != nil {
		return err
	}
	a, err := c.Ask(v.r.Context(), q.request())
	switch {
	case err != nil && first != nil:
		return v.endEarly(first, explain(err, c))
	case err != nil:
		return explain(err, c)
	}
	x := q.view(c, a.Found.Answer, a.Found.Logged)
	x.Unmatched, x.More, x.Narrow = a.Unmatched, q.more(len(x.Results)), q.narrower(x.Results)
	x.Said = layout.Count(len(x.Results), "result")
	for _, i := range a.Found.Indexes {
		if _, visited := print.Visits(c.Visits)[i.Project]; !visited && i.Generation.Files+i.Generation.Commits == 0 {
			x.Above = append(x.Above, "The index is empty: the folder had no file when it was read. Add one, and patina scrape reads it.")
		}
	}
	if first != nil {
		x.Said = "The answer is complete: " + x.Said
	}
	return v.part("answers", x)
}

// An answerView is an answer, or the first part of one.
type answerView struct {
	deliver.Parts
	Results   []result
	Unmatched string
	Took      int64
	Intent    string
	Narrow    []chip
	More      string
	Said      string   // to readers who do not see the page change
	Awaited   []string // projects and channels that are still asked
	Problem   *problem // why there is no more
}

// saidSoFar says how many results have come, and who is still asked.
func saidSoFar(home string, results int, awaited []string) string {
	for i, name := range awaited {
		awaited[i] = layout.Clip(name, layout.MaxName)
	}
	return layout.Count(results, "result") + " from " + layout.Clip(home, layout.MaxName) + " so far. Still asking " + strings.Join(awaited, ", ") + "…"
}

// nextPart ends each part of an answer but the last. Texts of a repository cannot hold it, because
// templates escape them.
const nextPart = "<!--next-->"

// writeSoFar writes a part of an answer, and sends it at once.
func (v *view) writeSoFar(x *answerView) error {
	if err := v.part("answers", x); err != nil {
		return err
	}
	_, _ = io.WriteString(v.w, nextPart)
	return http.NewResponseController(v.w).Flush()
}

// endEarly writes the last part of an answer whose rest did not come. What is shown stays.
func (v *view) endEarly(x *answerView, err error) error {
	x.Awaited, x.Problem = nil, new(problemOf(err))
	x.Problem.Again, x.Said = v.r.URL.RequestURI(), "The rest of the answer did not come."
	return v.part("answers", x)
}

// view returns an answer for a page.
func (q question) view(c *ask.Call, a *api.Answer, logged bool) *answerView {
	o := deliver.Options{Dialect: print.ShellDialect(c, ""), Visits: print.Visits(c.Visits), Logged: logged}
	x := &answerView{Parts: deliver.PartsOf(a, o), Took: a.Took.Milliseconds(), Intent: string(a.Intent)}
	t := trail{ask: q.values().Encode()}
	for _, p := range x.Parts.Results {
		r := result{Part: p, Number: p.Rank, Percent: p.Result.Score}
		at := t
		if visit, ok := o.Visits[p.Key.Project]; ok {
			at.repo, r.Via = visit.Repo, p.Key.Project
		}
		r.Link = at.link(p.ID, 0)
		rank := q.values()
		rank.Set("id", p.DocID)
		r.Rank = "/rank?" + rank.Encode()
		r.Code = coloured(p.Language, p.Lines, at, p.Path)
		r.Edges = at.edges(p.Links)
		x.Results = append(x.Results, r)
	}
	return x
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
