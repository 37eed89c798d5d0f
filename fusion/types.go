// Package fusion merges rankings.
//
// It is arithmetic: no I/O, no clock, no goroutines. Equal input gives equal output, down to the order of ties.
// lists.go numbers what the channels gave, blend.go joins the channels of code by score, rrf.go those of the other kinds by
// rank, kinds.go ranks the kinds of one project, merge.go makes one list of all kinds and projects, and intent.go reads from a
// question what it asks for.
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

// A List is one channel's ranking of one kind, best first. Raw scores mean something inside a list only.
type List struct {
	Channel string
	Kind    string
	Hits    []Hit
}

// Evidence is what is known of a document whatever channel found it. A missing entry means share 0 and demotion 1.
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
	Rule     Rule // Blend if empty
	Long     bool // the question is a pasted issue or traceback: its code has weights of its own, whatever the intent
	Lists    []List
	Evidence map[Key]Evidence
	Weights  map[string]float64 // of the routes to projects, at most 1; a project without one has 1
	Exact    []Key              // documents that the question names; they stand first
	Only     []string           // the channels asked for by name; empty for all. evidence counts only if it is empty or holds "lexical"
}

// A Contribution is what one channel (or kind of evidence) added to a result. Added is always Weight · Normalised.
//
// For blended code the Added of a result sum to Blended / Demotion: Blended = Demotion · Σ Added, Agreement = Blended / best.
// For every other kind, and for code joined by rank, they sum to Agreement.
type Contribution struct {
	Channel    string  // a channel, or of evidence "symbol" (X), "stem" (J), "coverage" (C), "paths" (P), "frames" (F), "names" (N), "messages" (M)
	Rank       int     // in the channel's list of this kind (code joined by rank: once demoted), from 1; 0 for evidence
	Raw        float64 // as the oracle or the store gave it
	Normalised float64 // blended code: Raw / best Raw of the list, evidence as it is; else 61 / (60 + Rank)
	Weight     float64 // blended code: the channel's weight times the intent's factor; else its weight over the sum that the kind's best document has
	Added      float64
}

// A Result is one document of the fused ranking.
type Result struct {
	Key           Key
	Score         float64 // as shown, never rising: Own, or the highest Own behind it in its kind and project; an exact document has the most there is
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
