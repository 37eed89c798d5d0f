package literal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"patina/store/text"
)

// The bounds of what a line prints.
const (
	maxLine   = 2000 // bytes of a line that is read
	maxJoin   = 80   // bytes of code between two parts of one string
	maxPieces = 64   // words and placeholders of one string
)

// A printed is a string that a program may print: its words, and "" where it fills something in.
type printed struct {
	words []string
	raw   string // as the source has it; empty if it is joined from parts
	from  int    // of its first part
}

// A Message is a text that a program may have printed, with placeholders filled in.
type Message struct {
	pattern Pattern
	folded  string
	known   map[string]bool // its words
	starts  [256]bool       // the bytes of ASCII that one begins with, in either case
}

// MessageOf reads a question as a message.
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

// In returns the string of a text that may have printed the message, the one with most words first.
// The message's own placeholder stands for any few words of a string.
func (q *Message) In(body string) (best Match, ok bool) {
	if len(body) > maxBody {
		return best, false
	}
	steps := maxSteps
	for _, s := range q.printable(body) {
		if strings.HasPrefix(s.raw, "./") || strings.HasPrefix(s.raw, "../") {
			continue // what a file imports; traces have it as well
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

// saysMore reports whether a string says more than another.
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

// hasShape reports whether what a string has around its placeholders stands in a text in this
// order, marks included, and nothing before or behind it.
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

// findIn finds the string in a message.
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
		if len(s.words) > from+len(words) { // it ends in something filled in
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

// leastPrinted is the fewest words of a string that say something. With one it prints a value
// under a name ("Queues (%d)").
const leastPrinted = 1

// common are words that, alone in a string beside what is filled in, say nothing.
var common = text.Set(`error errors warning warn info debug fatal failed failure exception note usage name value values id
	type key file path line data message status result got expected version true false null nil none`)

func countWord(words []string, w string) int {
	n := 0
	for _, x := range words {
		if x == w {
			n++
		}
	}
	return n
}

// alignWords matches a string from its first word on with the beginning of a question. It returns
// how many words of the question it covers.
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

// printable lists what a text may print: each string between quotes, and what it is with the next
// ones where only white space or a short expression stands between them. Strings that begin with a
// word that the message has not are left out.
func (q *Message) printable(body string) []printed {
	var out []printed
	joined, end := printed{}, -1 // the string that may go on, and where its last part ended
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
			if !alone && (parts == 0 || foreign) { // nothing can go on with it, nor it with another
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

// quotedLines calls f for the lines of a text with a quote, but for very long ones. Most lines of
// code have none: they are passed over without a look at each character.
func quotedLines(body string, f func(start int, line string)) {
	var next [len(Quotes)]int // where each quote stands next
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

// begins reports whether the first word of a string is one of the message, or it has none before
// something that is filled in.
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

// speaks reports whether a string has words that say something.
func (p printed) speaks() bool {
	said, plain := 0, 0
	for _, w := range p.words {
		if isContent(w) {
			said++
			if common[w] {
				plain++
			}
		}
	}
	return said > leastPrinted || said == leastPrinted && plain == 0
}

// addPart reads the words of a part.
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

// joinsParts reports whether the code between two parts, quotes included, makes one string of them,
// and whether it fills something in.
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

// Quotes are the marks that a string may stand between.
const Quotes = "\"'`"

// Quoted calls f for each text between two equal quotes on a line, with its first byte and the one
// behind it. An apostrophe behind a word opens nothing, unless the word may be a prefix: b'…',
// rb'…'.
func Quoted(line string, f func(from, to int)) {
	open := "" // quotes that no other closes any more
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

// closingQuote returns where a quote stands next that no backslash escapes, or -1.
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

// wordBefore is how many letters and digits a text ends in.
func wordBefore(s string) int {
	n := 0
	for n < min(len(s), 3) { // more say nothing more
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
