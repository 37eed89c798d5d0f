package self

import (
	"fmt"
	"slices"
	"strings"
)

// A Truth is one sort of question that a project answers by itself.
type Truth struct {
	Name      string // in the summary and in JSON
	Label     string // "code → same file"
	Dimension string // its value of --dimension
}

// The names of the truths.
const (
	Code     = "code"
	Session  = "session"
	CoChange = "cochange"
	Commit   = "commit"
	Belief   = "belief"
	Decision = "decision"
	Memory   = "memory"
)

// Truths returns all truths, in printing order.
func Truths() []Truth {
	return []Truth{
		{Code, "code → same file", "semantic"},      // a doc sentence or name → the rest of its file
		{Session, "block → session", "semantic"},    // a block of a session's record → its other blocks
		{CoChange, "file → co-changed", "temporal"}, // a path → the files of its later commits
		{Commit, "commit → files", "temporal"},      // a later commit's subject → its files
		{Belief, "evidence → belief", "belief"},     // a bullet of evidence → the belief without it
		{Decision, "commit → decision", "belief"},   // a later commit's message → the cited decision
		{Memory, "transcript → memory", "memory"},   // the words around a note in a transcript → the note
	}
}

// Dimensions returns the valid values of Options.Dimensions.
func Dimensions() []string { return []string{"semantic", "temporal", "belief", "memory"} }

// checkDimensions returns an error if a dimension does not exist. names may be nil.
func checkDimensions(names []string) error {
	for _, n := range names {
		if !slices.Contains(Dimensions(), n) {
			return fmt.Errorf("no dimension %q: there are %s", n, strings.Join(Dimensions(), ", "))
		}
	}
	return nil
}

// A Case is one question. Answers are scored by units: the path of a file, or the doc_id of a
// document without a file.
type Case struct {
	ID     string   `json:"id"` // the origin of the question
	Query  string   `json:"query"`
	Expect []string `json:"expect"`
	// Exclude lists units that are removed from every ranking: the file that the question is about.
	Exclude []string `json:"exclude,omitempty"`
}

// A set has the questions of one truth, and the tree that they are asked of.
type set struct {
	Truth
	on    *tree
	cases []Case
	pool  int            // documents of the wanted kind, from which a uniform draw draws
	left  map[string]int // questions left out, by reason
	why   string         // why there are no questions
}

func (s *set) leave(why string) {
	if s.left == nil {
		s.left = map[string]int{}
	}
	s.left[why]++
}
