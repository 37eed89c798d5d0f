// Package verify runs the checks in beliefs: queries over views of the index, with an expected
// answer.
//
// The author of a repository may be a stranger, so a check runs in a sandbox (store/sqlite): a
// database in memory with copies of the views that it reads, and nothing else. It can only read,
// and its steps, time, memory and rows are bounded. docs/knowledge.md documents the views.
//
// No check runs unless people ask for it. Finding checks in files is left to the scrape.
package verify

// A Check is one block of a belief's file.
type Check struct {
	Type   string // "sql"; other types are not supported
	Label  string
	Expect string // "= 0", ">= 10", …
	Query  string
	Line   int // of the block's first line, from 1
}

// A Status is the result of a check.
type Status string

// The statuses.
const (
	Passed      Status = "passed"      // the answer is as expected
	Failed      Status = "failed"      // the answer is not as expected
	Broken      Status = "error"       // no answer, or an invalid expectation
	Unsupported Status = "unsupported" // the type of the check is not supported
)

// An Outcome is a check with its result.
type Outcome struct {
	Check
	Status Status
	Got    string // the first value of the answer
	Detail string // the reason for a missing answer
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
