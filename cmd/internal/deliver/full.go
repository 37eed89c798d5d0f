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
		page := fullResult(r, docs[i], min(room, layout.PageBytes), o)
		if page == nil || layout.Size(page) > room {
			lines = append(lines, layout.Line{}, layout.Faint(fmt.Sprintf("%d more: %s shows them",
				len(docs)-i, o.Dialect.Raise(2*o.Ceiling()/layout.TokenBytes))))
			break
		}
		lines = append(lines, page...)
		room -= layout.Size(page)
	}
	if a.Relevance == fusion.Irrelevant {
		for _, r := range shown(a) {
			head := outline(r, "", o).head
			if room -= layout.Size([]layout.Line{head}); room >= 0 || o.Budget == 0 {
				lines = append(lines, head)
			}
		}
	}
	return layout.Write(w, append(lines, end...), o.Colour)
}

// leastText is the least room for a part of a text. With less a result is not shown.
const leastText = 80

// fullResult returns a result's first line and as much of its text as fits into so many bytes, with
// the call for the rest. It returns nil if that is too little.
func fullResult(r api.Result, d Document, room int, o Options) []layout.Line {
	lines := []layout.Line{{}, layout.Strong(fmt.Sprintf("%d. %s", r.Rank, title(r, o)))}
	room -= layout.Size(lines) + layout.MaxCommand
	text := d.text()
	whole := len(text) <= room
	if !whole && room < leastText {
		return nil
	}
	for _, line := range splitLines(paginate(text, max(room, 1), layout.PageBytes)[0]) {
		lines = append(lines, layout.Text(line))
	}
	if !whole {
		if call := d.Next(1); call != "" {
			lines = append(lines, layout.Faint("cut, whole: "+call))
		}
	}
	return lines
}
