package merge

import (
	"slices"
	"strings"
	"sync"

	"patina/internal/lazyregexp"
	"patina/store/text"
)

// filler lists words that Propose ignores. No word in it negates, counts or names anything.
var filler = text.Set("please we you our your it its this that both also get gets got simply really actually instance")

// parted matches the punctuation and words between the parts of a note.
var parted = lazyregexp.New(`[,;.!?]+(?:\s+|$)|:\s+|\s+(?:and|but|while)\s+`)

// stated lists words of a part that describes a state. Instructions do not have them.
var stated = text.Set("is are was were must should can may will has have")

// articles lists words that begin a statement and never an instruction.
var articles = text.Set("a an the each every")

// Bounds of notes that are compared by parts and with clauses moved.
const (
	maxMoved = 64 // words in a note
	maxParts = 16
)

// Propose reports whether two notes seem to say the same, and why. It is less certain than Same:
// the notes may differ in filler, in the place of a clause, in the voice or in the order of parts.
// A person should check the proposal.
func Propose(a, b string) (reason string, ok bool) {
	if Same(a, b) {
		return "says the same", true
	}
	if len(a) > maxText || len(b) > maxText || LooseKey(a) != LooseKey(b) {
		return "", false
	}
	x, y := dropFiller(words(a)), dropFiller(words(b))
	if sameOrTurned(x, y) {
		return "only filler differs", true
	}
	if sameOrTurned(dropFiller(loosen(words(a))), dropFiller(loosen(words(b)))) {
		return "the same in other forms", true
	}
	if len(x) > maxMoved || len(y) > maxMoved {
		return "", false
	}
	if sameWords(a, b) {
		return "the same in another voice or order", true
	}
	p, q := parts(a), parts(b)
	switch {
	case len(p) < 2 || len(p) != len(q) || len(p) > maxParts:
		return "", false
	case slices.EqualFunc(p, q, sameWords):
		return "the same in its parts", true
	case isOrdered(x) || isOrdered(y) || !statements(p) || !statements(q):
		return "", false
	}
	return "the same parts in another order", isPermutation(p, q)
}

// LooseKey returns a hash of a note's words in any order, without filler and endings. Notes for
// which Propose is true have equal keys.
func LooseKey(text string) string {
	if len(text) > maxText {
		return key(text, nil)
	}
	var w []string
	for _, s := range words(text) {
		for _, s := range expand(s) {
			if s = keyRoot(singular(strings.ToLower(s))); !unkeyed()[s] {
				w = append(w, s)
			}
		}
	}
	return key(text, w)
}

// unkeyed lists the roots of words that depend on the voice, on the order of parts, on the
// construction and on the choice among synonyms.
var unkeyed = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	add := func(w string) { m[keyRoot(singular(w))] = true }
	for w := range strings.FieldsSeq("and but while . ? by do does was were of 's for in on at have has there every") {
		add(w)
	}
	for w := range filler.All() {
		add(w)
	}
	for _, p := range phrases() {
		for _, w := range slices.Concat(p.from, p.to) {
			add(w)
		}
	}
	return m
})

// sameOrTurned reports whether words are equal, or one closing clause stands in front.
func sameOrTurned(x, y []string) bool {
	return len(x) > 0 && len(x) == len(y) && (slices.Equal(x, y) || isTurned(x, y) || isTurned(y, x))
}

// dropFiller returns words without filler.
func dropFiller(w []string) []string {
	return slices.DeleteFunc(slices.Clone(w), func(w string) bool { return filler.Has(w) })
}

// isOrdered reports whether words forbid reordering a note's parts.
func isOrdered(w []string) bool {
	return slices.ContainsFunc(w, func(w string) bool {
		return w != "." && fixed.Has(w) || w == "?" || w == "before" || w == "after" || w == "until" || w == "so"
	})
}

// parts returns a note's parts. An "and" after punctuation is dropped.
func parts(text string) (out []string) {
	for _, p := range parted().Split(text, -1) {
		p = strings.TrimPrefix(strings.TrimPrefix(p, "and "), "but ")
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// statements reports whether each part describes a state independently of the other parts. A part
// that begins with a word such as "in" may depend on them.
func statements(parts []string) bool {
	sharing := sharedVerb(parts)
	for _, p := range parts {
		raw := strings.Fields(strings.ToLower(p))
		w := dropFiller(words(p))
		if len(w) < 2 || clause.Has(w[0]) || filler.Has(raw[0]) || stated.Has(raw[0]) || w[0] == "not" || w[0] == "or" {
			return false
		}
		if !sharing && !articles.Has(raw[0]) && singular(raw[0]) == raw[0] &&
			!slices.ContainsFunc(raw, func(w string) bool { return stated.Has(w) }) {
			return false
		}
	}
	return true
}

// isPermutation reports whether each part of p has an equal part in q.
func isPermutation(p, q []string) bool {
	left := slices.Clone(q)
	for _, a := range p {
		i := slices.IndexFunc(left, func(b string) bool { return sameWords(a, b) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}
