package store

import (
	"cmp"
	"context"
	"math"
	"slices"

	"patina/store/text"
)

// Evidence returns what the store knows of documents for a question, whatever channel found them: by path for files, by
// doc_id for the other kinds. A document that this generation does not have is left out.
func (r *Reader) Evidence(ctx context.Context, q text.Question, ids map[Kind][]string) (map[string]Evidence, error) {
	found, err := r.finding(ctx, q)
	if err != nil {
		return nil, err
	}
	s := found.scoring
	var idf map[string]float64 // counted on another core meanwhile: as long as all the rest
	counted := aside(func() (err error) {
		if len(ids[Code]) > 0 {
			idf, err = s.fileIDF(q.Parts)
		}
		return err
	})
	keys, files, out, err := r.documents(ctx, s, q, ids)
	if err == nil {
		err = s.shares(q, keys, out)
	}
	if err := cmp.Or(counted(), err); err != nil {
		return nil, err
	}
	found.fileEvidence(q, files, idf, out)
	return out, nil
}

// documents are those of ids that this generation has: by key, the files among them, and what is known of each without its words.
func (r *Reader) documents(ctx context.Context, s *scoring, q text.Question, ids map[Kind][]string) (keys map[int64]string, files []identity, out map[string]Evidence, err error) {
	keys, out = make(map[int64]string), make(map[string]Evidence)
	for kind, docs := range ids {
		xs, err := r.identified(ctx, s.snap, kind, docs)
		if err != nil {
			return nil, nil, nil, damaged(err)
		}
		for _, x := range xs {
			e := Evidence{Demotion: 1, Known: s.known}
			switch kind.Traits().Demoted {
			case ByClass:
				files = append(files, x)
			case AsSection:
				e.Demotion = demoteSection(x.path, x.class, &q)
			}
			keys[x.key], out[x.doc] = x.doc, e
		}
	}
	return keys, files, out, nil
}

// knownOf is which part of a short question's words occurs in a live chunk of any kind. An identifier counts by its parts, so that the
// name of something that is yet to be written is made of known words. A question of stop words alone counts as it is ranked: by them.
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

// longQuestion is how many terms a question can have before its length is held against it no longer (fusion.md).
const longQuestion = 8

// shares adds the share of each document: its best chunk's score over what the question could give at most. Of a file it adds the
// breadth too: what its p-norm has above that.
func (s *scoring) shares(q text.Question, keys map[int64]string, out map[string]Evidence) error {
	attainable := s.mass * math.Min(1, math.Sqrt(longQuestion/math.Max(1, float64(len(s.terms)))))
	if attainable == 0 {
		return nil
	}
	var wanted bitmap
	for k := range keys {
		wanted.set(k)
	}
	return s.groups(func(string) bool { return true }, func(g *segment, key int64, scores []float32) {
		if !wanted.has(key) {
			return
		}
		e := out[keys[key]]
		whole := saturation * attainable
		best := float64(slices.Max(scores))
		e.Share = math.Min(1, best/whole)
		if g.pooled {
			e.Breadth = (pnorm(scores, s.p, 0) - best) / whole
		}
		out[keys[key]] = e
	})
}

// fileEvidence adds D, J, C and X of ranking.md to files; for a long text P, F, N and M in place of J and C.
// idf is that of fileIDF.
func (x *finding) fileEvidence(q text.Question, files []identity, idf map[string]float64, out map[string]Evidence) {
	s, named := x.scoring, x.named
	for _, f := range files {
		e := out[f.doc]
		e.Demotion = demote(f.class, f.functions, s.snap.tests, &q)
		if n := text.FileNameOf(f.path); !q.Long {
			e.Coverage = n.Coverage(&q, func(stem string) float64 { return idf[stem] })
			if n.Named(&q) {
				e.Stem = 1
			}
		}
		e.Symbol = x.defined[f.key]
		e.Paths, e.Frames, e.Names, e.Messages = named.paths[f.key], named.frames[f.key], named.names[f.key], named.messages[f.key]
		out[f.doc] = e
	}
}

// fileIDF gives each term's idf over files of code: a term counts once a file.
func (s *scoring) fileIDF(terms []string) (map[string]float64, error) {
	files := 0
	for _, g := range s.segments {
		if g.space == string(Code) {
			files += len(g.keys)
			for _, h := range g.hidden {
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
			if g.space != string(Code) || s.lists[i][t].n == 0 {
				continue
			}
			last := -1
			err := g.walk(s.lists[i][t], func(group int, _ text.Posting) {
				if group != last && (g.hidden == nil || !g.hidden[group]) {
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
