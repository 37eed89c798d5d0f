package deliver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A block is the text for one result, which a budget may cut.
type block struct {
	head  layout.Line   // kind, place, score: dropped last
	rest  []layout.Line // snippet, reason, arithmetic
	links string        // may be empty
	call  string        // shows the whole result; may be empty
	room  int           // bytes reserved for call
	shown doc.Description
}

// text returns at most so many lines for a result's text.
func text(r api.Result, lines int) (out []layout.Line) {
	width := layout.MaxLine
	if r.Rank > linkedRanks {
		width = maxLowLine
	}
	for _, text := range excerpt(r.Description, lines, width) {
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

// outline returns a result's block, without lines of its text. call shows the whole result.
func outline(r api.Result, call string, o Options) block {
	b := block{
		head: layout.Strong(fmt.Sprintf("%d. %s", r.Rank, title(r, o))), shown: r.Description,
		links: linkLine(r.Description, linksOf(r.Rank)), call: layout.JoinCalls([]string{call}),
	}
	b.rest = appendIndented(b.rest, "", whyOf(r.Description))
	if o.Explain {
		for _, text := range arithmetic(r) {
			b.rest = appendIndented(b.rest, layout.FaintStyle, text)
		}
	}
	return b
}

// linksOf returns how many links a result has in an answer. Lower ranks have one, to leave room for
// lines.
func linksOf(rank int) int {
	if rank <= 1 {
		return MaxLinks
	}
	return 1
}

// end returns the last lines of a block: the links, and the call behind them or in a line of its
// own. Only links are cut at the width, because half a call does not run.
func (b block) end(width int) (lines []layout.Line) {
	var last string
	if b.call != "" && b.links != "" && width > 0 &&
		utf8.RuneCountInString(layout.Indent+b.links+layout.Between+b.call) > width {
		lines = appendIndented(lines, layout.FaintStyle, layout.ClipWidth(b.links, width-len(layout.Indent)))
		last = b.call
	} else if b.call != "" {
		last = strings.TrimPrefix(b.links+layout.Between+b.call, layout.Between)
	} else {
		last = layout.ClipWidth(b.links, max(0, width-len(layout.Indent)))
	}
	return appendIndented(lines, layout.FaintStyle, last)
}

// linkedRanks is the number of first results that keep their links in any answer, and the full
// width of their lines.
const linkedRanks = 3

// maxLowLine bounds a line of a lower result, in bytes.
const maxLowLine = 120

// maxSnippetLines bounds the lines of a result in an answer, beside its signature.
const maxSnippetLines = 8

// quotas are the numbers of lines for the first result, for the second and third, and for the
// others. The widest answer comes first.
var quotas = [...][3]int{{8, 6, 5}, {8, 5, 4}, {8, 5, 3}, {8, 5, 2}, {8, 5, 1}, {8, 3, 1}, {6, 3, 1}, {5, 2, 1}, {4, 1, 1}, {3, 1, 1}, {2, 1, 1}}

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

// snippets returns the blocks of an answer, with as many lines as fit into room bytes. If not even
// the fewest lines fit, lower ranks lose further symbols and then their links,
// the last ones first.
func snippets(queryID string, results []api.Result, room int, o Options) []block {
	blocks := make([]block, len(results))
	left := room // for the texts
	for i, r := range results {
		blocks[i] = outline(r, Deeper(queryID, r, o), o)
		blocks[i].room = max(len(blocks[i].call), len(Deeper(queryID, r, o.other())))
		left -= blocks[i].size(whole)
		_, visited := o.Visits[r.Key.Project]
		o.homeNamed = o.homeNamed || !visited
	}
	texts, used := shareLines(results, left)
	for _, shorter := range []func(doc.Description) string{onlyLink, knowledgeLinks} {
		for i := len(blocks) - 1; i >= linkedRanks && used > left; i-- {
			with := blocks[i].size(whole)
			blocks[i].links = shorter(results[i].Description)
			left += with - blocks[i].size(whole)
		}
	}
	for i := range blocks {
		blocks[i].rest = append(texts[i], blocks[i].rest...)
	}
	return blocks
}

// shareLines returns the lines of each result that fit into room bytes together, and their size.
// All results have the widest quota that fits. The first ones have more lines, from the room that
// is left. If even the smallest quota does not fit, the size is over room.
func shareLines(results []api.Result, room int) (texts [][]layout.Line, size int) {
	texts = make([][]layout.Line, len(results))
	var wider [3]int
	for k, q := range quotas {
		size = 0
		for i, r := range results {
			if k == 0 || quota(q, i) != quota(wider, i) {
				texts[i] = text(r, quota(q, i))
			}
			size += layout.Size(texts[i])
		}
		if size > room {
			wider = q
			continue
		}
		for i, r := range results {
			for n := quota(q, i) + 1; n <= quota(wider, i); n++ {
				more := text(r, n)
				grown := size + layout.Size(more) - layout.Size(texts[i])
				if grown > room {
					break
				}
				texts[i], size = more, grown
			}
		}
		break
	}
	return texts, size
}

// byNumber returns the best lines in the order of the file.
func byNumber(lines []doc.Line, most int) []doc.Line {
	kept := slices.Clone(lines[:min(len(lines), most)])
	slices.SortFunc(kept, func(a, b doc.Line) int { return cmp.Compare(a.Number, b.Number) })
	return kept
}

// withNumbers returns lines of at most width bytes with their numbers, without their common
// indentation.
func withNumbers(lines []doc.Line, width int) (out []string) {
	for _, l := range withoutMargin(lines) {
		number := strconv.Itoa(l.Number)
		out = append(out, "     "[min(len(number), 5):]+number+"  "+layout.ClipCode(l.Text, width))
	}
	return out
}

// withoutMargin returns lines without the indentation that all of them have.
func withoutMargin(lines []doc.Line) []doc.Line {
	margin := -1
	for _, l := range lines {
		if n := len(l.Text) - len(strings.TrimLeft(l.Text, " \t")); margin < 0 || n < margin {
			margin = n
		}
	}
	out := slices.Clone(lines)
	for i := range out {
		out[i].Text = out[i].Text[margin:]
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
