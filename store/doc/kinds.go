package doc

import (
	"cmp"
	"slices"
	"strings"
)

// Kind is the kind of a document: code, a commit, a belief and so on.
type Kind string

// The kinds that a store of this version can hold.
const (
	Code    Kind = "code"    // a file, parsed or not
	Belief  Kind = "belief"  // a statement that a project holds to be true, in its own file
	Commit  Kind = "commit"  // one commit: subject, body, file names
	Session Kind = "session" // the record of a working session
	Pattern Kind = "pattern" // a section in a Markdown or reStructuredText file
	Memory  Kind = "memory"  // a note about the project, kept beside its index
	Persona Kind = "persona" // a note of the user, for all projects
)

// Traits are the differences between the kinds of documents. Code should depend on a trait rather
// than on a kind, except if it concerns one kind only, as callers concern code.
//
// The postings and vectors of a kind are in a space with the kind's name.
type Traits struct {
	Kind      Kind
	Plural    string   // accepted from users, like the name
	Label     string   // the word in texts for people, accepted from users; empty: the name
	Unit      string   // the word for one in counts; empty: a Generation counts them
	Prefix    string   // in doc_ids; empty: a doc_id begins with a path
	Separator string   // in doc_ids, between a path and a part
	Files     []string // globs for files that always belong to this kind
	Shape     Shape
	Pooled    bool   // files only: every chunk scores, and the file has a card
	Named     string // the table with the ids of its files; empty: a path is the id
	Channel   string // the only channel that ranks it; empty: lexical and semantic do
	Told      bool   // people's knowledge: if a project has some, it answers by a question's form
	Place     int    // the best relevant one gets this place at the latest; 0: no such place
	Demoted   Demoted
	Dates     Dates
	Priors    map[string]float64 // weight in the merge of kinds, by intent or form; else unaskedPrior
}

// A Shape is the extent of one document.
type Shape int

// The shapes. Files and sections come from the working tree, the others do not.
const (
	OfSections Shape = iota // a section in a file
	OfFiles                 // a whole file
	OfRows                  // a table row: a commit
	Outside                 // in no index: the kind's channel keeps it (oracles.Keeper)
)

// Dates is the precision of a document's time.
type Dates int

// The precisions.
const (
	NoDates Dates = iota
	Day           // the day of its beginning, mostly
	Moment        // its time and its author
)

