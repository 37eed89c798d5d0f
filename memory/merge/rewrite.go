package merge

import (
	"slices"
	"strings"

	"patina/store/text"
)

// maxRewritten bounds the words of a note that is compared in other constructions.
const maxRewritten = 24

// rewritings returns words unchanged, and the same in other constructions: "the owner of the
// bucket" as "the bucket's owner", "new code uses the client" as "use the client for new code",
// and "there are five in the pool" as "the pool has five".
func rewritings(x []string) [][]string {
	plain := slices.DeleteFunc(slices.Clone(x), func(w string) bool { return w == "'s" })
	out := [][]string{x}
	if len(plain) != len(x) && len(plain) > 0 {
		out = append(out, plain)
	}
	if len(plain) == 0 || len(plain) > maxRewritten {
		return out
	}
	out = append(out, ownings(plain)...)
	out = append(out, usings(plain)...)
	return append(out, existings(plain)...)
}

// ownings returns words with the owner behind "of" before the thing owned.
func ownings(x []string) [][]string {
	of := slices.Index(x, "of")
	if of < 1 || ofBelongs.Has(x[of-1]) || isJoint(x[of-1]) {
		return nil
	}
	end := of + 1 // of the whole owner: "big" alone owns nothing in "tenants of big limits"
	for end < len(x) && !isJoint(x[end]) && !stating.Has(x[end]) {
		end++
	}
	if end == of+1 || end > of+1+maxOwner {
		return nil
	}
	return [][]string{slices.Concat(x[:of-1], x[of+1:end], x[of-1:of], x[end:])}
}

// maxOwner bounds the words of an owner.
const maxOwner = 3

// ofBelongs lists words that make another word of the "of" behind them.
var ofBelongs = text.Set("ahead instead out because outside inside regardless independent irrespective short full most all none any some each one both half lot kind sort number instance means spite front top")

// isJoint reports whether a word ends a noun and what belongs to it.
func isJoint(w string) bool {
	return clause.Has(w) || links.Has(w) || adverbs.Has(w) || w == "be" || w == "was" || w == "were" || w == "and" ||
		w == "or" || w == "but" || w == "while" || w == "." || w == "?"
}

// usings returns "S uses X" as "use X for S" and "use X in S", where X ends before the first clause
// or takes all.
func usings(x []string) (out [][]string) {
	at := slices.Index(x, "use")
	if at < 1 || at == len(x)-1 || slices.ContainsFunc(x[:at], func(w string) bool { return isJoint(w) && !near.Has(w) && w != "every" && w != "of" }) ||
		near.Has(x[0]) {
		return nil
	}
	first := at + 2
	for first < len(x) && !clause.Has(x[first]) {
		first++
	}
	for _, end := range slices.Compact([]int{first, len(x)}) {
		for _, link := range [...]string{"for", "in"} {
			out = append(out, slices.Concat(x[at:end], []string{link}, x[:at], x[end:]))
		}
	}
	return out
}

// existings returns "there is X in Y" as "Y has X".
func existings(x []string) (out [][]string) {
	at := slices.Index(x, "there")
	if at < 0 || at+1 == len(x) || x[at+1] != "be" {
		return nil
	}
	for in := at + 3; in < len(x)-1; in++ {
		if x[in] == "in" || x[in] == "on" || x[in] == "at" {
			out = append(out, slices.Concat(x[in+1:], []string{"have"}, x[at+2:in], x[:at]))
		}
	}
	return out
}

// everyOf returns the words behind "on every" or "in every" as the agent of a passive: "rebuilt on
// every deploy" says that every deploy rebuilds it.
func everyOf(x []string) (agent, rest []string, ok bool) {
	if len(x) < 3 || x[0] != "on" && x[0] != "in" || x[1] != "every" {
		return nil, nil, false
	}
	end := 2
	for end < len(x) && !isJoint(x[end]) {
		end++
	}
	return x[1:end], x[end:], true
}

// sharedVerb reports whether all parts have the same verb of a state behind a subject.
func sharedVerb(parts []string) bool {
	for verb := range stating.All() {
		if !slices.ContainsFunc(parts, func(p string) bool {
			at := slices.Index(strings.Fields(strings.ToLower(p)), verb)
			return at < 1
		}) {
			return true
		}
	}
	return false
}

// stating lists verbs that describe a state wherever they stand behind a subject.
var stating = text.Set(`use uses own owns need needs require requires has have handle handles contain contains hold
	holds reviews runs returns reads writes calls listens serves goes lives stays keeps stores`)
