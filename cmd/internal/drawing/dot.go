package drawing

import (
	"fmt"
	"strings"

	"patina/cmd/internal/layout"
	"patina/graph"
)

// dot returns a graph for Graphviz, whose quoted strings have two escapes.
func dot(g *graph.Graph) string {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(layout.Plain(s)) + `"`
	}
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=LR; node [shape=box, style=rounded];\n", quoted(layout.Clip(g.Title, layout.MaxName)))
	for i, n := range g.Nodes {
		text := quoted(label(n))
		if s := under(n); s != "" {
			text = strings.TrimSuffix(text, `"`) + `\n` + strings.TrimPrefix(quoted(s), `"`)
		}
		looks := ""
		switch {
		case n.Centre:
			looks = ", penwidth=2"
		case n.Faint:
			looks = `, style="rounded,dashed"`
		}
		fmt.Fprintf(&b, "  n%d [label=%s, tooltip=%s%s];\n", i, text, quoted(tip(n)), looks)
	}
	at := numbersOf(g)
	for _, e := range g.Edges {
		looks := ""
		if e.Candidate {
			looks += ", style=dashed, arrowhead=empty"
		}
		switch {
		case e.Kind == graph.Changes:
			looks += ", dir=none, constraint=false"
		case e.Kind.Opposes():
			looks += ", color=red, fontcolor=red, arrowhead=tee"
		}
		fmt.Fprintf(&b, "  n%d -> n%d [label=%s%s];\n", at[e.From], at[e.To], quoted(edgeLabel(e)), looks)
	}
	for i, line := range remarks(g) {
		fmt.Fprintf(&b, "  remark%d [label=%s, shape=plaintext];\n", i, quoted(line))
	}
	b.WriteString("}\n")
	return b.String()
}