// Timed lists the kinds whose times and authors are known.
func Timed() (kinds []Kind) {
	for _, k := range Kinds() {
		if k.Traits().Dates == Moment {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Demoted is the rule by which a kind's documents are demoted (docs/ranking.md, "Demotion").
type Demoted int

// The rules of demotion.
const (
	Never     Demoted = iota // not at all
	ByClass                  // by the file's class
	AsSection                // less, and only in manuals and change logs
)

// The intents and forms that ask for a kind, by the names of package fusion, with weight 1. Code
// has a lower weight for questions about people's knowledge. For reasons 0.7 to 0.8 gain 0.004 MRR
// or more on 349 questions of eight sets, and 0.8 costs least where code has the reason
// (bench/history/beliefs.md, "Reasons").
var (
	asksForCode = map[string]float64{
		"mechanism": 1, "task": 1, "howto": 1, "definition": 1, "general": 1,
		"companions": 1, "past": 0.75, "norm": 0.75, "reason": 0.8,
	}
	asksForBeliefs = map[string]float64{
		"rationale": 1, "definition": 1, "task": 1, "general": 1, "norm": 1, "reason": 1,
	}
	asksForSessions = map[string]float64{"rationale": 1, "past": 1, "reason": 1}
	asksForCommits  = map[string]float64{"temporal": 1, "rationale": 1, "past": 1, "reason": 1}
	asksForPatterns = map[string]float64{"howto": 1, "definition": 1, "general": 1}
	asksForMemories = map[string]float64{
		"rationale": 1, "howto": 1, "task": 1, "definition": 1, "general": 1, "reason": 1,
	}
	asksForPersona = map[string]float64{"rationale": 1, "definition": 1, "general": 1, "reason": 1}
)

// unaskedPrior is the weight of a kind that the intent does not ask for. 0.8 was better only on the
// questions that had been used for tuning (docs/ranking.md, "One list of all kinds").
const unaskedPrior = 0.9

// kinds is the table of kinds, in printing order. Whoever changes prefixes, files or shapes must
// raise the extractor's version in package scrape, because a store's content depends on them.
var kinds = []Traits{
	{
		Kind: Code, Plural: "codes", Separator: "::",
		Shape: OfFiles, Pooled: true, Demoted: ByClass, Priors: asksForCode,
	},
	{
		Kind: Belief, Plural: "beliefs", Unit: "belief", Prefix: "belief:", Separator: "#",
		Files: []string{"layer/**/beliefs/**/*.md"},
		Shape: OfFiles, Named: "belief", Channel: "belief", Told: true, Place: 5, Priors: asksForBeliefs,
	},
	{Kind: Commit, Plural: "commits", Prefix: "commit:", Shape: OfRows, Dates: Moment, Priors: asksForCommits},
	{
		Kind: Session, Plural: "sessions", Unit: "session", Prefix: "session:", Separator: "#",
		Files: []string{"layer/sessions/*.md"},
		Shape: OfFiles, Named: "session", Told: true, Dates: Day, Priors: asksForSessions,
	},
	{
		Kind: Pattern, Plural: "patterns", Label: "doc", Unit: "section", Prefix: "pattern:", Separator: "#",
		Shape: OfSections, Demoted: AsSection, Priors: asksForPatterns,
	},
	{
		Kind: Memory, Plural: "memories", Prefix: "memory:", Shape: Outside, Channel: "memory", Place: 5,
		Priors: asksForMemories,
	},
	{
		Kind: Persona, Plural: "personas", Prefix: "persona:", Shape: Outside, Channel: "persona", Place: 6,
		Priors: asksForPersona,
	},
}

// AddKind adds a kind to the table and returns a function that removes it. It must be called before
// any store is opened. The shape must be OfFiles or OfSections, because rows need a table of their
// own.
func AddKind(t Traits) (remove func()) {
	before := kinds
	kinds = append(slices.Clone(kinds), t)
	return func() { kinds = before }
}

// Kinds lists every kind, in printing order.
func Kinds() []Kind {
	out := make([]Kind, len(kinds))
	for i, t := range kinds {
		out[i] = t.Kind
	}
	return out
}

// Traits returns the traits of the kind. They are empty, never nil, for an unknown kind. The caller
// must not change them.
func (k Kind) Traits() *Traits {
	for i := range kinds {
		if kinds[i].Kind == k {
			return &kinds[i]
		}
	}
	return &Traits{}
}

// KindNamed returns the kind with a name, plural or label, ignoring case. It returns false if there
// is no such kind.
func KindNamed(name string) (Kind, bool) {
	for _, t := range kinds {
		if strings.EqualFold(name, string(t.Kind)) || strings.EqualFold(name, t.Plural) ||
			t.Label != "" && strings.EqualFold(strings.TrimSuffix(name, "s"), t.Label) {
			return t.Kind, true
		}
	}
	return "", false
}

// Label returns the word for a document of the kind in texts for people.
func (k Kind) Label() string { return cmp.Or(k.Traits().Label, string(k)) }

// KindOf returns the kind of a document by its doc_id. A doc_id without a known prefix is code.
func KindOf(docID string) Kind {
	for _, t := range kinds {
		if t.Prefix != "" && strings.HasPrefix(docID, t.Prefix) {
			return t.Kind
		}
	}
	return Code
}

// KindOfFile returns the kind whose globs match a path. It returns false if there is no such kind.
func KindOfFile(path string) (Kind, bool) {
	for _, t := range kinds {
		if len(t.Files) > 0 && (Filter{Paths: t.Files}).Matches(path) {
			return t.Kind, true
		}
	}
	return "", false
}

// FileID returns the doc_id of a whole file.
func (k Kind) FileID(path string) string { return k.Traits().Prefix + path }

// PartID returns the doc_id of a named part, such as a symbol or section.
func (k Kind) PartID(path, part string) string {
	return k.FileID(path) + k.Traits().Separator + part
}

// Identity returns the doc_id under which the lists of all channels know a document. If files are
// the documents of the kind, a part of a file has the file's doc_id.
func (k Kind) Identity(x Ranked) string {
	if k.Traits().Shape == OfFiles {
		return k.FileID(x.Path)
	}
	return x.DocID
}

// Means reports whether a doc_id names the document with an identity, or a part of it.
func (k Kind) Means(identity, docID string) bool {
	t := k.Traits()
	return docID == identity || t.Shape == OfFiles && strings.HasPrefix(docID, identity+t.Separator)
}

// PathOf returns the path of a file by its identity, "" for other documents.
func (k Kind) PathOf(identity string) string {
	if t := k.Traits(); t.Shape == OfFiles {
		return strings.TrimPrefix(identity, t.Prefix)
	}
	return ""
}

// Prior returns the kind's weight in the merge of kinds. intent must be an intent or a form of
// package fusion; unknown ones get unaskedPrior.
func (k Kind) Prior(intent string) float64 {
	if p, ok := k.Traits().Priors[intent]; ok {
		return p
	}
	return unaskedPrior
}

// CommitID returns the doc_id of a commit.
func CommitID(sha string) string { return Commit.Traits().Prefix + sha[:min(12, len(sha))] }

// SymbolID returns the doc_id of a symbol.
func SymbolID(path, name string) string { return Code.PartID(path, name) }
