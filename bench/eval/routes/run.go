package routes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/store/doc"
)

// The arms, which are ways to ask a question.
const (
	AtHome = "home alone"
	Routed = "routed"          // like scry --all-repos
	OwnIDF = "routed, own idf" // without word weights over all registered repositories
	All    = "all of the set"  // every repository of the set at full weight
)

// Arms returns the names of the arms, in the order of the tables.
func Arms() []string { return []string{AtHome, Routed, OwnIDF, All} }

const (
	limit    = 10
	patience = 30 * time.Second // for each question; a slow machine must not cost a repository

	// mostTries is how often a question is asked of machines that have too much to do, and pause the
	// time in between.
	mostTries = 10
	pause     = time.Second
)

// Options map the repositories of a set to places. Named and Shared must not be nil.
type Options struct {
	Named func(name string) (project.Place, error) // returns a registered repository
	// Shared returns the kinds that a repository shows to others.
	Shared     func(project.Place) []doc.Kind
	OnProgress func(done, total int) // may be nil
	Mother     visit.Mother          // reaches repositories on other machines; may be nil
}

// Run asks all questions. If a question's repositories are not both registered, it is left out, and
// the report counts it. If ctx ends, Run returns its error and a report of the answers until then.
func Run(ctx context.Context, qs []Question, o Options) (*Report, error) {
	r := &Report{Schema: Schema, Missing: []string{}, Rows: []Row{}}
	places, asked := map[string]project.Place{}, []Question{}
	for _, q := range qs {
		known := true
		for _, name := range []string{q.Home, q.Repo} {
			if _, ok := places[name]; ok || slices.Contains(r.Missing, name) {
				known = known && ok
				continue
			}
			p, err := o.Named(name)
			if err != nil {
				r.Missing = append(r.Missing, name)
				known = false
				continue
			}
			places[name] = p
		}
		if known {
			asked = append(asked, q)
		}
	}
	r.LeftOut, r.Repositories = len(qs)-len(asked), len(places)
	slices.Sort(r.Missing)
	if len(asked) == 0 {
		return r, fmt.Errorf("none of these repositories is registered: %s", strings.Join(r.Missing, ", "))
	}
	slices.SortStableFunc(asked, func(a, b Question) int { return strings.Compare(a.Home, b.Home) })
	err := r.ask(ctx, asked, places, o)
	r.Partial = ctx.Err() != nil
	r.finish()
	return r, err
}

