package doc

import (
	"strings"
	"time"

	"patina/belief"
	"patina/store/text"
)

// A File is a scraped file. The store keeps all fields.
type File struct {
	Path      string // relative to the root, with slashes
	Language  string // "Go", "Markdown", …; empty for other text
	Package   string // from the nearest manifest (go.mod, package.json, …); empty without one
	Kind      Kind   // a kind with files or sections
	Stat      Stat
	Hash      string // over content, class and package; a file with an equal hash is not read again
	Class     Class
	Functions int // functions and methods found
	Lines     int
	Entries   []Entry // symbols or sections, by first line
	// Chunks are in order. Each entry must own at least one, unless it is wholly inside others.
	Chunks   []Chunk
	Imports  []string
	Bindings []Binding // in text order
	Calls    []Call
	Typed    []Typed
	Messages []text.Message // from string literals, each once
	Rows     *belief.Rows   // of a belief or a session, otherwise nil
	Body     []byte         // whole content; empty if Class has PathOnly
}

// Stat shows whether a file may have changed, without reading it.
type Stat struct {
	Size    int64
	ModTime int64 // nanoseconds
	// ChangeTime is the time at which the file system last changed the file, its times or its name,
	// in nanoseconds. It is kept because programs that restore ModTime cannot set it.
	ChangeTime int64
	// Inode is 0 if the file may have changed without a trace. The next scrape must then read it
	// again.
	Inode uint64
}

// A Seen is a file of a view's tree, with its state when it was read.
type Seen struct {
	Path string
	Stat
}

// Class is a set of properties of a file, from its path and first lines. Demotion depends on them
// and on the question (docs/ranking.md, "Demotion").
type Class uint32

// The bits of a Class.
const (
	TestFolder  Class = 1 << iota // is in a tests folder
	TestName                      // has a name like a test
	TestCode                      // has test code (func Test…, #[test], …)
	Example                       // example, demo, docs, bench, script folders
	Compat                        // compat, legacy, deprecated, old, polyfill, shim, older vN/
	Declaration                   // .d.ts, .pyi
	ReExport                      // __init__.py, index.ts, lib.rs, doc.go, …
	Internal                      // internal, private, impl, detail folders
	Header                        // a header with a .c file beside it
	Generated                     // says so in its first lines, or linguist-generated
	Vendored                      // vendor, third_party, or linguist-vendored
	OtherText                     // no known programming language
	PathOnly                      // lock files, licences: found by path alone
	Translation                   // a text in a language other than English
	Data                          // a large file of JSON, CSV and the like
	Platform                      // for Windows, with a twin for Unix beside it
	Built                         // in a folder into which builds write (dist/)
)

// An Entry is a named part of a file: a symbol in code, or a section in a document.
type Entry struct {
	Name    string // unique in the file: "Type.Method", "f", "f#2"; a section's slug
	Sort    Sort
	First   int    // first line with its comment, from 1
	Line    int    // the defining line
	Last    int    // last line
	Title   string // signature, or heading path ("Guide > Install")
	Summary string // first sentence of its doc or section; may be empty
	Parent  int    // the enclosing entry's index, or -1
	// Declares means that it is a prototype: a declaration of a function whose body is elsewhere.
	Declares bool
}

// Sort is the sort of an entry, such as Function.
type Sort string

// The sorts of entries. Section is for documents, Setting for configuration, the others for code.
const (
	Function Sort = "function"
	Method   Sort = "method"
	Type     Sort = "type"
	Constant Sort = "constant"
	Variable Sort = "variable"
	Section  Sort = "section"
	Setting  Sort = "setting"
	// Definition is the guess for a line with a keyword in a language without a parser. It may be
	// wrong.
	Definition Sort = "definition"
)

// A Chunk is a range of lines that is indexed as one text. It has at most 60 lines.
type Chunk struct {
	Entry       int // index of its entry, or -1 for the file itself
	First, Last int // lines
	Names       string
	Doc         string // comment lines
	Body        string // all other lines
}

