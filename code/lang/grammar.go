package lang

import (
	"patina/store/doc"
	"patina/store/text"
)

// A Grammar gives the meaning of the nodes of a tree-sitter grammar. The parser itself is named in
// scrape/syntax/parsers.go.
//
// Sets of kinds are written as one string, separated by blanks. All kinds must exist in the parser,
// else the first use of the grammar panics.
type Grammar struct {
	Rules map[string]Rule // kinds of nodes → their rule
	// Prepare returns another text for the parser. It must have the same length and lines; nil
	// keeps the text.
	Prepare func(text []byte) []byte
	// MaxBytes is the size of the largest text that is parsed; 0 means the engine's own limit. It
	// should be lower if a unit of work takes longer: errors in 1 MiB of Haskell took 8 s.
	MaxBytes int
	// Predeclared are functions of the language itself. They are left out because nobody asks for
	// their callers.
	Predeclared *text.WordSet
	// Typed are the kinds of nodes that declare variables with their types.
	Typed map[string]Typing
	// Importers are functions whose first argument, a string, is imported.
	Importers *text.WordSet
	// Others are the rules that By returns.
	Others []Rule

	// Recovers says that a definition begins with a keyword on its own line, so that it can be
	// found in text that the parser did not understand. LosesSilently says that the parser loses
	// definitions without an error.
	Recovers, LosesSilently bool
	// KeepsFields says that all fields are kept, because calls look for fields in types of other
	// files. KeepsChains keeps those between the parts of a chain, and variables of unknown type
	// that hide one.
	KeepsFields, KeepsChains bool

	// RawPrefix marks a name that is a word of the language: "r#". It is not part of the name.
	RawPrefix string
	// NoEndlessScans says that the scanner of the grammar always ends. Other scanners are not
	// called after an error.
	NoEndlessScans bool
	// TypesByValue says that a call on an expression is stored with the type of that expression, if
	// the text shows it.
	TypesByValue bool
	// CallsMakeTypes says that a call of a type's name makes a value of it: T().
	CallsMakeTypes bool
	// Maker is the method that makes a value of the type on which it is called: "new" of T.new.
	Maker string
	// TextType is the type of a string literal; "" means "String".
	TextType string
	// LastIsValue says that the value of a variable is the last child of its declarator, and in no
	// field.
	LastIsValue bool
}

// A Role is the meaning of a node for the outline.
type Role uint8

// The roles of nodes.
const (
	Nothing Role = iota

	// Symbols.
	Function // a method inside a type or a Namespace with a name
	Type     // gives its name to its contents
	Constant // these two only outside functions
	Variable

	// Surroundings of symbols.
	Namespace // gives a name to its contents, and is no symbol: impl
	Closure   // a function without a name
	Wrapper   // belongs to the symbols directly inside: export, decorators

	Attribute // belongs to the symbol that follows
	Comment
	Docstring // a comment inside the symbol that it describes
	Member    // a name that belongs to the symbol around it: a field
	Call
	Body // a text that the grammar does not parse: the body of a macro
	Import
	Tokens // a part that the grammar leaves as tokens
)

// A Rule gives the role of a kind of node, and the places of its parts. A nil function has no
// effect.
type Rule struct {
	Is   Role
	Name string // field of the name, of the callee or of the import; "" is "name"
	// Names returns the names if a field is not enough. A symbol without a name is dropped.
	Names func(t *Tree, n int) []Found
	Body  string // field or kind of the child that ends a signature; "" is "body"
	When  func(t *Tree, n int) bool
	// Otherwise is the role of a symbol without a name: Nothing, Closure, Member, or a Function
	// whose symbols are left out.
	Otherwise Role
	// Flat says that it gives its name to nothing inside: a typedef around a struct.
	Flat bool
	// Binds returns the names that a node brings into the file, in addition to its role.
	Binds func(t *Tree, n int) []doc.Binding
	// For calls: the field of the object before the name, and the text between them, if they are
	// not a node of their own.
	Object, Dot string
	// Calls returns the name that a node calls, if fields are not enough; "" means no call.
	Calls func(t *Tree, n int) string
	// By returns the rule of a single node, if its kind is not enough; nil means this rule.
	By func(t *Tree, n int) *Rule
	// Receiver returns the type of the expression before the name of a call, or "" if the text does
	// not show it.
	Receiver func(t *Tree, n int) string
	// Ends returns the byte where a signature ends, if no field or kind tells; -1 means the end of
	// the node.
	Ends func(t *Tree, n int) int
	// Closed says that nothing inside the node is read.
	Closed bool
	// Joins says that a symbol joins the one with the same name directly before it: equations of a
	// function.
	Joins bool
}

// A Found is one name of a node.
type Found struct {
	Node  int      // its place
	Name  string   // "" means the text of the node
	Scope string   // the type that it belongs to, if that is written with it: A of A::b
	Sort  doc.Sort // "" means that of the rule
	// Declares says that a function is only announced, because its body is elsewhere.
	Declares bool
}

// A Typing says where a node that declares variables has their type and their names.
type Typing struct {
	Of    string // field of the type; "" is "type"
	Name  string // field of the name; "" is "name"
	In    string // kind of the nodes below that have a name each; "" is the node itself
	Value string // field of a value that is made by its type: x = new T()
	// Parts returns the nodes of the name, of the type, and the one that has the value, if fields
	// are not enough; -1 means no node.
	Parts func(t *Tree, n int) (name, of, holder int)
	// All adds the variables itself. If it is not nil, the other fields are ignored.
	All func(v Variables, n int)
	// Member reports whether the variable is also a field of the type around it: a parameter of a
	// constructor with a modifier.
	Member func(t *Tree, n int) bool
}

// Variables are the arguments of Typing.All: the tree, and the reader that stores the variables.
type Variables struct {
	*Tree
	Reader
}

// A Reader stores the variables that a Typing finds. The reader of package scrape/syntax implements
// it.
type Reader interface {
	// Enter adds a variable of the function around, with the place of its name. It ignores an empty
	// type.
	Enter(name, typ string, at int)
	// EnterField adds a field of the type around the function that is being read.
	EnterField(name, typ string)
	// Assign adds the type that an assignment gives to its left side.
	Assign(left, right int)
	// ValueType returns the type of a value if its text shows it, else "". value may be -1.
	ValueType(value int) string
	// TypeBefore returns the type that the function around has declared for a variable, or "".
	TypeBefore(name string) string
	// Bind adds names that an import brings.
	Bind(list []doc.Binding)
}

// isAssigned adds the variable to which an assignment gives a value.
func isAssigned(v Variables, n int) { v.Assign(v.Child(n, "left"), v.Child(n, "right")) }

// isPromoted reports whether a parameter of a constructor is also a field.
func isPromoted(t *Tree, n int) bool {
	return t.FirstChild(n, "accessibility_modifier", "override_modifier", "visibility_modifier") >= 0 ||
		len(t.Text(n)) > len("readonly ") && t.Text(n)[:len("readonly ")] == "readonly "
}
