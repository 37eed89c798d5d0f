// This file reads the block of YAML or TOML that may begin a document.
//
// It must remain the only reader of front matter, because two would differ in detail.
// Entries that are not valid YAML are reported, and other entries are read all the same.

package markdown

import (
	"strings"
)

// maxBytes bounds the text between the two marks.
const maxBytes = 64 << 10

// FrontMatter is the front matter of a document.
type FrontMatter struct {
	Text string // the lines between the two marks
	Line int    // number of Text's first line in the document, from 1
	Last int    // number of the closing mark's line
	TOML bool   // marked by "+++" rather than by "---"
}

// SplitFrontMatter cuts a document into its front matter and its body. If there is no front matter,
// ok is false and body is the whole text. A byte order mark, blank lines above the block, CRLF and
// spaces after a mark are allowed, and "..." closes a block of YAML. After blank lines the block
// must be a mapping without faults, because "---" is also a rule in Markdown.
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

// OpensFrontMatter reports whether a document begins a block of front matter that has no end.
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

// cutLine returns the first line, without white space at its end, and the text after it.
func cutLine(s string) (line, rest string) {
	line, rest, _ = strings.Cut(s, "\n")
	return strings.TrimRight(line, " \t\r"), rest
}
