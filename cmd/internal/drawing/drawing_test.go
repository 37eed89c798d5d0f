package drawing

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"patina/cmd/internal/layout"
	"patina/graph"
)

// hostile are names that mean something to a reader of one of the forms.
var hostile = []string{
	`"]; evil [label="x`, "a\x1b[2J\nb", "</text><script>alert(1)</script>", `c:\`, `n1["x"] --> n2`, "${x}{{.}}",
	"](javascript:alert(1))", "```", "%%{init: {}}%%", "\u202etxet", "end", "click n0 href", "#quot;", "--", "]]>",
	"\xff\xfe", "<!--", "é ü 日本", "|x|", "&amp;&lt;", "\x00", strings.Repeat("long ", 1<<18), "</style>", "</title>",
	`\N\G\E\l`, "javascript:alert(1)", "-->", "subgraph x", "\u2028",
}

// graphOf returns a graph whose texts are all from a list: a ring of edges, every second one a
// candidate, of every kind in turn.
func graphOf(texts []string) *graph.Graph {
	kinds := []graph.Kind{
		graph.Calls, graph.Imports, graph.Changes, graph.About, graph.Supports, graph.Attacks, graph.Supersedes,
	}
	g := &graph.Graph{Title: texts[0], Notes: []string{texts[len(texts)-1]}}
	for i, s := range texts {
		g.Nodes = append(g.Nodes, graph.Node{
			ID: fmt.Sprint(i, s), Kind: s, Label: s, Under: texts[(i+1)%len(texts)], Note: s, Centre: i == 0, Faint: i == 1,
			Level: 0.5,
		})
		kind := kinds[i%len(kinds)]
		if i%11 == 10 {
			kind = graph.Kind(s)
		}
		next := (i + 1) % len(texts)
		g.Edges = append(g.Edges, graph.Edge{
			From: fmt.Sprint(i, s), To: fmt.Sprint(next, texts[next]), Kind: kind, Candidate: i%2 == 1, Note: s,
		})
	}
	g.Tidy()
	return g
}

func written(t *testing.T, g *graph.Graph, form string) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, g, form); err != nil {
		t.Fatalf("%s: %v", form, err)
	}
	return b.String()
}

// The lines that Graphviz and Mermaid read. No text may leave its quotes.
var (
	dotLine = regexp.MustCompile(`^(digraph "(\\.|[^"\\])*" \{|  rankdir=LR; node \[shape=box, style=rounded\];` +
		`|  (n|remark)\d+( -> n\d+)? \[(label|tooltip)="(\\.|[^"\\])*"` +
		`(, (tooltip|color|fontcolor|style|arrowhead|dir|constraint|penwidth|shape)=("(\\.|[^"\\])*"|\w+))*\];|\})$`)
	mermaidLine = regexp.MustCompile(`^(graph LR|  (n|remark)\d+\["([^"\]\[|<>` + "`" + `]|<br/>)+"\]|  style n\d+ [a-z-]+:\w+( \d)?` +
		`|  n\d+ (-->|---|--x|-\.->|-\.-|-\.-x)\|"[^"|\]<>` + "`" + `]+"\| n\d+)$`)
)

// edgeLine matches the start of a line about an edge.
var edgeLine = regexp.MustCompile(`^  n\d+ (->|-->|---|--x|-\.->|-\.-|-\.-x)[ |]`)

// checkForms reads a graph back from every form.
func checkForms(t *testing.T, g *graph.Graph) {
	t.Helper()
	for form, want := range map[string]*regexp.Regexp{"dot": dotLine, "mermaid": mermaidLine} {
		nodes, edges := 0, 0
		for line := range strings.Lines(written(t, g, form)) {
			line = strings.TrimSuffix(line, "\n")
			if !want.MatchString(line) {
				t.Errorf("%s: %q", form, line)
			}
			switch {
			case edgeLine.MatchString(line):
				edges++
			case strings.HasPrefix(line, "  n"):
				nodes++
			}
		}
		if nodes != len(g.Nodes) || edges != len(g.Edges) {
			t.Errorf("%s: %d nodes and %d edges of %d and %d", form, nodes, edges, len(g.Nodes), len(g.Edges))
		}
	}
	checkSVG(t, g, written(t, g, "svg"))
	checkHTML(t, g, written(t, g, "html"))
	var back jsonGraph
	if err := json.Unmarshal([]byte(written(t, g, "json")), &back); err != nil || len(back.Nodes) != len(g.Nodes) ||
		len(back.Edges) != len(g.Edges) {
		t.Errorf("json: %d nodes, %d edges: %v", len(back.Nodes), len(back.Edges), err)
	}
	for line := range strings.Lines(written(t, g, Text)) {
		if line = strings.TrimSuffix(line, "\n"); strings.Join(strings.Fields(layout.Plain(line)), " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("text: %q", line)
		}
	}
}

