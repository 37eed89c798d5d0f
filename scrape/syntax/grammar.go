package syntax

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"patina/store"
)

// grammars holds every language by its name; the file of a language enters it.
var grammars = map[string]*grammar{}

// A grammar is the table of a language.
type grammar struct {
	language func() unsafe.Pointer // tree-sitter's
	rules    map[string]rule       // kinds of nodes, separated by blanks → what they are
	// Replaces the text for the parser, with the same length and lines; nil keeps it.
	prepare func(text []byte) []byte
	// Larger texts are data; 0 stands for maxBytes. It is less where a unit of work takes longest:
	// errors in 1 MiB of Haskell took 8 s.
	most int
	// Functions of the language itself. Nobody asks for their callers.
	predeclared map[string]bool
	// Kinds of nodes, separated by blanks, that declare variables with their types.
	typed map[string]typing
	// Functions whose first argument, a string, is imported.
	importers map[string]bool
	// Rules that "by" gives to nodes, for FactsOf.
	others []rule

	once     sync.Once
	compiled struct {
		language      unsafe.Pointer
		kinds, fields []string
		rules         []rule // by number of the kind
		typed         []*typing
	}
}

// A role is the meaning of a node for the outline.
type role uint8

const (
	nothing role = iota

	// Symbols.
	function // a method inside a type or a scope with a name
	typ      // gives its name to what is inside
	constant // these two only outside of functions
	variable

	// Surroundings of symbols.
	scope   // gives a name to what is inside, and is no symbol: impl
	closure // a function without a name
	wrapper // belongs to the symbols directly inside: export, decorators

	attribute // belongs to the symbol that follows
	comment
	docstring // a comment inside the symbol that it is about
	member    // a name that belongs to what is around: a field
	call
	calls // a text that the grammar does not look into: the body of a macro
	imports
	tokens // a part that the grammar leaves as tokens
)

// A rule gives the role of a kind of node, and the places of its parts.
type rule struct {
	is   role
	name string // field of the name, of what is called, of what is imported; "" is "name"
	// names finds names where a field does not do. A symbol that it gives no name is none.
	names func(t *tree, n int) []found
	body  string // field or kind of the child that ends a signature; "" is "body"
	when  func(t *tree, n int) bool
	// The role of a symbol without a name: nothing, a closure, a member, or a function whose
	// symbols are left out.
	otherwise role
	// Gives its name to nothing inside: a typedef round a struct.
	flat bool
	// binds finds the names that a node brings into the file, besides what it is.
	binds func(t *tree, n int) []store.Binding
	// For calls: the field of the object before the name, and the text between them, where these
	// are no node of their own.
	object, dot string
	// calls finds the name of what a node calls, where fields do not do; "" is no call.
	calls func(t *tree, n int) string
	// by gives the rule of a single node where its kind does not say enough; nil is this rule.
	by func(t *tree, n int) *rule
	// receiver is the type of the expression before the name of a call, "" if that does not say it.
	receiver func(t *tree, n int) string
	// ends finds the byte where a signature ends, where no field or kind does; -1 is the node's end.
	ends func(t *tree, n int) int
	// Nothing inside the node is read.
	closed bool
	// A symbol joins the one of the same name right before it: equations of a function.
	joins bool
}

// A found is one name of a node.
type found struct {
	node  int        // where it stands
	name  string     // "" is the text of the node
	scope string     // the type that it belongs to, where that is written with it: A of A::b
	sort  store.Sort // "": as the rule says
	// A function that is only announced: its body is elsewhere.
	declares bool
}

// compile numbers the rules. A rule for a kind that the grammar does not have is a mistake of ours.
func (g *grammar) compile() {
	c := &g.compiled
	c.language = g.language()
	c.kinds, c.fields = kindsAndFields(c.language)
	c.rules = make([]rule, len(c.kinds))
	c.typed = make([]*typing, len(c.kinds))
	for list, r := range g.rules {
		g.eachKind(list, func(i int) { c.rules[i] = r })
	}
	for list, y := range g.typed {
		g.eachKind(list, func(i int) { c.typed[i] = &y })
	}
}

// eachKind yields the numbers of some kinds. One kind may have several.
func (g *grammar) eachKind(kinds string, yield func(i int)) {
	for kind := range strings.FieldsSeq(kinds) {
		if !slices.Contains(g.compiled.kinds, kind) {
			panic(fmt.Sprintf("the grammar has no kind %q", kind))
		}
		for i, k := range g.compiled.kinds {
			if k == kind {
				yield(i)
			}
		}
	}
}
