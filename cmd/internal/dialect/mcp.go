package dialect

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"patina/cmd/internal/layout"
)

// MCP spells calls of tools, such as scry(mode="detail", doc_id="src/lock.go"). A string is spelled
// as in JSON.
type MCP struct {
	Repo   string // the project named in each call, unless empty
	Silent bool   // the client may not see the project: only Detail can be spelled
	Shell  CLI    // spells commands that have no tool
}

// Words implements Dialect.
func (MCP) Words() Words {
	return Words{
		Wait: "wait longer: timeout=60 (seconds)", Document: `scry(mode="detail", doc_id=…)`,
		DocIDs: "the doc_ids are in the answers", SearchBeliefs: `scry(content_type="beliefs", query=…)`,
		Days: "days", Narrow: "path or content_type (a type of note)",
		Feedback: `scry(mode="feedback", query_id="q_260202143000_abc", query="good", rank=2)`,
	}
}

// Ask implements Dialect.
func (m MCP) Ask(question string) string { return m.call("scry", "query", question) }

// Detail implements Dialect. It names no project: the query log knows it. Each result of an answer
// has such a call, so the query id and the rank are one short argument.
func (MCP) Detail(queryID string, rank, page int) string {
	result := queryID + " " + anyRank
	if rank > 0 {
		result = fmt.Sprintf("%s %d", queryID, rank)
	}
	return MCP{}.call("scry", turned([]any{"doc_id", result}, page)...)
}

// Describe implements Dialect.
func (m MCP) Describe(docID string, page int) string {
	return m.call("scry", turned([]any{"mode", "detail", "doc_id", docID}, page)...)
}

// Why implements Dialect.
func (m MCP) Why(docID string) string { return m.call("scry", "mode", "why", "doc_id", docID) }

// Neighbours implements Dialect.
func (m MCP) Neighbours(path string) string { return m.call("scry", "mode", "file", "path", path) }

// Recent implements Dialect.
func (m MCP) Recent(days int) string { return m.call("scry", "mode", "recent", "days", days) }

// Orient implements Dialect.
func (m MCP) Orient(folder string) string { return m.call("scry", "mode", "orient", "path", folder) }

// Lines implements Dialect.
func (m MCP) Lines(text string) string { return m.call("scry", "mode", "literal", "query", text) }

// Assay implements Dialect.
func (m MCP) Assay(queryType, pattern string) string {
	return m.call("assay", "query_type", queryType, "pattern", pattern)
}

// Believe implements Dialect.
func (m MCP) Believe(id string) string { return m.call("scry", "belief", id) }

// Reach implements Dialect.
func (m MCP) Reach(id string) string { return m.call("scry", "belief", id, "content_type", "code") }

// Check implements Dialect. There is no tool for it.
func (m MCP) Check(id string) string { return m.Shell.Check(id) }

// Notes implements Dialect. There is no tool for it.
func (m MCP) Notes(domains string) string { return m.Shell.Notes(domains) }

// Memories implements Dialect. The flags --file and --type have arguments, others are left out.
func (m MCP) Memories(question string, most int, flags ...string) string {
	args := []any{"mode", "recall", "limit", most, "query", question}
	var types []string
	for i := 0; i+1 < len(flags); i += 2 {
		switch flags[i] {
		case "--file":
			args = append(args, "path", flags[i+1])
		case "--type":
			types = append(types, flags[i+1])
		}
	}
	if len(types) > 0 {
		args = append(args, "content_type", strings.Join(types, ","))
	}
	return m.call("scry", args...)
}

// ShowNote implements Dialect.
func (m MCP) ShowNote(docID string) string { return m.Describe(docID, 1) }

// Propose implements Dialect. There is no tool for it.
func (m MCP) Propose() string { return m.Shell.Propose() }

// Accept implements Dialect. Only people should accept beliefs.
func (m MCP) Accept(source string) string { return m.Shell.Accept(source) }

// Dismiss implements Dialect. Only people should dismiss beliefs.
func (m MCP) Dismiss(source string) string { return m.Shell.Dismiss(source) }

// Raise implements Dialect.
func (MCP) Raise(budget int) string { return fmt.Sprintf("budget=%d", budget) }

// JSON implements Dialect.
func (MCP) JSON() string { return `format="json"` }

// AsWritten implements Dialect.
func (MCP) AsWritten() string { return "to search for the words: quote them" }

// In implements Dialect.
func (m MCP) In(repo string) Dialect { return MCP{Repo: repo, Shell: CLI{Repo: repo}} }

// Other implements Dialect.
func (m MCP) Other() Dialect { return m.Shell }

// Scrape implements Dialect. There is no tool for it.
func (m MCP) Scrape() string { return m.Shell.Scrape() }

// call spells a tool with alternating names and values. It is empty if a value cannot be spelled,
// or if the call is longer than MaxCommand.
func (m MCP) call(tool string, args ...any) string {
	if m.Silent {
		return ""
	}
	if m.Repo != "" {
		args = append(args, "repo", m.Repo)
	}
	parts := make([]string, 0, len(args)/2)
	for i := 0; i < len(args); i += 2 {
		value := fmt.Sprint(args[i+1])
		if s, ok := args[i+1].(string); ok {
			if !utf8.ValidString(s) || len(s) > layout.MaxCommand {
				return ""
			}
			value = quotedJSON(s)
		}
		parts = append(parts, fmt.Sprintf("%v=%s", args[i], value))
	}
	if s := tool + "(" + strings.Join(parts, ", ") + ")"; len(s) <= layout.MaxCommand {
		return s
	}
	return ""
}

// turned adds the page to arguments, unless it is the first.
func turned(args []any, page int) []any {
	if page > 1 {
		args = append(args, "page", page)
	}
	return args
}

// quotedJSON spells a string as JSON does, with its hidden characters escaped.
func quotedJSON(s string) string {
	text, _ := layout.EncodeString(s, "") // encoding a string cannot fail
	return strings.TrimSuffix(text, "\n")
}
