package literal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"patina/store/text"
)

// Bounds of the strings that a program prints.
const (
	maxLine   = 2000 // bytes in a line that is read
	maxJoin   = 80   // bytes of code between two parts of one string
	maxPieces = 64   // words and placeholders in one string
)

// A printed is a string that a program may print: its words, with "" for each placeholder.
type printed struct {
	words []string
	raw   string // as written in the source; empty if it is joined from parts
	from  int    // start of its first part
}

// A Message is a text that a program may have printed, with its placeholders filled in. It may be
// used concurrently.
type Message struct {
	pattern Pattern
	folded  string
	known   map[string]bool // its words
	starts  [256]bool       // the ASCII bytes with which a word begins, in either case
}

// MessageOf returns a question as a message.
func MessageOf(question string) *Message {
	m := &Message{pattern: Compile(question), folded: foldSpace(question), known: map[string]bool{}}
	for _, w := range m.pattern.words {
		m.known[w] = true
		if w != "" {
			m.starts[w[0]], m.starts[upperASCII(w[0])] = true, true
		}
	}
	return m
}

// In returns the string in a text that may have printed the message. If there are several, it is
// the one with the most content. A placeholder in the message itself matches any few words of a
// string. In returns false if there is no such string.
func (q *Message) In(body string) (best Match, ok bool) {
	if len(body) > maxBody {
		return best, false
	}
	steps := maxSteps
	for _, s := range q.printable(body) {
		if strings.HasPrefix(s.raw, "./") || strings.HasPrefix(s.raw, "../") {
			continue // an import; traces have it as well
		}
		m, found := s.findIn(q, &steps)
		m.Exact = found && s.raw != "" && strings.Contains(q.folded, foldSpace(s.raw))
		if found && m.Content == leastPrinted {
			m.Shaped = hasShape(s.raw, q.folded)
			found = m.Shaped
		}
		if found && (!ok || saysMore(m, best)) {
			best, ok = m, true
		}
	}
	if ok {
		best.Line = 1 + strings.Count(body[:best.From], "\n")
	}
	return best, ok
}

// saysMore reports whether m matches more than the other match.
func saysMore(m, than Match) bool {
	if m.Content != than.Content {
		return m.Content > than.Content
	}
	if m.Exact != than.Exact {
		return m.Exact
	}
	if m.Shaped != than.Shaped {
		return m.Shaped
	}
	return m.Fixed > than.Fixed
}

// hasShape reports whether the parts around the placeholders of a string are in a text in this
// order, marks included, with nothing before the first and after the last.
func hasShape(raw, folded string) bool {
	cut := text.Placeholders(raw)
	if raw == "" || len(cut) == 0 {
		return false
	}
	rest, from := folded, 0
	for i, c := range append(cut, []int{len(raw), len(raw)}) {
		piece := foldSpace(raw[from:c[0]])
		at := strings.Index(rest, piece)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		rest, from = rest[at+len(piece):], c[1]
	}
	return rest == "" || cut[len(cut)-1][1] == len(raw)
}

// findIn finds the string in a message. It reduces *all by the steps that it takes.
func (s printed) findIn(q *Message, all *int) (best Match, ok bool) {
	from := 0
	for from < len(s.words) && s.words[from] == "" {
		from++
	}
	words := s.words[from:]
	for len(words) > 0 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || !q.known[words[0]] {
		return best, false
	}
	for at, w := range q.pattern.words {
		if w != words[0] {
			continue
		}
		steps := min(startSteps, *all)
		before := steps
		covers, found := alignWords(words, q.pattern.words[at:], &steps)
		*all -= before - steps
		if !found {
			continue
		}
		if len(s.words) > from+len(words) { // it ends with a placeholder
			covers = len(q.pattern.words) - at
		}
		if from > 0 {
			covers += at
		}
		m := Match{From: s.from, To: s.from, Quoted: true, Content: countContent(words)}
		m.Fixed = len(words) - countWord(words, "")
		m.Covers = float64(covers) / float64(len(q.pattern.words))
		return m, true
	}
	return best, false
}

// leastPrinted is the least number of words with content in a string. A string with one prints a
// value under a name ("Queues (%d)").
const leastPrinted = 1

// common are words that say nothing if they are the only ones in a string beside placeholders.
var common = text.Set(`error errors warning warn info debug fatal failed failure exception note usage name
	value values id type key file path line data message status result got expected version true false null nil none`)

func countWord(words []string, w string) int {
	n := 0
	for _, x := range words {
		if x == w {
			n++
		}
	}
	return n
}

// alignWords matches a string, from its first word on, with the beginning of a question. It returns
// the number of words of the question that it covers. It returns false if they differ, or if *steps
// is used up.
func alignWords(s, q []string, steps *int) (covers int, ok bool) {
	i := 0
	for j := range s {
		if *steps--; *steps < 0 {
			return 0, false
		}
		if s[j] != "" {
			if i >= len(q) || q[i] != s[j] {
				return 0, false
			}
			i++
			continue
		}
		for skip := 0; skip <= maxGap && i+skip < len(q); skip++ {
			if n, ok := alignWords(s[j+1:], q[i+skip:], steps); ok {
				return i + skip + n, true
			}
		}
		return 0, false
	}
	return i, true
}