// A Call is one call site.
type Call struct {
	Caller int    // index of the enclosing entry, or -1
	Name   string // as written, without arguments: "f", "x.F", "http.Get"
	Line   int
}

// AnyType is the Type of a variable whose type has no name. In Rust it is also the Type of a
// variable that hides another one of the same name without declaring a type.
const AnyType = "_"

// FluentType precedes the Type of a chain of calls in Rust that begins with a function of that
// type.
const FluentType = "~"

// EmbeddedName is the Name of an embedded field in Go, whose methods are the type's own.
const EmbeddedName = "."

// A Typed is a variable whose type the source declares. Only variables on which the source calls
// something are kept.
type Typed struct {
	Entry int    // index of the function or type that declares it, or -1
	Name  string // of a parameter, a local variable or a field; "_.f" is the receiver of f
	// Type is the type as written, without pointers, arrays and parameters: "Reader", "io.Reader".
	// In Rust it includes the content of a pointer or an Option: "Arc<Reader>". In other languages
	// it may be an expression: "f()" is the result of f, "f()1" its second result, "=a.b" the type
	// of a.b.
	Type string
}

// A Binding is a name that an import brings into a file, or an alias that the file defines.
type Binding struct {
	// Name is the name in the file: "a.b" for a whole module, AllNames for every name.
	Name string
	// Import is one of File.Imports. It is "" if Of is a path that the file could write itself.
	Import string
	// Of is the name in the module: "" for the module itself, AllNames for every name, DefaultName
	// for the export without a name.
	Of string
}

// Special values in a Binding.
const (
	AllNames    = "*"       // every name in the module
	DefaultName = "default" // in JavaScript
	// PackageName means that Of is a package or namespace that the file declares, in Java, Kotlin,
	// Scala, PHP, C# and C++.
	PackageName = "package"
)

// A Revision is one commit.
type Revision struct {
	SHA     string // full, lower-case hex
	Merge   bool
	Author  string
	Email   string
	Time    time.Time // committer's
	Subject string
	Body    string
	Files   []string // touched paths; a rename has both paths, a merge has no paths
	Moves   []Move   // renamed files
}

// A Move is a file renamed in a commit, as two paths.
type Move struct{ From, To string }

// A CoChange is the number of commits in which two files changed together.
type CoChange struct {
	A, B  string  // paths, A < B
	Count int     // commits with both
	Lift  float64 // Count·N / (commits with A · commits with B)
}

// FileState is the stored state of a file, by which changes are found.
type FileState struct {
	Stat Stat
	Hash string
}

// HistoryState is the point at which the last reading of the history ended.
type HistoryState struct {
	Head    string // the commit whose history the view sees; empty without one
	Shallow bool
	Commits int // visible commits

	// Borrowed means that the view is new, or that its history came from another tree. Its commits
	// are then another tree's until the view gets its own.
	Borrowed bool
}

// A Generation is one published state.
type Generation struct {
	Number    int64
	Head      string // the working tree's commit; empty without git
	Branch    string
	ScrapedAt time.Time
	Files     int
	Chunks    int
	Commits   int
	Beliefs   int
	History   string // "" if it can be searched, otherwise why not: "no git history", …
	Shallow   bool
	Draft     bool   // made in a hurry: without history, and with the model as it was
	WordsOnly bool   // no vectors yet: the model is being fitted, or the scrape was ended
	Own       bool   // its history has a commit of the user's; false if not known
	Extractor string // versions of the tokenizer and the parsers that made it
}

// A Filter restricts a question. It is applied before the best documents are chosen. The zero value
// lets everything pass.
type Filter struct {
	Kinds     []Kind   // empty: all
	Paths     []string // doublestar globs relative to the root; "!" in front excludes
	Languages []string // names, any case; empty: all
	Packages  []string // names, any case, or the part after a "/"; empty: all
	When      When     // the kinds with dates only
}

