package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/internal/printable"
)

// Plain makes one harmless line from any text. White space becomes single spaces. Characters that
// could act on a terminal, or that a reader does not see, are escaped.
func Plain(s string) string {
	if isPlainASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for len(s) > 0 {
		if r, n := utf8.DecodeRuneInString(s); unicode.IsSpace(r) {
			gap = true
			s = s[n:]
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		s = s[printed(&b, s):]
	}
	return b.String()
}

// isPlainASCII reports whether Plain need not change a text. It is the fast path: nearly all texts
// are ASCII.
func isPlainASCII(s string) bool {
	if printable.ASCII(s) < len(s) {
		return false
	}
	return s == "" || s[0] != ' ' && s[len(s)-1] != ' ' && !strings.Contains(s, "  ")
}

// printed writes the first character of s, as it is or escaped, and returns its length.
func printed(b *strings.Builder, s string) int {
	n := printable.Len(s)
	if n == 0 {
		return printable.Escape(b, s)
	}
	b.WriteString(s[:n])
	return n
}

// Body makes a whole text harmless. Lines and tabs stay.
func Body(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if printable.ASCII(s) == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		switch n := printable.ASCII(s); {
		case n > 0:
			b.WriteString(s[:n])
			s = s[n:]
		case s[0] == '\n' || s[0] == '\t':
			b.WriteByte(s[0])
			s = s[1:]
		default:
			s = s[printed(&b, s):]
		}
	}
	return b.String()
}

const Ellipsis = "…"

// Clip makes a harmless line of at most limit bytes, and cuts the end.
func Clip(s string, limit int) string {
	s = Plain(Head(s, 4*limit)) // the rest cannot fit
	if len(s) <= limit {
		return s
	}
	return Head(s, limit-len(Ellipsis)) + Ellipsis
}

// ClipCode is Clip for a line of code: blanks and tabs stay.
func ClipCode(s string, limit int) string {
	s = OneLine(Head(s, 4*limit))
	if len(s) <= limit {
		return s
	}
	return Head(s, limit-len(Ellipsis)) + Ellipsis
}

// Middle makes a harmless line of at most limit bytes, and cuts the middle. Both ends of a path
// help a reader to recognise it.
func Middle(s string, limit int) string {
	if len(s) > 8*limit {
		s = Head(s, 4*limit) + tail(s, 4*limit)
	}
	s = Plain(s)
	if len(s) <= limit {
		return s
	}
	front := (limit - len(Ellipsis)) / 3
	return Head(s, front) + Ellipsis + tail(s, limit-len(Ellipsis)-front)
}

// OpenPath makes a path or doc_id harmless. A reader must be able to open it, so only a path over
// MaxPath is cut.
func OpenPath(s string) string { return Middle(s, MaxPath) }

// ShortPath makes a path or doc_id harmless, with at most limit bytes. It drops folders in the
// middle and keeps the first folder, the file and its symbol. It should be used only for a path
// that need not be opened.
func ShortPath(s string, limit int) string {
	if len(s) > MaxPath {
		return Middle(s, limit)
	}
	if s = Plain(s); len(s) <= limit {
		return s
	}
	folders, _, _ := strings.Cut(s, "::")
	first := strings.IndexByte(folders, '/')
	for i := first + 1; first > 0 && i < len(folders); i++ {
		if folders[i] == '/' && first+len("/"+Ellipsis)+len(s)-i <= limit {
			return s[:first+1] + Ellipsis + s[i:]
		}
	}
	return Middle(s, limit)
}

// Head returns at most n bytes from the start of s, in whole runes. Hidden runes at the end are
// parts of a cut sequence, and are dropped.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRightFunc(s[:max(n, 0)], cutOff)
}

// tail returns at most n bytes from the end of s, in whole runes. Hidden runes at its start are
// dropped.
func tail(s string, n int) string {
	from := max(len(s)-n, 0)
	if from == 0 {
		return s
	}
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return strings.TrimLeftFunc(s[from:], cutOff)
}

// cutOff reports whether a rune has no meaning without its neighbour.
func cutOff(r rune) bool { return r > utf8.RuneSelf && r != utf8.RuneError && printable.IsHidden(r) }

// OneLine makes one harmless line from any text. It keeps spaces and tabs, so that a printed
// command stays the same.
func OneLine(s string) string {
	return strings.ReplaceAll(Body(strings.TrimSuffix(s, "\r")), "\n", " ")
}

// Quote makes one harmless line of a text, in double quotes, with at most limit bytes before
// escaping. Quotes in it are escaped, and so are backslashes before them and at the end. So the
// text ends where it seems to end.
func Quote(s string, limit int) string {
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, r := range Clip(s, limit) {
		if r == '"' {
			b.WriteString(strings.Repeat(`\`, slashes+1))
		}
		if slashes++; r != '\\' {
			slashes = 0
		}
		b.WriteRune(r)
	}
	return b.String() + strings.Repeat(`\`, slashes) + `"`
}
