package ask

import (
	"context"
	"errors"
	"slices"

	"patina/actors/api"
	"patina/ask/visit"
	"patina/store/doc"
)

// widen adds the projects that a call visits to a question. If the engine answers for one project
// only, it returns an error.
func (c *Call) widen(ctx context.Context, e api.Service, q api.Request) (api.Request, error) {
	if len(c.Repos) == 0 && !c.Settings.AllRepos {
		return q, nil
	}
	host, ok := e.(visit.Host)
	if !ok {
		return q, errors.New("ask other projects: this engine answers for one")
	}
	var err error
	if len(c.Repos) > 0 {
		if c.Route, err = visit.RouteToNamed(ctx, c.Place, c.Mother, c.Repos); err != nil {
			return q, Misnamed(err)
		}
	} else if c.Route, err = visit.RouteByWords(ctx, c.Place, c.Mother, q.Text); err != nil {
		c.Warn("asked at home alone: %v", err)
		return q, nil
	}
	c.Visits, c.closed = nil, nil
	for _, v := range c.Route.Visits {
		if v.Kinds, err = visit.SharedKinds(v.Place); err != nil {
			c.closed = append(c.closed, "not searched: "+err.Error())
			continue
		}
		c.Visits = append(c.Visits, v)
	}
	c.Route.Visits = c.Visits
	q, note, err := visit.Widen(ctx, c.Place, host, c.Mother, q, c.Route)
	if note != "" {
		c.closed = append(c.closed, note)
	}
	return q, err
}

// visitTo returns the visit to the project of a result. It reports false for a result of home.
func (c *Call) visitTo(project string) (visit.Visit, bool) {
	for _, v := range c.Visits {
		if v.Name == project {
			return v, true
		}
	}
	return visit.Visit{}, false
}

// mostLinked is the highest number of linked projects that a context asks for beliefs, because the
// index of each must be opened.
const mostLinked = 5

// askLinked asks linked projects that show their beliefs for beliefs on a topic. An error only
// costs this part of the context, and is in i.Missed.
func askLinked(ctx context.Context, c *Call, e api.Service, r Request, i *Introduction) {
	host, ok := e.(visit.Host)
	if !ok { // it is that of another project itself
		return
	}
	i.Missed = func() error {
		linked, err := visit.RouteToLinked(ctx, c.Place, c.Mother, mostLinked)
		if err != nil {
			return err
		}
		for _, v := range linked.Visits {
			v.Kinds, err = visit.SharedKinds(v.Place)
			if closed, ok := errors.AsType[*visit.ClosedError](err); ok && closed.Cause != nil {
				c.Warn("%v", closed)
			}
			if slices.Contains(v.Kinds, doc.Belief) {
				i.Linked = append(i.Linked, v)
			}
		}
		if linked.Visits = i.Linked; len(i.Linked) == 0 {
			return nil
		}
		q, err := c.question(r, i.Topic)
		if err != nil {
			return err
		}
		q.Filter.Kinds, q.Limit, q.Timeout = []doc.Kind{doc.Belief}, topics, c.remaining()
		if q, _, err = visit.Widen(ctx, c.Place, host, c.Mother, q, linked); err != nil {
			return err
		}
		if i.Elsewhere, err = e.Scry(ctx, q); err != nil {
			return err
		}
		theirs := slices.DeleteFunc(slices.Clone(i.Elsewhere.Results), func(r api.Result) bool {
			return !slices.ContainsFunc(i.Linked, func(v visit.Visit) bool { return v.Name == r.Key.Project })
		})
		i.Elsewhere.Results = statingTopic(i.Topic, theirs)
		return nil
	}()
}
