package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/registry/mother"
	"patina/registry/querylog"
)

// The results of other projects that answers show, and their use, change the weights of edges
// (docs/repositories.md, "Learning"). All counts stay in this user's home.

// logAnswer logs an answer, unless the settings forbid it, and reports whether the log holds it.
func (c *Call) logAnswer(a *api.Answer) bool {
	if !c.Settings.LogQueries {
		return false
	}
	q := querylog.Query{
		ID: a.QueryID, Text: a.Query, Root: c.Place.Root, Store: c.Place.Store, Far: c.Place.Far, Time: time.Now().UTC(),
		Results: []querylog.Place{},
	}
	for _, x := range a.Indexes {
		q.Generation = x.Generation.Number
	}
	for _, r := range a.Results {
		place := querylog.Place{DocID: r.DocID, Shown: r.Shown}
		if v, ok := c.visitTo(r.Key.Project); ok {
			place.Root, place.Store, place.Far = v.Root, v.Store, v.Far
		}
		q.Results = append(q.Results, place)
	}
	if err := querylog.In(c.Place.Home).Append(q); err != nil {
		c.Warn("%v", err)
		return false
	}
	c.Sent.Query = q.ID
	return true
}

// recallResult returns the document of a result of an earlier answer, and moves the call to its
// project. rank must be at least 1. It returns an *UnknownQueryError or a *RankError if there is no
// such result.
func (c *Call) recallResult(ctx context.Context, id string, rank int) (docID string, err error) {
	q, err := querylog.In(c.Place.Home).Find(id)
	if err != nil {
		return "", &UnknownQueryError{err}
	}
	home, err := c.placeOf(ctx, q.Place())
	if err != nil {
		return "", err
	}
	if rank > len(q.Results) {
		if !c.mayQuote(ctx, home) {
			return "", unknownQuery(id)
		}
		return "", &RankError{QueryID: id, Question: q.Text, Results: len(q.Results)}
	}
	result := q.Results[rank-1]
	at := home
	if result.IsElsewhere() {
		if at, err = c.placeOf(ctx, result); err != nil {
			return "", err
		}
	}
	if !c.mayQuote(ctx, at) {
		return "", unknownQuery(id)
	}
	c.countOpened(ctx, home.ID, result)
	if at.Locator() != c.Place.Locator() || at.Store != c.Place.Store {
		c.Recalled = true
	}
	c.Place = at
	if result.IsElsewhere() || at.Far != "" {
		if c.guests, err = visit.SharedKinds(c.Place); err != nil {
			return "", err
		}
	}
	if result.Shown != "" {
		return result.Shown, nil
	}
	return result.DocID, nil
}

// mayQuote reports whether the caller may see a logged answer about the project at p, its question
// included.
func (c *Call) mayQuote(ctx context.Context, p project.Place) bool {
	return c.Admits == nil || c.Admits(ctx, p.Locator())
}

// unknownQuery returns the error for an id that is not in the log, or that the caller may not see.
func unknownQuery(id string) error {
	return &UnknownQueryError{fmt.Errorf("find query %q: %w", id, querylog.ErrUnknown)}
}

// placeOf returns the place of a logged answer or result.
func (c *Call) placeOf(ctx context.Context, r querylog.Place) (project.Place, error) {
	if r.Far == "" {
		return c.Place.Of(r.Root, r.Store), nil
	}
	return visit.FarPlace(ctx, c.Place, r.Far)
}

// learn adds uses to their edges, unless the settings forbid it. An error is only a warning,
// because the question is answered all the same.
func (c *Call) learn(ctx context.Context, uses []mother.Use) {
	if !c.Settings.Learn || len(uses) == 0 {
		return
	}
	if err := mother.Count(ctx, c.Place.Home, uses); err != nil {
		c.Warn("not counted: %v", err)
	}
}

// countShown counts the results that visits contributed to an answer.
func (c *Call) countShown(ctx context.Context, a *api.Answer) {
	var uses []mother.Use
	for _, v := range c.Visits {
		if v.Relation == "" {
			continue // no edge leads there
		}
		u := mother.Use{From: c.Place.ID, To: v.ID, Relation: v.Relation, Asked: 1}
		for _, r := range a.Results {
			if r.Key.Project == v.Name {
				u.Shown++
			}
		}
		uses = append(uses, u)
	}
	c.learn(ctx, uses)
}

// countOpened counts that a result of another project was opened, from an answer given in the
// project home.
func (c *Call) countOpened(ctx context.Context, home string, r querylog.Place) {
	if r.IsElsewhere() {
		u := c.edgeTo(home, r)
		u.Used = 1
		c.learn(ctx, []mother.Use{u})
	}
}

// edgeTo returns the ends of the edge from a project to that of a logged result.
func (c *Call) edgeTo(home string, r querylog.Place) mother.Use {
	if r.Far != "" {
		return mother.Use{From: home, To: mother.FarID(r.Far)}
	}
	return mother.Use{From: home, To: c.Place.Of(r.Root, r.Store).ID}
}

// Judge counts a judgement of an answer as good or bad: of the result at a rank, or for rank 0 of
// the best result of each other project. A bad result counts as shown once more and not used. It
// returns the number of counted edges, which is 0 if no result of another project is meant. An
// answer about a project that the caller may not see is unknown.
func (c *Call) Judge(ctx context.Context, id string, good bool, rank int) (edges int, err error) {
	q, err := querylog.In(c.Place.Home).Find(id)
	if err != nil {
		return 0, &UnknownQueryError{err}
	}
	home, err := c.placeOf(ctx, q.Place())
	if err != nil {
		return 0, err
	}
	if !c.mayQuote(ctx, home) {
		return 0, unknownQuery(id)
	}
	if rank > len(q.Results) {
		return 0, &RankError{QueryID: id, Question: q.Text, Results: len(q.Results)}
	}
	ranks := []int{rank}
	if rank == 0 {
		ranks = firstOfEach(q)
	}
	var uses []mother.Use
	for _, rank := range ranks {
		if r := q.Results[rank-1]; r.IsElsewhere() {
			u := c.edgeTo(home.ID, r)
			if u.Used = 1; !good {
				u.Used, u.Shown = 0, 1
			}
			uses = append(uses, u)
		}
	}
	if !c.Settings.Learn {
		return 0, project.AddHint(errors.New("nothing is learned: learn = false"), "patina config --help")
	}
	if len(uses) == 0 {
		return 0, nil
	}
	return len(uses), mother.Count(ctx, c.Place.Home, uses)
}

// firstOfEach returns the rank of the first result of each other project.
func firstOfEach(q querylog.Query) (ranks []int) {
	var seen []string
	for i, r := range q.Results {
		if r.IsElsewhere() && !slices.Contains(seen, r.Root+r.Far) {
			seen, ranks = append(seen, r.Root+r.Far), append(ranks, i+1)
		}
	}
	return ranks
}

// maxClient bounds the name of a client in the log, in bytes.
const maxClient = 64

// Delivered logs how many bytes of text the caller was shown, unless the settings forbid it. Errors
// are ignored, because they only cost "patina eval tokens sessions" an entry.
func (c *Call) Delivered(bytes int, failed bool) {
	if !c.Settings.LogQueries || c.Place.Home == "" {
		return
	}
	d := c.Sent
	d.Bytes, d.Failed, d.Root = bytes, failed, c.Place.Locator()
	d.Client = d.Client[:min(len(d.Client), maxClient)]
	_ = querylog.In(c.Place.Home).Deliver(d)
}