// printable lists the strings that the code in a text may print: each string between quotes, and
// each with the following ones if only white space or a short expression is between them. It leaves
// out strings whose first word is not in the message.
func (q *Message) printable(body string) []printed {
	var out []printed
	joined, end := printed{}, -1 // the string that may continue, and the end of its last part
	parts, foreign := 0, false
	flush := func() {
		if parts > 1 && !foreign {
			out = append(out, joined)
		}
		parts = 0
	}
	quotedLines(body, func(start int, line string) {
		Quoted(line, func(a, b int) {
			p := printed{raw: line[a:b], from: start + a}
			alone := q.begins(p.raw)
			if !alone && (parts == 0 || foreign) { // it neither begins nor continues a string
				joined, parts, foreign, end = printed{}, 1, true, start+b
				return
			}
			join, gap := false, false
			if parts > 0 && start+a-end <= maxJoin && len(joined.words) < maxPieces {
				join, gap = joinsParts(body[end : start+a])
			}
			if alone || join && !foreign {
				p.addPart(p.raw)
			}
			if alone {
				out = append(out, p)
			}
			if !join {
				flush()
				foreign = !alone
				joined = printed{from: p.from, words: slices.Clone(p.words)}
			} else if !foreign {
				if gap {
					joined.words = append(joined.words, "")
				}
				joined.words = append(joined.words, p.words...)
			}
			parts++
			end = start + b
		})
	})
	flush()
	return slices.DeleteFunc(out, func(p printed) bool { return !p.speaks() })
}

// quotedLines calls f for the lines of a text that have a quote, except very long ones. Most lines
// of code have no quote, so they are skipped without a look at each character.
func quotedLines(body string, f func(start int, line string)) {
	var next [len(Quotes)]int // position of the next quote of each sort
	for i := range next {
		next[i] = -1
	}
	for at := 0; at < len(body); {
		quote := len(body)
		for i := range next {
			if next[i] < at {
				next[i] = len(body)
				if n := strings.IndexByte(body[at:], Quotes[i]); n >= 0 {
					next[i] = at + n
				}
			}
			quote = min(quote, next[i])
		}
		if quote == len(body) {
			return
		}
		start, end := at+strings.LastIndexByte(body[at:quote], '\n')+1, len(body)
		if n := strings.IndexByte(body[quote:], '\n'); n >= 0 {
			end = quote + n + 1
		}
		if end-start <= maxLine {
			f(start, body[start:end])
		}
		at = end
	}
}

// begins reports whether the first word of a string is in the message. It is true, too, if a
// placeholder may come before the first word.
func (q *Message) begins(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case strings.IndexByte(`%{$\`, c) >= 0:
			return true // perhaps a placeholder
		case c < utf8.RuneSelf && !asciiWord[c]:
			i++
			continue
		case c < utf8.RuneSelf && !q.starts[c]:
			return false
		}
		end := wordEnd(s, i)
		if end > i {
			return q.known[strings.ToLower(s[i:end])]
		}
		n, _, _ := runeAt(s[i:])
		i += n
	}
	return true
}

// speaks reports whether a string has enough words with content.
func (p printed) speaks() bool {
	said, plain := 0, 0
	for _, w := range p.words {
		if isContent(w) {
			said++
			if common.Has(w) {
				plain++
			}
		}
	}
	return said > leastPrinted || said == leastPrinted && plain == 0
}

// addPart appends the words of a part.
func (p *printed) addPart(part string) {
	for _, t := range scanWords(part, true) {
		switch n := len(p.words); {
		case n == maxPieces:
			return
		case !t.gap:
			p.words = append(p.words, strings.ToLower(part[t.from:t.to]))
		case n == 0 || p.words[n-1] != "":
			p.words = append(p.words, "")
		}
	}
}

// joinsParts reports whether the code between two parts, quotes included, joins them to one string,
// and whether it fills in a value.
func joinsParts(between string) (join, gap bool) {
	code := strings.TrimFunc(between, func(r rune) bool { return strings.ContainsRune("\"'` \t\r\n\\", r) })
	switch code {
	case "", "+", ".", "..", "<<", "&", "~", "f", "b", "r", "u", "L", "+ f", "+ $", "$", "@":
		return true, false
	}
	for _, op := range []string{"+", "<<", "..", "."} {
		if strings.HasPrefix(code, op) && strings.HasSuffix(code, op) && len(code) > 2*len(op) {
			return !strings.ContainsAny(code, ";{}"), true
		}
	}
	return false, false
}

// Quotes are the marks that may enclose a string.
const Quotes = "\"'`"

// Quoted calls f for each text between two equal quotes on a line, with its start and its end. An
// apostrophe after a word opens nothing, unless the word may be a prefix: b'…', rb'…'.
func Quoted(line string, f func(from, to int)) {
	open := "" // quotes that have no closing one on the rest of the line
	for i := 0; ; {
		for i < len(line) && !isQuote[line[i]] {
			i++
		}
		if i == len(line) {
			return
		}
		i++
		quote := line[i-1]
		if strings.IndexByte(open, quote) >= 0 || quote == '\'' && wordBefore(line[:i-1]) > 2 {
			continue
		}
		if end := closingQuote(line[i:], quote); end >= 0 {
			f(i, i+end)
			i += end + 1
		} else {
			open += string(quote)
		}
	}
}

var isQuote = [256]bool{'"': true, '\'': true, '`': true}

// closingQuote returns the position of the first quote that is not escaped by a backslash, or -1.
func closingQuote(s string, quote byte) int {
	if n := strings.IndexByte(s, quote); n < 0 || strings.IndexByte(s[:n], '\\') < 0 {
		return n
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// wordBefore returns the number of letters and digits at the end of a text, 3 if there are more.
func wordBefore(s string) int {
	n := 0
	for n < min(len(s), 3) { // more make no difference
		c := s[len(s)-1-n] | 0x20
		if c < 'a' || c > 'z' {
			if c < '0' || c > '9' {
				break
			}
		}
		n++
	}
	return n
}
