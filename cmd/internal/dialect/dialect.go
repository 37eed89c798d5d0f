// Package dialect spells the calls that answers advertise: for a shell (CLI), or as calls of tools
// (MCP). Every call runs as printed.
package dialect

import (
	"fmt"
	"strings"

	"patina/cmd/internal/layout"
	"patina/internal/printable"
)

// A Dialect spells the calls advertised in an answer. Texts for different front ends must differ in
// nothing else. A call that cannot be spelled is empty, and callers must not print it.
type Dialect interface {
	Ask(question string) string                   // ask a question
	Detail(queryID string, rank, page int) string // show a result (rank 0: any); pages count from 1
	Describe(docID string, page int) string       // show a document by its id
	Why(docID string) string                      // explain a document by its commits and neighbours
	Neighbours(path string) string                // list the files that change together with path
	Recent(days int) string                       // list the changes in the last days
	Orient(folder string) string                  // give an overview of a folder
	Lines(text string) string                     // list the lines that contain a text
	Assay(queryType, pattern string) string       // look up facts about a name, a path or a document
	Recall() Recall                               // search before an answer
	Believe(id string) string                     // show a belief with evidence and code
	Reach(id string) string                       // show the code that a belief is about
	Notes(domains string) string                  // list the user's notes, on domains if any
	// Memories searches the project's notes for at most so many. flags narrow it in a shell; other
	// dialects do not have them.
	Memories(question string, most int, flags ...string) string
	ShowNote(docID string) string // show a note of the project
	Check(id string) string       // run the checks of a belief
	Propose() string              // list sentences that may be beliefs
	Accept(source string) string  // make a belief of a sentence
	Dismiss(source string) string // never propose a sentence again
	Raise(budget int) string      // the argument that raises the ceiling
	JSON() string                 // the argument that asks for complete JSON
	AsWritten() string            // how to search for all words of a question
	Scrape() string               // bring the index up to date
	Words() Words                 // the parts of hints that a reader completes
	In(repo string) Dialect       // the same calls about another project
	Other() Dialect               // the same calls in the other front end
}

// Words are the parts of hints in which a reader must fill in something.
type Words struct {
	Wait          string // how to wait longer
	Document      string // show any document
	DocIDs        string // where doc_ids are found
	SearchBeliefs string // search beliefs
	Days          string // the name of the argument
	Narrow        string // the arguments that narrow a search of notes
	Feedback      string // judge an earlier answer
}

// CLI spells calls for a shell.
type CLI struct {
	Store string // --store for each call, unless empty
	Repo  string // --repo for each call, unless empty; Store must then be empty
}

// Words implements Dialect.
func (CLI) Words() Words {
	return Words{
		Wait: "wait longer: --timeout 60s", Document: "patina scry --detail DOC_ID",
		DocIDs:        "the doc_ids are in the answers: patina scry --json QUESTION",
		SearchBeliefs: "patina scry --content-type beliefs WORDS",
		Days:          "--days",
		Narrow:        "--type, --tags or --file",
		Feedback:      "patina scry feedback q_260202143000_abc good 2",
	}
}

// Ask implements Dialect.
func (c CLI) Ask(question string) string {
	if strings.HasPrefix(question, "-") {
		return c.call("scry", "--", question)
	}
	return c.call("scry", question)
}

// anyRank is a placeholder for a rank that the reader fills in.
const anyRank = "RANK"

