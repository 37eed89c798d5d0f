package actors

import (
	"cmp"
	"context"

	"patina/actors/api"
	"patina/actors/ranking"
	"patina/code/describe"
	"patina/fusion"
	"patina/store"
	"patina/store/excerpt"
)

// passages adds the best passage to the evidence of the first code files. It keeps their pages for
// the descriptions. A file that cannot be read is skipped, because its description reports the
// error.
func (f *fanout) passages(ctx context.Context, m *weighed, got []*api.Lists, idle *store.Reader) error {
	if _, ok := f.question.Filter.OneFile(); ok {
		return nil // nothing to rank
	}
	lists := f.inProject(got)
	leaders := ranking.Leaders(f.texts.ReadAsk(f.ask), f.ask, lists, m.evidence)
	if len(leaders) == 0 {
		return nil
	}
	wanted := make(map[fusion.Key]bool, len(leaders))
	for _, k := range leaders {
		wanted[k] = true
	}
	found := ranking.ChunksOf(lists, wanted)
	pages := make([]*describe.Page, len(leaders))
	err := f.eachDocument(ctx, len(leaders), idle, func(r *store.Reader, words *excerpt.Words, i int) {
		chunks := ranking.FirstChunks(found[leaders[i]])
		if p, err := describe.OpenPage(ctx, r, leaders[i].ID, words, chunks); err == nil {
			pages[i] = p
		}
	})
	m.pages = make(map[string]*describe.Page, len(leaders))
	for i, k := range leaders {
		if pages[i] == nil {
			continue
		}
		e := m.evidence[k.ID]
		e.Passage = pages[i].Answer()
		m.evidence[k.ID], m.pages[k.ID] = e, pages[i]
	}
	return cmp.Or(err, ctx.Err())
}

// inProject returns the oracles' lists under the name of the project.
func (f *fanout) inProject(got []*api.Lists) []*api.Lists {
	var out []*api.Lists
	for _, l := range got {
		out = append(out, &api.Lists{From: f.project.Name, Lists: l.Lists})
	}
	return ranking.ApplyTuning(out, f.ask.Tuning)
}
