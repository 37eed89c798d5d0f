// Package literal finds a text word for word in other texts.
//
// Words are compared without case. Everything between two words counts as white space, so a string
// is also found if a source breaks it over lines or joins it from parts. A placeholder, such as %s,
// {} or ${x}, matches any few words, on either side. Match.Exact reports whether more than the
// words agree.
//
// The package is arithmetic on texts in memory: no I/O, no clock, no goroutines. Its time is linear
// in the text, times a bounded number of steps for placeholders.
package literal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"patina/store/text"
)

// Bounds of a search.
const (
	maxGap     = 12      // words that a placeholder matches
	startSteps = 2000    // comparisons from one start
	maxSteps   = 1 << 20 // comparisons in a text
	maxWords   = 200     // words in a pattern
	maxBody    = 4 << 20 // bytes in a text that is searched

	bytesPerWord = 8 // with the characters between: an estimate for memory
)

// A token is a word with its position, or a placeholder.
type token struct {
	from, to int // bytes
	gap      bool
}

// A Pattern is a text to find. The zero value is found nowhere.
type Pattern struct {
	words  []string // lower-cased; "" for a placeholder
	runs   []string // the runs of text.Runs outside placeholders, lower-cased
	folded string   // the text with single spaces
	gaps   bool
	first  *needle // of the words
	rarest *needle // for the longest word
}

// Compile reads a text as written between its quotes. A placeholder in it matches any few words.
func Compile(s string) Pattern { return compilePattern(s, true) }

// Verbatim reads a text in which placeholders are words like all others.
func Verbatim(s string) Pattern { return compilePattern(s, false) }

func compilePattern(s string, gaps bool) Pattern {
	p := Pattern{folded: foldSpace(s)}
	rest, plain := 0, strings.Builder{}
	for _, t := range scanWords(s, gaps) {
		if len(p.words) == maxWords {
			break
		}
		if !t.gap {
			p.words = append(p.words, strings.ToLower(s[t.from:t.to]))
			continue
		}
		p.gaps = true
		plain.WriteString(s[rest:t.from] + " ")
		rest = t.to
		if n := len(p.words); n > 0 && p.words[n-1] != "" {
			p.words = append(p.words, "")
		}
	}
	if n := len(p.words); n > 0 && p.words[n-1] == "" {
		p.words = p.words[:n-1]
	}
	plain.WriteString(s[rest:])
	text.Runs(plain.String(), func(run string) { p.runs = append(p.runs, strings.ToLower(run)) })
	if len(p.words) > 0 {
		longest := slices.MaxFunc(p.words, func(a, b string) int { return len(a) - len(b) })
		p.first, p.rarest = newNeedle(p.words[0]), newNeedle(longest)
	}
	return p
}

// Gaps reports whether the pattern has placeholders.
func (p Pattern) Gaps() bool { return p.gaps }

// Runs returns the runs of the text outside placeholders, lower-cased. A text in which the pattern
// is found has all of them, except those beside an escape.
func (p Pattern) Runs() []string { return p.runs }

// Fixed returns the number of words outside placeholders.
func (p Pattern) Fixed() int { return len(p.words) - countWord(p.words, "") }

// Content returns the number of words with content: not stop words, and not single letters.
func (p Pattern) Content() int { return countContent(p.words) }

func countContent(words []string) int {
	n := 0
	for _, w := range words {
		if isContent(w) {
			n++
		}
	}
	return n
}

func isContent(w string) bool { return len(w) > 1 && !text.IsStop(w) }

// A Match is a place in a text where a pattern, or a printed string, is found.
type Match struct {
	Shaped   bool // Message.In: all fixed parts of the string are in the question, with their marks
	From, To int  // bytes
	Line     int  // its first line, from 1
	Exact    bool // the characters agree, too, except for white space
	Quoted   bool // it begins between two quotes of its line
	Whole    bool // it is the whole text between them
	Fixed    int  // words that agree
	Content  int  // of these, words with content

	Covers float64 // Message.In: the share of the question's words that it accounts for
}

// Compare orders matches for sorting. Better ones come first: whole strings, then exact matches,
// then quoted ones.
func (m Match) Compare(o Match) int {
	for _, x := range [][2]bool{{m.Whole, o.Whole}, {m.Exact, o.Exact}, {m.Quoted, o.Quoted}} {
		switch {
		case x[0] && !x[1]:
			return -1
		case x[1] && !x[0]:
			return 1
		}
	}
	return 0
}

// Find returns the best match of the pattern in a text, of equal ones the first. It returns false
// if there is no match, or if the text is longer than maxBody.
func (p Pattern) Find(body string) (best Match, ok bool) {
	if len(p.words) == 0 || len(body) > maxBody || !p.rarest.mayStand(body) {
		return best, false
	}
	all := maxSteps
	r := reading{body: body}
	for at := p.first.nextMatch(body, 0); at.to > 0; at = p.first.nextMatch(body, at.to) {
		steps := min(startSteps, all)
		before := steps
		r.words = append(r.words[:0], at)
		last, found := p.matchFrom(&r, 1, 1, &steps)
		all -= before - steps
		if !found {
			continue
		}
		m := p.describe(body, at.from, r.words[last].to)
		all -= (m.To - m.From) / 8
		if !ok || m.Compare(best) < 0 {
			best, ok = m, true
		}
		if best.Whole && best.Exact {
			break
		}
	}
	if ok {
		best.Line = 1 + strings.Count(body[:best.From], "\n")
	}
	return best, ok
}

