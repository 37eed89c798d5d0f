package ask

import (
	"context"
	"errors"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
)

// listChanges returns the changes of the last days. It returns a *DaysError if the number of days
// is out of range.
func listChanges(ctx context.Context, c *Call, r Request) (*Answer, error) {
	days := r.Days
	if days < 1 || days > MaxDays {
		return nil, &DaysError{days}
	}
	q, err := c.question(r, "")
	if err != nil {
		return nil, err
	}
	when := q.Filter.When
	since := time.Now().AddDate(0, 0, -days)
	switch {
	case !when.Since.IsZero():
		since = when.Since
	case !when.Until.IsZero():
		since = when.Until.AddDate(0, 0, -days)
		when.Since = since
	}
	out := &Answer{Form: Recent}
	err = c.read(ctx, r.Packages, true, func(e api.Service) error {
		p, err := e.Recent(ctx, api.RecentRequest{
			ReadOptions: c.Within(), Since: since, Filter: q.Filter, Limit: c.Settings.Limit,
		})
		if err != nil {
			return err
		}
		p.Index = c.State(p.Index)
		out.Recent = &Changes{RecentAnswer: p, Days: days, Since: since, When: when}
		return nil
	})
	return out, err
}

// describeFolder describes a folder. The answer's Folder is nil if the folder holds no indexed
// files.
func describeFolder(ctx context.Context, c *Call, r Request) (*Answer, error) {
	q, err := c.question(r, "")
	if err != nil {
		return nil, err
	}
	out := &Answer{Form: Orient, Name: r.Name}
	err = c.read(ctx, r.Packages, true, func(e api.Service) error {
		v, err := e.Overview(ctx, api.OverviewRequest{ReadOptions: c.Within(), Folder: r.Name, Filter: q.Filter})
		if errors.Is(err, lookup.ErrNoDocument) {
			return nil
		}
		if err != nil {
			return err
		}
		v.Index = c.State(v.Index)
		out.Folder = v
		return nil
	})
	return out, err
}
