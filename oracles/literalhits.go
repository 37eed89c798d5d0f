package oracles

import (
	"cmp"
	"slices"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/literal"
	"patina/store/text"
)

// A tier is a class of files. Only hits of the first tier with a literal are shown.
type tier int

const (
	aSource tier = iota
	aTest
	aDocument
)

// A literalHit is a file, and the place of a literal of the question in it.
type literalHit struct {
	file  store.FileRow
	tier  tier
	d     float64
	match literal.Match
}

// isEvidence reports whether a match is enough to treat an unquoted question as a literal. isName
// means that the question is one word, such as a.b_c.
func isEvidence(h literalHit, isName bool) bool {
	if h.tier == aDocument && text.ListsChanges(h.file.Path) {
		return false
	}
	m := h.match
	if isName { // a string that holds only the name
		return m.Whole && m.Exact
	}
	return m.Content >= contentWhole || m.Whole && (m.Content >= contentPasted || m.Exact)
}

func (s *literals) hit(f store.FileRow, m literal.Match) literalHit {
	h := literalHit{file: f, match: m, d: 1}
	switch {
	case f.Kind.Traits().Demoted != doc.ByClass:
		h.tier = aDocument
	case f.Class&(doc.TestFolder|doc.TestName) != 0 || s.inTests(f.Key, m.Line):
		h.tier = aTest
	default:
		if s.lowered == nil {
			s.lowered = demoterFor(&s.question)
		}
		h.d = s.lowered.fileFactor(s.scoring.snap.Class(f.Key, f.Class), f.Functions)
	}
	return h
}

// inTests reports whether a line of a file that was read is in a module of tests.
func (s *literals) inTests(file int64, line int) bool {
	from := text.TestsFrom(s.texts[file])
	return from > 0 && line > from
}

// firstOf sorts hits and returns the first few accepted ones, all of the best tier that has any. It
// returns nil for an unquoted text in many files, because that is no literal. It reuses hits.
func firstOf(hits []literalHit, isQuoted bool, accept func(literalHit) bool) []literalHit {
	hits = slices.DeleteFunc(hits, func(h literalHit) bool { return !isQuoted && !accept(h) })
	if len(hits) == 0 {
		return nil
	}
	slices.SortStableFunc(hits, func(a, b literalHit) int {
		return cmp.Or(
			int(a.tier-b.tier), compareBools(a.match.Exact, b.match.Exact), cmp.Compare(b.d, a.d),
			a.match.Compare(b.match),
			strings.Compare(a.file.Path, b.file.Path))
	})
	same := func(h literalHit) bool { return h.tier != hits[0].tier }
	if n := slices.IndexFunc(hits, same); n >= 0 {
		hits = hits[:n]
	}
	if len(hits) > maxCommon && !isQuoted {
		return nil
	}
	return hits[:min(len(hits), maxPinned)]
}

// isCommon reports whether an unquoted text is in so many sources that firstOf returns nil.
func isCommon(hits []literalHit, accept func(literalHit) bool) bool {
	n := 0
	for _, h := range hits {
		if h.tier == aSource && accept(h) {
			n++
		}
	}
	return n > maxCommon
}

// compareBools orders true before false.
func compareBools(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

// ranked returns the document of a hit: the file, or the section with the line.
func (h literalHit) ranked() (doc.Ranked, error) {
	d := doc.Ranked{DocID: h.file.Kind.FileID(h.file.Path), Path: h.file.Path, Line: h.match.Line}
	if h.file.Kind.Traits().Shape != doc.OfSections {
		return d, nil
	}
	es, err := format.DecodeEntries(h.file.Entries)
	if err != nil {
		return d, err
	}
	for _, e := range es {
		if e.First <= d.Line && d.Line <= e.Last {
			d.DocID = h.file.Kind.PartID(h.file.Path, e.Name)
		}
	}
	return d, nil
}