// matchFrom matches the pattern, from word w on, with a text's words, from word at on. It returns
// the index of the last word in the match. It returns false if they differ, or if *steps is used
// up.
func (p Pattern) matchFrom(r *reading, w, at int, steps *int) (last int, ok bool) {
	for ; w < len(p.words); w++ {
		if *steps--; *steps < 0 {
			return 0, false
		}
		if p.words[w] == "" {
			for skip := 0; skip <= maxGap && r.has(at+skip); skip++ {
				if last, ok = p.matchFrom(r, w+1, at+skip, steps); ok {
					return last, true
				}
			}
			return 0, false
		}
		if !r.has(at) || !strings.EqualFold(r.body[r.words[at].from:r.words[at].to], p.words[w]) {
			return 0, false
		}
		at++
	}
	return at - 1, true
}

// A reading holds the words of a text from one place on. It reads them only when they are needed.
type reading struct {
	body  string
	words []token // at least one
}

// has reports whether there is an i-th word.
func (r *reading) has(i int) bool {
	for len(r.words) <= i {
		t := wordAfter(r.body, r.words[len(r.words)-1].to, len(r.body))
		if t.to == 0 {
			return false
		}
		r.words = append(r.words, t)
	}
	return true
}

// describe returns the match between two places of a text.
func (p Pattern) describe(body string, from, to int) Match {
	m := Match{From: from, To: to, Fixed: p.Fixed(), Content: p.Content()}
	core := strings.TrimFunc(p.folded, notWord)
	m.Exact = strings.EqualFold(foldSpace(body[from:to]), core)
	start := max(strings.LastIndexByte(body[:from], '\n')+1, from-maxLine)
	end := min(start+lineLen(body[start:]), to+maxLine)
	Quoted(body[start:end], func(a, b int) {
		if a+start <= from && from < b+start {
			m.Quoted = true
			m.Whole = !hasWord(body[a+start:from]) && to <= b+start && !hasWord(body[to:b+start])
		}
	})
	return m
}

func lineLen(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

func isWord(r rune) bool {
	word, _ := text.IsWordRune(r)
	return word
}

func notWord(r rune) bool { return !isWord(r) }

func hasWord(s string) bool { return strings.ContainsFunc(s, isWord) }

// foldSpace replaces each run of white space by one space, and removes it at both ends.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// scanWords lists the words of a text, with its placeholders if gaps is true. Otherwise the letters
// of placeholders are words. The letter of an escape, such as \n, belongs to no word.
func scanWords(s string, gaps bool) []token {
	out := make([]token, 0, len(s)/bytesPerWord+1)
	var cut [][]int
	if gaps && strings.ContainsAny(s, `%{$\`) {
		cut = text.Placeholders(s)
	}
	from := 0
	for _, c := range cut {
		out = appendWords(s, from, c[0], out)
		if strings.HasPrefix(s[c[0]:], `\`) && c[1]-c[0] == 2 { // an escape matches no word
			from = c[1]
			continue
		}
		out = append(out, token{c[0], c[1], true})
		from = c[1]
	}
	return appendWords(s, from, len(s), out)
}

// appendWords appends the words between two places of a text to out.
func appendWords(s string, from, to int, out []token) []token {
	for t := wordAfter(s, from, to); t.to > 0; t = wordAfter(s, t.to, to) {
		out = append(out, t)
	}
	return out
}

// wordAfter returns the first word between two places of a text. Its end is 0 if there is no word.
func wordAfter(s string, from, to int) token {
	for i := from; i < to; {
		c := s[i]
		switch {
		case c == '\\' && i+1 < to:
			i += 1 + escapeLength(s[i+1])
			continue
		case c < utf8.RuneSelf && !asciiWord[c]:
			i++
			continue
		}
		if end := wordEnd(s[:to], i); end > i {
			return token{i, end, false}
		}
		n, _, _ := runeAt(s[i:to])
		i += n
	}
	return token{}
}

// wordEnd returns the end of the word that begins at s[i], or i if no word begins there.
func wordEnd(s string, i int) int {
	for start := i; i < len(s); {
		if asciiWord[s[i]] {
			i++
			continue
		}
		if s[i] < utf8.RuneSelf {
			return i
		}
		n, word, alone := runeAt(s[i:])
		switch {
		case !word || alone && i > start:
			return i
		case alone:
			return i + n
		}
		i += n
	}
	return i
}

// asciiWord is true for the ASCII bytes that are part of a word.
var asciiWord = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c], _ = text.IsWordRune(rune(c))
	}
	return t
}()

// runeAt returns the length of the first character, whether it is part of a word, and whether it is
// a word alone. s must not be empty.
func runeAt(s string) (n int, word, alone bool) {
	r, n := rune(s[0]), 1
	if r >= utf8.RuneSelf {
		r, n = utf8.DecodeRuneInString(s)
	}
	word, alone = text.IsWordRune(r)
	return n, word, alone
}

// escapeLength returns the length of a one-letter escape without its backslash. It returns 0 if the
// letter begins a word.
func escapeLength(c byte) int {
	if strings.IndexByte("ntrbfv0", c) >= 0 {
		return 1
	}
	return 0
}
