package syntax

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"patina/code/lang"
)

// A grammar gives the meaning of a parser's nodes by the numbers that the parser gives to their
// kinds.
type grammar struct {
	*lang.Grammar
	parser func() unsafe.Pointer

	once          sync.Once // guards the fields below
	language      unsafe.Pointer
	kinds, fields []string
	rules         []lang.Rule    // by number of the kind
	typed         []*lang.Typing // by number of the kind; nil if it declares no variable
}

// grammars returns every language with a parser, by its name. It panics if code/lang does not say
// what the nodes of one mean.
var grammars = sync.OnceValue(func() map[string]*grammar {
	all := make(map[string]*grammar, len(parsers))
	for name, parser := range parsers {
		of := lang.Named(name).Grammar
		if of == nil {
			panic(fmt.Sprintf("syntax: a parser for %s, and nothing in code/lang says what its nodes mean", name))
		}
		all[name] = &grammar{Grammar: of, parser: parser}
	}
	return all
})

// compile numbers the rules. It panics if a rule is for a kind that the parser does not have.
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

// eachKind yields the numbers of some kinds. A kind may have several numbers. It panics for an
// unknown kind.
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
