package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/doctorcmd"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/print"
	"patina/code/describe"
	"patina/code/lookup"
	"patina/graph"
)

func init() {
	addRoute("GET /project", (*view).projectPage)
	addRoute("GET /part/project-state", (*view).projectState)
	addRoute("GET /part/project-hot", (*view).projectHot)
	addRoute("GET /part/project-days", (*view).projectDays)
	addRoute("GET /part/project-decisions", (*view).projectDecisions)
	addRoute("GET /part/project-doctor", (*view).projectDoctor)
	addMenu(20, "Project", "/project")
}

// A projectView is the page of a project: its name, and the panels whose content comes later.
type projectView struct {
	Name  string // of another project; empty for that of the server
	Wide  []panel
	Lists []panel
}

// projectPage shows a project as a whole.
func (v *view) projectPage() error {
	q := url.Values{}
	p := projectView{}
	if repos := v.repos(); len(repos) > 0 {
		q["repo"], p.Name = repos, repos[0]
	}
	at := func(name, title string) panel {
		return panel{Name: name, Title: title, Link: "/part/" + name + "?" + q.Encode()}
	}
	doctor := at("project-doctor", "What the doctor says")
	doctor.Late = true
	p.Lists = []panel{
		at("project-state", "The index"), doctor, at("project-hot", "Hot files"),
		at("project-days", "What changed lately"), at("project-decisions", "Decisions in time"),
	}
	p.Wide = []panel{
		at("project-packages", "Packages by imports"), at("project-beliefs", "Beliefs by support and attack"),
		at("project-mother", "Repositories and their links"),
	}
	if len(q) == 0 && v.Place.Far == "" && !v.Place.Published() { // the others would say the same
		p.Lists, p.Wide = []panel{doctor}, p.Wide[2:]
	}
	return v.page("project", "project", "Project", p)
}

// A stated is one fact about an index.
type stated struct{ Name, Value string }

// projectState writes how fresh the index is, and how much it holds.
func (v *view) projectState() error {
	return v.lookUp("freshness", 0, func(ctx context.Context, c *ask.Call, e api.Service) error {
		a, err := e.Freshness(ctx, api.FreshnessRequest{ReadOptions: c.Within()})
		if err != nil {
			return err
		}
		x := c.State(a.Index)
		g := x.Generation
		facts := []stated{
			{"files", graph.Thousands(g.Files)},
			{"commits", graph.Thousands(g.Commits)},
			{"beliefs", graph.Thousands(g.Beliefs)},
			{"read", g.ScrapedAt.UTC().Format("2006-01-02 15:04 UTC")},
		}
		if g.Branch != "" {
			facts = append(facts, stated{"branch", layout.Clip(g.Branch, layout.MaxName)})
		}
		if g.Head != "" {
			facts = append(facts, stated{"head", g.Head[:min(12, len(g.Head))]})
		}
		if g.History != "" {
			facts = append(facts, stated{"history", g.History})
		}
		fresh := cmp.Or(deliver.Freshness([]api.IndexState{x}, print.ShellDialect(c, "")), "it is as the tree is")
		return v.part("project-state", struct {
			Fresh, Note string
			Facts       []stated
		}{fresh, a.Note, facts})
	})
}

// mostHot bounds each list of hot files.
const mostHot = 12

// projectHot writes the files that change most, and those on which most others depend.
func (v *view) projectHot() error {
	_, a, err := v.ask("orient", 0, ask.Request{Form: ask.Orient})
	if err != nil {
		return err
	}
	b := beside{None: "no code is in the index: patina scrape reads the folder"}
	if a.Folder != nil {
		t := trailOf(v.query)
		central := a.Folder.Central
		changed := hotFiles(central, t, "commit", func(x describe.Central) int { return x.Commits })
		used := hotFiles(central, t, "user", func(x describe.Central) int { return x.Users })
		b.Lists = nonEmptyLists(edgeList{"by commits", changed}, edgeList{"by importers and callers", used})
		if len(changed) == 0 && len(used) > 0 {
			b.Notes = append(b.Notes, "no commit is known: git init and a commit give a history, patina scrape reads it")
		}
	}
	return v.part("beside", b)
}

// hotFiles returns the files with most of something, with their share of the first.
func hotFiles(all []describe.Central, t trail, what string, of func(describe.Central) int) (edges []edge) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b describe.Central) int { return of(b) - of(a) })
	for _, x := range all[:min(len(all), mostHot)] {
		if of(x) == 0 {
			break
		}
		edges = append(edges, edge{
			Name: layout.ShortPath(x.Path, layout.MaxShortPath), Link: t.link(x.Path, 0), Note: layout.Count(of(x), what),
			Strength: float64(of(x)) / float64(of(all[0])),
		})
	}
	return edges
}

func nonEmptyLists(all ...edgeList) []edgeList {
	return slices.DeleteFunc(all, func(l edgeList) bool { return len(l.Edges) == 0 })
}

// lateDays is the number of days of "lately".
const lateDays = 30

