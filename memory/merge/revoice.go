package merge

import (
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/text"
)

// maxRevoiced bounds the words of a note that may be the same in the other voice.
const maxRevoiced = 24

// unvoiced lists words that forbid the comparison of voices, because more than one verb or a scope
// may be at stake.
var unvoiced = text.Set("and or but while than also that which who what was were if unless because so get")

// obliged matches the words that make a passive an instruction.
var obliged = lazyregexp.New(`(?i)\b(?:must|should|ha(?:ve|s) to)\b`)

// isRevoiced reports whether a, in the present passive, says what b says in the active voice: "the
// proxy authenticates the client", "the client is authenticated by the proxy", and "do not edit
// vendored code", "vendored code must not be edited". Both are one simple sentence, and all other
// words are equal and in order, but for one closing clause that may be in front.
func isRevoiced(a, b string) bool {
	x, y := present(a), present(b)
	if len(x) < 3 || len(y) < 2 || len(x) > maxRevoiced || len(y) > maxRevoiced || !isSimple(x) || !isSimple(y) ||
		!slices.Contains(x, "be") {
		return false
	}
	giveCapital(x, y)
	giveCapital(y, x)
	y = dropDo(unbe(y))
	for _, x := range turns(x) {
		for _, y := range turns(y) {
			if isActiveOf(x, y, a) {
				return true
			}
		}
	}
	return false
}

// present returns the words of a note, with "be" for "get" before a participle, and without "we"
// at the beginning.
func present(text string) []string {
	w := wordsWithBe(text)
	for i := 1; i < len(w)-1; i++ {
		if (w[i] == "get" || w[i] == "gets") && participle(w[i+1]) {
			w[i] = "be"
		}
	}
	if len(w) > 1 && w[0] == "we" {
		return w[1:]
	}
	return w
}

func isSimple(w []string) bool {
	return !slices.ContainsFunc(w, func(s string) bool { return fixed.Has(s) || unvoiced.Has(s) })
}

// turns returns words unchanged and, if a clause begins them, with the clause at the end.
func turns(x []string) [][]string {
	out := [][]string{x}
	if !clause.Has(x[0]) {
		return out
	}
	for n := 2; n < len(x)-1; n++ {
		out = append(out, slices.Concat(x[n:], x[:n]))
	}
	return out
}

// isActiveOf reports whether y is the active voice of the passive x. A negation without an agent
// must be an instruction in the passive's text, because "emails are not encrypted" may be a fault.
func isActiveOf(x, y []string, text string) bool {
	for _, f := range activeForms(x) {
		if f.verb < 0 || f.past || f.every || len(f.words) != len(y) {
			continue
		}
		negated := slices.ContainsFunc(x, func(w string) bool { return negations.Has(w) })
		agent := slices.Contains(x, "by")
		if negated && !agent && !obliged().MatchString(text) {
			continue
		}
		if agent && participles()[f.words[f.verb]] == f.words[f.verb] { // y may be in the past
			continue
		}
		if isParticipleOf(f.words[f.verb], y[f.verb]) && slices.Equal(f.words[:f.verb], y[:f.verb]) &&
			slices.Equal(f.words[f.verb+1:], y[f.verb+1:]) {
			return true
		}
	}
	return false
}

// isParticipleOf reports whether a verb has a participle. It is stricter than equal roots, because
// "scraped" is not of "scrap".
func isParticipleOf(done, verb string) bool {
	if v := participles()[done]; v != "" {
		return v == verb
	}
	switch {
	case verb == "":
		return false
	case strings.HasSuffix(verb, "e"):
		return done == verb+"d"
	case strings.HasSuffix(verb, "y") && done == verb[:len(verb)-1]+"ied":
		return true
	}
	if doubles(verb) {
		return done == verb+verb[len(verb)-1:]+"ed"
	}
	return done == verb+"ed" || done == verb+verb[len(verb)-1:]+"ed"
}

// doubles reports whether a verb of one syllable doubles its last letter, as "scrap" and "stop" do.
func doubles(verb string) bool {
	n := len(verb)
	vowel := func(i int) bool { return strings.IndexByte("aeiou", verb[i]) >= 0 }
	if n < 3 || vowel(n-1) || strings.IndexByte("wxyh", verb[n-1]) >= 0 || !vowel(n-2) || vowel(n-3) {
		return false
	}
	return !strings.ContainsAny(verb[:n-2], "aeiou")
}
