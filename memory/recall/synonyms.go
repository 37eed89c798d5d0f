package recall

import (
	"slices"
	"strings"

	"patina/store/text"
)

// A Definition is a short form and the words that it is short for, such as WAL and write-ahead log.
type Definition struct{ Short, Long string }

// A Term is a word of a question, and the forms that mean the same.
type Term struct {
	Word  string
	Forms [][]string // an item has a form if it has all of its words
}

// FormShare is the value of a form relative to the word itself.
const FormShare = .8

// Terms returns the distinct words of a question, at most 64, each with the forms that common
// abbreviations and the definitions of a project give it.
func Terms(question string, own []Definition) []Term {
	words := Question(question)
	out, at := make([]Term, len(words)), make(map[string]int, len(words))
	for i, w := range words {
		out[i].Word, at[w] = w, i
	}
	add := func(word string, form []string) {
		i, ok := at[word]
		if ok && !slices.Contains(form, word) &&
			!slices.ContainsFunc(out[i].Forms, func(f []string) bool { return slices.Equal(f, form) }) {
			out[i].Forms = append(out[i].Forms, form)
		}
	}
	all := [2]*glossary{commonForms(), newGlossary(own)}
	tokens := tokensOf(question)
	for i := range tokens {
		for _, g := range all {
			for _, long := range g.long[tokens[i].base] {
				add(tokens[i].base, long)
				text.Parts(tokens[i].written, func(part string) { // "k" and "8" of "k8s"
					add(baseOf(strings.ToLower(part)), long)
				})
			}
			for _, p := range g.starting[tokens[i].base] {
				if p.matches(tokens[i:]) {
					for _, word := range p.content {
						add(word, []string{p.short})
					}
				}
			}
		}
	}
	return out
}

// A token is a word of a text, as written and in its base form. Stop words have no base form.
type token struct{ written, base string }

// tokensOf returns the words of a text in order, at most 1,000.
func tokensOf(s string) (out []token) {
	text.Runs(dropPossessives(s), func(run string) {
		if len(out) < 1000 {
			out = append(out, token{run, baseOf(strings.ToLower(run))})
		}
	})
	return out
}

// baseOf returns the base form of a word in lower case, or "" for a stop word.
func baseOf(w string) string {
	if text.IsStop(w) || stop.Has(w) {
		return ""
	}
	if base, ok := irregular()[w]; ok {
		w = base
	}
	return text.Stem(w)
}

// A phrase is the long form of a definition.
type phrase struct {
	tokens  []string // their base forms; "" for a stop word
	content []string // those that are no stop words
	short   string
}

// matches reports whether a text begins with the phrase.
func (p phrase) matches(tokens []token) bool {
	if len(tokens) < len(p.tokens) {
		return false
	}
	for i, w := range p.tokens {
		if tokens[i].base != w {
			return false
		}
	}
	return true
}

// A glossary finds definitions by their words.
type glossary struct {
	long     map[string][][]string // the words of the long forms, by the short form
	starting map[string][]phrase   // by the first word of the long form
}

func newGlossary(all []Definition) *glossary {
	g := &glossary{map[string][][]string{}, map[string][]phrase{}}
	for _, d := range all {
		short, p := tokensOf(d.Short), phrase{}
		for _, t := range tokensOf(d.Long) {
			if p.tokens = append(p.tokens, t.base); t.base != "" && !slices.Contains(p.content, t.base) {
				p.content = append(p.content, t.base)
			}
		}
		if len(short) != 1 || short[0].base == "" || len(p.content) == 0 || p.tokens[0] == "" {
			continue
		}
		p.short = short[0].base
		g.long[p.short] = append(g.long[p.short], p.content)
		g.starting[p.tokens[0]] = append(g.starting[p.tokens[0]], p)
	}
	return g
}
