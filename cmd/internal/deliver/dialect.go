package deliver

import (
	"fmt"
	"strings"

	"patina/shell"
)

// A Dialect spells the calls that an answer advertises. It is all that differs between the texts of two front ends.
// A call that cannot be spelled is empty, and is not printed.
type Dialect interface {
	Detail(queryID string, rank, page int) string // show a result of an answer; page 1 is the first
	Describe(docID string, page int) string       // show a document by its id
	Why(docID string) string                      // list what explains a document
	Neighbours(path string) string                // list what changes together with a file
	Recent(days int) string                       // list what changed in the last days
	Assay(queryType, pattern string) string       // list facts about a name, a path or a document
	Raise(budget int) string                      // the argument that raises the ceiling
	Scrape() string                               // bring the index up to date
}

// CLI spells calls for a shell.
type CLI struct {
	Store string // the --store that was given, to be given again; empty: none
}

// Detail is part of Dialect. The query log knows the store.
func (CLI) Detail(queryID string, rank, page int) string {
	return paged(Command("scry", "--detail", queryID, fmt.Sprint(rank)), page)
}

// Describe is part of Dialect.
func (c CLI) Describe(docID string, page int) string {
	if strings.HasPrefix(docID, "q_") {
		docID = "./" + docID // a file that is named like a query
	}
	return paged(c.call("scry", "--detail", docID), page)
}

// Why is part of Dialect.
func (c CLI) Why(docID string) string {
	if strings.HasPrefix(docID, "-") {
		return c.call("scry", "--", "why", docID)
	}
	return c.call("scry", "why", docID)
}

// Neighbours is part of Dialect.
func (c CLI) Neighbours(path string) string { return c.call("scry", "--file", path) }

// Recent is part of Dialect.
func (c CLI) Recent(days int) string { return c.call("scry", "recent", "--days", fmt.Sprint(days)) }

// Assay is part of Dialect.
func (c CLI) Assay(queryType, pattern string) string {
	if strings.HasPrefix(pattern, "-") {
		return c.call("assay", queryType, "--", pattern)
	}
	return c.call("assay", queryType, pattern)
}

// Raise is part of Dialect.
func (CLI) Raise(budget int) string { return fmt.Sprintf("--budget %d", budget) }

// Scrape is part of Dialect.
func (c CLI) Scrape() string { return c.call("scrape") }

// call spells a command that needs the store, or nothing where it cannot be spelled or half of it would have to be cut.
func (c CLI) call(words ...string) string {
	if c.Store != "" {
		words = append([]string{words[0], "--store", c.Store}, words[1:]...)
	}
	s := Command(words...)
	if len(s) > maxCommand {
		return ""
	}
	return s
}

// paged adds the page to a call that shows one.
func paged(call string, page int) string {
	if call == "" || page <= 1 {
		return call
	}
	return fmt.Sprintf("%s --page %d", call, page)
}

// Command spells a call of patina for a shell. It is empty where a word cannot be spelled.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = shell.Quote(w); quoted[i] == "" {
			return ""
		}
	}
	return "patina " + strings.Join(quoted, " ")
}
