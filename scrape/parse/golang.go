package parse

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/store/doc"
)

const (
	signatureBytes = 200 // of an entry's Title
	summaryBytes   = 160 // of an entry's Summary
)

// A goReader collects the contents of a Go file. Positions are those in the text, because //line
// directives are not followed.
type goReader struct {
	src   *chunk.Source
	file  *token.File
	namer chunk.Namer

	entries   []doc.Entry
	labels    []chunk.Label
	spans     []chunk.Span
	calls     []doc.Call
	typed     []doc.Typed
	functions int
	tests     bool // has func TestXxx or the like
}

// readGo fills in the symbols that go/parser finds. broken is true if the file has syntax errors.
// It then has the symbols that the parser recovered.
func readGo(f *doc.File, src *chunk.Source) (broken bool) {
	fset := token.NewFileSet()
	// AllErrors is needed because otherwise the parser gives up after ten errors and returns
	// nothing.
	tree, err := parser.ParseFile(fset, "", src.Text, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	g := &goReader{src: src, file: fset.File(tree.FileStart), namer: chunk.Namer{}}
	if g.file == nil {
		return true
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.declaration(d)
		}
	}
	f.Entries, f.Calls, f.Typed, f.Functions = g.entries, g.calls, g.typed, g.functions
	f.Imports, f.Bindings = importsOf(tree)
	f.Bindings = append(f.Bindings, namesOfGo(tree)...)
	if g.tests {
		f.Class |= doc.TestCode
	}
	slices.SortStableFunc(g.labels, func(a, b chunk.Label) int { return cmp.Compare(a.Line, b.Line) })
	c := chunk.Cutter{Src: src, Comment: g.comments(tree), Entries: g.entries, Labels: g.labels}
	f.Chunks = c.Cut(g.spans)
	return err != nil
}

// lineOf returns the line of a position, or the file's last line if the position is after it. The
// end of a node that the parser recovered may be.
func (g *goReader) lineOf(p token.Pos) int {
	n := g.file.PositionFor(p, false).Line
	return max(1, min(n, g.src.Lines()))
}

// linesOf returns the lines of a node and the line where its comment starts. doc may be nil.
func (g *goReader) linesOf(doc *ast.CommentGroup, n ast.Node) (first, line, last int) {
	line = g.lineOf(n.Pos())
	last = max(line, g.lineOf(n.End()-1))
	first = line
	if doc != nil {
		first = min(line, g.lineOf(doc.Pos()))
	}
	return first, line, last
}

// addEntry appends an entry and its label, and returns its index. Entries must come in the order of
// the text, because they must be sorted. doc may be nil.
func (g *goReader) addEntry(e doc.Entry, doc *ast.CommentGroup) int {
	plain := chunk.Words(e.Name)
	e.Name, e.Parent = g.namer.Unique(e.Name), -1
	e.Summary = chunk.FirstSentence(doc.Text(), summaryBytes)
	if n := len(g.entries); n > 0 {
		e.First = max(e.First, g.entries[n-1].First) // always true if the file has no errors
		e.Line, e.Last = max(e.Line, e.First), max(e.Last, e.First)
	}
	g.entries = append(g.entries, e)
	g.labels = append(g.labels, chunk.Label{Line: e.First, Name: plain})
	return len(g.entries) - 1
}

func (g *goReader) function(d *ast.FuncDecl) {
	g.functions++
	e := doc.Entry{Name: d.Name.Name, Sort: doc.Function, Title: g.signature(d.Pos(), bodyStart(d))}
	e.First, e.Line, e.Last = g.linesOf(d.Doc, d)
	if d.Recv != nil {
		e.Sort = doc.Method
		if scope := receiverType(d.Recv); scope != "" {
			e.Name = scope + "." + e.Name
		}
	}
	g.tests = g.tests || d.Recv == nil && isGoTest(d.Name.Name)
	caller := -1
	if isNamed(d.Name) {
		caller = g.addEntry(e, d.Doc)
		g.spans = append(g.spans, chunk.Span{Entry: caller, First: e.First, Last: e.Last})
	}
	from := len(g.calls)
	g.collectCalls(d, caller)
	g.declaredTypes(d, caller, g.calls[from:])
}

// isNamed reports whether an identifier is a name. n may be nil. The blank identifier is no name,
// and neither is the empty one that the parser makes up.
func isNamed(n *ast.Ident) bool {
	return n != nil && n.Name != "_" && n.Name != "" && len(n.Name) <= lang.NameBytes
}

func bodyStart(d *ast.FuncDecl) token.Pos {
	if d.Body != nil {
		return d.Body.Lbrace
	}
	return d.End()
}

// receiverType returns the name of a receiver's type, without pointer and type parameters, or "".
func receiverType(list *ast.FieldList) string {
	if len(list.List) == 0 {
		return ""
	}
	t := list.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// isGoTest knows the functions that go test runs: TestX, BenchmarkX, FuzzX, ExampleX.
func isGoTest(name string) bool {
	for _, start := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, start); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

// signature returns the text between two positions with its white space folded.
func (g *goReader) signature(from, to token.Pos) string {
	a, b := g.offset(from), g.offset(to)
	if a >= b {
		return ""
	}
	return chunk.Truncate(foldSpace(g.src.Text[a:b]), signatureBytes)
}

// firstLine returns a spec up to the end of its first line, without a brace at the end.
func (g *goReader) firstLine(s *ast.ValueSpec) string {
	a, b := g.offset(s.Pos()), g.offset(s.End())
	if a >= b {
		return ""
	}
	text, _, more := bytes.Cut(g.src.Text[a:b], []byte{'\n'})
	if more {
		text = bytes.TrimRight(text, " \t\r{(`")
	}
	return foldSpace(text)
}

// foldSpace joins the words of a text with single blanks. It reads only the start of a long text.
func foldSpace(text []byte) string {
	return strings.Join(strings.Fields(chunk.Truncate(string(text), 8*signatureBytes)), " ")
}

func (g *goReader) offset(p token.Pos) int {
	return max(0, min(g.file.PositionFor(p, false).Offset, len(g.src.Text)))
}

// comments marks the lines that have only comments.
func (g *goReader) comments(tree *ast.File) []bool {
	marked := make([]bool, g.src.Lines())
	for _, group := range tree.Comments {
		for _, c := range group.List {
			g.src.MarkComment(marked, g.offset(c.Pos()), g.offset(c.End()))
		}
	}
	return marked
}

// importsOf returns the imported paths and the names that the file gives them. Each comes once, in
// the order of the text.
func importsOf(tree *ast.File) (paths []string, names []doc.Binding) {
	for _, i := range tree.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		if !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
		b := doc.Binding{Import: p}
		switch {
		case i.Name == nil || !isNamed(i.Name):
			continue
		case i.Name.Name == ".":
			b.Name, b.Of = doc.AllNames, doc.AllNames
		default:
			b.Name = i.Name.Name
		}
		if !slices.Contains(names, b) {
			names = append(names, b)
		}
	}
	return paths, names
}
