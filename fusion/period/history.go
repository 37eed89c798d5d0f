package period

import (
	"strings"
	"sync"
)

// newWordSet returns a function that returns the set of the words in a text, which it makes at its
// first call.
func newWordSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			m[w] = true
		}
		return m
	})
}

// The words by which a question asks for past work, or for how something works.
var (
	// changeNouns are names of past work.
	changeNouns = newWordSet(`commit commits change changes changelog changelogs history work fix fixes patch patches
		refactor refactors refactoring refactorings rewrite rewrites release releases session sessions merges
		contribution contributions pr prs revert reverts`)
	// changeVerbs say that work was done.
	changeVerbs = newWordSet(`changed added removed deleted renamed introduced fixed merged released moved landed
		shipped reverted rewritten rewrote refactored migrated dropped deprecated written wrote made committed
		authored contributed touched updated implemented worked happened done decided broke reworked bumped upgraded
		split replaced extracted built`)
	// changeBases follow "did", as in "did Ann change".
	changeBases = newWordSet(`change add remove delete rename introduce fix merge release move land ship revert rewrite
		refactor migrate drop deprecate write make commit author contribute touch update implement work do decide
		break rework bump upgrade split replace extract build`)
	pastAuxiliaries = newWordSet("did was were had")
	// featureOpeners begin tasks, and questions about how a program works.
	featureOpeners = newWordSet(`how where can could does do is are should add implement write create parse compute
		calculate format get filter select fetch query delete remove fix make set use convert print return sort
		group validate check handle support allow test explain describe store save load find expire refactor rename
		update`)
	// listOpeners may begin a task, or a request for past work.
	listOpeners = newWordSet("find get fetch")
	// dateWords suggest that the program itself is about dates.
	dateWords = newWordSet(`date dates datetime time times timestamp timestamps calendar calendars year years month
		months week weeks day days leap dst timezone timezones epoch weekday weekdays birthday birthdays cron
		schedule scheduler interval intervals duration durations expiry expires expired expire holiday holidays age
		fiscal quarter quarters picker locale locales century`)
	// quantityWords suggest that a bare number of four digits is a quantity.
	quantityWords = newWordSet(`byte bytes ms millisecond milliseconds second seconds sec port ports line lines item
		items chunk chunks code codes status error errors buffer buffers size sizes limit limits timeout timeouts
		max maximum min minimum number numbers value values row rows column columns page pages issue rfc version
		http pixel pixels bit bits block blocks width height length offset index default sleep sdk windows office
		edition visual studio`)
	// after holds the words that may follow a date.
	after = newWordSet(`did was were is are has have had do does by to for and or but with the a an we they i you in
		on of about when why how who what which that so then until till since before after from at into because
		where as if only again not related around regarding touching concerning touched changed added removed fixed`)
)

// A question is a text with its tokens.
type question struct {
	text string
	ts   []token
}

// any reports whether a set holds a word outside quotes and outside the tokens from i up to, but
// not including, j.
func (q question) any(words map[string]bool, i, j int) bool {
	for k, t := range q.ts {
		if (k < i || k >= j) && !t.quoted && words[t.lower] {
			return true
		}
	}
	return false
}

// asksForWork reports whether a question asks for past work, by the words outside the tokens from i
// up to j. "Where are commits of last month filtered" asks for code.
func (q question) asksForWork(i, j int) bool {
	return !q.asksForCode() && (q.any(changeNouns(), i, j) || q.any(changeVerbs(), i, j) || q.any(pastAuxiliaries(), i, j))
}

// asksForCode reports whether a question asks how something works, or is a task. q must have a
// token.
func (q question) asksForCode() bool {
	first := q.ts[0].lower
	switch {
	case q.any(pastAuxiliaries(), 0, 0): // how did it change
		return false
	case listOpeners()[first] || first == "which" || first == "what":
		for _, t := range q.ts[1:min(len(q.ts), 4)] { // find all commits, which files changed
			if changeNouns()[t.lower] || changeVerbs()[t.lower] {
				return false
			}
		}
		return listOpeners()[first] || first == "which"
	case first == "has" || first == "have":
		return false
	}
	return featureOpeners()[first]
}

// follows reports whether a date may end before the token j.
func (q question) follows(j int) bool {
	return j == len(q.ts) || q.ts[j-1].ends || after()[q.ts[j].lower] && !q.ts[j].quoted
}

// reads reports whether the date in the tokens from i up to j is meant as a date.
func (q question) reads(x found, i, j int) bool {
	for _, t := range q.ts[i:j] {
		if t.quoted {
			return false
		}
	}
	switch {
	case !q.follows(j):
		return false
	case q.asksForWork(i, j):
		return !x.bare || !q.any(quantityWords(), i, j) || q.any(changeNouns(), i, j) || q.any(pastAuxiliaries(), i, j) ||
			q.any(changeVerbs(), i, j)
	case q.asksForCode() || q.any(dateWords(), i, j):
		return false
	case x.bare && (x.open || q.any(quantityWords(), i, j)): // "timeout after 2000"
		return false
	}
	return !x.bare || j == len(q.ts) || i == 0
}
