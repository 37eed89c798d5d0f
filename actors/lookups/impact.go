package lookups

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/knowledge"
	"patina/belief/verify"
	"patina/code/brief"
	"patina/code/impact"
)

func (d *Desk) impact(ctx context.Context, r api.ImpactRequest) (any, error) {
	if len(r.Changes) == 0 {
		return nil, errors.New("impact: no file is named")
	}
	found, err := impact.Of(ctx, d.Reader, r.Query)
	if err != nil {
		return nil, err
	}
	a := &api.ImpactAnswer{Index: d.compared(), Impact: *found}
	var paths []string
	for _, c := range r.Changes {
		paths = append(paths, c.Path)
	}
	if a.Governing, err = d.governing(ctx, paths); err != nil {
		return nil, err
	}
	a.Rules, err = brief.RulesNaming(ctx, d.Reader, paths)
	return a, err
}

// governing returns the beliefs and active decisions about the paths, the surest first. One that
// only shares words with a file does not govern it.
func (d *Desk) governing(ctx context.Context, paths []string) (out []api.Governing, err error) {
	all, err := knowledge.All(ctx, d.Reader)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	byID := make(map[string]knowledge.File, len(all))
	for _, b := range all {
		byID[b.ID] = b
	}
	runner, err := verify.NewRunner(ctx, d.source())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	reached, _, err := runner.Reach(ctx, nil)
	for _, b := range reached {
		of := byID[b.ID]
		g := api.Governing{
			ID: b.ID, Path: b.Path, Line: b.Line, Statement: of.Statement, ByOthers: b.ByOthers,
			Decision: of.Source == belief.Decision,
		}
		for _, x := range b.Reached {
			if !x.ByWords() && slices.Contains(paths, x.Path) {
				g.Files = append(g.Files, x.Path)
				if x.Score > g.Score {
					g.Score, g.Reason = x.Score, x.Reason
				}
			}
		}
		if len(g.Files) > 0 {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b api.Governing) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return out, err
}
