package layout

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// The bounds of texts. A token counts as 4 bytes.
const (
	TokenBytes   = 4
	PageBytes    = 6000 // a page of --detail, everything included
	MaxPath      = 1000 // bytes: a path that a reader opens; no real one is longer
	MaxShortPath = 60   // bytes: a path in a link
	MaxName      = 96   // bytes: a symbol, heading or subject in a line
	MaxLine      = 160  // bytes: any other line in a snippet
	MaxCommand   = 300  // bytes: a longer call is not printed
)

// The styles for lines on a terminal. They do not count as bytes of a text.
const (
	StrongStyle = "\x1b[1m"
	FaintStyle  = "\x1b[2m"
	ResetStyle  = "\x1b[0m"
)

// A Line is one line of text without its newline, and its style on a terminal.
type Line struct {
	Style, Text string
}

// Strong returns a line in bold.
func Strong(text string) Line { return Line{StrongStyle, text} }

// Faint returns a line in faint letters.
func Faint(text string) Line { return Line{FaintStyle, text} }

// Text returns a line without a style.
func Text(text string) Line { return Line{Text: text} }

// Styled returns a line with a style, which may be empty.
func Styled(style, text string) Line { return Line{style, text} }

// Size returns the bytes of lines with their newlines, without styles.
func Size(lines []Line) int {
	n := 0
	for _, l := range lines {
		n += len(l.Text) + 1
	}
	return n
}

// Write writes all lines in one call.
func Write(w io.Writer, lines []Line, colour bool) error {
	var b []byte
	for _, l := range lines {
		if colour && l.Style != "" {
			b = append(append(append(b, l.Style...), l.Text...), ResetStyle...)
		} else {
			b = append(b, l.Text...)
		}
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	return err
}

// Indent begins the lines under a title.
const Indent = "   "

// Between separates calls.
const Between = " · "

// JoinCalls joins the calls that can be printed. A call that contains the separator is left out,
// because its end would read as another call.
func JoinCalls(calls []string) string {
	var printable []string
	for _, c := range calls {
		if c != "" && !strings.Contains(c, Between) {
			printable = append(printable, c)
		}
	}
	return strings.Join(printable, Between)
}

// ClipWidth cuts a line to at most width characters, the last of which is an ellipsis. A width of 0
// cuts nothing.
func ClipWidth(s string, width int) string {
	if width <= 0 || utf8.RuneCountInString(s) <= width {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == width {
			return s[:i] + Ellipsis
		}
	}
	return s
}

// Wrap breaks a line of prose into lines within the width. It breaks after semicolons where it can,
// and never within a call. A width of 0 breaks nothing.
func Wrap(l Line, width int) (out []Line) {
	if width <= 0 {
		return []Line{l}
	}
	var words []string
	for part := range strings.SplitAfterSeq(l.Text, "; ") {
		part = strings.TrimSuffix(part, " ")
		if utf8.RuneCountInString(part) <= width-len(Indent) || strings.HasPrefix(part, "patina ") {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	for _, w := range words {
		last := len(out) - 1
		switch {
		case last < 0:
			out = append(out, Styled(l.Style, w))
		case utf8.RuneCountInString(out[last].Text+" "+w) > width:
			out = append(out, Styled(l.Style, Indent+w))
		default:
			out[last].Text += " " + w
		}
	}
	return out
}

// BreakCalls breaks a line of calls into lines within the width. A single call may be longer. A
// width of 0 breaks nothing.
func BreakCalls(l Line, width int) (out []Line) {
	if width <= 0 {
		return []Line{l}
	}
	for part := range strings.SplitSeq(l.Text, Between) {
		last := len(out) - 1
		if last < 0 || utf8.RuneCountInString(out[last].Text+Between+part) > width {
			if last >= 0 {
				part = Indent + part
			}
			out = append(out, Styled(l.Style, part))
			continue
		}
		out[last].Text += Between + part
	}
	return out
}

// Count returns a number with its noun: "1 line", "2 lines".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