// A Ranked is a document with a raw score, which is comparable only within its list.
type Ranked struct {
	DocID  string
	Path   string
	Raw    float64
	Chunks []int     // ordinals of its best chunks, best first (at most 8)
	Near   []float64 // their cosines; channels of meaning only
	Chance float64   // the part of Raw due to a file's many chunks; channels of meaning only
	Line   int       // the line with a literal of the question, or 0
}

// Evidence is the evidence that a document answers a question, from all channels (docs/ranking.md).
type Evidence struct {
	Share    float64 // the best chunk's share of the question's attainable score
	Breadth  float64 // added to Share by a file's other chunks in the p-norm; 0 for other kinds
	Demotion float64 // D, 1 without demotion; files and sections only
	Stem     float64 // J, 0 or 1
	Coverage float64 // C, 0..1
	Symbol   float64 // X, 0..1.3
	Paths    float64 // P, 0..1: a long text names the file's path
	Frames   float64 // F, 0..1: a long text's traceback has it, 1 for the innermost
	Names    float64 // N, 0..1: it defines names in a long text, 1 for the most
	Messages float64 // M, 0..1: it prints a message quoted in a long text
	Known    float64 // 0..1: the question words known in the whole project
	Passage  float64 // the best part's answer to the question; the first files of code only
	Cosine   float64 // Calibration.Evidence for its cosine, 0..1; 0 if no semantic channel found it
	Time     int64   // of a commit, in unix seconds; only if the question asks for news
	Terse    bool    // a message of a few words, which one chance hit nearly covers
	Lone     float64 // a lower Share may come from few words of many; 0 if the question has one
}

// A Description is the content that is shown for a result.
type Description struct {
	DocID    string // as requested
	Shown    string // doc_id of the shown part: a file's best symbol
	Kind     Kind
	Path     string // empty for commits
	Symbol   string
	Language string
	Package  string
	First    int // first of the lines shown
	Last     int
	Signed   int    // the line of a symbol's signature
	Line     int    // the best one for the question; 0 without a question
	Lines    []Line // the lines to show, best first
	Within   bool   // a window inside Symbol is shown, not the whole symbol
	Title    string // signature, heading path, subject
	Summary  string
	Why      Line   // the sentence that gives a reason; in a commit, Number counts sentences
	SHA      string // commits only, full
	Time     time.Time
	Author   string
	Also     []Place // further places in the file
	Stat     Stat    // as indexed, files only
	Links    []Link
	Belief   *belief.Note // beliefs only, otherwise nil
	Outside  *External    // documents of no index only, otherwise nil
	Unlinked int          // touched files without a Link
}

// A Line is one line of a file, as written.
type Line struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

// A Place is a range of lines in a file. Its symbol is empty outside of all symbols.
type Place struct {
	Symbol string `json:"symbol"`
	First  int    `json:"line_start"`
	Last   int    `json:"line_end"`
}

// A Link leads from one document to another.
type Link struct {
	Relation string `json:"relation"` // "co-changes", "commit", "touches"
	Target   string `json:"target"`   // doc_id
	Note     string `json:"note"`     // "28 of 40 commits"
}

// Sorts lists the sorts in encoding order. New ones must be appended, because the index in it is
// stored.
var Sorts = []Sort{Function, Method, Type, Constant, Variable, Section, Setting}

// Clone returns the entry with copies of its strings.
func (x Entry) Clone() Entry {
	x.Name, x.Title, x.Summary = strings.Clone(x.Name), strings.Clone(x.Title), strings.Clone(x.Summary)
	return x
}

// A Span is a stored chunk: its entry and its lines. Entry is -1 outside of all entries.
type Span struct{ Entry, First, Last int }

// IsTest reports whether a file is a test: it is in a tests folder, or has both the name and the
// code of a test. The name alone is not enough because it proves little in a repository about
// testing.
func IsTest(c Class) bool {
	return c&TestFolder != 0 || c&TestName != 0 && c&TestCode != 0
}
