package lookups

import (
	"context"
	"fmt"
	"slices"
	"time"

	"patina/actors/api"
	"patina/code/history"
	"patina/code/lookup"
	"patina/store/doc"
)

// followShare is the share of a look-up's time that git may take to follow lines.
const followShare = 0.8

// followSymbol replaces the commits of the file by those of the symbol, if git finds them.
func (d *Desk) followSymbol(ctx context.Context, r api.LinksRequest, a *api.LinksAnswer) error {
	if !r.Follow || r.Symbol == "" || d.Follow == nil {
		return nil
	}
	first, last, text, err := lookup.SymbolLines(ctx, d.Reader, r.Path, r.Symbol)
	if err != nil || first == 0 {
		a.Note = "its lines are not known: these are the commits of the file"
		return err
	}
	within, cancel := context.WithCancel(ctx)
	if end, ok := ctx.Deadline(); ok {
		within, cancel = context.WithTimeout(ctx, time.Duration(followShare*float64(time.Until(end))))
	}
	defer cancel()
	commits, note := d.Follow(within, api.FollowedSymbol{
		Path: r.Path, Name: r.Symbol, First: first, Last: last, Text: text,
	})
	a.Note = note
	if len(commits) == 0 {
		if a.Note != "" {
			a.Note += ": these are the commits of the file"
		}
		return nil
	}
	all, _, err := history.Touching(ctx, d.Reader, r.Path, a.Commits)
	if err != nil {
		return err
	}
	a.Symbol, a.Commits = true, len(commits)
	var links []doc.Link
	for _, c := range commits[:min(len(commits), r.Commits)] {
		id := doc.CommitID(c.SHA)
		i := slices.IndexFunc(all, func(l doc.Link) bool { return l.Target == id })
		if i < 0 { // a merge, or newer than the index
			note := fmt.Sprintf("%s %s", c.Time.UTC().Format(time.DateOnly), c.Subject)
			all, i = append(all, doc.Link{Relation: "commit", Target: id, Note: note}), len(all)
		}
		links = append(links, all[i])
	}
	a.Links = append(links, slices.DeleteFunc(a.Links, func(l doc.Link) bool { return l.Relation == "commit" })...)
	return nil
}