// Detail implements Dialect. It names no store: the query log knows it.
func (CLI) Detail(queryID string, rank, page int) string {
	if rank == 0 {
		return paged(Command("show", queryID)+" "+anyRank, page)
	}
	return paged(Command("show", queryID, fmt.Sprint(rank)), page)
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

// AsWritten implements Dialect.
func (CLI) AsWritten() string { return "to search for the words: quote them, or --as-written" }

// Recent implements Dialect.
func (c CLI) Recent(days int) string { return c.call("scry", "recent", "--days", fmt.Sprint(days)) }

// Orient implements Dialect.
func (CLI) Orient(folder string) string { return Command("scry", "orient", folder) }

// Lines implements Dialect.
func (c CLI) Lines(text string) string {
	if strings.HasPrefix(text, "-") {
		return c.call("scry", "--literal="+text)
	}
	return c.call("scry", "--literal", text)
}

// Assay implements Dialect.
func (c CLI) Assay(queryType, pattern string) string {
	if strings.HasPrefix(pattern, "-") {
		return c.call("assay", queryType, "--", pattern)
	}
	return c.call("assay", queryType, pattern)
}

// Believe implements Dialect.
func (c CLI) Believe(id string) string { return c.call(believed("scry", id)...) }

// Reach implements Dialect.
func (c CLI) Reach(id string) string {
	return c.call(append(believed("scry", id), "--content-type", "code")...)
}

// believed names a belief by a flag. An id that begins with "-" must be joined to it.
func believed(command, id string) []string {
	if strings.HasPrefix(id, "-") {
		return []string{command, "--belief=" + id}
	}
	return []string{command, "--belief", id}
}

// JSON implements Dialect.
func (CLI) JSON() string { return "--json" }

// Check implements Dialect.
func (c CLI) Check(id string) string { return c.grouped("belief", "verify", "--", id) }

// Propose implements Dialect.
func (c CLI) Propose() string { return c.grouped("belief", "proposed") }

// Accept implements Dialect.
func (c CLI) Accept(source string) string { return c.grouped("belief", "accept", "--", source) }

// Dismiss implements Dialect.
func (c CLI) Dismiss(source string) string { return c.grouped("belief", "dismiss", "--", source) }

// In implements Dialect.
func (CLI) In(repo string) Dialect { return CLI{Repo: repo} }

// Other implements Dialect.
func (c CLI) Other() Dialect { return MCP{Repo: c.Repo, Shell: c} }

// grouped spells a command in a group. The flag --store comes after both of its names.
func (c CLI) grouped(group, name string, words ...string) string {
	all := []string{group, name}
	if c.Store != "" {
		all = append(all, "--store", c.Store)
	}
	return Command(append(all, words...)...)
}

// Notes implements Dialect. Notes belong to no store.
func (CLI) Notes(domains string) string {
	words := []string{"persona", "list"}
	if domains != "" {
		words = append(words, "--domain="+strings.ReplaceAll(domains, ", ", ","))
	}
	if s := Command(words...); len(s) <= layout.MaxCommand {
		return s
	}
	return ""
}

// Memories implements Dialect. It names no store: notes are not in it.
func (CLI) Memories(question string, most int, flags ...string) string {
	words := append([]string{"memory", "recall", "--limit", fmt.Sprint(most)}, flags...)
	return Command(append(words, "--", question)...)
}

// ShowNote implements Dialect. It names no store: notes are not in it.
func (c CLI) ShowNote(docID string) string {
	if c.Repo != "" {
		return c.Describe(docID, 1)
	}
	_, id, _ := strings.Cut(docID, ":")
	return Command("memory", "show", id)
}

// Raise implements Dialect.
func (CLI) Raise(budget int) string { return fmt.Sprintf("--budget %d", budget) }

// Scrape implements Dialect.
func (c CLI) Scrape() string {
	if c.Repo != "" { // scrape has no flag for a project
		return CLI{}.call("mother", "sync", c.Repo)
	}
	return c.call("scrape")
}

// call spells a command that needs the store. It is empty if the command cannot be spelled or is
// longer than MaxCommand.
func (c CLI) call(words ...string) string {
	switch {
	case c.Repo != "":
		words = append([]string{words[0], "--repo", c.Repo}, words[1:]...)
	case c.Store != "":
		words = append([]string{words[0], "--store", c.Store}, words[1:]...)
	}
	s := Command(words...)
	if len(s) > layout.MaxCommand {
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

// Command spells a patina call for a shell. It is empty if a word cannot be quoted.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = printable.ShellQuote(w); quoted[i] == "" {
			return ""
		}
	}
	return "patina " + strings.Join(quoted, " ")
}
