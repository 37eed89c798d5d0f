package merge

import (
	"regexp"
	"slices"
	"strings"
)

// filler lists words that a proposal looks past. None negates, counts or names.
var filler = set("please we you our your it its this that both also get gets got simply really actually instance")

// parted matches the marks and words between the parts of a note.
var parted = regexp.MustCompile(`[,;.!?]+(?:\s+|$)|:\s+|\s+(?:and|but|while)\s+`)

// stated lists words of a part that says how things are. Steps to take have none.
var stated = set("is are was were must should can may will has have")

// Propose reports whether two notes seem to say the same, and why. It is less sure than Same: only
// filler differs, or parts have moved as a whole. Somebody has to look at it.
func Propose(a, b string) (reason string, ok bool) {
	if Same(a, b) {
		return "says the same", true
	}
	if len(a) > maxText || len(b) > maxText {
		return "", false
	}
	x, y := loose(words(a)), loose(words(b))
	if len(x) == 0 || len(x) != len(y) {
		return "", false
	}
	if slices.Equal(x, y) || turned(x, y) || turned(y, x) {
		return "only filler differs", true
	}
	if ordered(x) || ordered(y) {
		return "", false
	}
	p, q := parts(a), parts(b)
	if len(p) < 2 || len(p) != len(q) || !slices.Equal(p, q) {
		return "", false
	}
	return "the same parts in another order", true
}

// LooseKey returns a hash of a note's words in any order, without filler. Notes that Propose takes
// together have equal keys.
func LooseKey(text string) string {
	if len(text) > maxText {
		return key(text, nil)
	}
	w := slices.DeleteFunc(loose(words(text)), func(w string) bool {
		return w == "and" || w == "but" || w == "while" || w == "." || w == "?"
	})
	return key(text, w)
}

// loose returns words without filler. Those in a question stay.
func loose(w []string) []string {
	return slices.DeleteFunc(slices.Clone(w), func(w string) bool { return filler[w] })
}

// ordered reports whether words tie a note's parts to their order.
func ordered(w []string) bool {
	return slices.ContainsFunc(w, func(w string) bool {
		return w != "." && fixed[w] || w == "?" || w == "before" || w == "after" || w == "until" || w == "so"
	})
}

// parts returns a note's parts, sorted, or none if one is no statement of its own. A part that
// begins or ends with a word such as "in" may depend on its neighbour.
func parts(text string) (out []string) {
	for _, p := range parted.Split(text, -1) {
		raw := strings.Fields(strings.ToLower(p))
		if len(raw) == 0 {
			continue
		}
		w := loose(words(p))
		if len(w) < 2 || clause[w[0]] || filler[raw[0]] || stated[raw[0]] || w[0] == "not" || w[0] == "or" ||
			!slices.ContainsFunc(raw, func(w string) bool { return stated[w] }) {
			return nil
		}
		out = append(out, strings.Join(w, "\x00"))
	}
	slices.Sort(out)
	return out
}
