package prose

import (
	"strings"

	"patina/internal/lazyregexp"
)

// The inline marks. Each expression is compiled at its first use.
var (
	pictures  = lazyregexp.New(`!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])`)
	links     = lazyregexp.New(`\[([^\]\[]+)\](?:\([^)]*\)|\[[^\]]*\])`)
	notes     = lazyregexp.New(`\[\^[^\]]*\]|<!--.*?-->|<!--.*$`)
	tags      = lazyregexp.New(`</?[A-Za-z][A-Za-z0-9]*(?:\s[^>]*)?/?>`)
	bold      = lazyregexp.New(`\*\*([^*\n]+)\*\*|__([^_\n]+)__|~~([^~\n]+)~~`)
	slanted   = lazyregexp.New(`(^|[\s("'])[*_]([^\s*_](?:[^*_\n]*[^\s*_])?)[*_]($|[\s.,;:!?)"'])`)
	roles     = lazyregexp.New(":[a-z:]+:`([^`<]+?)(?:\\s*<[^>`]*>)?`")
	reference = lazyregexp.New("`([^`<]+?)\\s*<[^>`]*>`__?|`([^`]+)`__?\\b")
	adocLinks = lazyregexp.New(`(?:link:|xref:|https?://)[^\s\[\]]+\[([^\]]+)\]|<<[^,>]*,\s*([^>]+)>>`)
)

// Plain returns a text on one line, without links, emphasis, tags and notes. Code keeps its
// back-ticks.
func Plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if strings.IndexByte(s, '`') >= 0 && strings.Contains(s, "`_") || strings.Contains(s, ":`") {
		s = roles().ReplaceAllString(reference().ReplaceAllString(s, "$1$2"), "$1")
	}
	s, spans := withoutCode(s)
	if strings.IndexByte(s, '[') >= 0 {
		s = pictures().ReplaceAllString(s, "")
		s = adocLinks().ReplaceAllString(links().ReplaceAllString(s, "$1"), "$1$2")
	}
	if strings.Contains(s, "[^") || strings.IndexByte(s, '<') >= 0 {
		s = tags().ReplaceAllString(adocLinks().ReplaceAllString(notes().ReplaceAllString(s, ""), "$1$2"), "")
	}
	if strings.ContainsAny(s, "*_~") {
		s = slanted().ReplaceAllString(bold().ReplaceAllString(s, "$1$2$3"), "$1$2$3")
	}
	if strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return strings.TrimSpace(withCode(s, spans))
}

// hole replaces a code span while the prose around it is read.
const hole = "\x00"

// withoutCode replaces the code spans of a text by holes.
func withoutCode(s string) (rest string, spans []string) {
	if strings.IndexByte(s, '`') < 0 {
		return s, nil
	}
	var b strings.Builder
	s = strings.ReplaceAll(s, hole, "")
	for {
		at := strings.IndexByte(s, '`')
		if at < 0 {
			break
		}
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		length := strings.Index(s[at+run:], s[at:at+run])
		b.WriteString(s[:at])
		if length < 0 {
			b.WriteString(s[at : at+run])
			s = s[at+run:]
			continue
		}
		spans = append(spans, strings.TrimSpace(s[at+run:at+run+length]))
		b.WriteString(hole)
		s = strings.TrimLeft(s[at+run+length:], "`")
	}
	b.WriteString(s)
	return b.String(), spans
}

// withCode puts code spans back into the holes.
func withCode(s string, spans []string) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == hole[0] && len(spans) > 0 {
			b.WriteString("`" + spans[0] + "`")
			spans = spans[1:]
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
