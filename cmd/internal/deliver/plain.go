package deliver

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The joiners are invisible, but Indian scripts and emoji need them.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// harmless reports whether a rune only appears: no control, no change in direction, nothing
// invisible.
func harmless(r rune) bool { return unicode.IsPrint(r) || r == joiner || r == nonJoiner }

// escape spells one rune, or one invalid byte, so that it does nothing.
func escape(b *strings.Builder, r rune, raw string) {
	switch {
	case r == utf8.RuneError && len(raw) == 1, r < 0x80:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case r > 0xffff:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// Plain makes one harmless line from any text. White space becomes single spaces, and every rune
// that could act is spelled out.
func Plain(s string) string {
	var b strings.Builder
	gap := false
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(r):
			gap = true
			s = s[n:]
			continue
		case gap && b.Len() > 0:
			b.WriteByte(' ')
		}
		gap = false
		if harmless(r) && (r != utf8.RuneError || n > 1) {
			b.WriteString(s[:n])
		} else {
			escape(&b, r, s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// body makes a whole text harmless and keeps its lines and tabs.
func body(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == '\n' || r == '\t' || harmless(r) && (r != utf8.RuneError || n > 1) {
			b.WriteString(s[:n])
		} else {
			escape(&b, r, s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

const ellipsis = "…"

// clip makes a harmless line with at most limit bytes and cuts the end.
func clip(s string, limit int) string {
	s = Plain(head(s, 4*limit)) // the rest cannot be shown
	if len(s) <= limit {
		return s
	}
	return head(s, limit-len(ellipsis)) + ellipsis
}

// clipKeeping is clip for a line of code: blanks and tabs stay.
func clipKeeping(s string, limit int) string {
	s = OneLine(head(s, 4*limit))
	if len(s) <= limit {
		return s
	}
	return head(s, limit-len(ellipsis)) + ellipsis
}

// middle makes a harmless line with at most limit bytes and cuts the middle. Both ends of a path
// help a reader to know it.
func middle(s string, limit int) string {
	if len(s) > 8*limit {
		s = head(s, 4*limit) + tail(s, 4*limit)
	}
	s = Plain(s)
	if len(s) <= limit {
		return s
	}
	front := (limit - len(ellipsis)) / 3
	return head(s, front) + ellipsis + tail(s, limit-len(ellipsis)-front)
}

// openPath makes a path or doc_id harmless, and keeps it whole: a reader opens it.
func openPath(s string) string { return middle(s, maxPath) }

// shortPath makes a path or doc_id harmless, with at most limit bytes. It leaves out folders in the
// middle: the first one, the file and its symbol are known again. Only what need not be opened is
// shortened.
func shortPath(s string, limit int) string {
	if len(s) > maxPath {
		return middle(s, limit)
	}
	if s = Plain(s); len(s) <= limit {
		return s
	}
	folders, _, _ := strings.Cut(s, "::")
	first := strings.IndexByte(folders, '/')
	for i := first + 1; first > 0 && i < len(folders); i++ {
		if folders[i] == '/' && first+len("/"+ellipsis)+len(s)-i <= limit {
			return s[:first+1] + ellipsis + s[i:]
		}
	}
	return middle(s, limit)
}

// head returns at most n bytes from the start of s, whole runes only.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(n, 0)]
}

// tail returns at most n bytes from the end of s, whole runes only.
func tail(s string, n int) string {
	from := max(len(s)-n, 0)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}
