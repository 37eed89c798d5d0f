package merge

import (
	"strings"
	"unicode"

	"patina/internal/lazyregexp"
	"patina/store/text"
)

// dropped lists words that do not change a note's meaning. Prepositions, negations, quantifiers and
// may, can, was are not among them.
var dropped = text.Set("a an the is are be must should please")

// being lists the words that begin a passive in the present tense.
var being = text.Set("is are be")

// plain lists words that are converted to lower case even in capitals.
var plain = text.Set("not never no always must should only all any is are be do don't doesn't")

// negations keep "have to" after them, because "do not have to run" does not mean "do not run".
var negations = text.Set("not never no only")

// ends lists words whose final s is not a plural.
var ends = text.Set("https ftps sftps ldaps news does this thus plus less always perhaps status canvas axes")

// spelled lists words with more than one spelling.
var spelled = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
	"seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
	"thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
	"eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50",
	"sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
	"percent": "%", "cannot": "can not", "can't": "can not", "won't": "will not",
}

// units lists the spellings of units. "m" is left out because it may mean minutes, metres or
// millions.
var units = map[string]string{
	"%": "%", "ms": "ms", "millisecond": "ms", "s": "s", "sec": "s", "second": "s", "min": "min",
	"minute": "min", "h": "h", "hour": "h", "day": "day", "week": "week", "hr": "h", "kB": "kB", "KB": "kB", "MB": "MB",
	"GB": "GB", "TB": "TB", "KiB": "KiB", "MiB": "MiB", "GiB": "GiB", "kilobyte": "kB",
	"megabyte": "MB", "gigabyte": "GB",
}

var (
	bullet   = lazyregexp.New(`(?m)^\s*(?:[-*+]|#{1,6})\s+`)
	grouped  = lazyregexp.New(`^\d{1,3}(?:,\d{3})+$`)
	clock    = lazyregexp.New(`^0\d:\d\d$`)
	measured = lazyregexp.New(`^(\d+(?:\.\d+)?)(%|[A-Za-z]+)$`)
)

// A reader splits a note into words.
type reader struct {
	words []string
	start bool // the next word begins a sentence
	code  bool // inside back-ticks
	voice bool // keep is, are and be, as "be"
}

// words returns the words that determine a note's meaning, each in one spelling.
func words(text string) []string { return (&reader{start: true}).readWords(text) }

// wordsWithBe returns the words of a note with "be" for is, are and be.
func wordsWithBe(text string) []string { return (&reader{start: true, voice: true}).readWords(text) }

func (r *reader) readWords(text string) []string {
	for field := range strings.FieldsSeq(bullet().ReplaceAllString(text, " ")) {
		r.field(field)
	}
	for len(r.words) > 0 && r.words[len(r.words)-1] == "." {
		r.words = r.words[:len(r.words)-1]
	}
	return r.words
}

// field reads the text between two spaces.
func (r *reader) field(s string) {
	verbatim := r.code || strings.Contains(s, "`")
	if strings.Count(s, "`")%2 == 1 {
		r.code = !r.code
	}
	s = strings.ReplaceAll(s, "`", "")
	s, closing := trimField(s)
	switch {
	case s == "" && closing == "", s == "-" || s == "–" || s == "—":
		r.stop(".")
		return
	case s == "":
	case verbatim || len(s) > maxWord:
		r.words = append(r.words, s)
	default:
		r.word(s)
	}
	r.start = false
	switch {
	case strings.ContainsAny(closing, "?"):
		r.stop("?")
	case strings.ContainsAny(closing, ".;!"):
		r.stop(".")
	case strings.Contains(closing, ",") && negations.Has(r.lastWord()):
		r.stop(".") // "No, use it" does not mean "no use"
	}
}

// stop ends a sentence.
func (r *reader) stop(mark string) {
	r.start = true
	if len(r.words) > 0 && r.lastWord() != mark {
		r.words = append(r.words, mark)
	}
}

func (r *reader) lastWord() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[len(r.words)-1]
}

