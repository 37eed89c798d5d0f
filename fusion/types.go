// Package fusion merges rankings.
//
// It is arithmetic: no I/O, no clock, no goroutines. Equal input gives equal output, down to the
// order of ties. Its functions may be called concurrently, because they do not change their input,
// except Descend. Finding, scoring and showing documents is left to others.
//
// lists.go numbers each channel's hits. blend.go joins the code channels by score, rrf.go the other
// kinds by rank. kinds.go ranks one project, merge.go makes one list from all kinds and projects,
// and intent.go reads the intent from a question.
package fusion

// A Key identifies a document in fusion.
type Key struct {
	Project string
	Kind    string // code, commit, pattern, …
	ID      string // a path for code, a doc_id for every other kind
}

// A Hit is one place in a list.
type Hit struct {
	Key Key
	Raw float64
}

// A List is one channel's ranking of one kind. Raw scores are comparable only within a list. The
// hits may be in any order, because Fuse sorts them.
type List struct {
	Channel string
	Kind    string
	Hits    []Hit
	// Companions says that the question is the path of a file, and that the hits changed with that
	// file.
	Companions bool
}

// Evidence holds the scores of a document that do not depend on the channel. A missing entry means
// share 0 and demotion 1.
type Evidence struct {
	Share    float64 // part of the question accounted for by the best chunk, 0..1
	Breadth  float64 // gain over Share from its other chunks; files only
	Demotion float64 // D, a factor; 0 means 1
	Stem     float64 // J
	Coverage float64 // C, for a commit of its subject
	Symbol   float64 // X
	Paths    float64 // P, long texts only
	Frames   float64 // F, long texts only
	Names    float64 // N, long texts only
	Messages float64 // M, long texts only
	Known    float64 // part of the question's words known in the document's project, 0..1
	Passage  float64 // the best part's answer, about 0..2; the first files of code only
	Cosine   float64 // part of the question accounted for by meaning, 0..1, on the scale of Share
	Time     int64   // of a commit, in unix seconds; set only if Input.Newest is
	Terse    bool    // a short message, of which one word matched by chance is a large part
	Lone     float64 // a lower Share may come from few words of many; 0 if the question has one word
}

// Rule says how the channels of code are joined.
type Rule string

// The rules for code.
const (
	Blend Rule = "blend" // by score (docs/ranking.md, "The list of code")
	RRF   Rule = "rrf"   // by weighted reciprocal rank
)

// Input holds everything on which a fused ranking depends. Its maps and slices may be nil.
type Input struct {
	Intent   Intent
	Rule     Rule               // Blend if empty
	Words    int                // of the question, with stop words; 0 for a report of several lines
	Long     bool               // a pasted issue or traceback, which has other weights for code
	Priors   map[string]float64 // weight by kind; 1 for a kind not listed
	Lists    []List
	Evidence map[Key]Evidence
	Weights  map[string]float64 // of the routes, by project, at most 1; 1 if not listed
	Home     string             // the project of the user; if empty, no project is foreign
	Recorded map[string]bool    // the projects with beliefs or sessions among the hits
	Outside  map[string]bool    // the kinds from outside the projects (Guest)
	Exact    []Key              // documents named by the question; they come first
	Tuning   Tuning             // other weights, for measurements
	Newest   bool               // the question asks for news: relevant commits are sorted by age

	// Only holds the selected channels; empty means all. Evidence from names counts only if Only is
	// empty or holds "lexical".
	Only []string
}

// A Contribution is the part of a result's number that one channel (or kind of evidence) added.
// Added is always Weight · Normalised.
//
// For blended code the Added sum to Blended / Demotion: Blended = Demotion · Σ Added, Agreement =
// Blended / best. For every other kind, and for code joined by rank, they sum to Agreement.
type Contribution struct {
	// Channel names the list's channel. For evidence it is "symbol" (X), "stem" (J), "coverage"
	// (C), "paths" (P), "frames" (F), "names" (N), "messages" (M) or "passage".
	Channel string
	// Rank counts from 1 in the channel's list of this kind. For code joined by rank it is the rank
	// after demotion. It is 0 for evidence.
	Rank int
	Raw  float64 // as the oracle or the store gave it
	// Normalised is 61 / (60 + Rank). For blended code it is Raw divided by the best Raw in the
	// list, and for evidence it is Raw.
	Normalised float64
	// Weight is the channel's weight divided by the highest sum in the kind. For blended code it is
	// the channel's weight times the intent's factor.
	Weight float64
	Added  float64
}

// A Result is one document in the fused ranking.
type Result struct {
	Key           Key
	Score         float64 // as shown: Chance made descending, see Descend
	Chance        float64 // that it is right, by its own numbers, times Weight; it may rise
	Placed        Placed  // why it comes before a higher chance, or empty
	Merged        float64 // Own, or a higher Own later in its list; for exact ones 1.2 · Weight
	Share         float64
	Breadth       float64
	Agreement     float64
	Lead          float64 // Agreement minus the best other one in its kind; negative below the best
	Margin        float64 // Merged minus the best one of another kind, before Weight; at most 0.1
	Prior         float64
	Weight        float64 // for the route to its project
	Foreign       bool    // it is from another project than home
	Recorded      bool    // its project has beliefs or sessions among the hits, and no task is set
	Channel       float64 // the raw score, if one channel alone ranks the kind; else 0
	Subject       float64 // C of a commit's subject, in a project with beliefs or sessions; else 0
	Passage       float64 // code: the best passage times its weight
	Blended       float64 // code: the blended score before division by the best; else 0
	Exact         bool
	Contributions []Contribution
	Evidence      Evidence
}

// Relevance rates how well the best results account for the question.
type Relevance string

// The steps of relevance.
const (
	Relevant   Relevance = "ok"
	Weak       Relevance = "weak"
	Irrelevant Relevance = "none"
	// Unjudged is an answer of which a part is missing, and which would be irrelevant without that
	// part.
	Unjudged Relevance = "unknown"
)
