package merge

import (
	"slices"
	"strings"
	"sync"

	"patina/store/text"
)

// A form is a note's words in the active voice.
type form struct {
	words []string
	verb  int  // the index of a participle, or -1
	past  bool // the verb was "was" or "were"
	every bool // the agent was behind "on every" or "in every", not behind "by"
}

// links lists words before which a phrase ends.
var links = text.Set("to into with of as about through via over")

// adverbs lists words that may be between "be" and a participle.
var adverbs = text.Set("not never always")

// sameWords reports whether two texts have the same words after moving a clause or changing the
// voice.
func sameWords(a, b string) bool {
	x, y := wordsWithBe(a), wordsWithBe(b)
	return sameInAnyVoice(dropFiller(x), dropFiller(y)) || sameInAnyVoice(dropFiller(loosen(x)), dropFiller(loosen(y)))
}

func sameInAnyVoice(x, y []string) bool {
	if len(x) == 0 || len(y) == 0 || len(x) > maxMoved || len(y) > maxMoved {
		return false
	}
	giveCapital(x, y)
	giveCapital(y, x)
	return sameAfterReordering(x, y) || sameAfterReordering(y, x)
}

// giveCapital restores the capital of the first word of x if y has the word with a capital. The
// capital of a plural such as "Windows" was taken for a sentence's, and its s for an ending.
func giveCapital(x, y []string) {
	name := strings.ToUpper(x[0][:1]) + x[0][1:]
	for _, n := range [...]string{name, name + "s"} {
		if slices.Contains(y, n) {
			x[0] = n
		}
	}
}

// sameAfterReordering reports whether moving one clause of x, or changing the voice, gives y.
func sameAfterReordering(x, y []string) bool {
	if isHeld(x) != isHeld(y) {
		return false
	}
	if isHeld(x) {
		return slices.Equal(unbe(x), unbe(y))
	}
	var ends []form
	for _, m := range rewritings(y) {
		ends = append(ends, activeForms(m)...)
	}
	for _, m := range reorderings(x) {
		for _, m := range rewritings(m) {
			for _, f := range activeForms(m) {
				if slices.ContainsFunc(ends, func(e form) bool { return equal(f, e) }) {
					return true
				}
			}
		}
	}
	return false
}

func isHeld(w []string) bool {
	return slices.ContainsFunc(w, func(w string) bool { return fixed.Has(w) })
}

// equal reports whether two forms have the same words. A participle equals its verb in the same
// tense.
func equal(f, g form) bool {
	if len(f.words) != len(g.words) {
		return false
	}
	for i, w := range f.words {
		v := g.words[i]
		switch {
		case i != f.verb && i != g.verb:
			if w != v {
				return false
			}
		case f.verb == g.verb:
			if w != v || f.past != g.past {
				return false
			}
		case root(w) != root(v), i == f.verb && !fitsTense(v, f.past), i == g.verb && !fitsTense(w, g.past):
			return false
		}
	}
	return true
}

// fitsTense reports whether a verb can be the past or the present tense.
func fitsTense(verb string, past bool) bool {
	return participle(verb) == past || participles()[verb] == verb
}

// reorderings returns the words unchanged. If a clause begins them, it also returns them with the
// clause at the end or before another phrase.
func reorderings(x []string) [][]string {
	out := [][]string{x}
	if !turnable.Has(x[0]) {
		return append(out, exchangedClauses(x)...)
	}
	for n := 2; n < len(x); n++ {
		for at := n + 1; at <= len(x); at++ {
			if at == len(x) || clause.Has(x[at]) || links.Has(x[at]) {
				out = append(out, slices.Concat(x[n:at], x[:n], x[at:]))
			}
		}
	}
	return out
}

// exchangedClauses returns words with the last two clauses in the other order.
func exchangedClauses(x []string) [][]string {
	last := lastClause(x, len(x))
	one := lastClause(x, last)
	if one < 1 {
		return nil
	}
	return [][]string{slices.Concat(x[:one], x[last:], x[one:last])}
}

// lastClause returns where the last clause of x[:end] begins, or 0.
func lastClause(x []string, end int) int {
	for i := end - 2; i > 0; i-- {
		if turnable.Has(x[i]) {
			return i
		}
	}
	return 0
}

