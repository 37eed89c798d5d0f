package drawing

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"patina/cmd/internal/layout"
	"patina/graph"
	"patina/internal/printable"
)

// A Look says how a graph is drawn as SVG.
type Look struct {
	Alone bool // it is a file of its own, and brings its Style; else the page around it must
	// Link returns the address of a node, or "" if it has no page. It may be nil.
	Link func(graph.Node) string
}

// The sizes of a drawing, in pixels. The font is monospaced, so that a text's width is known.
const (
	fontSize, smallSize   = 12, 10
	letter, smallLetter   = 7.3, 6.1 // widths of one column, a little more than of the fonts
	padding               = 9
	boxHeight, tallHeight = 28, 42
	minWidth              = 56
	lineHeight            = 18
	remarkColumns         = 96 // of a line below
)

var gaps = graph.Gaps{Column: 84, Row: 12, Margin: 16}

// SVG returns a graph as an SVG element. The graph must be tidy.
func SVG(g *graph.Graph, look Look) string {
	p := graph.Place(g, boxSize, gaps)
	s := &sketch{Look: look, g: g, p: p}
	for i := range g.Edges {
		s.drawEdge(i)
	}
	for i, n := range g.Nodes {
		s.drawNode(n, p.Boxes[i])
	}
	height := s.writeBelow(p.Height)
	width := math.Ceil(max(p.Width, s.width))
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(layout.Clip(g.Title, layout.MaxLine)))
	if look.Alone {
		fmt.Fprintf(&b, "<style>%s</style>\n", Style())
	}
	fmt.Fprintf(&b, "<rect class=\"back\" width=\"%.0f\" height=\"%.0f\"/>\n", width, height)
	b.WriteString(s.b.String() + "</svg>\n")
	return b.String()
}

// A sketch writes the parts of one SVG.
type sketch struct {
	Look
	g     *graph.Graph
	p     *graph.Placing
	b     strings.Builder
	width float64 // that the lines below need
}

// boxSize returns the size of the box of a node, which holds its whole text.
func boxSize(n graph.Node) (width, height float64) {
	width, height = letter*columns(label(n)), boxHeight
	if s := under(n); s != "" {
		width, height = max(width, smallLetter*columns(s)), tallHeight
	}
	return math.Ceil(max(width+2*padding, minWidth)), height
}

// columns returns how many columns of a monospaced font a line takes: two for each character of
// East Asia, and for each emoji.
func columns(s string) (n float64) {
	for _, r := range s {
		if n++; r >= 0x1100 && r < 0x1160 || r >= 0x2e80 && r < 0xa4d0 || r >= 0xac00 && r < 0xd7b0 ||
			r >= 0xf900 && r < 0xfb00 || r >= 0xfe30 && r < 0xfe70 || r >= 0xff00 && r < 0xff61 || r >= 0x1f000 {
			n++
		}
	}
	return n
}

func (s *sketch) drawNode(n graph.Node, b graph.Box) {
	class := "node"
	if n.Centre {
		class += " centre"
	}
	if n.Faint {
		class += " faint"
	}
	link := ""
	if s.Link != nil {
		link = s.Link(n)
	}
	if link != "" {
		fmt.Fprintf(&s.b, "<a href=\"%s\">", escaped(link))
	}
	fmt.Fprintf(&s.b, "<g class=\"%s\"><title>%s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>",
		class, escaped(tip(n)), b.X, b.Y, b.Width, b.Height)
	if n.Level > 0 {
		fmt.Fprintf(&s.b, "<path class=\"level\" d=\"M%.1f %.1fh%.1f\"/>", b.X+padding, b.Y+b.Height-4,
			(b.Width-2*padding)*min(1, n.Level))
	}
	first := b.Y + b.Height/2 + 4
	if small := under(n); small != "" {
		first = b.Y + 17
		s.writeText("small", b.X+padding, b.Y+32, small, smallLetter)
	}
	s.writeText("", b.X+padding, first, label(n), letter)
	s.b.WriteString("</g>")
	if link != "" {
		s.b.WriteString("</a>")
	}
	s.b.WriteByte('\n')
}

// writeText writes a line. One with characters whose width is a guess is made to fit.
func (s *sketch) writeText(class string, x, y float64, line string, width float64) {
	looks := ""
	if class != "" {
		looks = fmt.Sprintf(" class=%q", class)
	}
	if printable.ASCII(line) < len(line) {
		looks += fmt.Sprintf(" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\"", width*columns(line))
	}
	fmt.Fprintf(&s.b, "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>", x, y, looks, escaped(line))
}

