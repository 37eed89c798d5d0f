package lang

import (
	"patina/store/doc"
)

// A Grammar says what the nodes of a tree-sitter grammar mean. The parser itself is named in
// scrape/syntax/parsers.go.
//
// Sets of kinds are written as one string, separated by blanks. A kind that the parser does not
// have is a panic when the grammar is first used.
type Grammar struct {
	Rules map[string]Rule // kinds of nodes → what they are
	// Prepare replaces the text for the parser, with the same length and lines; nil keeps it.
	Prepare func(text []byte) []byte
	// MaxBytes bounds the texts that are parsed; 0 is the engine's own bound. It is lower where a
	// unit of work takes longest: errors in 1 MiB of Haskell took 8 s.
	MaxBytes int
	// Predeclared are functions of the language itself. Nobody asks for their callers.
	Predeclared map[string]bool
	// Typed are the kinds of nodes that declare variables with their types.
	Typed map[string]Typing
	// Importers are functions whose first argument, a string, is imported.
	Importers map[string]bool
	// Others are the rules that By gives to nodes.
	Others []Rule

	// Recovers says that a definition begins with a keyword on its own line, so that it can be found
	// inside of what the parser did not understand. LosesSilently says that the parser loses
	// definitions without an error.
	Recovers, LosesSilently bool
	// KeepsFields says that calls look for fields in types of other files, so that all fields are
	// kept. KeepsChains keeps those between the parts of a chain, and variables of no known type that
	// hide one.
	KeepsFields, KeepsChains bool

	// RawPrefix marks a name that is a word of the language: "r#". It is no part of the name.
	RawPrefix string
	// NoEndlessScans says that the scanner of the grammar always comes to an end. Others are asked
	// for nothing behind an error.
	NoEndlessScans bool
	// TypesByValue says that a call on an expression is kept with the type of that expression, as
	// far as the text says it.
	TypesByValue bool
	// CallsMakeTypes says that calling the name of a type makes a value of it: T().
	CallsMakeTypes bool
	// Maker is the method that makes a value of the type that it is called on: "new" of T.new.
	Maker string
	// TextType is the type of a string literal; "" is "String".
	TextType string
	// LastIsValue says that the value of a variable is the last child of its declarator, in no field.
	LastIsValue bool
}

// A Role is the meaning of a node for the outline.
type Role uint8

// The roles of nodes.
const (
	Nothing Role = iota

	// Symbols.
	Function // a method inside a type or a Namespace with a name
	Type     // gives its name to what is inside
	Constant // these two only outside of functions
	Variable

	// Surroundings of symbols.
	Namespace // gives a name to what is inside, and is no symbol: impl
	Closure   // a function without a name
	Wrapper   // belongs to the symbols directly inside: export, decorators

	Attribute // belongs to the symbol that follows
	Comment
	Docstring // a comment inside the symbol that it is about
	Member    // a name that belongs to what is around: a field
	Call
	Body // a text that the grammar does not look into: the body of a macro
	Import
	Tokens // a part that the grammar leaves as tokens
)

// A Rule gives the role of a kind of node, and the places of its parts.
type Rule struct {
	Is   Role
	Name string // field of the name, of what is called, of what is imported; "" is "name"
	// Names finds names where a field does not do. A symbol without a name is dropped.
	Names func(t *Tree, n int) []Found
	Body  string // field or kind of the child that ends a signature; "" is "body"
	When  func(t *Tree, n int) bool
	// Otherwise is the role of a symbol without a name: Nothing, Closure, Member, or a Function
	// whose symbols are left out.
	Otherwise Role
	// Flat says that it gives its name to nothing inside: a typedef round a struct.
	Flat bool
	// Binds finds the names that a node brings into the file, besides what it is.
	Binds func(t *Tree, n int) []doc.Binding
	// For calls: the field of the object before the name, and the text between them, where these
	// are no node of their own.
	Object, Dot string
	// Calls finds the name of what a node calls, where fields do not do; "" is no call.
	Calls func(t *Tree, n int) string
	// By gives the rule of a single node where its kind does not say enough; nil is this rule.
	By func(t *Tree, n int) *Rule
	// Receiver returns the type of the expression before the name of a call, "" if it is not said.
	Receiver func(t *Tree, n int) string
	// Ends finds the byte where a signature ends, where no field or kind does; -1 is the node's end.
	Ends func(t *Tree, n int) int
	// Closed says that nothing inside the node is read.
	Closed bool
	// Joins says that a symbol joins the one of the same name right before it: equations of a
	// function.
	Joins bool
}

// A Found is one name of a node.
type Found struct {
	Node  int      // where it stands
	Name  string   // "" is the text of the node
	Scope string   // the type that it belongs to, where that is written with it: A of A::b
	Sort  doc.Sort // "": as the rule says
	// Declares says that a function is only announced: its body is elsewhere.
	Declares bool
}

// A Typing says where a node that declares variables keeps their type and their names.
type Typing struct {
	Of    string // field of the type; "" is "type"
	Name  string // field of the name; "" is "name"
	In    string // kind of the nodes below that hold a name each; "" is the node itself
	Value string // field of a value that is made by its type: x = new T()
	// Parts finds the nodes of the name, of the type, and the one that holds the value, where fields
	// do not do; -1 is none.
	Parts func(t *Tree, n int) (name, of, holder int)
	// All enters the variables itself, in place of everything else.
	All func(v Variables, n int)
	// Member reports whether the variable is a field of the type around as well: a parameter of a
	// constructor with a modifier.
	Member func(t *Tree, n int) bool
}

// Variables is what a Typing reads from and writes to: the tree, and the reader of it.
type Variables struct {
	*Tree
	Reader
}

// A Reader keeps the variables that a Typing finds. The engine is the one implementation.
type Reader interface {
	// Enter keeps a variable of the function around, with the place of its name. An empty type is
	// not kept.
	Enter(name, typ string, at int)
	// EnterField keeps a field of the type around the function that is being read.
	EnterField(name, typ string)
	// Assign keeps what an assignment says of the type of its left side.
	Assign(left, right int)
	// ValueType returns the type of a value as far as its text says it, "" if it does not.
	ValueType(value int) string
	// TypeBefore returns the type that the function around has declared for a variable, or "".
	TypeBefore(name string) string
	// Bind keeps names that an import brings.
	Bind(list []doc.Binding)
}

// isAssigned enters what an assignment expression or statement gives a value.
func isAssigned(v Variables, n int) { v.Assign(v.Child(n, "left"), v.Child(n, "right")) }

// isPromoted reports whether a parameter of a constructor is a field as well.
func isPromoted(t *Tree, n int) bool {
	return t.FirstChild(n, "accessibility_modifier", "override_modifier", "visibility_modifier") >= 0 ||
		len(t.Text(n)) > len("readonly ") && t.Text(n)[:len("readonly ")] == "readonly "
}
