package parse

import (
	"strings"

	"patina/internal/lazyregexp"
)

var (
	literalText = lazyregexp.New("``(.*?)``")
	inRole      = lazyregexp.New(":[A-Za-z][A-Za-z0-9+._:-]*:`([^`]*)`")
	reference   = lazyregexp.New("`([^`]*)`_{0,2}")
	linkTarget  = lazyregexp.New(`\s*<[^<>]*>$`)
	footnote    = lazyregexp.New(`\s*\[[#*\pL\pN-]+\]_`)
	starred     = lazyregexp.New(`\*([^\s*](?:[^*]*[^\s*])?)\*`)
	wordLink    = lazyregexp.New(`([\pL\pN])__?([\s.,;:!?)]|$)`)
)

// withoutRoles removes inline marks of reStructuredText: roles, targets of links, emphasis,
// footnotes.
func withoutRoles(line string) string {
	line = strings.TrimSpace(line)
	if !strings.ContainsAny(line, "`*_|\\") {
		return line
	}
	line = literalText().ReplaceAllString(line, "$1")
	line = inRole().ReplaceAllStringFunc(line,
		func(s string) string { return visibleText(inRole().FindStringSubmatch(s)[1]) })
	line = reference().ReplaceAllStringFunc(line,
		func(s string) string { return visibleText(reference().FindStringSubmatch(s)[1]) })
	line = starred().ReplaceAllString(strings.ReplaceAll(footnote().ReplaceAllString(line, ""), "**", ""), "$1")
	line = wordLink().ReplaceAllString(line, "$1$2")
	return strings.TrimSpace(strings.NewReplacer(`\`, "", "|", "").Replace(line))
}

// visibleText returns the visible text of a role: text for "text <target>", C for "~a.b.C".
func visibleText(s string) string {
	if text := linkTarget().ReplaceAllString(s, ""); text != "" {
		s = text
	}
	if short, ok := strings.CutPrefix(s, "~"); ok {
		return short[strings.LastIndexByte(short, '.')+1:]
	}
	return strings.TrimLeft(s, "!.")
}
