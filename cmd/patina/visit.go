package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/actors"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/querylog"
	"patina/store"
)

// looksUp reports whether this call of scry looks something up, in one project, and asks no
// question.
func (s *scrying) looksUp(args []string) bool {
	switch {
	case s.detail != "":
		return !querylog.IsID(s.detail) // the log knows the project
	case s.believed != "" || s.literal != "" || s.regex != "" || s.file != "":
		return true
	case len(args) == 0:
		return false
	}
	return len(args) == 1 && args[0] == "recent" || len(args) == 2 && (args[0] == "orient" || args[0] == "why")
}

// move goes to the project that --repo names, for a look-up there.
func (s *scrying) move() error {
	switch len(s.Repos) {
	case 0:
		return nil
	case 1:
	default:
		return cli.Hint(errors.New("a look-up is in one project"), "give --repo once")
	}
	p, err := visit.Named(s.place, s.Repos[0])
	if err != nil {
		return namedWrong(err)
	}
	if s.guests, err = s.shared(p); err != nil {
		return err
	}
	s.place, s.moved, s.Repos = p, s.Repos[0], nil
	return nil
}

// seen is a service as this call may see it: another project shows what it shares.
func (s *scrying) seen(e actors.Service) actors.Service {
	if s.guests == nil {
		return e
	}
	return visit.Service{Service: e, Project: s.place.Project.Name, Kinds: s.guests}
}

// namedWrong adds hints to the error for a project that cannot be named so.
func namedWrong(err error) error {
	e, ok := errors.AsType[*visit.UnknownError](err)
	switch {
	case !ok:
		return err
	case e.Many:
		return cli.Hint(err, "name it by its path: "+strings.Join(e.Roots, ", "))
	}
	return cli.Hint(err, "name it by its path, after a scrape there")
}

// visiting adds the projects of --repo to a question.
func (s *scrying) visiting(ctx context.Context, e actors.Service, r actors.Request) (actors.Request, error) {
	if len(s.Repos) == 0 && !s.settings.AllRepos {
		return r, nil
	}
	host, ok := e.(visit.Host)
	if !ok {
		return r, errors.New("ask other projects: this engine answers for one")
	}
	var err error
	if len(s.Repos) > 0 {
		if s.related, err = visit.ToNamed(ctx, s.place, s.Repos); err != nil {
			return r, namedWrong(err)
		}
	} else if s.related, err = visit.Routed(ctx, s.place, r.Text); err != nil {
		s.Warn("asked at home alone: %v", err)
		return r, nil
	}
	s.visits, s.closed = nil, nil
	for _, v := range s.related.Visits {
		if v.Kinds, err = s.shared(v.Place); err != nil {
			s.closed = append(s.closed, "not searched: "+err.Error())
			continue
		}
		s.visits = append(s.visits, v)
	}
	s.related.Visits = s.visits
	return visit.Widen(ctx, s.place, host, r, s.related)
}

// shared returns the kinds that a project shows to others, as its settings say. Nothing else
// decides this: not for a question, a look-up or a tool. They are never nil. Where there are none,
// the error is a *visit.ClosedError that says why.
func (s *scrying) shared(p project.Place) ([]store.Kind, error) {
	settings, _, err := cli.ReadSettings(p, nil)
	var kinds []store.Kind
	if err == nil {
		kinds, err = visit.Parse(settings.Share)
	}
	if err != nil || len(kinds) == 0 {
		return []store.Kind{}, &visit.ClosedError{Project: p.Project.Name, Cause: err}
	}
	return kinds, nil
}

// visited returns the visit to the project of a result; not ok at home.
func (s *scrying) visited(project string) (visit.Visit, bool) {
	for _, v := range s.visits {
		if v.Name == project {
			return v, true
		}
	}
	return visit.Visit{}, false
}

// mostLinked is how many linked projects a context asks for beliefs: each is one more index that
// is opened.
const mostLinked = 5

// elsewhere asks linked projects that show their beliefs for those on a topic. An error costs this
// section alone, and is said in it.
func (s *scrying) elsewhere(ctx context.Context, e actors.Service, topic string) deliver.Elsewhere {
	host, ok := e.(visit.Host)
	if !ok { // it is itself another project's
		return deliver.Elsewhere{}
	}
	missed := func(err error) deliver.Elsewhere {
		return deliver.Elsewhere{Missed: "other projects were not searched: " + deliver.OneLine(err.Error())}
	}
	linked, err := visit.Linked(ctx, s.place, mostLinked)
	if err != nil {
		return missed(err)
	}
	var visits []visit.Visit
	for _, v := range linked.Visits {
		v.Kinds, err = s.shared(v.Place)
		if closed, ok := errors.AsType[*visit.ClosedError](err); ok && closed.Cause != nil {
			s.Warn("%v", closed)
		}
		if slices.Contains(v.Kinds, store.Belief) {
			visits = append(visits, v)
		}
	}
	if linked.Visits = visits; len(visits) == 0 {
		return deliver.Elsewhere{}
	}
	r, err := s.request(topic)
	if err != nil {
		return missed(err)
	}
	r.Filter.Kinds, r.Limit, r.Timeout = []store.Kind{store.Belief}, topics, s.left()
	if r, err = visit.Widen(ctx, s.place, host, r, linked); err != nil {
		return missed(err)
	}
	a, err := e.Scry(ctx, r)
	if err != nil {
		return missed(err)
	}
	return deliver.NewElsewhere(a, shownOf(visits))
}

// visitsShown are the visits as an answer shows them.
func (s *scrying) visitsShown() map[string]deliver.Visit { return shownOf(s.visits) }

func shownOf(visits []visit.Visit) map[string]deliver.Visit {
	out := map[string]deliver.Visit{}
	for _, v := range visits {
		repo := v.Project.Name
		if !v.Alone {
			repo = v.Root
		}
		out[v.Name] = deliver.Visit{Via: v.Relation, Repo: repo}
	}
	return out
}

// routeShown says which projects were asked.
func (s *scrying) routeShown() []string {
	var lines []string
	for _, v := range s.visits {
		via := "named; no edge leads there"
		if v.Relation != "" {
			via = "via " + v.Relation
		}
		lines = append(lines, fmt.Sprintf("route: %s × %.2f (%s)", v.Name, v.Weight, via))
	}
	if len(s.Repos) > 0 || !s.settings.AllRepos {
		return lines
	}
	if len(s.related.Choices) == 0 {
		return []string{"route: home alone: no edge leads from here"}
	}
	lines = []string{fmt.Sprintf("route: home, L %.2f", s.related.Home)}
	for _, c := range s.related.Choices {
		why := "asked"
		if !c.Asked {
			why = "not asked: " + c.Why
		}
		lines = append(lines, fmt.Sprintf("route: %s via %s, w %.2f, L %.2f: %s", s.related.Names[c.Project], c.Relation, c.Weight, c.Fit, why))
	}
	return lines
}
