package recall

import (
	"slices"
	"strings"
	"unicode"

	"patina/store/text"
)

// Bounds of abbreviations, in characters and in words.
const (
	leastShort = 2
	mostShort  = 6
	mostLong   = 8
)

// Definitions returns the abbreviations that a text defines: "write-ahead log (WAL)", "WAL
// (write-ahead log)", "WAL stands for write-ahead log". The initials must agree, or the short form
// must begin the one long word, as "auth" begins "authentication".
func Definitions(s string) (out []Definition) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '(')
		if i < 0 {
			break
		}
		open := at + i
		at = open + 1
		end := strings.IndexByte(s[at:min(len(s), at+200)], ')')
		if end < leastShort || open == 0 || s[open-1] == ']' || end > mostShort+1 && !endsShort(s[:open]) {
			continue
		}
		out = addDefined(out, tokensOf(tail(s[:open])), tokensOf(s[at:at+end]))
	}
	for _, verb := range []string{" stands for ", " means ", " is short for ", " = "} {
		for from := 0; ; {
			i := strings.Index(s[from:], verb)
			if i < 0 {
				break
			}
			short, long := tokensOf(tail(s[:from+i])), tokensOf(head(s[from+i+len(verb):]))
			from += i + len(verb)
			if len(short) > 0 {
				if d, ok := beginsWith(long, short[len(short)-1].written); ok {
					out = append(out, d)
				}
			}
		}
	}
	return out
}

// endsShort reports whether the last word of a text is short enough for an abbreviation.
func endsShort(s string) bool {
	s = strings.TrimRight(tail(s), " ")
	n := len(s) - 1 - strings.LastIndexAny(s, " \n\t(\"'`*_")
	return n >= leastShort && n <= mostShort+1
}

// addDefined adds the definition that brackets give to the words before them, or to one word.
func addDefined(out []Definition, before, inside []token) []Definition {
	if len(before) == 0 || len(inside) == 0 {
		return out
	}
	if len(inside) == 1 {
		if d, ok := endsWith(before, inside[0].written); ok {
			return append(out, d)
		}
	}
	if d, ok := beginsWith(inside, before[len(before)-1].written); ok && len(d.Long) >= len(strings.Join(writtenTokens(inside), " ")) {
		return append(out, d)
	}
	return out
}

// nearBy bounds the text around an abbreviation that may define it, in bytes.
const nearBy = 120

func tail(s string) string { return s[max(0, len(s)-nearBy):] }
func head(s string) string { return s[:min(len(s), nearBy)] }

// endsWith finds the words at the end of a text that a short form abbreviates.
func endsWith(tokens []token, short string) (Definition, bool) {
	for n := 1; n <= min(mostLong, len(tokens)); n++ {
		if long := tokens[len(tokens)-n:]; Abbreviates(short, writtenTokens(long)) {
			return Definition{short, strings.Join(writtenTokens(long), " ")}, true
		}
	}
	return Definition{}, false
}

// beginsWith finds the words at the start of a text that a short form abbreviates.
func beginsWith(tokens []token, short string) (Definition, bool) {
	for n := 1; n <= min(mostLong, len(tokens)); n++ {
		if Abbreviates(short, writtenTokens(tokens[:n])) {
			return Definition{short, strings.Join(writtenTokens(tokens[:n]), " ")}, true
		}
	}
	return Definition{}, false
}

func writtenTokens(tokens []token) (out []string) {
	for _, t := range tokens {
		out = append(out, t.written)
	}
	return out
}

// Abbreviates reports whether a word is short for others. It has their initials in capitals, where
// words such as "of" may be left out, or is the beginning of one word.
func Abbreviates(short string, long []string) bool {
	if len(short) < leastShort || len(short) > mostShort || len(long) == 0 {
		return false
	}
	low := strings.ToLower(short)
	if len(long) == 1 {
		word := strings.ToLower(long[0])
		return len(low) > 2 && len(word) >= len(low)+2 && strings.HasPrefix(word, low)
	}
	if !isAcronym(short) {
		return false
	}
	return hasInitials(low, long, false) || hasInitials(low, long, true)
}

// isAcronym reports whether a word is in capitals and digits, with a plural's s at most.
func isAcronym(s string) bool {
	s = strings.TrimSuffix(s, "s")
	return len(s) > 1 && s == strings.ToUpper(s) && strings.ContainsFunc(s, unicode.IsUpper)
}

// hasInitials reports whether a word consists of the initials of others. The first and the last of
// them must not be stop words if those are left out.
func hasInitials(low string, long []string, contentOnly bool) bool {
	n := 0
	for i, w := range long {
		if contentOnly && text.IsStop(strings.ToLower(w)) {
			if i == 0 || i == len(long)-1 {
				return false
			}
			continue
		}
		initial := initialOf(w)
		if initial == "" || !strings.HasPrefix(low[n:], initial) {
			return false
		}
		n += len(initial)
	}
	return n == len(low)
}

// initialOf returns the first character of a word, in lower case.
func initialOf(w string) string {
	for _, c := range w {
		return strings.ToLower(string(c))
	}
	return ""
}

// maxGuessed bounds the words of a question from which abbreviations are guessed.
const maxGuessed = 16

// Abbreviations returns the words by which items may abbreviate parts of a question: its short
// words, and the initials of each of its phrases. phrases has the phrase of each of the latter.
func Abbreviations(question string) (words []string, phrases map[string]string) {
	tokens := tokensOf(question)
	tokens = tokens[:min(len(tokens), maxGuessed)]
	phrases = map[string]string{}
	for i, t := range tokens {
		if n := len(t.written); t.base != "" && n >= leastShort && n <= mostShort {
			words = append(words, t.base)
		}
		initials := ""
		for n := i; n < len(tokens) && n < i+mostShort && t.base != ""; n++ {
			if initials += initialOf(tokens[n].written); len(initials) < leastShort || tokens[n].base == "" {
				continue
			}
			if base := baseOf(initials); base != "" && phrases[base] == "" {
				phrases[base] = strings.Join(writtenTokens(tokens[i:n+1]), " ")
				words = append(words, base)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words), phrases
}

// Guess returns the definition of an acronym that a text has in capitals, if a phrase of at least
// three words has its initials.
func Guess(s, phrase string) (Definition, bool) {
	long := strings.Fields(phrase)
	if len(long) < 3 {
		return Definition{}, false
	}
	for _, t := range tokensOf(s) {
		if isAcronym(t.written) && Abbreviates(t.written, long) {
			return Definition{t.written, phrase}, true
		}
	}
	return Definition{}, false
}
