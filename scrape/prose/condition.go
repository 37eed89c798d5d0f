package prose

import (
	"bytes"
	"slices"
	"strings"

	"patina/store/text"

	"patina/internal/lazyregexp"
)

// A lead is a sentence that announces the text below it.
type lead struct {
	level int // of its item; -1 for a paragraph
	text  string
}

// leading finds the sentence that governs the next one: "If a machine wrote it, you must:" above a
// list, "When releasing" as a heading, the sentence before one that begins with "Otherwise". It is
// needed because without it a rule would apply always, or say the opposite.
type leading struct {
	rest    []byte // of the file, from line on
	line    int
	heading string // the heading that governs, or ""
	leads   []lead
	last    string // the last sentence read under the heading
	label   string // of the block, such as "Lock page:" in bold, after its first sentence
	started bool   // the block's first sentence has been read
}

// head begins a section.
func (l *leading) head(title string) {
	l.heading, l.leads, l.last = "", nil, ""
	if headingGoverns().MatchString(title) {
		l.heading = strings.TrimRight(title, ":. ") + ":"
	}
}

// enter ends the leads that do not reach a block: those of items at its level or deeper, and all at
// a paragraph outside items.
func (l *leading) enter(b Block) {
	l.label, l.started = "", false
	level := b.Level
	if b.Kind != Item {
		if level = -1; l.isIndented(b.First) {
			return
		}
	}
	for n := len(l.leads); n > 0 && l.leads[n-1].level >= level; n-- {
		if l.leads[n-1].level < 0 && b.Kind == Item {
			break
		}
		l.leads = l.leads[:n-1]
	}
}

// readSentence reads a sentence of the block that was entered last.
func (l *leading) readSentence(b Block, text string) {
	if label, _, ok := strings.Cut(text, ": "); ok && !l.started && strings.HasPrefix(b.Text, "**") &&
		len(strings.Fields(label)) <= maxLabel {
		l.label = label + ":"
	}
	l.last, l.started = text, true
	if !leadsToList(text) {
		return
	}
	level := -1
	if b.Kind == Item {
		level = b.Level
	}
	l.leads = append(l.leads, lead{level, text})
}

// condition returns the nearest text that governs a sentence, or "". It must be called before
// readSentence with the same sentence.
func (l *leading) condition(text string) string {
	switch {
	case l.started && l.label != "":
		return l.label
	case l.started && refersBack(text), pointsBack().MatchString(text):
		return l.last
	}
	for n := len(l.leads); n > 0; n-- {
		if t := l.leads[n-1].text; governs().MatchString(t) {
			return t
		}
	}
	return l.heading
}

// isIndented reports whether a line begins with a blank. Calls must be in the order of lines,
// because the text before is dropped.
func (l *leading) isIndented(line int) bool {
	for ; l.line < line; l.line++ {
		at := bytes.IndexByte(l.rest, '\n')
		if at < 0 {
			l.rest = nil
			break
		}
		l.rest = l.rest[at+1:]
	}
	return len(l.rest) > 0 && (l.rest[0] == ' ' || l.rest[0] == '\t')
}

// governs finds a condition or a negation in a sentence with a list. "These are the rules:" has
// neither.
var governs = lazyregexp.New(`(?i)\b(?:if|when|whenever|unless|until|once|while|before|after|only|except|never|not` +
	`|avoid|without|forbidden|prohibited|wrong|bad|cannot)\b|n['’]t\b|^(?:for|in|on|with|during|as)\b`)

// headingGoverns is governs for headings. They need other words because a heading often only names
// a subject. "Adding a dialect" says when its steps apply.
var headingGoverns = lazyregexp.New(`(?i)^(?:if|when|whenever|unless|before|after|while|only|never|avoid|don['’]?ts?` +
	`|do not|what not|not allowed|anti-?patterns?|forbidden|prohibited|bad|wrong)\b|^(?:how to|adding|creating` +
	`|implementing|releasing|upgrading|removing|porting|migrating) \w|^(?:writing|working|debugging) (?:an?|the|new` +
	`|your|to|on|with|in|for)\b`)

// refersBack reports whether a short sentence refers to something in the sentence before: "Always
// skip it."
func refersBack(text string) bool {
	words := strings.Fields(text)
	return len(words) <= maxReferring && slices.ContainsFunc(words, func(w string) bool {
		return referring.Has(bareWord(w))
	})
}

// maxReferring is the most words of a sentence in which a pronoun must refer to the sentence
// before.
const maxReferring = 6

var referring = text.Set("it them this these those")

// pointsBack finds a sentence that applies under the sentence before.
var pointsBack = lazyregexp.New(`(?i)^(?:otherwise|else|if so|if not|in (?:that|this|such a|either) case` +
	`|in which case)\b`)
