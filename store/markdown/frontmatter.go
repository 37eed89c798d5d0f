// This file reads the block of YAML or TOML that may open a document.
//
// It is the only reader of front matter. Entries that are not valid YAML are reported, and cost no
// other entry.

package markdown

import (
	"strings"
)

// maxBytes bounds the text between the two marks.
const maxBytes = 64 << 10

// A Block is the front matter of a document.
type FrontMatter struct {
	Text string // the lines between the two marks
	Line int    // the line of the document at which Text begins, from 1
	Last int    // the line of the closing mark
	TOML bool   // marked by "+++" rather than by "---"
}

// Split cuts a document into its front matter and its body. A document without front matter is all
// body: then ok is false. A byte order mark, blank lines above the block, CRLF and blanks behind a
// mark are allowed, and "..." closes a block of YAML. Blank lines above need a block that is a
// mapping without faults, because "---" is also how Markdown writes a rule.
func SplitFrontMatter(text string) (b FrontMatter, body string, ok bool) {
	rest := strings.TrimPrefix(text, "\ufeff")
	blank := 0
	mark, rest := cutLine(rest)
	for mark == "" && rest != "" {
		blank++
		mark, rest = cutLine(rest)
	}
	if mark != "---" && mark != "+++" {
		return FrontMatter{}, text, false
	}
	b = FrontMatter{Line: blank + 2, TOML: mark == "+++"}
	inside := rest
	for n := b.Line; rest != "" && len(inside)-len(rest) <= maxBytes; n++ {
		end := len(inside) - len(rest)
		var line string
		line, rest = cutLine(rest)
		if line != mark && (line != "..." || b.TOML) {
			continue
		}
		b.Text, b.Last = inside[:end], n
		if blank > 0 && !b.isMapping() {
			return FrontMatter{}, text, false
		}
		return b, rest, true
	}
	return FrontMatter{}, text, false
}

// IsOpen reports whether a document opens a block of front matter that has no end.
func OpensFrontMatter(text string) bool {
	mark, _ := cutLine(strings.TrimPrefix(text, "\ufeff"))
	_, _, ok := SplitFrontMatter(text)
	return !ok && (mark == "---" || mark == "+++")
}

// isMapping reports whether the block has entries and no faults.
func (b FrontMatter) isMapping() bool {
	entries, faults := b.Entries()
	return len(entries) > 0 && len(faults) == 0
}

// cutLine returns the first line without the white space behind it, and what follows it.
func cutLine(s string) (line, rest string) {
	line, rest, _ = strings.Cut(s, "\n")
	return strings.TrimRight(line, " \t\r"), rest
}
