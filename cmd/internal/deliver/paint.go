package deliver

import (
	"strings"
	"unicode/utf8"

	"patina/store"
)

// The styles for words of a result's first line.
const (
	pathStyle = "\x1b[36m"
	nameStyle = "\x1b[1;33m"
)

// lines returns a block for a terminal: the path and the name in its first line stand out, and
// lines that are longer than the width end in an ellipsis. Lines with calls keep their length,
// since half a call does not run.
func (b block) lines(f form, o Options) []line {
	if f == gone {
		return nil
	}
	out := []line{b.head}
	if f == whole {
		out = append(out, b.rest...)
	}
	for i := range out {
		out[i].text = clipWidth(out[i].text, o.Width)
	}
	if o.Colour {
		out[0] = painted(out[0], b.shown)
	}
	return out
}

// clipWidth returns at most width characters of a line, the last an ellipsis if it is cut. All
// of it fits into a width of 0.
func clipWidth(s string, width int) string {
	if width <= 0 || utf8.RuneCountInString(s) <= width {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == width {
			return s[:i] + ellipsis
		}
	}
	return s
}

// painted returns the first line of a result with its path and its name in styles of their own,
// also where the end of the line has cut them.
func painted(l line, d store.Description) line {
	var b strings.Builder
	rest := l.text
	paint := func(word, style string) {
		at := strings.Index(rest, word)
		if at < 0 {
			at = cutAt(rest, word)
			word = rest[at:]
		}
		if word == "" {
			return
		}
		b.WriteString(l.style + rest[:at] + reset + style + word + reset)
		rest = rest[at+len(word):]
	}
	if d.Path != "" {
		paint(openPath(d.Path), pathStyle)
	}
	paint(clip(d.Symbol, maxName), nameStyle)
	return line{text: b.String() + l.style + rest + reset}
}

// cutAt returns where a word begins that the end of a line has cut, or the length of the line.
func cutAt(s, word string) int {
	at := strings.LastIndexByte(s, ' ') + 1
	if begin, cut := strings.CutSuffix(s[at:], ellipsis); cut && begin != "" && strings.HasPrefix(word, begin) {
		return at
	}
	return len(s)
}

// wrapped returns a line of prose as several, each no longer than the width. They end behind a
// semicolon where they can, and never within a call.
func wrapped(l line, width int) (out []line) {
	if width <= 0 {
		return []line{l}
	}
	var words []string
	for part := range strings.SplitAfterSeq(l.text, "; ") {
		part = strings.TrimSuffix(part, " ")
		if utf8.RuneCountInString(part) <= width-len(indent) || strings.HasPrefix(part, "patina ") {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	for _, w := range words {
		last := len(out) - 1
		switch {
		case last < 0:
			out = append(out, line{l.style, w})
		case utf8.RuneCountInString(out[last].text+" "+w) > width:
			out = append(out, line{l.style, indent + w})
		default:
			out[last].text += " " + w
		}
	}
	return out
}

// broken returns a line of calls as several, so that none but a single call is longer than the
// width.
func broken(l line, width int) (out []line) {
	if width <= 0 {
		return []line{l}
	}
	for part := range strings.SplitSeq(l.text, between) {
		last := len(out) - 1
		if last < 0 || utf8.RuneCountInString(out[last].text+between+part) > width {
			if last >= 0 {
				part = indent + part
			}
			out = append(out, line{l.style, part})
			continue
		}
		out[last].text += between + part
	}
	return out
}
