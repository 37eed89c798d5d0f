package deliver

import (
	"fmt"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// A form is how much of a block is shown.
type form int

const (
	whole    form = iota
	headOnly      // the first line only
	gone
)

func (b block) size(f form) int {
	switch f {
	case whole:
		return layout.Size([]layout.Line{b.head}) + layout.Size(b.rest) + layout.Size(b.end(0)) +
			max(0, b.room-len(b.call))
	case headOnly:
		return layout.Size([]layout.Line{b.head})
	}
	return 0
}

// fit chooses a form for each block, so that all blocks together take at most room bytes. Blocks
// lose their text from the bottom up, then disappear in the same order. The best result keeps its
// text longest.
func fit(blocks []block, room int) []form {
	forms := make([]form, len(blocks))
	used := 0
	for _, b := range blocks {
		used += b.size(whole)
	}
	shrink := func(i int, to form) {
		if used > room && forms[i] < to {
			used -= blocks[i].size(forms[i]) - blocks[i].size(to)
			forms[i] = to
		}
	}
	for _, to := range []form{headOnly, gone} {
		for i := len(blocks) - 1; i > 0; i-- {
			shrink(i, to)
		}
	}
	if len(blocks) > 0 {
		shrink(0, headOnly)
		shrink(0, gone)
	}
	return forms
}

// cutRoom is the largest size, in bytes, for the line about a cut.
const cutRoom = 120

// cut returns the line about results that were shortened or left out, or "".
func cut(forms []form, bytes int, d dialect.Dialect) string {
	var short, out int
	for _, f := range forms {
		switch f {
		case headOnly:
			short++
		case gone:
			out++
		}
	}
	if short+out == 0 {
		return ""
	}
	s := fmt.Sprintf("cut to %d tokens:", bytes/layout.TokenBytes)
	if short > 0 {
		s += fmt.Sprintf(" %d without text", short)
	}
	if short > 0 && out > 0 {
		s += ","
	}
	if out > 0 {
		s += fmt.Sprintf(" %d left out", out)
	}
	return s + fmt.Sprintf(" (%s shows more)", d.Raise(2*bytes/layout.TokenBytes))
}