// activeForms returns the words unchanged and, if they are passive, in the active voice.
func activeForms(x []string) []form {
	out := []form{{words: dropDo(unbe(x)), verb: -1}}
	at := slices.IndexFunc(x, func(w string) bool { return w == "be" || w == "was" || w == "were" })
	if at < 1 || slices.ContainsFunc(x[:at], func(w string) bool { return clause.Has(w) && !near.Has(w) }) {
		return out
	}
	verb := at + 1
	for verb < len(x) && adverbs.Has(x[verb]) {
		verb++
	}
	if verb == len(x) || !participle(x[verb]) {
		return out
	}
	var adverb []string // "never be used": it may come before "be" too
	subject := x[:at]
	for len(subject) > 1 && adverbs.Has(subject[len(subject)-1]) {
		adverb, subject = append(adverb, subject[len(subject)-1]), subject[:len(subject)-1]
	}
	adverb = append(adverb, x[at+1:verb]...)
	for _, every := range [...]bool{false, true} {
		agentIn := agentOf
		if every {
			agentIn = everyOf
		}
		if agent, rest, ok := agentIn(x[verb+1:]); ok {
			active := dropDo(unbe(slices.Concat(agent, adverb, x[verb:verb+1], subject, rest)))
			out = append(out, form{active, len(agent) + len(adverb), x[at] != "be", every})
		}
	}
	return out
}

// near lists clause words that also join two nouns.
var near = text.Set("in on at for from under within by")

// agentOf removes the agent ("by …") from the words after a participle. ok is false if the
// agent is not certain: with more than one "by", or a verb of its own.
func agentOf(x []string) (agent, rest []string, ok bool) {
	by := slices.Index(x, "by")
	if by < 0 {
		return nil, x, true
	}
	end := by + 1
	for end < len(x) && !clause.Has(x[end]) && (!links.Has(x[end]) || x[end] == "of") {
		end++
	}
	agent = x[by+1 : end]
	bad := func(w string) bool { return w == "be" || w == "and" || w == "or" || w == "but" || adverbs.Has(w) }
	if len(agent) == 0 || slices.ContainsFunc(agent, bad) || slices.Contains(x[by+1:], "by") {
		return nil, nil, false
	}
	return agent, slices.Concat(x[:by], x[end:]), true
}

func unbe(x []string) []string {
	return slices.DeleteFunc(slices.Clone(x), func(w string) bool { return w == "be" })
}

// dropDo drops the "do" before a negation.
func dropDo(x []string) []string {
	for i := len(x) - 2; i >= 0; i-- {
		if (x[i] == "do" || x[i] == "does") && x[i+1] == "not" {
			x = slices.Delete(x, i, i+1)
		}
	}
	return x
}

// participles lists the participles that do not end in "ed", each with its verb.
var participles = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for pair := range strings.FieldsSeq(`bound:bind broken:break built:build caught:catch chosen:choose cut:cut done:do
		drawn:draw driven:drive embedded:embed fed:feed found:find frozen:freeze given:give held:hold hidden:hide hit:hit kept:keep
		known:know led:lead left:leave lost:lose made:make meant:mean overridden:override overwritten:overwrite paid:pay
		put:put read:read rebuilt:rebuild reset:reset rewritten:rewrite run:run seen:see sent:send set:set shown:show shut:shut
		spent:spend split:split spun:spin swept:sweep taken:take taught:teach thrown:throw told:tell torn:tear understood:understand
		tied:tie undone:undo used:use woken:wake won:win written:write`) {
		done, verb, _ := strings.Cut(pair, ":")
		m[done] = verb
	}
	return m
})

func participle(s string) bool {
	return participles()[s] != "" || len(s) > 4 && strings.HasSuffix(s, "ed") && !strings.HasSuffix(s, "eed") &&
		s != "embed"
}

// root returns a word without its ending, so that a verb and its participle have the same root.
// Roots are used to find pairs and to compare one verb. They do not identify a word's meaning.
func root(s string) string {
	for _, c := range s {
		if (c < 'a' || c > 'z') && c != '-' {
			return s
		}
	}
	if verb := participles()[s]; verb != "" {
		s = verb
	} else if participle(s) {
		s = s[:len(s)-2]
	}
	if s = strings.TrimSuffix(s, "e"); strings.HasSuffix(s, "y") {
		s = s[:len(s)-1] + "i"
	}
	if n := len(s); n > 2 && s[n-1] == s[n-2] {
		s = s[:n-1]
	}
	switch s {
	case "requir":
		return "need"
	case "":
		return "e"
	}
	return s
}
