package ranking

import (
	"strings"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
	"patina/store/text"
)

// opened is the number of code files that are rated by their best passage. They are the first
// without passages. With 20, no test set improves.
const opened = 6

// openedVisiting is opened for a project other than home. With 0, questions that another repository
// answers lose 0.014 MRR.
const openedVisiting = 3

// Leaders returns the code files that rank first without passages, whose passages should be read.
// lists must be those of one project, and evidence must cover all their hits. It returns nil if
// passages do not count.
func Leaders(read Reading, ask *api.Ask, lists []*api.Lists, evidence map[string]doc.Evidence) []fusion.Key {
	in := fusion.Input{
		Intent: read.intent, Words: countQuestionWords(read.parsed), Long: read.parsed.Long,
		Only: ask.Oracles, Tuning: ask.Tuning,
	}
	if !fusion.PassagesCount(in) { // the rest touches each hit
		return nil
	}
	in.Evidence = make(map[fusion.Key]fusion.Evidence, len(evidence))
	for _, l := range lists {
		rated := *l // messages must not be changed
		rated.Evidence = evidence
		addLists(&in, &rated, func(k doc.Kind) bool { return k.Traits().Demoted == doc.ByClass })
	}
	most := opened
	if ask.Visit {
		most = openedVisiting
	}
	return fusion.Leaders(in, hitsAKind, most)
}

// countQuestionWords returns the number of words of a question. It is 0 for a report of several
// lines, because its title names a topic. In a long question on one line, only the first sentence
// counts.
func countQuestionWords(q text.Question) int {
	if q.Long && strings.Contains(strings.TrimSpace(q.Raw), "\n") {
		return 0
	}
	return len(q.Words)
}
