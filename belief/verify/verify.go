// Package verify runs the checks that a belief brings along: queries over views of the index,
// with an expected answer.
//
// A check is written by whoever wrote the repository, so it runs in a sandbox (store/sqlite): a
// database in memory that holds copies of the views it reads, and nothing else. It only reads, and
// its steps, time, memory and rows are bounded. docs/knowledge.md documents the views.
//
// Nothing here runs by itself: people ask for it. Finding checks in files is left to the scrape.
package verify

// A Check is one block of a belief's file.
type Check struct {
	Type   string // "sql"; other types are not supported
	Label  string
	Expect string // "= 0", ">= 10", …
	Query  string
	Line   int // of the block's first line, from 1
}

// A Status says how a check ended.
type Status string

// The statuses.
const (
	Passed      Status = "passed"      // the answer is as expected
	Failed      Status = "failed"      // the answer is not as expected
	Broken      Status = "error"       // there is no answer, or no expectation
	Unsupported Status = "unsupported" // the check is of a type that is not run
)

// An Outcome is how one check ended.
type Outcome struct {
	Check
	Status Status
	Got    string // the answer's first value
	Detail string // why there is none
}

// Counts are outcomes by status.
type Counts struct{ Passed, Failed, Broken, Unsupported int }

// Add counts one outcome.
func (c *Counts) Add(s Status) {
	switch s {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Broken:
		c.Broken++
	case Unsupported:
		c.Unsupported++
	}
}

// Total counts all outcomes.
func (c Counts) Total() int { return c.Passed + c.Failed + c.Broken + c.Unsupported }