// edgeClass returns the classes of an edge. One of a kind that a repository has made up is "other".
func edgeClass(e graph.Edge) string {
	class := "other"
	switch e.Kind {
	case graph.Calls, graph.Imports, graph.Touches, graph.Supports, graph.Attacks, graph.Supersedes:
		class = string(e.Kind)
	case graph.Changes:
		class = "changes"
	case graph.About:
		class = "about"
	}
	if e.Candidate {
		class += " candidate"
	}
	return "edge " + class
}

func (s *sketch) drawEdge(i int) {
	e, path := s.g.Edges[i], s.p.Paths[i]
	if len(path) == 0 {
		return
	}
	from, _ := s.g.Node(e.From)
	to, _ := s.g.Node(e.To)
	width := 1.3 + min(2.2, math.Log2(max(1, e.Weight))/3)
	fmt.Fprintf(&s.b, "<g class=\"%s\"><title>%s</title><path d=\"%s\" stroke-width=\"%.1f\"/>%s</g>\n",
		edgeClass(e), escaped(label(from)+" "+edgeLabel(e)+" "+label(to)), curve(path), width, head(e, path))
}

// curve returns the path of an edge: straight where it is level, else an S.
func curve(path graph.Path) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%.1f %.1f", path[0].X, path[0].Y)
	if len(path) == 1 { // a loop at a corner
		fmt.Fprintf(&b, "m-14 0c0 -11 20 -11 14 5")
	}
	for i, q := range path[1:] {
		p := path[i]
		if math.Abs(p.Y-q.Y) < 0.5 {
			fmt.Fprintf(&b, "L%.1f %.1f", q.X, q.Y)
			continue
		}
		middle := (p.X + q.X) / 2
		fmt.Fprintf(&b, "C%.1f %.1f %.1f %.1f %.1f %.1f", middle, p.Y, middle, q.Y, q.X, q.Y)
	}
	return b.String()
}

// head returns the head of an arrow, which is level: full for a certain edge, hollow for a
// candidate, a bar if it opposes its end. Changes together have no head.
func head(e graph.Edge, path graph.Path) string {
	if e.Kind == graph.Changes || len(path) < 2 {
		return ""
	}
	end, before, back := path[len(path)-1], path[len(path)-2], -8.0
	if before.X > end.X {
		back = 8
	}
	if e.Kind.Opposes() {
		return fmt.Sprintf("<path class=\"bar\" d=\"M%.1f %.1fv12\"/>", end.X+back/4, end.Y-6)
	}
	return fmt.Sprintf("<path class=\"head\" d=\"M%.1f %.1fl%.1f -4v8z\"/>", end.X, end.Y, back)
}

// writeBelow writes the lines below a drawing from y on: the legend and the remarks. It
// returns the height of the whole.
func (s *sketch) writeBelow(y float64) float64 {
	line := func(text string) {
		s.writeText("small", gaps.Margin, y, text, smallLetter)
		s.width = max(s.width, 2*gaps.Margin+smallLetter*columns(text))
		y += lineHeight
	}
	if y += 8; len(s.g.Edges) > 0 {
		s.writeLegend(y)
		y += lineHeight
	}
	if hasCandidate(s.g) {
		line("dashed: a candidate, known by its name alone")
	}
	for _, remark := range remarks(s.g) {
		for _, part := range wrapped(remark, remarkColumns) {
			line(part)
		}
	}
	return y + 4
}

// writeLegend writes a sample of each kind of edge, side by side.
func (s *sketch) writeLegend(y float64) {
	x, told := gaps.Margin, map[string]bool{}
	for _, e := range s.g.Edges {
		if told[kindOf(e.Kind)] {
			continue
		}
		told[kindOf(e.Kind)] = true
		e.Candidate = false
		end := graph.Point{X: x + 26, Y: y - 4}
		fmt.Fprintf(&s.b, "<g class=\"%s\"><path d=\"M%.1f %.1fh26\"/>%s</g>", edgeClass(e), x, y-4,
			head(e, graph.Path{{X: x, Y: y - 4}, end}))
		s.writeText("small", x+32, y, kindOf(e.Kind), smallLetter)
		x += 32 + smallLetter*columns(kindOf(e.Kind)) + 22
	}
	s.width = max(s.width, x)
	s.b.WriteByte('\n')
}

// wrapped cuts a line at spaces into lines of at most n bytes, where it can.
func wrapped(line string, n int) (lines []string) {
	for len(line) > n {
		at := strings.LastIndexByte(line[:n], ' ')
		if at <= 0 {
			break
		}
		lines = append(lines, line[:at])
		line = line[at+1:]
	}
	return append(lines, line)
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(layout.Plain(s))) // writing to a builder cannot fail
	return b.String()
}
