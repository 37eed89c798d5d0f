package deliver

import (
	"fmt"
	"strings"

	"patina/shell"
)

// A Dialect spells the calls advertised in an answer. Texts for different front ends differ in
// nothing else. A call that cannot be spelled is empty, and is not printed.
type Dialect interface {
	Detail(queryID string, rank, page int) string // show a result of an answer; pages count from 1
	Describe(docID string, page int) string       // show a document by its id
	Why(docID string) string                      // explain a document by its commits and neighbours
	Neighbours(path string) string                // list the files that change together with one
	Recent(days int) string                       // list the changes in the last days
	Assay(queryType, pattern string) string       // list facts about a name, a path or a document
	Recall(topic, docID string) string            // search beliefs by a topic, or show one
	Believe(id string) string                     // show a belief: its evidence, and what it is about
	Reach(id string) string                       // list the code that a belief is about
	Notes(domains string) string                  // list the user's notes about something, or all
	Raise(budget int) string                      // the argument that raises the ceiling
	Scrape() string                               // bring the index up to date
}

// CLI spells calls for a shell.
type CLI struct {
	Store string // --store for each call; empty: none
}

// Detail implements Dialect. It names no store: the query log knows it.
func (CLI) Detail(queryID string, rank, page int) string {
	return paged(Command("scry", "--detail", queryID, fmt.Sprint(rank)), page)
}

// Describe implements Dialect.
func (c CLI) Describe(docID string, page int) string {
	if strings.HasPrefix(docID, "q_") {
		docID = "./" + docID // a file named like a query id
	}
	return paged(c.call("scry", "--detail", docID), page)
}

// Why implements Dialect.
func (c CLI) Why(docID string) string {
	if strings.HasPrefix(docID, "-") {
		return c.call("scry", "--", "why", docID)
	}
	return c.call("scry", "why", docID)
}

// Neighbours implements Dialect.
func (c CLI) Neighbours(path string) string { return c.call("scry", "--file", path) }

// Recent implements Dialect.
func (c CLI) Recent(days int) string { return c.call("scry", "recent", "--days", fmt.Sprint(days)) }

// Assay implements Dialect.
func (c CLI) Assay(queryType, pattern string) string {
	if strings.HasPrefix(pattern, "-") {
		return c.call("assay", queryType, "--", pattern)
	}
	return c.call("assay", queryType, pattern)
}

// Recall implements Dialect.
func (c CLI) Recall(topic, docID string) string {
	if topic == "" {
		return c.Believe(strings.TrimPrefix(docID, "belief:"))
	}
	return c.call("scry", "--content-type", "beliefs", "--", topic)
}

// Believe implements Dialect.
func (c CLI) Believe(id string) string { return c.call("scry", "--belief="+id) }

// Reach implements Dialect.
func (c CLI) Reach(id string) string {
	return c.call("scry", "--belief="+id, "--content-type", "code")
}

// Notes implements Dialect. Notes belong to no store.
func (CLI) Notes(domains string) string {
	words := []string{"persona", "list"}
	if domains != "" {
		words = append(words, "--domain="+strings.ReplaceAll(domains, ", ", ","))
	}
	if s := Command(words...); len(s) <= maxCommand {
		return s
	}
	return ""
}

// Raise implements Dialect.
func (CLI) Raise(budget int) string { return fmt.Sprintf("--budget %d", budget) }

// Scrape implements Dialect.
func (c CLI) Scrape() string { return c.call("scrape") }

// call spells a command that needs the store. It is empty where the command cannot be spelled or is
// longer than maxCommand.
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

// paged adds the page to a call, unless it is the first.
func paged(call string, page int) string {
	if call == "" || page <= 1 {
		return call
	}
	return fmt.Sprintf("%s --page %d", call, page)
}

// Command spells a patina call for a shell. It is empty where a word cannot be quoted.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = shell.Quote(w); quoted[i] == "" {
			return ""
		}
	}
	return "patina " + strings.Join(quoted, " ")
}
