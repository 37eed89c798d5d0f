package main

import (
	"regexp"
	"strings"
	"testing"

	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/mcp/mcptest"
)

// answerTokens is the ceiling of an answer of ten results.
const answerTokens = 900

// ceilingQuestions are asked in each repository. They find code, documents, commits and beliefs.
var ceilingQuestions = []string{
	"how are errors handled", "which reader never takes a lock twice", "why measure before building", "retry with backoff",
	"who calls the server", "what changed lately", "New", "README.md", "how are tests run", "words of an odd quote",
}

// These find the first line of a result, and the lines with its links and its call.
var (
	resultHead = regexp.MustCompile(`(?m)^\d+\. \[`)
	resultLink = regexp.MustCompile(`(?m)^   (?:→|←) `)
	resultShow = regexp.MustCompile(`(?m)^   (?:.* · )?(?:patina show q_\S+ \d+|scry\(doc_id="q_\S+ \d+"\))$`)
)

// An answer must have at most 900 tokens and a context at most 600, in six repositories, as a
// command and as a tool. Nearly all results must have a call, and most a link. The calls must run
// as printed.
func TestCeilingsOnSixRepositories(t *testing.T) {
	if testing.Short() {
		t.Skip("six scrapes, and forty calls each")
	}
	for name, lay := range startRepos {
		t.Run(name, func(t *testing.T) {
			r := layStart(t, lay)
			t.Chdir(r.root)
			a := connect(t)
			answers, contexts := map[string]string{}, map[string]string{}
			for _, question := range ceilingQuestions {
				answers["scry "+question] = r.command("", "scry", "--", question)
				answers["tool "+question] = a.call("scry", map[string]any{"query": question})
				contexts["context "+question] = r.command("", "context", "--topic", question)
				contexts["tool "+question] = a.call("context", map[string]any{"topic": question})
			}
			contexts["context"], contexts["tool"] = r.command("", "context"), a.call("context", map[string]any{})
			results, linked, called, most := 0, 0, 0, 0
			for form, text := range answers {
				if most = max(most, len(text)); len(text) > answerTokens*layout.TokenBytes {
					t.Errorf("%s: %d bytes are more than %d tokens:\n%s", form, len(text), answerTokens, text)
				}
				results += len(resultHead.FindAllString(text, -1))
				linked += len(resultLink.FindAllString(text, -1))
				called += len(resultShow.FindAllString(text, -1))
			}
			for form, text := range contexts {
				if len(text) > deliver.ContextTokens*layout.TokenBytes {
					t.Errorf("%s: %d bytes are more than %d tokens:\n%s", form, len(text), deliver.ContextTokens, text)
				}
				if !strings.Contains(text, dialect.RecallRule) {
					t.Errorf("%s: no recall directive:\n%s", form, text)
				}
			}
			t.Logf("%d results, %d with a call, %d with a link; an answer has %d bytes at most", results, called, linked, most)
			if results < 50 || called < results*9/10 || linked < results/2 {
				t.Errorf("%d results, %d with a call, %d with a link", results, called, linked)
			}
			for _, call := range printedCommands(answers["scry "+ceilingQuestions[1]]) {
				r.command("", call[1:]...)
			}
			for _, call := range mcptest.Find(answers["tool "+ceilingQuestions[1]]) {
				a.call(call.Tool, call.Args)
			}
		})
	}
}
