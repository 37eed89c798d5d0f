package oracles

import (
	"cmp"
	"context"
	"math"
	"slices"

	"patina/store"
	"patina/store/text"
)

// Evidence returns evidence about documents for a question, whatever channel found them: by path
// for files, by doc_id for other kinds. It leaves out documents missing in this generation.
func Evidence(
	ctx context.Context, r *store.Reader, q text.Question, ids map[store.Kind][]string,
) (map[string]store.Evidence, error) {
	found, err := findingOf(ctx, r, q)
	if err != nil {
		return nil, err
	}
	s := found.scoring
	var idf map[string]float64 // counted on another core: it takes as long as all the rest
	counted := background(func() (err error) {
		if len(ids[store.Code]) > 0 {
			idf, err = s.fileIDF(q.Parts)
		}
		return err
	})
	keys, files, out, err := documents(ctx, r, s, q, ids)
	if err == nil {
		err = s.shares(q, keys, out)
	}
	if err := cmp.Or(counted(), err); err != nil {
		return nil, err
	}
	found.fileEvidence(q, files, idf, out)
	return out, nil
}

// documents returns the ids in this generation: by key, the files among them, and evidence that
// does not depend on words.
func documents(
	ctx context.Context, r *store.Reader, s *scoring, q text.Question, ids map[store.Kind][]string,
) (keys map[int64]string, files []store.Identity, out map[string]store.Evidence, err error) {
	total := 0
	for _, docs := range ids {
		total += len(docs)
	}
	keys, out = make(map[int64]string, total), make(map[string]store.Evidence, total)
	timeOf := func(int64) int64 { return 0 }
	if q.Newest {
		if timeOf, err = r.CommitTimes(ctx, s.snap); err != nil {
			return nil, nil, nil, err
		}
	}
	for kind, docs := range ids {
		xs, err := r.Identified(ctx, s.snap, kind, docs)
		if err != nil {
			return nil, nil, nil, store.Damaged(err)
		}
		for _, x := range xs {
			e := store.Evidence{Demotion: 1, Known: s.known}
			if kind.Traits().Dates == store.Moment {
				e.Time, e.Terse = timeOf(x.Key), true
				if q.Listing {
					e.Share, e.Known = 1, 1 // each is what was asked for
				}
			}
			switch kind.Traits().Demoted {
			case store.ByClass:
				files = append(files, x)
			case store.AsSection:
				e.Demotion = demoteSection(x.Path, x.Class, &q)
			}
			keys[x.Key], out[x.Doc] = x.Doc, e
		}
	}
	return keys, files, out, nil
}

// knownOf returns the share of a short question's words that occur in a live chunk, in any kind. An
// identifier counts by its parts: a name not yet written may consist of known words. If the
// question has only stop words, they count.
func (s *scoring) knownOf(parts []string) float64 {
	words, known := 0, 0
	for t, term := range s.terms {
		if len(parts) > 0 && !slices.Contains(parts, term) {
			continue
		}
		words++
		if s.df[t] > 0 {
			known++
		}
	}
	return float64(known) / float64(max(1, words))
}

// longQuestion is the number of terms above which further ones raise the attainable score more
// slowly (docs/ranking.md, "One list of all kinds").
const longQuestion = 8

// shares adds each document's share: its best chunk's score over the attainable score. For a file
// it adds the breadth: how much more its p-norm has.
func (s *scoring) shares(
	q text.Question, keys map[int64]string, out map[string]store.Evidence,
) error {
	if q.Listing {
		return nil
	}
	mass := 0.0
	for _, w := range s.wide {
		mass += w
	}
	attainable := mass * math.Min(1, math.Sqrt(longQuestion/math.Max(1, float64(len(s.terms)))))
	if attainable == 0 {
		return nil
	}
	lone := s.lone(q, attainable)
	var wanted store.Bitmap
	for k := range keys {
		wanted.Set(k)
	}
	shared := *s
	shared.idf = s.wide
	return shared.groups(allSpaces, func(g *store.Segment, key int64, scores []float32) {
		if !wanted.Has(key) {
			return
		}
		e := out[keys[key]]
		whole := saturation * attainable
		best := float64(slices.Max(scores))
		e.Share, e.Lone = math.Min(1, best/whole), lone
		if g.Pooled {
			e.Breadth = (pnorm(scores, s.p, 0) - best) / whole
		}
		out[keys[key]] = e
	})
}

// lone is the share that a document with the rarest word of a short question alone cannot exceed.
// It is 0 for a question of one word, and for a long text.
func (s *scoring) lone(q text.Question, attainable float64) float64 {
	if q.Long || len(s.wide) < 2 {
		return 0
	}
	return slices.Max(s.wide) / attainable
}

// fileEvidence adds D, J, C and X to files (docs/ranking.md, "File names and symbols"). For a long
// text it adds P, F, N and M in place of J and C. idf comes from fileIDF.
func (x *finding) fileEvidence(
	q text.Question, files []store.Identity, idf map[string]float64, out map[string]store.Evidence,
) {
	named := x.named
	for _, f := range files {
		e := out[f.Doc]
		e.Demotion = demote(f.Class, f.Functions, &q)
		if !q.Long {
			e.Coverage = f.Name.Coverage(&q, func(stem string) float64 { return idf[stem] })
			if f.Name.Named(&q) {
				e.Stem = 1
			}
		}
		e.Symbol = x.defined[f.Key]
		e.Paths, e.Frames = named.paths[f.Key], named.frames[f.Key]
		e.Names, e.Messages = named.names[f.Key], named.messages[f.Key]
		out[f.Doc] = e
	}
}

// fileIDF returns each term's idf over code files: a term counts once a file.
func (s *scoring) fileIDF(terms []string) (map[string]float64, error) {
	files := 0
	for _, g := range s.segments {
		if g.Space == string(store.Code) {
			files += len(g.Keys)
			for _, h := range g.Hidden {
				if h {
					files--
				}
			}
		}
	}
	idf := make(map[string]float64, len(terms))
	for _, term := range terms {
		t := slices.Index(s.terms, term)
		if t < 0 {
			continue
		}
		n := 0
		for i, g := range s.segments {
			if g.Space != string(store.Code) || s.lists[i][t].Len == 0 {
				continue
			}
			last := -1
			err := g.Walk(s.lists[i][t], func(group int, _ text.Posting) {
				if group != last && (g.Hidden == nil || !g.Hidden[group]) {
					n++
				}
				last = group
			})
			if err != nil {
				return nil, err
			}
		}
		idf[term] = text.IDF(n, files)
	}
	return idf, nil
}
