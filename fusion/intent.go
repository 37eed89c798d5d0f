package fusion

import (
	"slices"
	"strings"
	"unicode"
)

// Intent is the kind of answer that a question asks for. It selects the priors of kinds and the
// weights of channels. It excludes no result.
type Intent string

// The intents, in the order in which IntentOf tries their rules.
const (
	Rationale  Intent = "rationale"  // why it is so
	Temporal   Intent = "temporal"   // when it became so
	HowTo      Intent = "howto"      // how to use it, or whether it has an option
	Task       Intent = "task"       // something must be done
	Mechanism  Intent = "mechanism"  // how it works, where it is
	Definition Intent = "definition" // its meaning or contents
	General    Intent = "general"    // no rule fired
)

// Companions asks for a file and the files that changed with it: the question is the path and
// nothing else. IntentOf never returns it, because only the index knows whether a text is a path.
const Companions Intent = "companions"

// intentBytes bounds the part of a question that IntentOf reads. A pasted log should not be read,
// because it would fire a rule by chance; the request comes before it.
const intentBytes = 4096

// The words of the rules, in the order of IntentOf. Openers must be the first word.
var (
	temporalAfterWhen = newWordSet("did was were had has have")
	temporalAnywhere  = newWordSet(`history changelog timeline evolution evolved recently lately latest yesterday ago
		since originally`)
	temporalOpeners = newWordSet("when what which who did was has have in show list")
	temporalChanges = newWordSet(`introduced changed added removed renamed deleted merged released moved appeared landed
		shipped`)
	rationaleAnywhere = newWordSet(`reason reasons rationale decision decisions because should shouldn ought risk risks
		tradeoff tradeoffs justify justification believe believes confident confidence principle principles`)
	rationalePhrases = [][]string{
		{"trade", "off"},
		{"trade", "offs"},
		{"instead", "of"},
		{"rather", "than"},
		{"is", "it", "ok"},
		{"is", "it", "okay"},
		{"is", "it", "allowed"},
	}
	// Programs choose and reject too. These words ask for reasons only if people are named, or if
	// the choice was made.
	choices     = newWordSet(`decide decided chose choose chosen prefer preferred reject rejected avoid avoided`)
	people      = newWordSet("we they you us team author authors maintainer maintainers project")
	done        = newWordSet("was were been")
	causes      = newWordSet("cause caused causes")
	imperatives = newWordSet(`add refactor remove delete skip rename implement write create store batch move replace fix
		use make track reduce reuse complete update change extract split merge migrate switch convert introduce drop
		support enable disable set put rewrite port document test let silence`)
	// A word in its base form before a determiner is a verb with its object ("Read the author"),
	// unless it is a preposition, a pronoun, an auxiliary, or another word without content.
	determiners = newWordSet("a an the this these each every its their our my your another")
	noContent   = newWordSet(`a about above across after against all along also among an and another any are around as at be
		because been before behind being below beside besides between beyond both but by can could despite
		did do does during each even every except for from had half has have he her here him how if in
		inside into is it its just like may me might must my near no nor not of on once only onto or our
		outside over past per quite shall she should since so still such than that the their them then there
		these they this though throughout to toward towards twice under underneath unless unlike until upon
		us versus via was we were what when where whereas whether which while who whom whose why will with
		within without would yet you your`)
	tellings          = newWordSet("explain describe define show list find tell give summarise summarize")
	mechanismOpeners  = newWordSet("how where which")
	mechanismAnywhere = newWordSet(`where implemented implementation implementations implements function functions
		method methods struct trait class interface module signature signatures calls callers`)
	definitionOpeners  = newWordSet("what who")
	definitionAnywhere = newWordSet(`explain describe define definition meaning means overview summary summarise concept
		purpose`)
	mechanismVerbs = newWordSet(`work works working happen happens handle handles compute computed computes calculated
		build builds`)
	// How to do something, as opposed to how something is done.
	howTo = [][]string{
		{"how", "do", "i"},
		{"how", "do", "we"},
		{"how", "can", "i"},
		{"how", "can", "we"},
		{"how", "could", "i"},
		{"how", "should", "i"},
		{"how", "would", "i"},
		{"can", "i"},
		{"could", "i"},
		{"is", "it", "possible", "to"},
	}
	isThere     = [][]string{{"is", "there", "a"}, {"is", "there", "an"}, {"is", "there", "any"}}
	optionWords = newWordSet(`option options flag flags setting settings switch parameter parameters variable way config
		configuration command hook example examples`)
	wishes = [][]string{
		{"want"}, {"need"}, {"plan"}, {"would", "like"}, {"are", "going", "to"},
	}
)

// A wordSet is a set of lower-case words. A nil wordSet is empty.
type wordSet map[string]bool

func newWordSet(list string) wordSet {
	s := wordSet{}
	for w := range strings.FieldsSeq(list) {
		s[w] = true
	}
	return s
}

// hasAny reports whether any of ws is in the set.
func (s wordSet) hasAny(ws []string) bool {
	return slices.ContainsFunc(ws, func(w string) bool { return s[w] })
}

// IntentOf returns the intent of a question by the first rule that fires, over whole words in any
// case. It accepts any text, and returns General if no rule fires. Only the first 4,096 bytes are
// read.
func IntentOf(question string) Intent {
	ws := intentWords(question)
	if len(ws) == 0 {
		return General
	}
	first := ws[0]
	switch {
	case slices.Contains(ws, "why") || first == "should":
		return Rationale
	case asksHowTo(ws):
		return HowTo
	case asksWhen(ws):
		return Temporal
	case asksForReasons(ws):
		return Rationale
	case imperatives[first] || wishesFor(ws) || isImperative(question, ws):
		return Task
	case mechanismOpeners[first] || first == "when" || mechanismAnywhere.hasAny(ws):
		return Mechanism
	case definitionOpeners[first] || definitionAnywhere.hasAny(ws):
		return Definition
	case mechanismVerbs.hasAny(ws):
		return Mechanism
	}
	return General
}

