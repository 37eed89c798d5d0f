package oracles

import (
	"slices"

	"patina/store/text"
)

// A section whose title says the question answers it, wherever it is, so it is not demoted for
// being in a manual. 0.7 and 0.8 are alike for titles as they are written, and with 0.8 less is
// found where a word is missing. Titles of one and two words name topics of the code as well: with
// them, 200 questions about code lose 0.01 MRR more (bench/history/kinds-merge.md, "Titles").
const (
	titleSaid  = 0.7 // the lowest C² of such a title
	titleWords = 3   // the fewest words that it has, without stop words
)

// titleEvidence lets the titles of sections count: a section accounts for C² of the question at
// least. It sets C of commits, by their subjects, where told says that beliefs or
// sessions are among the documents. The idf is over the chunks of all kinds.
func (x *finding) titleEvidence(q text.Question, docs []document, told bool) {
	if len(q.Parts) == 0 {
		return
	}
	idf := make([]float64, len(q.Parts))
	for i, part := range q.Parts {
		if t := slices.Index(x.scoring.terms, part); t >= 0 {
			idf[i] = x.scoring.wide[t]
		}
	}
	for i := range docs {
		d := &docs[i]
		if d.id.Subject != "" && told {
			d.Coverage = text.SubjectOf(d.id.Subject).Coverage(q.Parts, idf)
		}
		if !d.isSection {
			continue
		}
		c := d.id.Name.Coverage(q.Parts, idf)
		d.Share = max(d.Share, c*c)
		if c*c >= titleSaid && len(d.id.Name.Words) >= titleWords {
			d.Demotion = 1
		}
	}
}
