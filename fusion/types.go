// Package fusion merges rankings.
//
// It is arithmetic: no I/O, no clock, no goroutines. Equal input gives equal output, down to the
// order of ties. lists.go numbers what the channels gave, blend.go joins the channels of code by
// score, rrf.go those of the other kinds by rank, kinds.go ranks the kinds of one project, merge.go
// makes one list of all kinds and projects, and intent.go reads from a question what it asks for.
package fusion

// A Key is the identity of a document in fusion.
type Key struct {
	Project string
	Kind    string // code, commit, pattern, …
	ID      string // a path for code, a doc_id for every other kind
}

// A Hit is one place of a list.
type Hit struct {
	Key Key
	Raw float64
}

// A List is one channel's ranking of one kind, best first. Raw scores mean something inside a list
// only.
type List struct {
	Channel string
	Kind    string
	Hits    []Hit
}

// Evidence is what is known of a document whatever channel found it. A missing entry means share 0
// and demotion 1.
type Evidence struct {
	Share    float64 // how much of the question the document's best chunk accounts for, 0..1
	Breadth  float64 // how much more its other chunks do; files only
	Demotion float64 // D, a factor
	Stem     float64 // J
	Coverage float64 // C
	Symbol   float64 // X
	Paths    float64 // P, long texts only
	Frames   float64 // F, long texts only
	Names    float64 // N, long texts only
	Messages float64 // M, long texts only
	Known    float64 // which part of the question's words is known where the document is from, 0..1
	Cosine   float64 // how much of the question its meaning accounts for, 0..1, on the scale of Share
}

// Rule says how the code channels are joined.
type Rule string

// The rules for code.
const (
	Blend Rule = "blend" // by score (docs/ranking.md, "The list of code")
	RRF   Rule = "rrf"   // by weighted reciprocal rank
)

// Input is everything that a fused ranking depends on.
type Input struct {
	Intent   Intent
	Rule     Rule               // Blend if empty
	Long     bool               // a pasted issue or traceback: code has other weights, whatever the intent
	Priors   map[string]float64 // weight by kind; 1 for a kind that has none
	Lists    []List
	Evidence map[Key]Evidence
	Weights  map[string]float64 // of the routes to projects, at most 1; a project without one has 1
	Exact    []Key              // documents that the question names; they stand first

	// Only holds the channels asked for by name; it is empty for all. What is known of names counts
	// only if it is empty or holds "lexical".
	Only []string
}

// A Contribution is what one channel (or kind of evidence) added to a result. Added is always
// Weight · Normalised.
//
// For blended code the Added of a result sum to Blended / Demotion: Blended = Demotion · Σ Added,
// Agreement = Blended / best. For every other kind, and for code joined by rank, they sum to
// Agreement.
type Contribution struct {
	// Channel is that of a list, or for evidence "symbol" (X), "stem" (J), "coverage" (C),
	// "paths" (P), "frames" (F), "names" (N) or "messages" (M).
	Channel string
	// Rank counts from 1 in the channel's list of this kind; code joined by rank has that after
	// demotion. It is 0 for evidence.
	Rank int
	Raw  float64 // as the oracle or the store gave it
	// Normalised of blended code is Raw / best Raw of the list, and evidence as it is; else it is
	// 61 / (60 + Rank).
	Normalised float64
	// Weight of blended code is the channel's times the intent's factor; else it is the channel's
	// over the sum that the kind's best document has.
	Weight float64
	Added  float64
}

// A Result is one document of the fused ranking.
type Result struct {
	Key           Key
	Score         float64 // as shown, never rising: Own, or a higher Own behind it in its list
	Share         float64
	Breadth       float64
	Agreement     float64
	Prior         float64
	Weight        float64 // of the route to its project
	Blended       float64 // code: the blended score before division by the best; else 0
	Exact         bool
	Contributions []Contribution
	Evidence      Evidence
}

// Relevance says how much of the question the best result accounts for.
type Relevance string

// The steps of relevance.
const (
	Relevant   Relevance = "ok"
	Weak       Relevance = "weak"
	Irrelevant Relevance = "none"
)
