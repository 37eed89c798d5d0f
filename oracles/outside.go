package oracles

import (
	"context"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// AddOutside adds evidence about documents that are in no index, given their stems by doc_id. It
// weighs words as in the project, so the number of these documents does not matter. to must not be
// nil.
func AddOutside(
	ctx context.Context, r *store.Reader, q text.Question, stems map[string]string, to map[string]doc.Evidence,
) error {
	if len(stems) == 0 {
		return nil
	}
	found, err := findingOf(ctx, r, q)
	if err != nil {
		return err
	}
	s := found.scoring
	for id, words := range stems {
		to[id] = doc.Evidence{
			Demotion: 1,
			Share:    text.Account(words, s.terms, func(i int) float64 { return s.wide[i] }),
			Known:    s.knownWith(q.Parts, words),
		}
	}
	return nil
}

// knownWith returns the share of a question's words that occur in the project or in a text, given
// by its stems.
func (s *scoring) knownWith(parts []string, stems string) float64 {
	also := map[string]bool{}
	for stem := range strings.SplitSeq(stems, " ") {
		also[stem] = true
	}
	with := *s
	with.df = make([]int, len(s.df))
	for i, n := range s.df {
		if with.df[i] = n; also[s.terms[i]] {
			with.df[i]++
		}
	}
	return with.knownOf(parts)
}
