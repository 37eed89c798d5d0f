package deliver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A block is the text for one result, which a budget may cut.
type block struct {
	head  layout.Line   // kind, place, score: dropped last
	rest  []layout.Line // snippet, links, arithmetic
	shown doc.Description
}

// text returns at most so many lines for a result's text.
func text(r api.Result, lines int) (out []layout.Line) {
	for _, text := range excerpt(r.Description, lines) {
		out = appendIndented(out, "", text)
	}
	return out
}

// appendIndented appends a line below a result's title, unless text is empty.
func appendIndented(lines []layout.Line, style, text string) []layout.Line {
	if text == "" {
		return lines
	}
	return append(lines, layout.Styled(style, layout.Indent+text))
}

// links returns a result's block, without lines of its text.
func links(r api.Result, o Options) block {
	b := block{head: layout.Strong(fmt.Sprintf("%d. %s", r.Rank, title(r, o))), shown: r.Description}
	add := func(style, text string) { b.rest = appendIndented(b.rest, style, text) }
	add("", whyOf(r.Description))
	add(layout.FaintStyle, strings.Join(breadcrumbs(r.Description, linksOf(r.Rank)), "  "))
	if o.Explain {
		for _, text := range arithmetic(r) {
			add(layout.FaintStyle, text)
		}
	}
	return b
}

// linksOf returns how many links a result has in an answer. Lower ranks have fewer, to leave room
// for lines.
func linksOf(rank int) int {
	switch {
	case rank <= 1:
		return MaxLinks
	case rank <= 3:
		return 1
	}
	return 0
}

// maxSnippetLines bounds the lines of a result in an answer, beside its signature.
const maxSnippetLines = 8

// quotas are the numbers of lines for the first result, for the second and third, and for the
// others. The widest answer comes first.
var quotas = [...][3]int{{8, 6, 5}, {8, 5, 4}, {8, 5, 3}, {6, 4, 3}, {6, 3, 2}, {4, 2, 2}, {4, 2, 1}, {3, 1, 1}}

// quota returns the number of lines for the i-th result.
func quota(q [3]int, i int) int {
	switch {
	case i == 0:
		return q[0]
	case i < 3:
		return q[1]
	}
	return q[2]
}

// snippets returns the blocks of an answer, with as many lines as fit into room bytes.
func snippets(results []api.Result, room int, o Options) []block {
	blocks := make([]block, len(results))
	texts := make([][]layout.Line, len(results))
	left := room // for the texts
	for i, r := range results {
		blocks[i] = links(r, o)
		left -= blocks[i].size(whole)
		_, visited := o.Visits[r.Key.Project]
		o.homeNamed = o.homeNamed || !visited
	}
	for k, q := range quotas {
		used := 0
		for i, r := range results {
			if k == 0 || quota(q, i) != quota(quotas[k-1], i) {
				texts[i] = text(r, quota(q, i))
			}
			used += layout.Size(texts[i])
		}
		if used <= left {
			break
		}
	}
	for i := range blocks {
		blocks[i].rest = append(texts[i], blocks[i].rest...)
	}
	return blocks
}

// byNumber returns the best lines in the order of the file.
func byNumber(lines []doc.Line, most int) []doc.Line {
	kept := slices.Clone(lines[:min(len(lines), most)])
	slices.SortFunc(kept, func(a, b doc.Line) int { return cmp.Compare(a.Number, b.Number) })
	return kept
}

// withNumbers returns lines with their numbers, without their common indentation.
func withNumbers(lines []doc.Line) (out []string) {
	margin := -1
	for _, l := range lines {
		if n := len(l.Text) - len(strings.TrimLeft(l.Text, " \t")); margin < 0 || n < margin {
			margin = n
		}
	}
	for _, l := range lines {
		number := strconv.Itoa(l.Number)
		out = append(out, "     "[min(len(number), 5):]+number+"  "+layout.ClipCode(l.Text[margin:], layout.MaxLine))
	}
	return out
}

// title returns a result's first line: kind, place, name and score; with Explain, also the channels
// that found it.
func title(r api.Result, o Options) string {
	s := fmt.Sprintf("[%s] %s  (%s)", o.tag(r), name(r.Description), scoreText(r.Score))
	if via := o.Visits[r.Key.Project].Via; via != "" {
		s += "  via " + layout.Clip(via, maxVia)
	}
	if r.Exact {
		s += "  exact"
	}
	if r.Changed {
		s += "  changed since the scrape"
	}
	if c := contributions(r); c != "" && o.Explain {
		s += "  " + c
	}
	return s
}

// maxVia holds the two longest relations with " > " between them.
const maxVia = 32

// scoreText returns a score in two digits. A match never shows as 0.
func scoreText(score float64) string {
	if score < 0.005 {
		return "<0.01"
	}
	return fmt.Sprintf("%.2f", score)
}

// tag returns a result's kind, after its project if several were asked. The home project is named
// once in an answer, because most results are from there: a kind alone is that of a home result.
func (o Options) tag(r api.Result) string {
	kind := layout.Clip(r.Kind.Label(), 16)
	if _, visited := o.Visits[r.Key.Project]; len(o.Visits) == 0 || o.homeNamed && !visited {
		return kind
	}
	return layout.Clip(r.Key.Project, 32) + ":" + kind
}

// contributions names the channels that ranked a result, with their normalised scores. A channel's
// best hit has 1.
func contributions(r api.Result) string {
	var parts []string
	for _, c := range r.Contributions {
		if c.Rank > 0 {
			parts = append(parts, fmt.Sprintf("%s %.2f", layout.Clip(c.Channel, 16), c.Normalised))
		}
	}
	return layout.Clip(strings.Join(parts, " + "), layout.MaxLine)
}

// breadcrumbs returns a document's first links and its file's next best symbols.
func breadcrumbs(d doc.Description, limit int) []string {
	var parts []string
	n := 0
	for _, l := range mixed(d) {
		if l.Relation == beliefAbout || l.Relation == ReachesRelation || l.Relation == noteAbout {
			parts = append(parts, arrow(l, layout.MaxShortPath))
		} else if n < limit {
			n++
			parts = append(parts, arrow(l, layout.MaxShortPath))
		}
	}
	if len(d.Also) > 0 {
		var names []string
		for i, x := range d.Also {
			if i == maxAlso {
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
