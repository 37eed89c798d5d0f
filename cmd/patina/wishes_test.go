package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
)

// A wish must lead from the top help to a call: a line there names a command, and the page of that
// command has the rest.
type wish struct {
	wish  string
	top   string // words in the line of the command in the top help
	says  string // words in the command's own page
	call  string // it must find something
	finds string // words in its output
}

var wishes = []wish{
	{"how does this work", "Ask a question", "plain words", "scry how does a lease move to another node", "lease.go"},
	{"where is this used", "where a name is used", "where it is used", "assay references retrying", "retry.py"},
	{
		"who calls this function", "who calls a function", "with the line of each call", "callers Gateway.Accept",
		"server/",
	},
	{"who imports this package", "imports", "who imports it", "assay importers server/internal/engine", "server/"},
	{"find this exact text", "hold a text", "letter for letter", "grep -F downsample", "downsample"},
	{
		"find lines by a pattern", "match an expression", "regular expression", `grep 'func \(\w+ \*Holder\)' --lang go`,
		"lease.go",
	},
	{"show the second result whole", "Show a result", "a result of an earlier answer", "show QUERY 2", "Dig deeper"},
	{"show what this commit did", "a commit", "a commit with its diff", "show commit:COMMIT", "queue.go"},
	{
		"what else changes with this file", "Show a", "change together with a file",
		"show server/internal/ingest/gateway.go --co-changes", "commits",
	},
	{"why is this done so", "Say why", "the commits that made it", "why server/internal/lease/lease.go", "commit:"},
	{
		"why is this in the first place", "its rank", "how it got its rank",
		"why engine/src/compaction.rs which segments are merged next", "1.",
	},
	{
		"what changed last week", "what changed lately", `"last week"`, "recent --since 2015 --until 2026-12-31",
		"commit",
	},
	{"what did she do", "what changed lately", "--author", "recent --days 36500 --author ines", "commit"},
	{"what is in this folder", "what a folder holds", "central files", "orient server", "server"},
	{"what should I know before touching this", "know before a change", "With a topic", "context retries", "tidemark"},
	{"remember this", "Keep notes", "remember something", "memory add 'the queue holds 16 items' --tags queue", "m-"},
	{
		"what did we learn about it", "find them again", "Find the notes that answer a question",
		"memory recall 'how large is the pool'", "pool",
	},
	{
		"remember how I work, in all projects", "Keep notes", "for all projects",
		"memory add --everywhere 'I write table tests first'", "evt_",
	},
	{"what does this project hold to be true", "holds to be true", "List beliefs", "belief list", "jitter-every-retry"},
	{"is that still true", "check", "stale evidence", "belief check jitter-every-retry", "all is well"},
	{
		"write down a rule", "write what the project holds", "Write a belief",
		"belief add no-mocks --statement 'Tests run the real server.'", "no-mocks.md",
	},
	{"add another repository", "Add other repositories", "Add a repository", "repo add ../oven", "added oven"},
	{
		"this one depends on that one", "link them", "Link one repository to another", "repo link oven tidemark USES",
		"linked oven",
	},
	{
		"ask the other repositories too", "Ask a question", "--all-repos",
		"scry --all-repos why is the oven warm before the bread", "oven",
	},
	{"bring the other repositories up to date", "repositories", "up to date", "repo sync", "synced oven"},
	{"read my repository", "Read the repository", "git history", "scrape", "scraped in"},
	{
		"is something wrong with the index", "what is wrong with the index", "names the command that mends it", "doctor",
		"all is well",
	},
	{"how good are the answers", "how well the index answers", "yours with -q", "eval -q QUESTIONS", "MRR"},
	{"which settings are there", "settings", "where the value came from", "config", "timeout"},
	{
		"use it in my coding agent", "coding agents", "Add patina to coding agents",
		"agent install --client claude --dry-run", "claude",
	},
	{"is it in my agents", "coding agents", "which coding agents have patina", "agent status", "client"},
	{"complete the commands in my shell", "completes commands", "in ~/.bashrc", "completion bash", "bash completion"},
	{"take the index away again", "Remove the index", "makes it again", "clean", "removed the index"},
}

// Common wishes must be found from the top help within two pages, and the calls there must run.
func TestWishesLeadToCalls(t *testing.T) {
	_, names := newForms(t)
	root := (&app{new(cli.App)}).rootFor(nil)
	allCommands(root)
	top := helpOf(t, root)
	for _, w := range wishes {
		words := wordsOf(w.call, names)
		c, _, err := root.Find(words[:1])
		if err != nil || c == root {
			t.Errorf("%s: no command %s", w.wish, words[0])
			continue
		}
		page := helpOf(t, c)
		if line := topLine(top, c); !strings.Contains(line, w.top) {
			t.Errorf("%s: the top help says %q, without %q", w.wish, line, w.top)
		}
		if !strings.Contains(oneLine(page), w.says) {
			t.Errorf("%s: the help of %s lacks %q", w.wish, words[0], w.says)
		}
		if c.HasAvailableSubCommands() && !strings.Contains(page, "\n  "+words[1]+" ") {
			t.Errorf("%s: the help of %s does not list %s", w.wish, words[0], words[1])
		}
		for _, word := range words[1:] {
			// A plan is only shown, because a test has no terminal to agree on.
			if strings.HasPrefix(word, "-") && word != "--dry-run" && !strings.Contains(page, word) {
				t.Errorf("%s: the help of %s lacks %s", w.wish, words[0], word)
			}
		}
		out, errs, code := outputOf(words, "")
		if code != cli.ExitFound || !strings.Contains(out, w.finds) {
			t.Errorf("%s: patina %s: exit %d, without %q:\n%s%s", w.wish, w.call, code, w.finds, out, errs)
		}
	}
	if len(wishes) < 20 {
		t.Errorf("%d wishes", len(wishes))
	}
}

// topLine returns the line of a command in the top help.
func topLine(page string, c *cobra.Command) string {
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "  "+c.Name()+" ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
