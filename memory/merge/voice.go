package merge

import (
	"slices"
	"strings"
)

// A form is one way to say a note, in the active voice.
type form struct {
	words []string
	verb  int  // the place of a participle, or -1
	past  bool // it was "was" or "were"
}

// links lists words that a phrase ends before.
var links = newWordSet("to into with of as about through via over")

// adverbs lists words that may stand between "be" and a participle.
var adverbs = newWordSet("not never always")

// sameWords reports whether two texts have the same words once a clause is moved or the voice is
// active.
func sameWords(a, b string) bool {
	x, y := dropFiller(wordsWithBe(a)), dropFiller(wordsWithBe(b))
	if len(x) == 0 || len(y) == 0 || len(x) > maxMoved || len(y) > maxMoved {
		return false
	}
	giveCapital(x, y)
	giveCapital(y, x)
	return sameAfterReordering(x, y) || sameAfterReordering(y, x)
}

// giveCapital gives the first word of x its capital back if y has it with one.
func giveCapital(x, y []string) {
	name := strings.ToUpper(x[0][:1]) + x[0][1:]
	if slices.Contains(y[1:], name) {
		x[0] = name
	}
}

// sameAfterReordering reports whether a form of x with a clause moved is one of y as it stands.
func sameAfterReordering(x, y []string) bool {
	if isHeld(x) != isHeld(y) {
		return false
	}
	if isHeld(x) {
		return equal(form{unbe(x), -1, false}, form{unbe(y), -1, false})
	}
	ends := activeForms(y)
	for _, m := range reorderings(x) {
		for _, f := range activeForms(m) {
			if slices.ContainsFunc(ends, func(e form) bool { return equal(f, e) }) {
				return true
			}
		}
	}
	return false
}

func isHeld(w []string) bool { return slices.ContainsFunc(w, func(w string) bool { return fixed[w] }) }

// equal reports whether two forms have the same words. A participle meets its verb, in one tense.
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

// fitsTense reports whether a verb may stand for the past or the present.
func fitsTense(verb string, past bool) bool {
	return participle(verb) == past || participles[verb] == verb
}

// reorderings returns words as they stand and, where a clause begins them, with it further back: at
// the end or before another phrase.
func reorderings(x []string) [][]string {
	out := [][]string{x}
	if !clause[x[0]] {
		return out
	}
	for n := 2; n < len(x); n++ {
		for at := n + 1; at <= len(x); at++ {
			if at == len(x) || clause[x[at]] || links[x[at]] {
				out = append(out, slices.Concat(x[n:at], x[:n], x[at:]))
			}
		}
	}
	return out
}

// activeForms returns words as they stand, and in the active voice if they are in the passive one.
func activeForms(x []string) []form {
	out := []form{{dropDo(unbe(x)), -1, false}}
	at := slices.IndexFunc(x, func(w string) bool { return w == "be" || w == "was" || w == "were" })
	if at < 1 || slices.ContainsFunc(x[:at], func(w string) bool { return clause[w] && !near[w] }) {
		return out
	}
	verb := at + 1
	for verb < len(x) && adverbs[x[verb]] {
		verb++
	}
	if verb == len(x) || !participle(x[verb]) {
		return out
	}
	var adverb []string // "never be used": it stands before "be", too
	subject := x[:at]
	for len(subject) > 1 && adverbs[subject[len(subject)-1]] {
		adverb, subject = append(adverb, subject[len(subject)-1]), subject[:len(subject)-1]
	}
	adverb = append(adverb, x[at+1:verb]...)
	agent, rest, ok := agentOf(x[verb+1:])
	if !ok {
		return out
	}
	active := dropDo(unbe(slices.Concat(agent, adverb, x[verb:verb+1], subject, rest)))
	return append(out, form{active, len(agent) + len(adverb), x[at] != "be"})
}

// near lists clause words that also join a noun to another one.
var near = newWordSet("in on at for from under within by")

// agentOf takes who does it out of the words after a participle. More than one "by", or a verb of
// its own, says nothing certain.
func agentOf(x []string) (agent, rest []string, ok bool) {
	by := slices.Index(x, "by")
	if by < 0 {
		return nil, x, true
	}
	end := by + 1
	for end < len(x) && !clause[x[end]] && (!links[x[end]] || x[end] == "of") {
		end++
	}
	agent = x[by+1 : end]
	bad := func(w string) bool { return w == "be" || w == "and" || w == "or" || w == "but" || adverbs[w] }
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

// participles lists those that do not end in "ed", each with its verb.
var participles = func() map[string]string {
	m := map[string]string{}
	for pair := range strings.FieldsSeq(`bound:bind broken:break built:build caught:catch chosen:choose cut:cut done:do
		drawn:draw driven:drive embedded:embed fed:feed found:find frozen:freeze given:give held:hold hidden:hide hit:hit kept:keep
		known:know led:lead left:leave lost:lose made:make meant:mean overridden:override overwritten:overwrite paid:pay
		put:put read:read rebuilt:rebuild reset:reset rewritten:rewrite run:run seen:see sent:send set:set shown:show shut:shut
		spent:spend split:split spun:spin swept:sweep taken:take taught:teach thrown:throw told:tell torn:tear understood:understand
		undone:undo woken:wake won:win written:write`) {
		done, verb, _ := strings.Cut(pair, ":")
		m[done] = verb
	}
	return m
}()

func participle(s string) bool {
	return participles[s] != "" || len(s) > 4 && strings.HasSuffix(s, "ed") && !strings.HasSuffix(s, "eed") && s != "embed"
}

// root returns a word without its ending, so that a verb has the root of its participle. Roots
// serve to find pairs and to compare one verb. They are not enough for a word's meaning.
func root(s string) string {
	for _, c := range s {
		if c < 'a' || c > 'z' {
			return s
		}
	}
	if verb := participles[s]; verb != "" {
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