// optionReach is the number of words that may come between "is there a" and "option".
const optionReach = 3

// asksHowTo is the rule for questions about use: "how do I …", "is there an option …", "what is the
// default of …". "How does it …" asks for the mechanism. ws may be empty.
func asksHowTo(ws []string) bool {
	if hasPrefix(ws, []string{"how", "to"}) {
		return true
	}
	for i, w := range ws {
		rest := ws[i:]
		starts := func(phrase []string) bool { return hasPrefix(rest, phrase) }
		switch w {
		case "how", "can", "could":
			if slices.ContainsFunc(howTo, starts) {
				return true
			}
		case "is":
			if i > 0 && mechanismOpeners[ws[i-1]] {
				continue
			}
			after := rest[min(len(rest), 3):]
			if starts([]string{"is", "it", "possible", "to"}) ||
				slices.ContainsFunc(isThere, starts) && optionWords.hasAny(after[:min(len(after), optionReach)]) {
				return true
			}
		case "what", "which":
			if len(rest) > 1 && optionWords[rest[1]] && rest[1] != "way" ||
				starts([]string{"what", "is", "the", "default"}) {
				return true
			}
		}
	}
	return false
}

// asksWhen is the rule for temporal questions. ws must not be empty.
func asksWhen(ws []string) bool {
	for i, w := range ws[1:] {
		before := ws[i]
		if before == "when" && temporalAfterWhen[w] {
			return true
		}
		if (before == "which" || before == "what") && (w == "commit" || w == "commits") {
			return true
		}
	}
	if !imperatives[ws[0]] && temporalAnywhere.hasAny(ws) {
		return true
	}
	return temporalOpeners[ws[0]] && temporalChanges.hasAny(ws) || asksForNews(ws)
}

// AsksForCommit reports whether a question asks for a commit: "which commit …", "the change that
// moved …", "fix of …", or "when was …".
func AsksForCommit(question string) bool {
	ws := intentWords(question)
	for i := range len(ws) - 1 {
		w, next := ws[i], ws[i+1]
		switch {
		case w == "which" && (commitWords[next] || next == "change"), w == "what" && commitWords[next]:
			return true
		case w == "when" && (next == "was" || next == "were" || next == "did"):
			return i == 0
		case i > 1 || i == 1 && ws[0] != "the":
			continue
		case commitWords[w] && (next == "that" || next == "which"),
			w == "change" && next == "that" && i+2 < len(ws) && (ws[i+2] == "made" || strings.HasSuffix(ws[i+2], "ed")),
			w == "fix" && next == "of":
			return true
		}
	}
	return false
}

var commitWords = newWordSet("commit commits")

// asksForReasons is the rule for the rationale without "why". "How does it choose a key" asks for
// the mechanism, and "how did we choose it" for the reasons. ws must not be empty.
func asksForReasons(ws []string) bool {
	if ws[0] == "when" {
		return len(ws) < 2 || ws[1] != "does" && ws[1] != "do"
	}
	if rationaleAnywhere.hasAny(ws) || ws[0] == "what" && causes.hasAny(ws) {
		return true
	}
	for i := range ws {
		starts := func(phrase []string) bool { return hasPrefix(ws[i:], phrase) }
		if slices.ContainsFunc(rationalePhrases, starts) {
			return true
		}
	}
	passive := done.hasAny(ws) && !mechanismOpeners[ws[0]]
	return choices.hasAny(ws) &&
		(people.hasAny(ws) || passive || slices.Contains(ws, "over") || slices.Contains(ws, "decided"))
}

// wishesFor reports whether the author wants something done: "we need …", "let's …", "please …".
func wishesFor(ws []string) bool {
	for i, w := range ws {
		rest := ws[i+1:]
		switch w {
		case "please":
			return true
		case "let":
			if hasPrefix(rest, []string{"s"}) {
				return true
			}
		case "i", "we":
			if slices.ContainsFunc(wishes, func(wish []string) bool { return hasPrefix(rest, wish) }) {
				return true
			}
		}
	}
	return false
}

// isImperative reports whether a text that is no question begins with a verb in its base form and
// the determiner of its object. Verbs are not listed, because any can be meant, and English tells
// them by their place. A verb that asks for an answer ("explain the …") makes no task. ws must not
// be empty.
func isImperative(question string, ws []string) bool {
	first := ws[0]
	return len(ws) > 2 && determiners[ws[1]] && !noContent[first] && !tellings[first] && !isInflected(first) &&
		!strings.HasSuffix(strings.TrimSpace(question), "?")
}

// isInflected reports whether a word has the ending of a past, a participle, a plural or the third
// person.
func isInflected(w string) bool {
	return strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

func hasPrefix(ws, prefix []string) bool {
	return len(ws) >= len(prefix) && slices.Equal(ws[:len(prefix)], prefix)
}

// intentWords splits the first intentBytes of a question into lower-case runs of letters and digits
// ("let's" is let, s).
func intentWords(question string) []string {
	cut := len(question) > intentBytes
	if cut {
		question = question[:intentBytes]
	}
	ws := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if cut && len(ws) > 0 {
		ws = ws[:len(ws)-1] // the last may be half a word
	}
	return ws
}
