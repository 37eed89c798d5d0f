// Package fusion merges rankings.
//
// It is arithmetic: no I/O, no clock, no goroutines. Equal input gives equal output, down to the
// order of ties. Finding documents, scoring them and showing them is left to others.
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

// A List is one channel's ranking of one kind, best first. Raw scores are comparable inside a list
// only.
type List struct {
	Channel string
	Kind    string
	Hits    []Hit
	// Companions says that the question is a file's path, and the hits changed with that file.
	Companions bool
}

// Evidence holds a document's scores that do not depend on the channel. A missing entry means share
// 0 and demotion 1.
type Evidence struct {
	Share    float64 // part of the question accounted for by the best chunk, 0..1
	Breadth  float64 // gain over Share from its other chunks; files only
	Demotion float64 // D, a factor
	Stem     float64 // J
	Coverage float64 // C
	Symbol   float64 // X
	Paths    float64 // P, long texts only
	Frames   float64 // F, long texts only
	Names    float64 // N, long texts only
	Messages float64 // M, long texts only
	Known    float64 // part of the question's words known in the document's project, 0..1
	Passage  float64 // the best part's answer, about 0..2; the first files of code only
	Cosine   float64 // part of the question accounted for by meaning, 0..1, on the scale of Share
	Time     int64   // a commit's, in unix seconds; only where Input.Newest
	Terse    bool    // a message of a few words: one met by chance is much of it
	Lone     float64 // the most of Share that one word of the question could give; 0 where it has one
}

// Rule says how the code channels are joined.
type Rule string

// The rules for code.
const (
	Blend Rule = "blend" // by score (docs/ranking.md, "The list of code")
	RRF   Rule = "rrf"   // by weighted reciprocal rank
)

// Input holds everything that a fused ranking depends on.
type Input struct {
	Intent   Intent
	Rule     Rule               // Blend if empty
	Words    int                // in the question, with stop words; 0 for a report of several lines
	Long     bool               // a pasted issue or traceback: other weights for code
	Priors   map[string]float64 // weight by kind; 1 for a kind not listed
	Lists    []List
	Evidence map[Key]Evidence
	Weights  map[string]float64 // by project, for the routes to them, at most 1; 1 if not listed
	Home     string             // the project asked in; empty: none counts for more than the others
	Exact    []Key              // documents named by the question; they stand first
	Tuning   Tuning             // other weights, for measurements
	Newest   bool               // the question asks for news: relevant commits by their age

	// Only holds the channels asked for by name; it is empty for all. Evidence from names counts
	// only if it is empty or holds "lexical".
	Only []string
}

// A Contribution is the part that one channel (or kind of evidence) added to a result. Added is
// always Weight · Normalised.
//
// For blended code the Added sum to Blended / Demotion: Blended = Demotion · Σ Added, Agreement =
// Blended / best. For every other kind, and for code joined by rank, they sum to Agreement.
type Contribution struct {
	// Channel names the list's channel. For evidence it is "symbol" (X), "stem" (J), "coverage"
	// (C), "paths" (P), "frames" (F), "names" (N), "messages" (M) or "passage".
	Channel string
	// Rank counts from 1 in the channel's list of this kind, and after demotion for code joined by
	// rank. It is 0 for evidence.
	Rank int
	Raw  float64 // as the oracle or the store gave it
	// Normalised is 61 / (60 + Rank). For blended code it is Raw / the best Raw in the list, and
	// evidence as it is.
	Normalised float64
	// Weight is the channel's weight, divided by the sum of weights that the kind's best document
	// has. For blended code it is the channel's weight times the intent's factor.
	Weight float64
	Added  float64
}

// A Result is one document in the fused ranking.
type Result struct {
	Key           Key
	Score         float64 // as shown: Chance made descending, see Descend
	Chance        float64 // that it is right, by its own numbers, times Weight; it may rise
	Placed        Placed  // why it stands before a higher chance, or empty
	Merged        float64 // as merged: Own, or a higher Own behind it in its list; for exact ones 1.2
	Share         float64
	Breadth       float64
	Agreement     float64
	Lead          float64 // Agreement above the best other one in its kind; negative below the best
	Margin        float64 // Merged above the best one of another kind, before Weight; at most 0.1
	Prior         float64
	Weight        float64 // for the route to its project
	Foreign       bool    // it is from another project than home
	Channel       float64 // the raw score, where one channel has the kind for itself; else 0
	Passage       float64 // code: the best passage times its weight
	Blended       float64 // code: the blended score before division by the best; else 0
	Exact         bool
	Contributions []Contribution
	Evidence      Evidence
}

// Relevance rates how well the best result accounts for the question.
type Relevance string

// The steps of relevance.
const (
	Relevant   Relevance = "ok"
	Weak       Relevance = "weak"
	Irrelevant Relevance = "none"
	// Unjudged is an answer that lacks something, and would be irrelevant without it.
	Unjudged Relevance = "unknown"
)
