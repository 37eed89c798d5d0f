package ranking

import (
	"strings"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
	"patina/store/text"
)

// opened is how many files of code are rated by their best passage: the first ones without it.
// With 20 no set gains.
const opened = 6

// openedVisiting is opened of a project asked beside home: with none, questions that another
// repository answers lose 0.014 MRR.
const openedVisiting = 3

// Leaders returns the files of code that rank first without passages: their passages are worth
// reading. lists are those of one project, and evidence is all there is for their hits. It returns
// nil where passages do not count.
func Leaders(read Reading, ask *api.Ask, lists []*api.Lists, evidence map[string]doc.Evidence) []fusion.Key {
	in := fusion.Input{
		Intent: read.intent, Words: countQuestionWords(read.parsed), Long: read.parsed.Long, Only: ask.Oracles, Tuning: ask.Tuning,
	}
	if !fusion.PassagesCount(in) { // what follows touches each hit
		return nil
	}
	in.Evidence = make(map[fusion.Key]fusion.Evidence, len(evidence))
	for _, l := range lists {
		rated := *l // messages are not changed
		rated.Evidence = evidence
		addLists(&in, &rated, func(k doc.Kind) bool { return k.Traits().Demoted == doc.ByClass })
	}
	most := opened
	if ask.Visit {
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
