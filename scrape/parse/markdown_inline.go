package parse

import (
	"strings"
	"unicode"

	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
)

var (
	picture  = lazyregexp.New(`!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	link     = lazyregexp.New(`\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	tag      = lazyregexp.New(`</?[A-Za-z][^>]*>`)
	anchor   = lazyregexp.New(`\s*\{#[^}]*\}\s*$`)
	emphasis = strings.NewReplacer("**", "", "`", "", "~~", "")
)

// withoutMarks removes inline Markdown from a line: pictures, targets of links, tags, emphasis,
// back-ticks.
func withoutMarks(line string) string {
	if strings.ContainsAny(line, "[<{") {
		line = anchor().ReplaceAllString(picture().ReplaceAllString(line, ""), "")
		line = tag().ReplaceAllString(link().ReplaceAllString(line, "$1"), "")
	}
	return strings.TrimSpace(emphasis.Replace(line))
}

// maxSlug is the most bytes of a section's name, because the name becomes part of its doc_id.
const maxSlug = 100

// slug names a section like GitHub's anchors: letters become lower case, blanks become hyphens, and
// only letters, digits, "-" and "_" stay. The name is never empty.
func slug(h heading) string {
	if h.level == 0 {
		return top
	}
	var b strings.Builder
	for _, r := range strings.ToLower(h.text) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return chunk.Truncate(b.String(), maxSlug)
}