// projectDays writes the commits of the last days, by day. If there are none, it is the days before
// the newest commit.
func (v *view) projectDays() error {
	days := lateDays
	_, a, err := v.ask("recent", 0, ask.Request{Form: ask.Recent, Days: days})
	if err != nil {
		return err
	}
	b := beside{None: "no commit is in the index"}
	if h := a.Recent.Index.Generation.History; h != "" {
		b.None += ": " + h + ". A commit in git and patina scrape give a history"
	}
	if newest := a.Recent.Newest; len(a.Recent.Commits) == 0 && !newest.IsZero() {
		b.Said = append(b.Said, fmt.Sprintf("Nothing in the last %d days. The newest commit is of %s.", days, layout.Day(newest)))
		from := newest.AddDate(0, 0, -days).UTC().Format(time.DateOnly)
		if _, a, err = v.ask("recent", 0, ask.Request{Form: ask.Recent, Days: days, Since: from}); err != nil {
			return err
		}
	}
	t := trailOf(v.query)
	for i, d := range a.Recent.Commits {
		day := layout.Day(d.Time)
		if i == 0 || b.Lists[len(b.Lists)-1].Title != day {
			b.Lists = append(b.Lists, edgeList{Title: day})
		}
		l := &b.Lists[len(b.Lists)-1]
		l.Edges = append(l.Edges, edge{
			Name: layout.Clip(cmp.Or(d.Title, d.DocID), layout.MaxName), Link: t.link(d.DocID, 0), Note: layout.Clip(d.Author, 40),
		})
	}
	b.More = max(0, a.Recent.Total-len(a.Recent.Commits))
	return v.part("beside", b)
}

// mostDecisions bounds the time line.
const mostDecisions = 30

// projectDecisions writes the decision records, and the beliefs that are dated, newest first.
func (v *view) projectDecisions() error {
	return v.lookUp("beliefs", 0, func(ctx context.Context, c *ask.Call, e api.Service) error {
		a, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: c.Within()})
		if err != nil && !errors.Is(err, lookup.ErrNoDocument) {
			return err
		}
		var b beside
		if a != nil {
			b = timeLine(a, trailOf(v.query))
		}
		if len(b.Lists) == 0 {
			b.None = `no decision record is in the index: a file such as docs/adr/0001-title.md is one, and patina belief add "STATEMENT" writes a belief`
		}
		return v.part("beside", b)
	})
}

// timeLine returns decisions and dated beliefs by month.
func timeLine(a *api.BeliefsAnswer, t trail) (b beside) {
	all, undated := slices.Clone(a.Beliefs), 0
	slices.SortStableFunc(all, func(x, y auditEntry) int { return dateOf(y).Compare(dateOf(x)) })
	for i, x := range all {
		at := dateOf(x)
		if at.IsZero() {
			undated++
			continue
		}
		if i >= mostDecisions {
			b.More++
			continue
		}
		month := at.UTC().Format("January 2006")
		if len(b.Lists) == 0 || b.Lists[len(b.Lists)-1].Title != month {
			b.Lists = append(b.Lists, edgeList{Title: month})
		}
		l := &b.Lists[len(b.Lists)-1]
		note := layout.Day(at) + ", " + x.Status
		if x.Number != "" {
			note = "decision " + layout.Clip(x.Number, 12) + ", " + note
		}
		l.Edges = append(l.Edges, edge{
			Name: layout.Clip(cmp.Or(x.Statement, x.ID), 120), Link: t.link(ask.BeliefPrefix+x.ID, 0), Note: layout.Plain(note),
			Strength: x.Standing,
		})
	}
	if undated > 0 {
		b.Notes = append(b.Notes, layout.Count(undated, "belief")+" without a date: \"revised: 2026-01-31\" in the front matter gives one")
	}
	return b
}

// dateOf returns the date of a decision or a belief, or the zero time.
func dateOf(x auditEntry) time.Time {
	for _, s := range []string{x.Revised, x.Extracted} {
		if at, err := time.Parse(time.DateOnly, s[:min(len(s), len(time.DateOnly))]); err == nil {
			return at
		}
	}
	return x.Dated
}

// projectDoctor writes the findings of "patina doctor", those that need something first.
func (v *view) projectDoctor() error {
	c, err := v.beginCall("doctor", 0)
	if err != nil {
		return err
	}
	if c.Place.Far != "" {
		return v.part("project-doctor", []doctorcmd.Finding{})
	}
	found := doctorcmd.Examine(v.r.Context(), v.App, c.Place)
	order := map[string]int{"fail": 0, "warn": 1, "ok": 2}
	slices.SortStableFunc(found, func(a, b doctorcmd.Finding) int { return order[a.Status] - order[b.Status] })
	for i, f := range found {
		found[i].Detail, found[i].Mend = layout.Clip(f.Detail, 300), strings.TrimSpace(layout.OneLine(f.Mend))
	}
	return v.part("project-doctor", found)
}
