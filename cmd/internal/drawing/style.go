package drawing

import "strings"

// A palette is the colours of a drawing.
type palette struct{ back, box, line, text, faint, calls, imports, changes, about, good, bad string }

var (
	light = palette{
		back: "#fff", box: "#f6f8fa", line: "#8c959f", text: "#1f2328", faint: "#57606a",
		calls: "#0a56c2", imports: "#0b6b75", changes: "#7d3fb0", about: "#945200", good: "#1a7f37", bad: "#b8202a",
	}
	dark = palette{
		back: "#0d1117", box: "#1b222c", line: "#6e7681", text: "#e6edf3", faint: "#9da7b3",
		calls: "#6cb0ff", imports: "#4fc3ce", changes: "#c79bf2", about: "#e0a458", good: "#56d364", bad: "#ff7b72",
	}
)

// Style returns the style sheet of a drawing, for light and dark. It says nothing about elements
// outside of an SVG of the class "graph".
func Style() string {
	return shapes + light.rules() + "@media (prefers-color-scheme:dark){" + dark.rules() + "}"
}

const shapes = `svg.graph text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}` +
	`svg.graph text.small{font-size:10px}` +
	`svg.graph .node rect{stroke-width:1}svg.graph .centre rect{stroke-width:2.5}` +
	`svg.graph .level{fill:none;stroke-width:3}` +
	`svg.graph .faint rect{stroke-dasharray:4 3}` +
	`svg.graph .edge path{fill:none;stroke-width:1.3}svg.graph .edge path.bar{stroke-width:2.5}` +
	`svg.graph .candidate path{stroke-dasharray:5 4}svg.graph .edge path.head{stroke-dasharray:none}`

// rules returns the rules for the colours.
func (p palette) rules() string {
	var b strings.Builder
	rule := func(selector, declarations string) {
		b.WriteString("svg.graph " + selector + "{" + declarations + "}")
	}
	rule(".back", "fill:"+p.back)
	rule("text", "fill:"+p.text)
	rule("text.small", "fill:"+p.faint)
	rule(".node rect", "fill:"+p.box+";stroke:"+p.line)
	rule(".centre rect", "stroke:"+p.text)
	rule(".level", "stroke:"+p.good)
	rule("a:hover rect", "stroke:"+p.calls)
	for _, k := range []struct{ class, colour string }{
		{"other", p.faint},
		{"touches", p.faint},
		{"calls", p.calls},
		{"imports", p.imports},
		{"changes", p.changes},
		{"about", p.about},
		{"supports", p.good},
		{"attacks", p.bad},
		{"supersedes", p.bad},
	} {
		rule("."+k.class+" path", "stroke:"+k.colour)
		rule("."+k.class+" path.head", "fill:"+k.colour)
	}
	rule(".candidate path.head", "fill:"+p.back)
	return b.String()
}
