package deliver

import (
	"strings"

	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// The styles for words of a result's first line.
const (
	pathStyle = "\x1b[36m"
	nameStyle = "\x1b[1;33m"
)

// lines returns a block for a terminal. The path and the name in its first line are coloured, and
// lines over the width end in an ellipsis. Lines with calls are never cut, because half a call does
// not run.
func (b block) lines(f form, o Options) []layout.Line {
	if f == gone {
		return nil
	}
	out := []layout.Line{b.head}
	if f == whole {
		out = append(out, b.rest...)
	}
	for i := range out {
		out[i].Text = layout.ClipWidth(out[i].Text, o.Width)
	}
	if f == whole {
		out = append(out, b.end(o.Width)...)
	}
	if o.Colour {
		out[0] = painted(out[0], b.shown)
	}
	return out
}

// painted colours the path and the name in the first line of a result, even if the end of the line
// cuts them.
func painted(l layout.Line, d doc.Description) layout.Line {
	var b strings.Builder
	rest := l.Text
	paint := func(word, style string) {
		at := strings.Index(rest, word)
		if at < 0 {
			at = cutAt(rest, word)
			word = rest[at:]
		}
		if word == "" {
			return
		}
		b.WriteString(l.Style + rest[:at] + layout.ResetStyle + style + word + layout.ResetStyle)
		rest = rest[at+len(word):]
	}
	if d.Path != "" {
		paint(layout.OpenPath(d.Path), pathStyle)
	}
	paint(layout.Clip(d.Symbol, layout.MaxName), nameStyle)
	return layout.Text(b.String() + l.Style + rest + layout.ResetStyle)
}

// cutAt returns the start of a word that the end of the line cuts, or the length of the line.
func cutAt(s, word string) int {
	at := strings.LastIndexByte(s, ' ') + 1
	if begin, cut := strings.CutSuffix(s[at:], layout.Ellipsis); cut && begin != "" && strings.HasPrefix(word, begin) {
		return at
	}
	return len(s)
}
