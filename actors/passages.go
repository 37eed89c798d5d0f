package actors

import (
	"cmp"
	"context"
	"strings"

	"patina/code/lookup"
	"patina/fusion"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/text"
)

// opened is how many files of code are rated by their best passage: the first ones without it.
// With 20 no set gains.
const opened = 6

// openedVisiting is opened of a project asked beside home: with none, questions that another
// repository answers lose 0.014 MRR.
const openedVisiting = 3

// passages adds their best passage to the evidence of the first files of code. Their texts are kept
// for the descriptions. A file that cannot be read has none; its description says why.
func (f *fanout) passages(ctx context.Context, m *weighed, idle *store.Reader) error {
	leaders := f.leaders(m)
	if len(leaders) == 0 {
		return nil
	}
	wanted := make(map[fusion.Key]bool, len(leaders))
	for _, k := range leaders {
		wanted[k] = true
	}
	found := foundOf(f.lists(), wanted)
	pages := make([]*lookup.Page, len(leaders))
	err := f.eachDocument(ctx, len(leaders), idle, func(r *store.Reader, words *excerpt.Words, i int) {
		if p, err := lookup.OpenPage(ctx, r, leaders[i].ID, words, firstChunks(found[leaders[i]])); err == nil {
			pages[i] = p
		}
	})
	m.pages = make(map[string]*lookup.Page, len(leaders))
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

// leaders returns the files of code that rank first without passages. In one file there is nothing
// to rank.
func (f *fanout) leaders(m *weighed) []fusion.Key {
	if _, ok := f.question.Filter.OneFile(); ok {
		return nil
	}
	read := f.texts.understand(wordsOfAsk(f.ask))
	in := fusion.Input{
		Intent: read.intent, Words: countQuestionWords(read.parsed), Long: read.parsed.Long, Only: f.ask.Oracles, Tuning: f.ask.Tuning,
	}
	if !fusion.PassagesCount(in) { // what follows touches each hit
		return nil
	}
	in.Evidence = make(map[fusion.Key]fusion.Evidence, len(m.evidence))
	for _, l := range f.lists() {
		l.Evidence = m.evidence
		addLists(&in, l, func(k doc.Kind) bool { return k.Traits().Demoted == doc.ByClass })
	}
	most := opened
	if f.ask.Visit {
		most = openedVisiting
	}
	return fusion.Leaders(in, hitsAKind, most)
}

// countQuestionWords counts a question's words. A text of several lines is a report, whose title
// names a topic: it has none. Of a long question on one line the first sentence counts.
func countQuestionWords(q text.Question) int {
	if q.Long && strings.Contains(strings.TrimSpace(q.Raw), "\n") {
		return 0
	}
	return len(q.Words)
}

// lists are the oracles' lists under the name of the project.
func (f *fanout) lists() []*Lists {
	var out []*Lists
	for _, l := range f.state.got {
		if l != nil {
			out = append(out, &Lists{From: f.project.Name, Lists: l.Lists})
		}
	}
	return applyTuning(out, f.ask.Tuning)
}
