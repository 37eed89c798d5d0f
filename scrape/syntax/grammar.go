package syntax

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"patina/code/lang"
)

// A grammar is what the nodes of a parser mean, by the numbers that the parser gives them.
type grammar struct {
	*lang.Grammar
	parser func() unsafe.Pointer

	once          sync.Once // guards what follows
	language      unsafe.Pointer
	kinds, fields []string
	rules         []lang.Rule // by number of the kind
	typed         []*lang.Typing
}

// grammars holds every language with a parser by its name.
var grammars = make(map[string]*grammar, len(parsers))

func init() {
	for name, parser := range parsers {
		of := lang.Named(name).Grammar
		if of == nil {
			panic(fmt.Sprintf("syntax: a parser for %s, and nothing in code/lang says what its nodes mean", name))
		}
		grammars[name] = &grammar{Grammar: of, parser: parser}
	}
}

// compile numbers the rules. A rule for a kind that the parser does not have is a mistake of ours.
func (g *grammar) compile() {
	g.language = g.parser()
	g.kinds, g.fields = kindsAndFields(g.language)
	g.rules = make([]lang.Rule, len(g.kinds))
	g.typed = make([]*lang.Typing, len(g.kinds))
	for list, r := range g.Rules {
		g.eachKind(list, func(i int) { g.rules[i] = r })
	}
	for list, y := range g.Typed {
		g.eachKind(list, func(i int) { g.typed[i] = &y })
	}
}

// eachKind yields the numbers of some kinds. One kind may have several.
func (g *grammar) eachKind(kinds string, yield func(i int)) {
	for kind := range strings.FieldsSeq(kinds) {
		if !slices.Contains(g.kinds, kind) {
			panic(fmt.Sprintf("the grammar has no kind %q", kind))
		}
		for i, k := range g.kinds {
			if k == kind {
				yield(i)
			}
		}
	}
}
