package parse

import (
	"go/ast"
	"go/token"
	"slices"

	"patina/scrape/chunk"
	"patina/store/doc"
)

// declaration reads a block of types, constants or variables. Each type has a span of its own.
// Constants and variables share the span of their block.
func (g *goReader) declaration(d *ast.GenDecl) {
	if d.Tok == token.IMPORT {
		return
	}
	from, begun := len(g.entries), len(g.spans)
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			g.typeSpec(d, s)
		case *ast.ValueSpec:
			g.valueSpec(d, s)
		}
	}
	first, _, last := g.linesOf(d.Doc, d)
	if d.Tok != token.TYPE && len(g.entries) > from {
		g.valueSpans(from, first, last)
	}
	// The first and the last type include the parentheses.
	if n := len(g.spans); d.Tok == token.TYPE && n > begun {
		g.spans[begun].First, g.spans[n-1].Last = first, last
	}
}

// valueSpans cuts a block into ranges of at most chunk.MaxLines lines. The owner of a range is the
// first entry that starts in it, else the one that continues into it.
func (g *goReader) valueSpans(from, first, last int) {
	owner := from
	for ; first <= last; first += chunk.MaxLines {
		end := min(last, first+chunk.MaxLines-1)
		starting := slices.IndexFunc(g.entries[from:], func(e doc.Entry) bool {
			return e.First >= first && e.First <= end
		})
		if starting >= 0 {
			owner = from + starting
		}
		g.spans = append(g.spans, chunk.Span{Entry: owner, First: first, Last: end})
		for owner+1 < len(g.entries) && g.entries[owner+1].First <= end {
			owner++
		}
	}
}

func (g *goReader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec) {
	if !isNamed(s.Name) {
		return
	}
	comment, node := docOf(d, s.Doc), nodeOf(d, s)
	title := chunk.Truncate("type "+g.signature(s.Pos(), typeEnd(s)), signatureBytes)
	e := doc.Entry{Name: s.Name.Name, Sort: doc.Type, Title: title}
	e.First, _, e.Last = g.linesOf(comment, node)
	e.Line = max(e.First, g.lineOf(s.Name.Pos()))
	at := g.addEntry(e, comment)
	g.spans = append(g.spans, chunk.Span{Entry: at, First: e.First, Last: e.Last})
	g.members(s.Type)
	g.fieldTypes(s.Type, at)
}

// docOf returns the comment of a spec, or of a declaration without parentheses. It may return nil.
func docOf(d *ast.GenDecl, own *ast.CommentGroup) *ast.CommentGroup {
	if own == nil && !d.Lparen.IsValid() {
		return d.Doc
	}
	return own
}

// nodeOf returns the node whose lines belong to a spec: the declaration if it has no parentheses.
func nodeOf(d *ast.GenDecl, s ast.Spec) ast.Node {
	if !d.Lparen.IsValid() {
		return d
	}
	return s
}

// typeEnd returns the end of a type's signature, which for a struct or an interface is before its
// members.
func typeEnd(s *ast.TypeSpec) token.Pos {
	switch t := s.Type.(type) {
	case *ast.StructType:
		if t.Fields != nil && t.Fields.Opening.IsValid() {
			return t.Fields.Opening
		}
	case *ast.InterfaceType:
		if t.Methods != nil && t.Methods.Opening.IsValid() {
			return t.Methods.Opening
		}
	}
	return s.End()
}

// members labels the fields of structs and the methods of interfaces, also nested ones.
func (g *goReader) members(t ast.Expr) {
	ast.Inspect(t, func(n ast.Node) bool {
		list := (*ast.FieldList)(nil)
		switch n := n.(type) {
		case *ast.StructType:
			list = n.Fields
		case *ast.InterfaceType:
			list = n.Methods
		}
		if list != nil {
			for _, field := range list.List {
				for _, name := range field.Names {
					if isNamed(name) {
						g.labels = append(g.labels, chunk.Label{Line: g.lineOf(name.Pos()), Name: name.Name})
					}
				}
			}
		}
		return true
	})
}

func (g *goReader) valueSpec(d *ast.GenDecl, s *ast.ValueSpec) {
	sort := doc.Variable
	if d.Tok == token.CONST {
		sort = doc.Constant
	}
	comment, node := docOf(d, s.Doc), nodeOf(d, s)
	first, _, last := g.linesOf(comment, node)
	title := chunk.Truncate(d.Tok.String()+" "+g.firstLine(s), signatureBytes)
	if comment == nil {
		comment = s.Comment
	}
	owner := -1
	for _, name := range s.Names {
		if !isNamed(name) {
			continue
		}
		line := min(max(first, g.lineOf(name.Pos())), last)
		at := g.addEntry(doc.Entry{Name: name.Name, Sort: sort, First: first, Line: line, Last: last, Title: title},
			comment)
		if owner < 0 {
			owner = at
		}
	}
	g.collectCalls(s, owner)
}