// The elements and attributes of a drawing.
var (
	svgElements   = map[string]bool{"svg": true, "title": true, "style": true, "rect": true, "g": true, "path": true, "text": true, "a": true}
	svgAttributes = map[string]bool{
		"xmlns": true, "class": true, "width": true, "height": true, "viewBox": true, "x": true, "y": true, "rx": true, "d": true,
		"stroke-width": true, "textLength": true, "lengthAdjust": true, "href": true,
	}
)

// checkSVG parses a drawing as XML, and counts its parts.
func checkSVG(t *testing.T, g *graph.Graph, svg string) {
	t.Helper()
	nodes, edges := 0, 0
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("svg: %v", err)
		}
		switch x := token.(type) {
		case xml.Comment, xml.ProcInst, xml.Directive:
			t.Errorf("svg: %T", x)
		case xml.StartElement:
			if !svgElements[x.Name.Local] {
				t.Errorf("svg: element %q", x.Name.Local)
			}
			for _, a := range x.Attr {
				if !svgAttributes[a.Name.Local] {
					t.Errorf("svg: attribute %q", a.Name.Local)
				}
				if a.Name.Local == "class" && strings.HasPrefix(a.Value, "node") {
					nodes++
				}
				if a.Name.Local == "class" && strings.HasPrefix(a.Value, "edge") {
					edges++
				}
			}
		}
	}
	if kinds := legendKinds(g); nodes != len(g.Nodes) || edges != len(g.Edges)+kinds {
		t.Errorf("svg: %d nodes, %d edges and %d samples of %d and %d", nodes, edges-kinds, kinds, len(g.Nodes), len(g.Edges))
	}
}

// legendKinds returns the number of kinds below a drawing.
func legendKinds(g *graph.Graph) int {
	seen := map[string]bool{}
	for _, e := range g.Edges {
		seen[kindOf(e.Kind)] = true
	}
	return len(seen)
}

// checkHTML fails if a page has a script, a handler or an address outside.
func checkHTML(t *testing.T, g *graph.Graph, page string) {
	t.Helper()
	tags := regexp.MustCompile(`<[^<>]*>`).FindAllString(page, -1)
	for _, tag := range tags {
		if regexp.MustCompile(`(?i)^<(script|iframe|object|embed|link|img|base|form|foreignobject)|\son\w+=|(src|href)="[^#]`).MatchString(tag) {
			t.Errorf("html: %s", tag)
		}
	}
	if n := strings.Count(page, "<section id="); n != len(g.Nodes) {
		t.Errorf("html: %d sections of %d", n, len(g.Nodes))
	}
	if !strings.Contains(page, `content="default-src 'none'; style-src 'sha256-`) {
		t.Error("html: no policy")
	}
	for _, closing := range []string{"</style>", "</title>", "</svg>", "</main>"} {
		if n := strings.Count(page, closing); n < 1 || closing != "</title>" && n > 1 {
			t.Errorf("html: %d times %s", n, closing)
		}
	}
}

func TestHostileTexts(t *testing.T) {
	g := graphOf(hostile)
	checkForms(t, g)
	for _, form := range append(Forms(), Text) {
		if n := len(written(t, g, form)); form != "json" && n > 100_000 {
			t.Errorf("%s: %d bytes", form, n)
		}
	}
}

