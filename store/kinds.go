package store

import (
	"slices"
	"strings"
)

// Kind says what a document is.
type Kind string

// The kinds that a store of this version can hold.
const (
	Code    Kind = "code"    // a file, parsed or not
	Commit  Kind = "commit"  // one commit: subject, body, names of files
	Pattern Kind = "pattern" // a section of a Markdown or reStructuredText file
)

// Traits are all that sets the documents of one kind apart. Code that asks which kind a document
// has, rather than for one of its traits, is about that kind alone: callers, say, about code.
//
// The postings and vectors of a kind lie in a space of their own, which bears its name.
type Traits struct {
	Kind      Kind
	Plural    string   // accepted from users beside the name
	Unit      string   // what one is counted as; empty: a Generation counts them
	Prefix    string   // of doc_ids; empty: a doc_id begins with a path
	Separator string   // of doc_ids, between a path and a part of that file
	Files     []string // globs of the files that hold its documents, whatever they would be without
	Shape     Shape
	Pooled    bool // of files: every chunk scores, and the file has a vector of its own (ranking.md B)
	Demoted   Demoted
	Priors    map[string]float64 // the weight in the merge of kinds, by intent; 0.9 for the others
}

// A Shape says what is one document of a kind.
type Shape int

// The shapes. Files and sections are read from the tree, rows from elsewhere.
const (
	OfSections Shape = iota // a section of a file
	OfFiles                 // a whole file
	OfRows                  // a row of a table: a commit
)

// Demoted says by which rule documents of a kind are lowered (ranking.md D).
type Demoted int

// The rules of demotion.
const (
	Never     Demoted = iota
	ByClass           // by the class of the file
	AsSection         // less, and only in manuals and lists of changes
)

// The intents that ask for a kind, as package fusion names them, with a weight of 1 each.
var (
	asksForCode     = map[string]float64{"mechanism": 1, "task": 1, "definition": 1, "general": 1}
	asksForCommits  = map[string]float64{"temporal": 1, "rationale": 1}
	asksForPatterns = map[string]float64{"definition": 1, "general": 1}
)

// unaskedPrior is the weight of a kind that the intent does not ask for. 0.8 was better on the
// seen sets only (fusion.md: 76 + 48 + 37 + 78 questions).
const unaskedPrior = 0.9

// kinds is the table of kinds, in the order in which they are printed. What a store holds depends
// on prefixes, files and shapes: with a change of them the extractor of package scrape has another
// version.
var kinds = []Traits{
	{
		Kind: Code, Plural: "codes", Separator: "::",
		Shape: OfFiles, Pooled: true, Demoted: ByClass, Priors: asksForCode,
	},
	{
		Kind: Commit, Plural: "commits", Prefix: "commit:",
		Shape: OfRows, Priors: asksForCommits,
	},
	{
		Kind: Pattern, Plural: "patterns", Unit: "section", Prefix: "pattern:", Separator: "#",
		Shape: OfSections, Demoted: AsSection, Priors: asksForPatterns,
	},
}

// AddKind adds a kind to the table and returns what takes it out again. It is called before any
// store is opened. The shape is OfFiles or OfSections: rows need a table of their own.
func AddKind(t Traits) (remove func()) {
	before := kinds
	kinds = append(slices.Clone(kinds), t)
	return func() { kinds = before }
}

// Kinds lists every kind, in the order in which they are printed.
func Kinds() []Kind {
	out := make([]Kind, len(kinds))
	for i, t := range kinds {
		out[i] = t.Kind
	}
	return out
}

// Traits returns the kind's row of the table, or an empty one for a kind that is in no table.
func (k Kind) Traits() *Traits {
	for i := range kinds {
		if kinds[i].Kind == k {
			return &kinds[i]
		}
	}
	return &Traits{}
}

// KindNamed finds a kind by its name or its plural, in any case.
func KindNamed(name string) (Kind, bool) {
	for _, t := range kinds {
		if strings.EqualFold(name, string(t.Kind)) || strings.EqualFold(name, t.Plural) {
			return t.Kind, true
		}
	}
	return "", false
}

// KindOf returns the kind of a document by its doc_id.
func KindOf(docID string) Kind {
	for _, t := range kinds {
		if t.Prefix != "" && strings.HasPrefix(docID, t.Prefix) {
			return t.Kind
		}
	}
	return Code
}

// KindOfFile returns the kind whose globs match a path, and reports whether there is one.
func KindOfFile(path string) (Kind, bool) {
	for _, t := range kinds {
		if len(t.Files) > 0 && (Filter{Paths: t.Files}).matches(path) {
			return t.Kind, true
		}
	}
	return "", false
}

// FileID is the doc_id of a file as a whole.
func (k Kind) FileID(path string) string { return k.Traits().Prefix + path }

// PartID is the doc_id of a named part of a file: a symbol, a section.
func (k Kind) PartID(path, part string) string {
	return k.FileID(path) + k.Traits().Separator + part
}

// Identity is what one document of a kind is known by in the lists of all channels: its doc_id,
// and for a part of a document that is a file, that of the file.
func (k Kind) Identity(x Ranked) string {
	if k.Traits().Shape == OfFiles {
		return k.FileID(x.Path)
	}
	return x.DocID
}

// Means reports whether a doc_id names the document of an identity, or a part of it.
func (k Kind) Means(identity, docID string) bool {
	t := k.Traits()
	return docID == identity || t.Shape == OfFiles && strings.HasPrefix(docID, identity+t.Separator)
}

// PathOf is the path of the file that an identity names; empty for other documents.
func (k Kind) PathOf(identity string) string {
	if t := k.Traits(); t.Shape == OfFiles {
		return strings.TrimPrefix(identity, t.Prefix)
	}
	return ""
}

// Prior is the weight of a kind in the merge of kinds, for an intent of package fusion.
func (k Kind) Prior(intent string) float64 {
	if p, ok := k.Traits().Priors[intent]; ok {
		return p
	}
	return unaskedPrior
}

// CommitID is the doc_id of a commit.
func CommitID(sha string) string { return Commit.Traits().Prefix + sha[:min(12, len(sha))] }

// SymbolID is the doc_id of a symbol.
func SymbolID(path, name string) string { return Code.PartID(path, name) }
