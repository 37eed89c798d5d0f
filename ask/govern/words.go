package govern

import (
	"slices"
	"strings"

	"patina/store/text"
)

// stemSet returns the stems of a text without stop words, each once, in order.
func stemSet(texts ...string) (stems []string, has map[string]bool) {
	has = map[string]bool{}
	add := func(word string) {
		lower := strings.ToLower(word)
		stem := text.Stem(lower)
		if len(lower) > 2 && !text.IsStop(lower) && !has[stem] {
			has[stem] = true
			stems = append(stems, stem)
		}
	}
	for _, s := range texts {
		text.Runs(s, func(run string) {
			add(run)
			text.Parts(run, add)
		})
	}
	return stems, has
}

// identifiers returns the words of texts that may be names in code.
func identifiers(texts []string) map[string]bool {
	has := map[string]bool{}
	for _, s := range texts {
		for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !isNameRune(r) }) {
			if len(word) >= 3 {
				has[word] = true
			}
		}
	}
	return has
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}

// share returns the weight of the stems that a set has, over the weight of all, and how many it
// has.
func share(stems []string, has map[string]bool, weight func(string) float64) (part float64, n int) {
	var all, found float64
	for _, s := range stems {
		w := weight(s)
		all += w
		if has[s] {
			found += w
			n++
		}
	}
	if all == 0 {
		return 0, 0
	}
	return found / all, n
}

// plainWords returns the words of a text as a shell or a person separates them, in lower case, with
// the marks of Markdown and sentences cut off.
func plainWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '"' || r == '\'' || r == '`' || r == '(' || r == ')'
	})
	for i, w := range words {
		words[i] = strings.TrimRight(strings.TrimLeft(w, "*[<{"), ".,;:!?*]>}")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// containsRun reports whether words holds run as neighbours.
func containsRun(words, run []string) bool {
	for i := 0; len(run) > 0 && i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
