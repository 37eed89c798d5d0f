package oracles

import (
	"context"
	"math"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// Evidence returns the evidence about documents for a question, whatever channel found them. The
// result is by path for files, and by doc_id for other kinds. Documents that are not in this
// generation are left out.
func Evidence(
	ctx context.Context, r *store.Reader, q text.Question, ids map[doc.Kind][]string,
) (map[string]doc.Evidence, error) {
	found, err := findingOf(ctx, r, q)
	if err != nil {
		return nil, err
	}
	docs, err := found.documents(ctx, r, q, ids)
	if err != nil {
		return nil, err
	}
	if err := found.shares(q, docs); err != nil {
		return nil, err
	}
	if err := found.fileEvidence(q, docs); err != nil {
		return nil, err
	}
	found.titleEvidence(q, docs, haveTold(ids))
	out := make(map[string]doc.Evidence, len(docs))
	for _, d := range docs {
		out[d.id.Doc] = d.Evidence
	}
	return out, nil
}

// haveTold reports whether a document of people's knowledge is among those with these ids.
func haveTold(ids map[doc.Kind][]string) bool {
	for kind, docs := range ids {
		if kind.Traits().Told && len(docs) > 0 {
			return true
		}
	}
	return false
}

// A document is a document that some channel has found.
type document struct {
	doc.Evidence
	id        *store.Identity
	isFile    bool // it is a file of code
	isSection bool // it is a section of a document
}

// documents returns the documents with these ids in this generation, with the evidence that does
// not depend on words.
func (x *finding) documents(
	ctx context.Context, r *store.Reader, q text.Question, ids map[doc.Kind][]string,
) (out []document, err error) {
	total := 0
	for _, docs := range ids {
		total += len(docs)
	}
	out = make([]document, 0, total)
	timeOf := func(int64) int64 { return 0 }
	if q.Newest {
		if timeOf, err = r.CommitTimes(ctx, x.scoring.snap); err != nil {
			return nil, err
		}
	}
	lowered := demoterFor(&q)
	for kind, docs := range ids {
		xs, err := r.Identified(ctx, x.scoring.snap, kind, docs)
		if err != nil {
			return nil, store.Damaged(err)
		}
		t := kind.Traits()
		for _, id := range xs {
			d := document{id: id, Evidence: doc.Evidence{Demotion: 1, Known: x.scoring.known}}
			if t.Dates == doc.Moment {
				d.Time, d.Terse = timeOf(id.Key), true
				if q.Listing {
					d.Share, d.Known = 1, 1 // the question asks for all commits
				}
			}
			switch t.Demoted {
			case doc.ByClass:
				d.isFile = true
				d.Demotion = lowered.fileFactor(id.Class, id.Functions)
			case doc.AsSection:
				d.isSection = true
				d.Demotion = lowered.section(id.Path, id.Class)
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// knownOf returns the share of a short question's words that any live chunk holds, of any kind. An
// identifier counts by its parts, because a new name may consist of known words. If parts is empty,
// all terms count.
func (s *scoring) knownOf(parts []string) float64 {
	words, known := s.wordsOf(parts), 0
	for _, t := range words {
		if s.df[t] > 0 {
			known++
		}
	}
	return float64(known) / float64(max(1, len(words)))
}

// shares sets each document's share: the score of its best chunk divided by the attainable score.
// For a file it also sets the breadth: the part by which its p-norm exceeds that. It sets Lone as
// well.
func (x *finding) shares(q text.Question, docs []document) error {
	s := x.scoring
	attainable := s.attainable()
	if q.Listing || attainable == 0 {
		return nil
	}
	lone, whole := lonePart*s.loneShare(q, attainable), saturation*attainable
	var b *board
	if slices.Equal(s.idf, s.wide) {
		b = x.board()
	} else {
		wide := *s
		wide.idf, wide.renderings = s.wide, nil
		s, b = &wide, s.newBoard()
	}
	var wanted doc.Bitmap
	at := make(map[int64]int, len(docs))
	for i := range docs {
		at[docs[i].id.Key] = i
		wanted.Set(docs[i].id.Key)
	}
	for i, g := range s.segments {
		if err := s.fill(b, i); err != nil {
			return err
		}
		p := &b.parts[i]
		for group, key := range g.Keys {
			if !wanted.Has(key) || !p.touches(g, group) {
				continue
			}
			d := &docs[at[key]]
			best, chunks := float64(p.best[group]), p.groupScores(g, group)
			if p.gain != nil {
				chunks, best = p.untranslated(g, group)
			}
			d.Share, d.Lone = math.Min(1, best/whole), lone
			if g.Pooled {
				d.Breadth = (joinPNorm(chunks, s.p) - best) / whole
			}
		}
	}
	b.wipe() // no later step reads it
	if lone == 0 {
		return nil
	}
	return s.raiseLone(q.Parts, docs)
}

// attainable returns the score that a chunk with all words could have, without the saturation.
func (s *scoring) attainable() float64 {
	mass := 0.0
	for _, w := range s.wide {
		mass += w
	}
	return mass * math.Min(1, math.Sqrt(text.LongQuestion/math.Max(1, float64(len(s.terms)))))
}

// loneShare returns the highest share of a document that holds only one word of a short question,
// the rarest. It is 0 for a question of one word and for a long text.
func (s *scoring) loneShare(q text.Question, attainable float64) float64 {
	if q.Long || len(s.wide) < 2 {
		return 0
	}
	return slices.Max(s.wide) / attainable
}

// fileEvidence sets J, C and X of files (docs/ranking.md, "File names and symbols"). For a long
// text it sets P, F, N and M instead of J and C.
func (x *finding) fileEvidence(q text.Question, docs []document) error {
	if !slices.ContainsFunc(docs, func(d document) bool { return d.isFile }) {
		return nil
	}
	idf, err := x.scoring.fileIDF(q.Parts)
	if err != nil {
		return err
	}
	named := x.named
	for i := range docs {
		d := &docs[i]
		if !d.isFile {
			continue
		}
		if !q.Long {
			d.Coverage = d.id.Name.Coverage(q.Parts, idf)
			if d.id.Name.Named(&q) {
				d.Stem = 1
			}
		}
		key := d.id.Key
		d.Symbol = x.defined[key]
		d.Paths, d.Frames = named.paths[key], named.frames[key]
		d.Names, d.Messages = named.names[key], named.messages[key]
	}
	return nil
}

// fileIDF returns the idf of each part of a question over files of code, in which a part counts
// once a file. The idf of a part that is not a term is 0.
func (s *scoring) fileIDF(parts []string) ([]float64, error) {
	files := 0
	for _, g := range s.segments {
		if g.Space == string(doc.Code) {
			files += g.Groups()
		}
	}
	idf := make([]float64, len(parts))
	for i, part := range parts {
		t := slices.Index(s.terms, part)
		if t < 0 {
			continue
		}
		n, err := s.filesWith(t)
		if err != nil {
			return nil, err
		}
		idf[i] = text.IDF(n, files)
	}
	return idf, nil
}

// filesWith counts the files of code with a term, given by its index.
func (s *scoring) filesWith(t int) (int, error) {
	return s.countSegments(t, string(doc.Code), func(g *store.Segment, l store.PostingList) (int, error) {
		if g.Space != string(doc.Code) {
			return 0, nil
		}
		return g.SeenGroups(l)
	})
}
