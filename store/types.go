package store

import (
	"time"

	"patina/store/text"
)

// A File is what a scrape has read of one file. The store keeps all of it.
type File struct {
	Path      string // relative to the root, with slashes
	Language  string // "Go", "Markdown", …; empty for other text
	Package   string // of the nearest manifest (go.mod, package.json, …); empty for none
	Kind      Kind   // one of files or sections
	Stat      Stat
	Hash      string // of the content, and of what else decides its class; equal hashes need no reading
	Class     Class
	Functions int // functions and methods found
	Lines     int
	Entries   []Entry // symbols or sections, by first line
	Chunks    []Chunk // in order; each entry owns at least one unless it lies wholly inside others
	Imports   []string
	Bindings  []Binding // in the order of the text
	Calls     []Call
	Messages  []text.Message // what its string literals may print, each once
	Body      []byte         // whole content; empty for Class&PathOnly
}

// Stat is what tells that a file may have changed without reading it.
type Stat struct {
	Size    int64
	ModTime int64  // nanoseconds
	Inode   uint64 // 0: the file may have changed since without a trace, and is read again by the next scrape
}

// Class holds the signs that a path and the first lines give about a file. Demotion is computed from
// it and the question (docs/ranking.md, "Demotion").
type Class uint32

// The bits of a Class.
const (
	TestFolder  Class = 1 << iota // lies in a tests folder
	TestName                      // is named like a test
	TestCode                      // holds test code (func Test…, #[test], …)
	Example                       // example, demo, docs, bench, script folders
	Compat                        // compat, legacy, deprecated, old, polyfill, shim, older vN/
	Declaration                   // .d.ts, .pyi
	ReExport                      // __init__.py, index.ts, mod.rs, doc.go, …
	Internal                      // internal, private, impl, detail folders
	Header                        // a header beside its .c
	Generated                     // says so in its first lines, or linguist-generated
	Vendored                      // vendor, third_party, or linguist-vendored
	OtherText                     // no known programming language
	PathOnly                      // lock files, licences: found by path alone
)

// An Entry is a named part of a file: a symbol of code or a section of a document.
type Entry struct {
	Name    string // unique in the file: "Type.Method", "f", "f#2"; a section's slug for documents
	Sort    Sort
	First   int    // first line, its comment block included; from 1
	Line    int    // the line that defines it
	Last    int    // last line
	Title   string // signature, or the heading path of a section ("Guide > Install")
	Summary string // first sentence of its doc comment, or of the section; may be empty
	Parent  int    // index of the enclosing entry, or -1
}

// Sort says what a symbol is.
type Sort string

// The sorts of symbols.
const (
	Function Sort = "function"
	Method   Sort = "method"
	Type     Sort = "type"
	Constant Sort = "constant"
	Variable Sort = "variable"
	Section  Sort = "section"
)

// A Chunk is the part of a file that is indexed at once: at most 60 lines.
type Chunk struct {
	Entry       int // index of the entry it belongs to, or -1 for the file itself
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

// A Binding is a name that an import brings into a file, or that the file gives to something that has a name already.
type Binding struct {
	Name   string // as the file uses it, "a.b" for a module named whole; AllNames: every name that is there
	Import string // one of File.Imports; "" where Of is a path of names as the file could write it
	Of     string // its name there; "" is the module itself, AllNames every name, DefaultName what a module exports without a name
}

// Names in a Binding that are no names.
const (
	AllNames    = "*"
	DefaultName = "default" // of JavaScript
)

// A Revision is one commit of the history.
type Revision struct {
	SHA     string // full, lower-case hex
	Merge   bool
	Author  string
	Email   string
	Time    time.Time // committer's
	Subject string
	Body    string
	Files   []string // paths it touched, those that it renamed too; empty for merges
	Moves   []Move   // the files that it renamed
}

// A Move is a file that a commit renamed: both are paths.
type Move struct{ From, To string }

// A CoChange says how often two files changed in one commit.
type CoChange struct {
	A, B  string  // paths, A < B
	Count int     // commits that touched both
	Lift  float64 // count·N / (commits of A · commits of B)
}

// FileState is what the store knows of an indexed file, to find what changed.
type FileState struct {
	Stat Stat
	Hash string
}

// HistoryState is where the last reading of the history ended.
type HistoryState struct {
	Head    string // the commit whose history the view sees; empty for none
	Shallow bool
	Commits int // that it sees

	Borrowed bool // the view is new: it shows what another one does, or another tree, until it is brought to its own
}

// A Generation is one published state of a store.
type Generation struct {
	Number    int64
	Head      string // commit of the working tree; empty without git
	Branch    string
	ScrapedAt time.Time
	Files     int
	Chunks    int
	Commits   int
	History   string // "" ok, else why temporal cannot answer: "no git history", …
	Shallow   bool
}

// A Filter narrows a question; it is applied before the best are chosen.
type Filter struct {
	Kinds     []Kind   // empty: all
	Paths     []string // doublestar globs relative to the root; "!" in front excludes
	Languages []string // names, any case; empty: all
	Packages  []string // names, any case, or what follows a "/" in one; empty: all
}

// A Ranked document has a raw score that means something inside its list only.
type Ranked struct {
	DocID  string
	Path   string
	Raw    float64
	Chunks []int // ordinals of its best chunks, best first (at most 4)
}

// Evidence is what the store knows of a document for a question, whatever channel found it.
type Evidence struct {
	Share    float64 // of the question's attainable score: that of the best chunk
	Breadth  float64 // what the other chunks of a file add to that in the p-norm; 0 for the other kinds
	Demotion float64 // D, 1 for none; of files and sections
	Stem     float64 // J, 0 or 1
	Coverage float64 // C, 0..1
	Symbol   float64 // X, 0..1.3
	Paths    float64 // P, 0..1: a long text names the file by its path
	Frames   float64 // F, 0..1: it is in a traceback of a long text, 1 for the innermost
	Names    float64 // N, 0..1: it defines what a long text names, 1 for the file that defines most
	Messages float64 // M, 0..1: it prints what a long text quotes
	Known    float64 // which part of the question's words is known here, 0..1; of all documents of a project the same
	Cosine   float64 // what its cosine accounts for by the Calibration of the project, 0..1; 0 where no semantic channel found it
}

// A Description is what a result shows.
type Description struct {
	DocID    string // as asked
	Shown    string // doc_id of the part that is shown: the best symbol of a file
	Kind     Kind
	Path     string // empty for commits
	Symbol   string
	Language string
	Package  string
	First    int // lines shown
	Last     int
	Title    string // signature, heading path, subject
	Summary  string
	SHA      string // commits: whole
	Time     time.Time
	Author   string
	Also     []string // names of the next best symbols of the file
	Stat     Stat     // as indexed, files only
	Links    []Link
	Unlinked int // files that a commit touched beyond those that Links name
}

// A Link leads from a document to another one.
type Link struct {
	Relation string // "co-changes", "commit", "touches"
	Target   string // doc_id
	Note     string // "28 of 40 commits"
}
