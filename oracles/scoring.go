package oracles

import (
	"cmp"
	"context"
	"slices"

	"patina/store"
	"patina/store/text"
)

const (
	// MaxTerms is the highest number of stems that rank a question. The rarest ones do
	// (docs/ranking.md, "Words").
	MaxTerms = 64
	// maxDistinct bounds the stems whose frequency is looked up.
	maxDistinct = 4096
)

// A scoring is a question prepared for one generation: the posting lists of its terms in each
// segment, and the weight of each term. All kinds share one idf, whose n and N count their live
// chunks together (docs/ranking.md, "One list of all kinds").
type scoring struct {
	snap     *store.Snapshot
	segments []*store.Segment
	terms    []string
	lists    [][]store.PostingList // by segment, by term
	df       []int                 // number of live chunks with the term
	idf      []float64             // times the term's weight in a long text
	wide     []float64             // the same over all projects asked, for shares; else idf
	known    float64               // Evidence.Known
	p        int                   // p of the p-norm

	renderings *renderings // nil: no term has a translation to search for
}

// prepareScoring reads the posting lists of a question. They are those of commit subjects if
// wantSubjects is set, and else those of all kinds.
func prepareScoring(
	ctx context.Context, r *store.Reader, q text.Question, wantSubjects bool,
) (*scoring, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	s := &scoring{snap: snap, p: shortNorm}
	total := 0
	for _, g := range snap.Segments {
		if (g.Space == store.Subjects) == wantSubjects {
			s.segments = append(s.segments, g)
			total += g.Live
		}
	}
	if q.Long {
		s.p = longNorm
		s.terms, s.known, err = heaviestTerms(ctx, r, s.segments, q, wantSubjects)
	} else {
		s.terms, err = rarestTerms(ctx, r, s.segments, q.Terms)
	}
	if err != nil {
		return nil, err
	}
	if s.lists, err = r.KeptLists(ctx, snap, s.segments, s.terms); err != nil {
		return nil, err
	}
	if err := s.weighTerms(total, q); err != nil {
		return nil, err
	}
	if !q.Long {
		s.known = s.knownOf(q.Parts)
	}
	return s, nil
}

// rarestTerms returns terms if they are few, or else the MaxTerms rarest ones that occur.
func rarestTerms(
	ctx context.Context, r *store.Reader, segs []*store.Segment, terms []string,
) ([]string, error) {
	if len(terms) <= MaxTerms || len(segs) == 0 {
		return terms[:min(len(terms), MaxTerms)], nil
	}
	terms = terms[:min(len(terms), maxDistinct)]
	n, err := r.Frequencies(ctx, segs, terms)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return n[t] == 0 })
	slices.SortStableFunc(kept, func(a, b string) int { return cmp.Compare(n[a], n[b]) })
	return kept[:min(len(kept), MaxTerms)], nil
}

// weighTerms counts each term's live chunks and computes its idf, times its weight in a long text.
// Lists are ordered by the project's own idf, as if it were the only project. In shares, a term
// that is common in other projects counts as common here, because else the shares of different
// projects could not be compared.
func (s *scoring) weighTerms(total int, q text.Question) error {
	s.df = make([]int, len(s.terms))
	s.idf, s.wide = make([]float64, len(s.terms)), make([]float64, len(s.terms))
	for t := range s.terms {
		var err error
		if s.df[t], err = s.chunksWith(t); err != nil {
			return err
		}
		s.idf[t] = text.IDF(s.df[t], total)
		s.wide[t] = text.IDF(max(s.df[t], q.Wide.Terms[s.terms[t]]), max(total, q.Wide.Chunks))
		if q.Weights != nil {
			s.idf[t] *= q.Weights[s.terms[t]]
			s.wide[t] *= q.Weights[s.terms[t]]
		}
	}
	return nil
}
