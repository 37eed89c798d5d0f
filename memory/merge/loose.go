package merge

import (
	"slices"
	"strings"
	"sync"

	"patina/store/text"
)

// loosen returns words as Propose compares them: abbreviations, compounds and synonyms of a closed
// class in one form. Names and numbers stay. Words with equal results have equal keys (LooseKey).
func loosen(w []string) []string {
	var long []string
	for i, s := range w {
		switch {
		case i > 0 && heads.Has(w[i-1]) && pronouns.Has(s):
		case i > 0 && heads.Has(w[i-1]), i > 1 && heads.Has(w[i-2]) && pronouns.Has(w[i-1]):
			long = append(long, keyRoot(s))
		default:
			long = append(long, expand(s)...)
		}
	}
	var out []string
	for len(long) > 0 {
		n, to := 0, []string(nil)
		if len(out) == 0 || !negations.Has(out[len(out)-1]) {
			n, to = phraseAt(long)
		}
		if n == 0 {
			n, to = 1, long[:1]
		}
		out, long = append(out, to...), long[n:]
	}
	return placeAdverb(out)
}

// heads lists words behind which a verb with a pronoun says the same as its form in "ing": "before
// you commit", "before committing".
var heads = text.Set("before after when while without")

var pronouns = text.Set("you we")

// keyRoot returns the root of a word, also of a form in "ing".
func keyRoot(s string) string {
	if verb, ok := strings.CutSuffix(s, "ing"); ok && len(s) > 5 {
		return root(verb)
	}
	return root(s)
}

// expand returns the words that a word stands for.
func expand(s string) []string {
	if full := longForms()[s]; full != nil {
		return full
	}
	if times, ok := strings.CutSuffix(s, "x"); ok && digits(times) {
		return []string{times, "time"}
	}
	if strings.Contains(s, "-") && isLower(strings.ReplaceAll(s, "-", "")) {
		if part := strings.Split(s, "-"); !slices.ContainsFunc(part, isHeldPart) {
			return part
		}
	}
	return []string{s}
}

func digits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' })
}

func isLower(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < 'a' || c > 'z' })
}

// isHeldPart reports whether a part of a compound would mean something else as a word of its own.
func isHeldPart(s string) bool {
	return s == "" || s == "non" || fixed.Has(s) || negations.Has(s) || clause.Has(s) || links.Has(s) || dropped.Has(s) || filler.Has(s)
}

// longForms lists words that have a longer form or another spelling.
var longForms = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.SplitSeq(`dev: development; prod: production; env: environment; config: configuration;
		repo: repository; max: maximum; app: application; doc: documentation; docs: documentation; db: database;
		DB: database; dir: directory; arg: argument; param: parameter; lib: library; pkg: package; temp: temporary;
		func: function; perf: performance; spec: specification; dep: dependency; msg: message; PR: pull request;
		e2e: end to end; E2E: end to end; frontend: front end; backend: back end; timezone: time zone;
		filename: file name; hostname: host name; username: user name; codebase: code base; dataset: data set;
		timestamp: time stamp; hourly: every hour; daily: every day; nightly: every night; weekly: every week;
		monthly: every month; yearly: every year; each: every; whenever: when; till: until; using: with;
		never: not; has: have; roughly: about; approximately: about; postgres: PostgreSQL; Postgres: PostgreSQL;
		k8s: Kubernetes; K8s: Kubernetes; golang: Go`, ";") {
		short, long, _ := strings.Cut(strings.TrimSpace(line), ": ")
		m[short] = strings.Fields(long)
	}
	return m
})

// A phrase is words, and others that say the same. "#" is a number, which stays.
type phrase struct{ from, to []string }

// phrases are tried in order.
var phrases = sync.OnceValue(func() (out []phrase) {
	for line := range strings.Lines(`larger than #, bigger than #, greater than #, higher than #, longer than #, over #, above #, exceeding # = more than #
under #, below #, fewer than #, smaller than #, lower than #, shorter than # = less than #
up to #, no more than #, maximum of # = at most #
no less than #, no fewer than #, minimum of # = at least #
around # = about #
# or newer, # and later, # and newer, # or higher, # and higher, # or above, # and above, # and up = # or later
prior to = before
as soon as = when
in case = if
due to = because of
in order to = to
by means of = with
rather than, in place of = instead of
needed for, required for = needed by
need to, ought to, make sure to, make sure that, be sure to, remember to, note that, always =
stored in, kept in, located in, found in, held in, live in, reside in = in
stored at, kept at, located at, found at = at
stored on, kept on, located on, found on, live on = on
stored under, kept under, located under, live under = under
`) {
		all, to, _ := strings.Cut(line, "=")
		for from := range strings.SplitSeq(all, ",") {
			out = append(out, phrase{strings.Fields(from), strings.Fields(to)})
		}
	}
	return out
})

// phraseAt returns the number of words of a phrase that begins a text, and the words for it.
func phraseAt(w []string) (n int, to []string) {
	for _, p := range phrases() {
		if len(w) < len(p.from) {
			continue
		}
		figure, ok := "", true
		for i, s := range p.from {
			if s == "#" && number(w[i]) {
				figure = w[i]
			} else if s != w[i] {
				ok = false
				break
			}
		}
		if !ok {
			continue
		}
		for _, s := range p.to {
			if s == "#" {
				s = figure
			}
			to = append(to, s)
		}
		return len(p.from), to
	}
	return 0, nil
}

// placeAdverb moves the one adverb in "ly" of a simple sentence to its end, because it may stand
// before or behind the verb and its object.
func placeAdverb(w []string) []string {
	at := -1
	for i, s := range w {
		switch {
		case heads.Has(s) || isConditional.Has(s) || fixed.Has(s) || s == "and" || s == "or" || s == "but":
			return w
		case strings.HasSuffix(s, "ly") && len(s) > 5 && isLower(s) && !notAdverbs.Has(s):
			if at >= 0 {
				return w
			}
			at = i
		}
	}
	if at < 0 {
		return w
	}
	adverb := w[at]
	return append(slices.Delete(slices.Clone(w), at, at+1), adverb)
}

var isConditional = text.Set("if unless until since because so that which who than as")

// notAdverbs lists words in "ly" that are verbs, nouns or adjectives.
var notAdverbs = text.Set("supply multiply comply assembly anomaly family friendly likely unlikely deadly orderly timely costly monopoly butterfly")
