package deliver

import (
	"fmt"
	"strings"

	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// onlyLink returns a document's links in a result with one link, without further symbols.
func onlyLink(d doc.Description) string {
	d.Also = nil
	return linkLine(d, 1)
}

// knowledgeLinks returns a document's links to beliefs and notes. They are always shown.
func knowledgeLinks(d doc.Description) string {
	d.Also = nil
	return linkLine(d, 0)
}

// linkLine returns a document's links in one line. The words of a repository in it must not seem to
// be another call, so separators of calls are replaced.
func linkLine(d doc.Description, limit int) string {
	return strings.ReplaceAll(strings.Join(breadcrumbs(d, limit), "  "), layout.Between, "  ")
}

// These bound the target and the note of a link in a result with one link, in bytes.
const (
	maxLonePath = 48
	maxLoneNote = 40
)

// breadcrumbs returns a document's first links and its file's next best symbols.
func breadcrumbs(d doc.Description, limit int) []string {
	var parts []string
	n, also := 0, maxAlso
	write := func(l doc.Link) string { return arrow(l, layout.MaxShortPath) }
	if limit <= 1 {
		also = 1
		write = func(l doc.Link) string {
			l.Note = layout.Clip(l.Note, maxLoneNote)
			return arrow(l, maxLonePath)
		}
	}
	for _, l := range mixed(d) {
		if l.Relation == noteAbout {
			parts = append(parts, arrow(l, layout.MaxShortPath))
		} else if l.Relation == beliefAbout || l.Relation == ReachesRelation {
			parts = append(parts, write(l))
		} else if n < limit {
			n++
			parts = append(parts, write(l))
		}
	}
	if len(d.Also) > 0 {
		var names []string
		for i, x := range d.Also {
			if i == also {
				break
			}
			lines := fmt.Sprintf("%d-%d", x.First, x.Last)
			if x.Symbol != "" {
				lines = layout.Middle(x.Symbol, 40) + ":" + lines // owners are equal, members differ
			}
			names = append(names, lines)
		}
		parts = append(parts, "also: "+strings.Join(names, ", "))
	}
	return parts
}

// mixed returns a document's links. The links of a belief take turns: the first of each relation,
// then the second ones.
func mixed(d doc.Description) []doc.Link {
	if d.Belief == nil {
		return d.Links
	}
	turn, turns := map[string]int{}, map[int][]doc.Link{}
	for _, l := range d.Links {
		n := turn[l.Relation]
		turn[l.Relation], turns[n] = n+1, append(turns[n], l)
	}
	var out []doc.Link
	for n := 0; len(turns[n]) > 0; n++ {
		out = append(out, turns[n]...)
	}
	return out
}

// The relations between code and the beliefs and notes about it. They are always shown.
const (
	noteAbout       = "note"
	beliefAbout     = "belief"
	ReachesRelation = "reaches"
)

// arrow returns a link with its direction.
func arrow(l doc.Link, limit int) string {
	if l.Relation == beliefAbout {
		return "← " + Link(l, limit)
	}
	return "→ " + Link(l, limit)
}

// Link returns a relation, its target as a doc_id of at most limit bytes, and its note. The
// relation is left out if the doc_id begins with it, as a commit's does.
func Link(l doc.Link, limit int) string {
	s := layout.ShortPath(l.Target, limit)
	if !strings.HasPrefix(l.Target, l.Relation+":") {
		s = layout.Clip(l.Relation, 16) + " " + s
	}
	if l.Note != "" {
		s += " (" + layout.Clip(l.Note, 80) + ")"
	}
	return s
}
