package belief

import (
	"path"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// A Citation is a place where a text names code.
type Citation struct {
	Path   string // as written; empty for a mere symbol or commit
	Symbol string // as written, without "()"
	Commit string // a sha, or the start of one
	Line   int    // of the text, from 1
}

const (
	maxCitations  = 500     // in one text
	maxCitingText = 1 << 20 // bytes of a text that are read
)

// Citations returns the citations in a Markdown text: paths anywhere, symbols and file names in
// back-ticks, and commits in wikilinks or after the word "commit". It skips fenced blocks, and
// sections whose links name other beliefs.
func Citations(source string) (out []Citation) {
	seen := make(map[Citation]bool)
	add := func(c Citation, line int) {
		if c != (Citation{}) && !seen[c] && len(out) < maxCitations {
			seen[c] = true
			c.Line = line
			out = append(out, c)
		}
	}
	var fence markdown.Fence
	n, beliefs := 0, false
	for line := range strings.Lines(source[:min(len(source), maxCitingText)]) {
		if n++; len(out) == maxCitations {
			break
		}
		if fence.Step(line) != markdown.Outside {
			continue
		}
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			beliefs = aboutBeliefs(heading)
		}
		line = line[:min(len(line), maxCitingLine)]
		for _, m := range linked().FindAllStringSubmatch(line, -1) {
			if c := readLink(m[1]); !beliefs || c.Commit != "" || c.Path != "" {
				add(c, n)
			}
		}
		for _, m := range committed().FindAllStringSubmatch(line, -1) {
			add(Citation{Commit: strings.ToLower(m[1])}, n)
		}
		for _, m := range ticked().FindAllStringSubmatch(line, -1) {
			add(readCode(m[1]), n)
		}
		for _, m := range bare().FindAllString(ticked().ReplaceAllString(linked().ReplaceAllString(line, " "), " "),
			-1) {
			add(readCode(m), n)
		}
	}
	return out
}

// maxCitingLine bounds the searched part of a line, in bytes.
const maxCitingLine = 4 << 10

var (
	linked    = lazyregexp.New(`\[\[([^\[\]]{1,300})\]\]`)
	committed = lazyregexp.New(`(?i)\bcommits? ([0-9a-f]{7,40})\b`)
	ticked    = lazyregexp.New("`([^`]{1,300})`")
	bare      = lazyregexp.New(`[\w.@-]*/[\w./@-]*\.\w{1,10}\b(::?\w+)*(\(\))?`)
	sha       = lazyregexp.New(`^[0-9a-f]{7,40}$`)
	digit     = lazyregexp.New(`[0-9]`)
	place     = lazyregexp.New(`^(.*?):\d+(-\d+)?$`) // path:12-30
	name      = lazyregexp.New(`^[A-Za-z_$][\w$]*$`)
	extension = lazyregexp.New(`^\.[A-Za-z]\w{0,9}$`)
)

func aboutBeliefs(heading string) bool {
	heading = strings.ToLower(strings.TrimSpace(heading))
	return heading == "supports" || heading == "attacks" || heading == "attacked-by"
}

// readLink parses a wikilink. It returns the zero Citation for links to sessions and beliefs, which
// are not code.
func readLink(s string) Citation {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "|")
	s, _, _ = strings.Cut(s, "#") // a heading or a line
	id, prefixed := strings.CutPrefix(s, "commit-")
	if id = strings.ToLower(id); sha().MatchString(id) && (prefixed || digit().MatchString(id)) {
		return Citation{Commit: id}
	}
	if c := readCode(s); c.Path != "" {
		return c
	}
	return Citation{}
}

// readCode parses a path, a symbol or both: "src/x.rs", "x.rs:12-30", "src/x.rs::f()", "f()",
// "A::b".
func readCode(s string) Citation {
	s = strings.TrimPrefix(strings.TrimRight(strings.TrimSpace(s), ".,;:"), "./")
	called := strings.HasSuffix(s, "()")
	s = strings.TrimSuffix(s, "()")
	if strings.ContainsAny(s, " \t\"'<>{}*$|&") || s == "" {
		return Citation{}
	}
	if m := place().FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	file, symbol, _ := strings.Cut(s, "::")
	if symbol == "" {
		file, symbol, _ = strings.Cut(s, ":")
	}
	if isFile(file) && (symbol == "" || name().MatchString(LastName(symbol))) {
		return Citation{Path: file, Symbol: symbol}
	}
	last := LastName(s)
	if !name().MatchString(last) || len(last) < 3 || !called && !isSymbol(s, last) {
		return Citation{}
	}
	return Citation{Symbol: s}
}

// isFile reports whether a word is a path with an extension.
func isFile(s string) bool {
	ext := path.Ext(s)
	return extension().MatchString(ext) && !strings.HasPrefix(s, "/") && !strings.Contains(s, "..") &&
		len(s) > len(ext) &&
		!strings.Contains(s, "//")
}

// isSymbol reports whether a word can only be a name in code: with "::", "_" or a capital inside.
func isSymbol(s, last string) bool {
	return strings.Contains(s, "::") || strings.Contains(strings.Trim(last, "_"), "_") ||
		strings.IndexFunc(last[1:], func(r rune) bool { return 'A' <= r && r <= 'Z' }) >= 0 &&
			strings.ToUpper(last) != last
}

// LastName returns the part of a qualified name after the last separator.
func LastName(s string) string {
	for _, separator := range []string{"::", ".", "->", "#"} {
		if i := strings.LastIndex(s, separator); i >= 0 {
			s = s[i+len(separator):]
		}
	}
	return s
}