// In every form a candidate looks different, and an edge that opposes its end does.
func TestCandidatesLookDifferent(t *testing.T) {
	for _, kind := range []graph.Kind{graph.Calls, graph.Changes, graph.Attacks, "uses"} {
		g := &graph.Graph{Nodes: []graph.Node{{ID: "a", Centre: true}, {ID: "b"}}}
		for _, form := range append(Forms(), Text) {
			g.Edges = []graph.Edge{{From: "a", To: "b", Kind: kind}}
			certain := written(t, g, form)
			g.Edges[0].Candidate = true
			if maybe := written(t, g, form); maybe == certain || form != "json" && !strings.ContainsAny(maybe, "?") {
				t.Errorf("%s: %s looks alike:\n%s", form, kind, maybe)
			}
		}
	}
	g := &graph.Graph{Nodes: []graph.Node{{ID: "a"}, {ID: "b"}}, Edges: []graph.Edge{{From: "a", To: "b", Kind: graph.Attacks}}}
	for form, mark := range map[string]string{"svg": `class="bar"`, "html": `class="bar"`, "dot": "arrowhead=tee", "mermaid": "--x"} {
		if s := written(t, g, form); !strings.Contains(s, mark) {
			t.Errorf("%s: an attack has no mark %s", form, mark)
		}
	}
}

// Every form has the words about the cut, and the notes.
func TestRemarksAreInEveryForm(t *testing.T) {
	g := &graph.Graph{Notes: []string{"no index of Fortran"}}
	for i := range 2000 {
		g.Nodes = append(g.Nodes, graph.Node{ID: fmt.Sprintf("n%04d", i)})
		g.Edges = append(g.Edges, graph.Edge{From: fmt.Sprintf("n%04d", i), To: "n0000", Kind: graph.Calls})
	}
	g.Tidy()
	g.CutNodes(41)
	g.CutEdges()
	for _, form := range append(Forms(), Text) {
		s := written(t, g, form)
		for _, want := range []string{"41 of 2,000 shown", "no index of Fortran"} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: lacks %q", form, want)
			}
		}
		if len(s) > 60_000 {
			t.Errorf("%s: %d bytes for 41 nodes", form, len(s))
		}
	}
	if s := written(t, &graph.Graph{}, "svg"); !strings.Contains(s, "nothing to draw") {
		t.Errorf("an empty graph: %s", s)
	}
}

// Graphviz itself reads the form that is for it.
func TestGraphvizReadsDot(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("no Graphviz")
	}
	g := graphOf(hostile)
	c := exec.Command(dot, "-Tsvg")
	c.Stdin = strings.NewReader(written(t, g, "dot"))
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil || strings.Contains(errs.String(), "syntax") {
		t.Fatalf("%v: %s", err, errs.String())
	}
	if nodes := strings.Count(string(out), `class="node"`); nodes != len(g.Nodes)+len(remarks(g)) {
		t.Errorf("%d nodes, want %d", nodes, len(g.Nodes)+len(remarks(g)))
	}
	if edges := strings.Count(string(out), `class="edge"`); edges != len(g.Edges) {
		t.Errorf("%d edges, want %d", edges, len(g.Edges))
	}
}

func TestUnknownForm(t *testing.T) {
	if err := Write(io.Discard, &graph.Graph{}, "pdf"); err == nil {
		t.Error("no error for a form that does not exist")
	}
}

func TestTree(t *testing.T) {
	g := &graph.Graph{
		Nodes: []graph.Node{{ID: "c", Centre: true, Kind: "file"}, {ID: "a"}, {ID: "b"}},
		Edges: []graph.Edge{
			{From: "a", To: "c", Kind: graph.Calls, Candidate: true},
			{From: "c", To: "b", Kind: graph.Calls},
			{From: "a", To: "b", Kind: graph.Imports},
		},
	}
	g.Tidy()
	const want = `c (file)
├─ ? called by a
│  └─ imports b (above)
└─ calls b
?: a candidate, known by its name alone
`
	if got := written(t, g, Text); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func FuzzForms(f *testing.F) {
	for _, s := range hostile {
		f.Add(s[:min(len(s), 200)], "b", "c")
	}
	f.Fuzz(func(t *testing.T, a, b, c string) { checkForms(t, graphOf([]string{a, b, c, a + b})) })
}
