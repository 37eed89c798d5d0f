package actors

import (
	"slices"

	"patina/actors/api"
	"patina/actors/lookups"
	"patina/oracles"
	"patina/store/doc"
)

// listedDocuments returns the indexed documents in all lists, each once, by kind and identity in
// fusion.
func listedDocuments(of []*api.Lists) map[doc.Kind][]string {
	ids := map[doc.Kind][]string{}
	for _, m := range of {
		for _, l := range m.Lists {
			if l.Kind.Traits().Shape == doc.Outside {
				continue
			}
			for _, h := range l.Hits {
				ids[l.Kind] = append(ids[l.Kind], l.Kind.Identity(h))
			}
		}
	}
	for kind, all := range ids {
		slices.Sort(all)
		ids[kind] = slices.Compact(all)
	}
	return ids
}

// semantic is the channel whose raw scores are cosines.
const semantic = "semantic"

// A meaning holds the semantic channel's results without its ranking.
type meaning struct {
	cosines      map[string]float64         // by the document's identity in fusion
	random       map[string]doc.Calibration // of those that the index's does not fit
	words, known int                        // as in oracles.List
}

// meaningOf returns the meaning in lists. It is empty if the semantic channel did not answer.
func meaningOf(of []*api.Lists) meaning {
	out := meaning{cosines: map[string]float64{}, random: map[string]doc.Calibration{}}
	for _, m := range of {
		for _, l := range m.Lists {
			if l.Kind.Traits().Channel == l.Channel { // its hits have cosines of their own
				for _, h := range l.Hits {
					if len(h.Near) > 0 {
						out.enter(l, h, slices.Max(h.Near))
					}
				}
			}
			if l.Channel != semantic {
				continue
			}
			out.words, out.known = l.Words, l.Known
			for _, h := range l.Hits {
				out.enter(l, h, h.Raw)
			}
		}
	}
	return out
}

// enter notes the cosine of a hit in a list.
func (m *meaning) enter(l oracles.List, h doc.Ranked, cosine float64) {
	id := l.Kind.Identity(h)
	m.cosines[id] = cosine
	if l.Random != nil {
		m.random[id] = l.Random
	}
}

// addTo adds the meaning to the evidence from the store. Known is the mean of two equal witnesses:
// the words of the project and the vocabulary of the model. The first lacks common words in a small
// project, and the second lacks the names of this one.
func (m meaning) addTo(to map[string]doc.Evidence, c doc.Calibration) {
	for id, e := range to {
		if m.words > 0 {
			e.Known = (e.Known + float64(m.known)/float64(m.words)) / 2
		}
		if cosine, ok := m.cosines[id]; ok {
			of := c
			if own := m.random[id]; own != nil {
				of = own
			}
			e.Cosine = of.Evidence(cosine)
		}
		to[id] = e
	}
}

// passesFilter reports whether a document named by the question passes the filter. Listed documents
// pass a narrow filter, because lists hold only documents that pass.
func passesFilter(f doc.Filter, listed map[doc.Kind][]string, x doc.Ranked) bool {
	kind := doc.KindOf(x.DocID)
	if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, kind) {
		return false
	}
	return !f.Narrow() || slices.Contains(listed[kind], kind.Identity(x))
}

// hasChanged reports whether a document's file has changed since it was read.
func hasChanged(root string, d doc.Description) bool {
	return d.Path != "" && root != "" && lookups.IsModified(root, d.Path, d.Stat)
}
