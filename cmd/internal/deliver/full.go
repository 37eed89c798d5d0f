package deliver

import (
	"fmt"
	"io"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/fusion"
)

// Full writes an answer with the whole text of each relevant result: one page of at most PageBytes,
// and the call for the rest. docs are the documents of a.Relevant(), in their order. If o has a
// budget, texts are cut to fit, and results without room are counted.
func Full(w io.Writer, a *api.Answer, docs []Document, o Options) error {
	lines := preamble(a, o)
	if s := wordsRead(a.Read, o.Dialect); s != "" {
		lines = append(lines, layout.Faint(s))
	}
	end := append([]layout.Line{{}}, footer(a, o)...)
	room := len(docs) * layout.PageBytes
	if o.Budget > 0 {
		room = o.Ceiling() - layout.Size(lines) - layout.Size(end) - cutRoom
	}
	for i, r := range a.Relevant() {
		if room < leastFull {
			lines = append(lines, layout.Line{}, layout.Faint(fmt.Sprintf("%d more: %s shows them",
				len(docs)-i, o.Dialect.Raise(2*o.Ceiling()/layout.TokenBytes))))
			break
		}
		page := fullResult(r, docs[i], min(room, layout.PageBytes), o)
		lines = append(lines, page...)
		room -= layout.Size(page)
	}
	if a.Relevance == fusion.Irrelevant {
		for _, r := range shown(a) {
			lines = append(lines, links(r, o).head)
		}
	}
	return layout.Write(w, append(lines, end...), o.Colour)
}

// leastFull is the least room for a whole result: its first line, a call and some lines.
const leastFull = 2 * layout.MaxCommand

// fullResult returns a result's first line and as much of its text as fits into so many bytes, with
// the call for the rest.
func fullResult(r api.Result, d Document, room int, o Options) []layout.Line {
	lines := []layout.Line{{}, layout.Strong(fmt.Sprintf("%d. %s", r.Rank, title(r, o)))}
	room -= layout.Size(lines) + layout.MaxCommand
	pages := paginate(d.text(), room, room)
	for _, text := range splitLines(pages[0]) {
		lines = append(lines, layout.Text(text))
	}
	if len(pages) > 1 {
		if call := d.Next(1); call != "" {
			lines = append(lines, layout.Faint("cut, whole: "+call))
		}
	}
	return lines
}
