package doc

import (
	"cmp"
	"slices"
	"strings"
)

// Kind says whether a document is code, a commit, a belief and so on.
type Kind string

// The kinds a store can hold in this version.
const (
	Code    Kind = "code"    // a file, parsed or not
	Belief  Kind = "belief"  // what a project holds to be true, in a file of its own
	Commit  Kind = "commit"  // one commit: subject, body, file names
	Session Kind = "session" // the record of a working session
	Pattern Kind = "pattern" // a section in a Markdown or reStructuredText file
	Memory  Kind = "memory"  // a note about the project, kept beside its index
	Persona Kind = "persona" // a note of the user, for all projects
)

// Traits hold everything that sets one kind's documents apart. Code should ask for a trait. Code
// that asks for a kind is about that kind alone, as callers are about code.
//
// A kind's postings and vectors lie in a space with the kind's name.
type Traits struct {
	Kind      Kind
	Plural    string   // accepted from users beside the name
	Label     string   // the word in texts for people; empty: the name. Accepted from users
	Unit      string   // the word for one in counts; empty: a Generation counts them
	Prefix    string   // in doc_ids; empty: a doc_id begins with a path
	Separator string   // in doc_ids, between a path and a part
	Files     []string // globs for files that always belong to this kind
	Shape     Shape
	Pooled    bool   // files only: every chunk scores, and the file has a card
	Named     string // the table with ids for its files; empty: a path is the id
	Channel   string // the only channel that ranks it; empty: lexical and semantic do
	Told      bool   // what people know: a project that has some answers by the form of a question
	Place     int    // the best relevant one stands here at the latest; 0: no such place
	Demoted   Demoted
	Dates     Dates
	Priors    map[string]float64 // weight in the merge of kinds, by intent or form; 0.9 for the others
}

// A Shape says how much makes one document.
type Shape int

// The shapes. Files and sections come from the tree, the others from elsewhere.
const (
	OfSections Shape = iota // a section in a file
	OfFiles                 // a whole file
	OfRows                  // a table row: a commit
	Outside                 // in no index: the kind's channel keeps it (oracles.Keeper)
)

// Dates says what is known of a document's time.
type Dates int

// The knowledge of times.
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

// Demoted selects the rule for lowering a kind's documents (docs/ranking.md, "Demotion").
type Demoted int

// The rules for demotion.
const (
	Never     Demoted = iota // not at all
	ByClass                  // by the file's class
	AsSection                // less, and only in manuals and change logs
)

// The intents and forms that ask for a kind, as package fusion names them, with weight 1 each.
// Asked for what people know, code counts less.
var (
	asksForCode = map[string]float64{
		"mechanism": 1, "task": 1, "howto": 1, "definition": 1, "general": 1,
		"companions": 1, "past": 0.75, "norm": 0.75,
	}
	asksForBeliefs  = map[string]float64{"rationale": 1, "definition": 1, "task": 1, "general": 1, "norm": 1}
	asksForSessions = map[string]float64{"rationale": 1, "past": 1}
	asksForCommits  = map[string]float64{"temporal": 1, "rationale": 1, "past": 1}
	asksForPatterns = map[string]float64{"howto": 1, "definition": 1, "general": 1}
	asksForMemories = map[string]float64{"rationale": 1, "howto": 1, "task": 1, "definition": 1, "general": 1}
	asksForPersona  = map[string]float64{"rationale": 1, "definition": 1, "general": 1}
)

// unaskedPrior is a kind's weight if the intent does not ask for it. 0.8 was better only on the
// questions already used for tuning (docs/ranking.md, "One list of all kinds").
const unaskedPrior = 0.9

// kinds is the table of kinds, in printing order. A store's content depends on prefixes, files and
// shapes. After changing these, raise the extractor's version in package scrape.
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

// AddKind adds a kind to the table and returns a function that removes it. Call it before opening
// any store. The shape is OfFiles or OfSections: rows need their own table.
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

// Traits returns the kind's row, or an empty one for an unknown kind.
func (k Kind) Traits() *Traits {
	for i := range kinds {
		if kinds[i].Kind == k {
			return &kinds[i]
		}
	}
	return &Traits{}
}

// KindNamed finds a kind by its name, plural or label, ignoring case.
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

// KindOf returns the kind for a doc_id.
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
		if len(t.Files) > 0 && (Filter{Paths: t.Files}).Matches(path) {
			return t.Kind, true
		}
	}
	return "", false
}

// FileID returns a whole file's doc_id.
func (k Kind) FileID(path string) string { return k.Traits().Prefix + path }

// PartID returns the doc_id for a named part, such as a symbol or section.
func (k Kind) PartID(path, part string) string {
	return k.FileID(path) + k.Traits().Separator + part
}

// Identity returns the doc_id that all channels' lists share for a document. A part of a file has
// its file's doc_id, if files are the documents.
func (k Kind) Identity(x Ranked) string {
	if k.Traits().Shape == OfFiles {
		return k.FileID(x.Path)
	}
	return x.DocID
}

// Means reports whether a doc_id names the identity's document, or a part of it.
func (k Kind) Means(identity, docID string) bool {
	t := k.Traits()
	return docID == identity || t.Shape == OfFiles && strings.HasPrefix(docID, identity+t.Separator)
}

// PathOf returns the path for a file's identity; empty for other documents.
func (k Kind) PathOf(identity string) string {
	if t := k.Traits(); t.Shape == OfFiles {
		return strings.TrimPrefix(identity, t.Prefix)
	}
	return ""
}

// Prior returns the kind's weight in the merge of kinds, for an intent or a form from package
// fusion.
func (k Kind) Prior(intent string) float64 {
	if p, ok := k.Traits().Priors[intent]; ok {
		return p
	}
	return unaskedPrior
}

// CommitID returns a commit's doc_id.
func CommitID(sha string) string { return Commit.Traits().Prefix + sha[:min(12, len(sha))] }

// SymbolID returns a symbol's doc_id.
func SymbolID(path, name string) string { return Code.PartID(path, name) }
