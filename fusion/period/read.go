package period

import (
	"strings"
	"time"
)

// A Reading is the time that a question names. The zero value means that it names no time.
type Reading struct {
	Span
	Phrase string // as written: "since March 2025"
}

// Read returns the time that a question asks for. It returns the zero Reading if the question names
// two times that do not make one span.
func Read(text string, now time.Time) (r Reading) {
	q := question{text, splitTokens(text)}
	for i := 0; i < len(q.ts); i++ {
		x, ok := q.phraseAt(i, now)
		if !ok || !q.reads(x, i, i+x.n) {
			continue
		}
		if r.Phrase != "" {
			if r.Since.IsZero() == x.Since.IsZero() || r.Until.IsZero() == x.Until.IsZero() {
				return Reading{}
			}
			r.Since, r.Until = laterOf(r.Since, x.Since), laterOf(r.Until, x.Until)
			r.Phrase += " " + q.tokenText(i, i+x.n)
		} else {
			r = Reading{x.Span, q.tokenText(i, i+x.n)}
		}
		i += x.n - 1
	}
	if r.Set() && !r.Until.IsZero() && !r.Since.Before(r.Until) {
		return Reading{}
	}
	return r
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// tokenText returns the text of the tokens from i up to, but not including, j.
func (q question) tokenText(i, j int) string { return q.text[q.ts[i].from:q.ts[j-1].to] }

// The words before a date.
var (
	inside  = newWordSet("in during throughout of from on within over for")
	upTo    = newWordSet("until till through")
	against = newWordSet("of the and or start end beginning first every each per") // before no date
)

// phraseAt reads a time with the words before it. The phrase must begin at token i.
func (q question) phraseAt(i int, now time.Time) (found, bool) {
	if q.ts[i].quoted {
		return found{}, false
	}
	word := q.ts[i].lower
	if word == "between" || word == "from" {
		if x, ok := q.pairAt(i, now); ok {
			return x, true
		}
	}
	if word == "back" && i+1 < len(q.ts) && q.ts[i+1].lower == "in" {
		x, ok := q.phraseAt(i+1, now)
		x.n++
		return x, ok
	}
	if !q.ts[i].ends {
		x, ok := dateAt(q.ts, i+1, now)
		if x.n++; ok {
			x.open = word == "after" || word == "before" || upTo()[word]
			switch {
			case word == "since":
				x.Until = time.Time{}
				return x, true
			case word == "after":
				x.Since, x.Until = x.Until, time.Time{}
				return x, !x.Since.IsZero()
			case word == "before":
				x.Since, x.Until = time.Time{}, x.Since
				return x, !x.rolling
			case upTo()[word]:
				x.Since = time.Time{}
				return x, !x.Until.IsZero()
			case inside()[word] && (word != "of" || !x.rolling && i > 0 && changeNouns()[q.ts[i-1].lower]):
				return x, true
			case word == "of" && x.rolling && i > 0 && changeNouns()[q.ts[i-1].lower]:
				return x, true
			}
		}
	}
	if i > 0 && against()[q.ts[i-1].lower] {
		return found{}, false
	}
	return readRelative(q.ts, i, now)
}

// pairAt reads "between 2023 and 2024" and "from March to May 2024".
func (q question) pairAt(i int, now time.Time) (found, bool) {
	a, ok := dateAt(q.ts, i+1, now)
	at := i + 1 + a.n
	if !ok || at+1 >= len(q.ts) {
		return found{}, false
	}
	switch q.ts[at].lower {
	case "and", "to", "until", "till", "through":
	default:
		return found{}, false
	}
	b, ok := dateAt(q.ts, at+1, now)
	if !ok || a.rolling || b.rolling || !a.Since.Before(b.Until) {
		return found{}, false
	}
	return found{Span: Span{a.Since, b.Until}, n: at + 1 + b.n - i}, true
}

// Words returns the words of a phrase in lower case.
func Words(phrase string) (out []string) {
	for _, t := range splitTokens(phrase) {
		out = append(out, t.lower)
	}
	return out
}

// A Person is somebody whom a question may name.
type Person struct {
	Phrase string // as written: "by Ann Lee"
	Name   string // as written: "Ann Lee", or part of an address
}

// mostNames is the highest number of words in a name.
const mostNames = 3

// People returns the people whom a question may name as authors of changes, the longest name first.
// The caller must check them against the history, for example with Is. It returns nil if the
// question asks for code.
func People(text string) (out []Person) {
	q := question{text, splitTokens(text)}
	if len(q.ts) == 0 || q.asksForCode() {
		return nil
	}
	for i, t := range q.ts {
		if t.quoted {
			continue
		}
		switch {
		case t.lower == "by" || t.lower == "from":
			out = append(out, q.byAt(i)...)
		case i+1 < len(q.ts) && !t.ends && changeNouns()[q.ts[i+1].lower]:
			if name, ok := cutPossessive(t.text); ok && likelyName(name) {
				out = append(out, Person{q.tokenText(i, i+1), name})
			}
		case pastAuxiliaries()[t.lower] || t.lower == "has":
			out = append(out, q.didAt(i)...)
		}
	}
	return out
}

// byAt reads the names after "by" and "from".
func (q question) byAt(i int) (out []Person) {
	done := i > 0 && !q.ts[i-1].ends && (changeVerbs()[q.ts[i-1].lower] || changeNouns()[q.ts[i-1].lower])
	if q.ts[i].lower == "from" && !(i > 0 && changeNouns()[q.ts[i-1].lower]) || q.ts[i].ends {
		return nil
	}
	n := 0
	for n < mostNames && i+1+n < len(q.ts) && isName(q.ts[i+1+n]) {
		n++
		if q.ts[i+n].ends {
			break
		}
	}
	for ; n > 0; n-- {
		name := q.tokenText(i+1, i+1+n)
		alone := n == 1 && !strings.Contains(name, "@")
		switch {
		case alone && !likelyName(name) && !(done && isInitials(name)):
		case alone && !done && !(isCapital(name) && q.any(changeNouns(), 0, 0)):
		case q.ts[i].lower == "from" && !isCapital(name) && !strings.Contains(name, "@"):
		case !done && !q.asksForWork(i, i+1+n):
		default:
			out = append(out, Person{q.tokenText(i, i+1+n), name})
		}
	}
	return out
}

// didAt reads the names in "did Ann change" and "has Ann Lee fixed".
func (q question) didAt(i int) (out []Person) {
	for n := min(mostNames, len(q.ts)-i-2); n > 0; n-- {
		verb := q.ts[i+1+n].lower
		if !changeBases()[verb] && !changeVerbs()[verb] {
			continue
		}
		ok := true
		for _, t := range q.ts[i+1 : i+1+n] {
			ok = ok && isName(t) && !t.ends
		}
		name := q.tokenText(i+1, i+1+n)
		if ok && (n > 1 && isCapital(name) || n == 1 && likelyName(name)) {
			out = append(out, Person{name, name})
		}
	}
	return out
}

// cutPossessive returns a word without its final "'s". It reports false if the word has no such
// ending.
func cutPossessive(word string) (string, bool) {
	for _, s := range []string{"'s", "’s"} {
		if name, ok := strings.CutSuffix(word, s); ok {
			return name, name != ""
		}
	}
	return "", false
}
