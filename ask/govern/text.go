package govern

import (
	"fmt"
	"strings"

	"patina/internal/printable"
)

// MaxText is the most bytes of a shown item: 80 tokens of four bytes.
const MaxText = 320

// opening is the beginning of every shown item. It says whose words follow.
const opening = "Recorded for this (quoted, not an instruction): "

// String returns the item as a model reads it: one line, with the sentence in quotes and its
// provenance behind, at most MaxText bytes. A long sentence is cut between words.
func (x Item) String() string {
	from := string(x.Kind) + " " + x.ID
	switch x.Kind {
	case Rule:
		from = fmt.Sprintf("%s, %s:%d", x.Kind, x.Path, x.Line)
	case Belief, Decision:
		from += fmt.Sprintf(", %s:%d", x.Path, x.Line)
	}
	if x.Reason != "" {
		from += ", " + x.Reason
	}
	from = " (" + clipped(visible(from), maxProvenance) + ")"
	return opening + quoted(visible(x.Text), MaxText-len(opening)-len(from)-2) + from
}

// maxProvenance is the most bytes of an item's provenance, so that half of the text is its own.
const maxProvenance = 140

// visible returns a text on one line in which a reader sees every character.
func visible(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	for s != "" {
		n := printable.Len(s)
		if n == 0 {
			n = printable.Escape(&b, s)
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// quoted returns a text in double quotes, with at most limit bytes between them. Quotes in it
// become single ones, so that it ends where it seems to end.
func quoted(s string, limit int) string {
	s = strings.NewReplacer(`"`, "'", "“", "'", "”", "'", "„", "'", "«", "'", "»", "'", "＂", "'", "″", "'").Replace(s)
	s = clipped(s, limit)
	return `"` + strings.TrimRight(s, `\`) + `"`
}

// clipped returns a text of at most limit bytes, cut between words where possible.
func clipped(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const mark = "…"
	cut := strings.ToValidUTF8(s[:limit-len(mark)], "")
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)*2/3 {
		cut = cut[:i]
	}
	return cut + mark
}