// word adds a word outside of code.
func (r *reader) word(s string) {
	s = strings.ReplaceAll(s, "’", "'")
	if low := strings.ToLower(s); plain.Has(low) || r.start && isCapitalised(s) {
		s = low
	}
	if full, ok := spelled[s]; ok {
		s = full
	}
	switch {
	case strings.HasSuffix(s, "n't"):
		r.word(s[:len(s)-3])
		s = "not"
	case strings.HasSuffix(s, "'s"):
		r.words = append(r.words, stem(s[:len(s)-2]))
		s = "'s"
	case grouped().MatchString(s):
		s = strings.ReplaceAll(s, ",", "")
	case clock().MatchString(s):
		s = s[1:]
	default:
		s = joinedNumber(s)
	}
	if r.voice && being.Has(s) {
		r.words = append(r.words, "be")
		return
	}
	if r.obligation(s) || dropped.Has(s) && !(r.start && s == "should") {
		return
	}
	if m := measured().FindStringSubmatch(s); m != nil && units[singular(m[2])] != "" {
		r.words = append(r.words, m[1], units[singular(m[2])])
		return
	}
	if u := units[singular(s)]; u != "" && number(r.lastWord()) {
		s = u
	}
	for part := range strings.FieldsSeq(s) {
		r.words = append(r.words, stem(part))
	}
}

// joinedNumber returns "twenty-four" in digits, and other words unchanged.
func joinedNumber(s string) string {
	tens, ones, ok := strings.Cut(s, "-")
	tens, ones = spelled[tens], spelled[ones]
	if !ok || len(tens) != 2 || tens[1] != '0' || len(ones) != 1 || ones == "0" {
		return s
	}
	return tens[:1] + ones
}

// obligation removes "have to", unless a negation precedes it.
func (r *reader) obligation(s string) bool {
	n := len(r.words)
	if s != "to" || n == 0 || r.words[n-1] != "have" && r.words[n-1] != "has" {
		return false
	}
	if n > 1 && negations.Has(r.words[n-2]) {
		return false
	}
	r.words = r.words[:n-1]
	return true
}

func number(s string) bool { return s != "" && unicode.IsDigit(rune(s[0])) }

// isCapitalised reports whether only the first letter is a capital.
func isCapitalised(s string) bool {
	for i, c := range s {
		if i > 0 && unicode.IsUpper(c) {
			return false
		}
	}
	return true
}

// stem removes the final s of a plural or a verb from a word in lower case. Names, paths and
// numbers are not changed. Porter's stemmer is not used because it merges "general" with "generic",
// and "operators" with "operations".
func stem(s string) string {
	for _, c := range s {
		if !unicode.IsLower(c) {
			return s
		}
	}
	return singular(s)
}

func singular(s string) string {
	switch {
	case len(s) < 4 || !strings.HasSuffix(s, "s") || ends.Has(s):
		return s
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"), strings.HasSuffix(s, "is"):
		return s
	case strings.HasSuffix(s, "ies") && len(s) > 4:
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "shes"), strings.HasSuffix(s, "ches"):
		return s[:len(s)-2]
	}
	return s[:len(s)-1]
}

// maxClosing bounds the punctuation removed from a word's end, in bytes.
const maxClosing = 16

// trimField returns a field without quotes, brackets and emphasis around it, and the punctuation
// that followed it.
func trimField(s string) (word, closing string) {
	for _, mark := range []string{"**", "__", "~~"} {
		s = strings.ReplaceAll(s, mark, "")
	}
	s = strings.TrimLeft(s, `"'“‘([{`)
	for s != "" && len(closing) < maxClosing {
		i := strings.LastIndexFunc(s, func(rune) bool { return true })
		c := s[i:]
		opener := map[string]string{")": "(", "]": "[", "}": "{"}[c]
		if !strings.Contains(`.,;:!?"'”’)]}`, c) || opener != "" && strings.Contains(s[:i], opener) {
			break
		}
		s, closing = s[:i], c+closing
	}
	for _, mark := range []string{"*", "_"} {
		if len(s) > 2 && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) {
			s = s[1 : len(s)-1]
		}
	}
	return s, closing
}