// ask asks the questions with one engine for each home. Questions of one home must be adjacent.
func (r *Report) ask(ctx context.Context, qs []Question, places map[string]project.Place, o Options) error {
	done := 0
	for len(qs) > 0 {
		n := slices.IndexFunc(qs, func(q Question) bool { return q.Home != qs[0].Home })
		if n < 0 {
			n = len(qs)
		}
		every, err := others(ctx, places[qs[0].Home], places, o)
		if err != nil {
			return err
		}
		err = atHome(ctx, places[qs[0].Home], o.Mother, every, func(e, wide *actors.Engine) error {
			for _, q := range qs[:n] {
				row, err := one(ctx, e, wide, every, q, places, o)
				if err != nil {
					return fmt.Errorf("ask %q at %s: %w", q.ID, q.Home, err)
				}
				r.Rows = append(r.Rows, row)
				if done++; o.OnProgress != nil {
					o.OnProgress(done, done+len(qs)-1)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		qs = qs[n:]
	}
	return nil
}

// atHome opens two engines: one as users have it, which opens few other repositories and only on
// request, and one with all of them open.
func atHome(ctx context.Context, home project.Place, m visit.Mother, every visit.Route, f func(e, wide *actors.Engine) error) error {
	e, err := project.Open(ctx, home, 0)
	if err != nil {
		return err
	}
	defer closing(e)
	var beside []actors.Project
	for _, v := range every.Visits {
		if v.Far != "" {
			continue
		}
		x, err := v.Answering(ctx)
		if err != nil {
			return err
		}
		beside = append(beside, x)
	}
	wide, err := project.OpenAll(ctx, home, beside, 0)
	if err != nil {
		return err
	}
	defer closing(wide)
	for _, v := range every.Visits {
		if v.Far == "" {
			continue
		}
		x := actors.Project{ID: v.ID, Name: v.Name, Kinds: v.Kinds}
		if err := wide.AddTargetAs(x, m.Target(v.Far)); err != nil {
			return err
		}
	}
	return f(e, wide)
}

func closing(e *actors.Engine) {
	end, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = e.Close(end) // the answers are read
}

// others returns a route to all repositories of the set except home, with full weight.
func others(ctx context.Context, home project.Place, places map[string]project.Place, o Options) (visit.Route, error) {
	var names []string
	for name, p := range places {
		if p.ID != home.ID {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	every, err := visit.RouteToNamed(ctx, home, o.Mother, names)
	every.Named = false // they are visited as if by edges
	for i, v := range every.Visits {
		every.Visits[i].Weight, every.Visits[i].Kinds = 1, o.Shared(v.Place)
	}
	return every, err
}

// opened is a host with all projects already open.
type opened struct{}

// Visit implements visit.Host.
func (opened) Visit(actors.Project) error { return nil }

// VisitTarget implements visit.Host.
func (opened) VisitTarget(actors.Project, api.Target) error { return nil }

// one asks a question in all ways.
func one(
	ctx context.Context, e, wide *actors.Engine, every visit.Route, q Question, places map[string]project.Place,
	o Options,
) (Row, error) {
	home, target := places[q.Home], places[q.Repo]
	row := Row{ID: q.ID, Local: q.Local(), Arms: map[string]Result{}}
	followed, err := visit.RouteByWords(ctx, home, o.Mother, q.Query)
	if err != nil {
		return row, err
	}
	for i, v := range followed.Visits {
		followed.Visits[i].Kinds = o.Shared(v.Place)
	}
	for _, arm := range Arms() {
		to := map[string]visit.Route{Routed: followed, OwnIDF: followed, All: every}[arm]
		request := api.Request{Text: q.Query, Limit: limit, Timeout: patience, Projects: []string{home.Name}}
		var host visit.Host = e
		if arm == All {
			host = opened{}
		}
		asked := e
		if arm == All {
			asked = wide
		}
		a, err := insist(ctx, func() (*api.Answer, string, error) {
			r, note, err := visit.Widen(ctx, home, host, o.Mother, request, to)
			if err != nil {
				return nil, "", err
			}
			if arm == OwnIDF {
				r.Counts, note = api.Request{}.Counts, ""
			}
			a, err := asked.Scry(ctx, r)
			return a, note, err
		})
		if err != nil {
			return row, err
		}
		row.Arms[arm] = judge(q, a, home, target, to)
	}
	return row, ctx.Err()
}

// insist asks until an answer lacks nothing. Machines take so many questions of a user in a second,
// and these are more: then it waits, for a while. note says what the weights of words lack.
func insist(ctx context.Context, ask func() (a *api.Answer, note string, err error)) (*api.Answer, error) {
	for tries := 1; ; tries++ {
		a, note, err := ask()
		if err != nil {
			return nil, err
		}
		lacks, overloaded := note, note != ""
		for _, c := range a.Channels {
			if c.Status.Partial() {
				lacks = fmt.Sprintf("%s of %s did not answer: %s %s", c.Channel, c.Project, c.Status, c.Detail)
				overloaded = c.Status == api.Overloaded
			}
		}
		if lacks == "" {
			return a, nil
		}
		if !overloaded || tries == mostTries {
			return nil, errors.New(lacks)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// judge searches the results for the right repository and the right file.
func judge(q Question, a *api.Answer, home, target project.Place, to visit.Route) Result {
	name, r := "", Result{Visits: len(to.Visits), Asked: q.Local()}
	if q.Local() {
		name = home.Name
	}
	for _, v := range to.Visits {
		if v.ID == target.ID {
			name, r.Asked = v.Name, true
		}
	}
	for i, x := range a.Results {
		if name == "" || x.Key.Project != name {
			continue
		}
		if r.Repo == 0 {
			r.Repo = i + 1
		}
		if r.File == 0 && slices.ContainsFunc(q.Expect, func(p string) bool {
			return x.Path == p || strings.HasSuffix(x.Path, "/"+p)
		}) {
			r.File = i + 1
		}
	}
	return r
}
