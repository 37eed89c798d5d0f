package main

import (
	"fmt"
	"maps"
	"slices"

	"patina/code/assay"
)

// An argument is one argument of a request, as the words of a command and as those of a tool.
type argument struct {
	words []string
	args  map[string]any
}

// arg returns an argument with a flag and a value.
func arg(flag, name string, value any) argument {
	return argument{[]string{flag, fmt.Sprint(value)}, map[string]any{name: value}}
}

// A channelRequest is one request to both channels. command and the words of the arguments make the
// command; rest comes last.
type channelRequest struct {
	toolMode
	json string // the flag for JSON; "" without such a form
	at   int    // its place among the words
}

// channelRequests generates the requests: each form with each of its arguments, alone and in pairs.
// queryID is the id of an answer in the log.
func channelRequests(queryID string) []channelRequest {
	var r toolRequests
	r.addQuestions()
	r.addLines()
	r.addDocuments(queryID)
	r.addChanges()
	r.addKnowledge(queryID)
	r.addFacts()
	r.addErrors()
	return r
}

// The arguments that several forms have.
var (
	limit3     = arg("--limit", "limit", 3)
	budget300  = arg("--budget", "budget", 300)
	timeout90  = argument{[]string{"--timeout", "90s"}, map[string]any{"timeout": 90}}
	since2024  = arg("--since", "since", "2024-02")
	until2025  = arg("--until", "until", "2025")
	authorInes = arg("--author", "author", "ines")
	onlyCode   = arg("--content-type", "content_type", "code")
	inLibrary  = arg("--repo", "repo", "library")
	allRepos   = argument{[]string{"--all-repos"}, map[string]any{"all_repos": true}}
	inScripts  = arg("--path", "path", "collector/**")
	noDocs     = arg("--path", "path", "!**/*.md")
	inGo       = arg("--lang", "lang", "go")
	century    = arg("--days", "days", 36500)
)

type toolRequests []channelRequest

// add appends a request. rest are the words behind the flags of the arguments.
func (r *toolRequests) add(command []string, tool string, args map[string]any, rest []string, given ...argument) {
	x := channelRequest{toolMode: toolMode{slices.Clone(command), tool, map[string]any{}}, json: "--json", at: 1}
	maps.Copy(x.args, args)
	if command[0] == "memory" {
		x.at = 2
	}
	for _, g := range given {
		x.command = append(x.command, g.words...)
		maps.Copy(x.args, g.args)
	}
	x.command = append(x.command, rest...)
	*r = append(*r, x)
}

func (r *toolRequests) last() *channelRequest { return &(*r)[len(*r)-1] }

// addQuestions adds questions, each with each argument.
func (r *toolRequests) addQuestions() {
	questions := []string{
		"how are retries spread", "Gateway.Accept", "server/internal/ingest/gateway.go", "why leases instead of raft",
		"where is the disk full", "xyzzy plugh frobnicate",
	}
	for i, q := range questions {
		for j, given := range [][]argument{
			nil,
			{limit3},
			{budget300},
			{onlyCode},
			{inScripts},
			{noDocs, inGo},
			{since2024},
			{until2025, authorInes},
			{inLibrary},
			{allRepos, limit3},
			{timeout90, arg("--content-type", "content_type", "commits,docs")},
		} {
			if i < 2 || j%2 == i%2 { // all of the first two, half of the others
				r.add([]string{"scry"}, "scry", map[string]any{"query": q}, []string{q}, given...)
			}
		}
	}
	for _, kind := range []string{"belief", "commits", "session", "doc", "memories", "persona"} {
		r.add([]string{"scry"}, "scry", map[string]any{"query": "jitter of retries"}, []string{"jitter of retries"},
			arg("--content-type", "content_type", kind))
	}
	for _, given := range [][]argument{nil, {limit3}, {budget300}, {onlyCode, limit3}, {inLibrary, limit3}} {
		r.add([]string{"scry", "--full"}, "scry", map[string]any{"mode": "full", "query": "segments merged"},
			[]string{"segments", "merged"}, given...)
	}
}

// addLines adds searches for lines.
func (r *toolRequests) addLines() {
	for _, given := range [][]argument{nil, {limit3}, {budget300}, {onlyCode}, {inScripts}, {noDocs, inGo}, {inLibrary}, {timeout90}} {
		r.add([]string{"scry", "--literal", "retry"}, "scry", map[string]any{"mode": "literal", "query": "retry"}, nil, given...)
		r.add([]string{"scry", "--regex", `func \w+\(`}, "scry", map[string]any{"mode": "regex", "query": `func \w+\(`}, nil, given...)
	}
}

// addDocuments adds documents, their reasons and their neighbours.
func (r *toolRequests) addDocuments(queryID string) {
	documents := []string{
		"server/internal/ingest/gateway.go", "server/internal/lease/lease.go::Holder.Acquire", "README.md",
		"pattern:docs/glossary.md", "belief:jitter-every-retry",
	}
	for _, d := range slices.Concat(documents, []string{"collector/tidemark/retry.py:20", "README"}) {
		r.add([]string{"scry", "--detail", d}, "scry", map[string]any{"mode": "detail", "doc_id": d}, nil)
	}
	for _, d := range documents {
		r.add([]string{"scry", "why"}, "scry", map[string]any{"mode": "why", "doc_id": d}, []string{d})
		r.add([]string{"scry", "why"}, "scry", map[string]any{"mode": "why", "doc_id": d, "query": "how does a lease move"},
			[]string{d, "how does a lease move"})
	}
	r.add([]string{"scry", "--detail", documents[0], "--page", "2"}, "scry",
		map[string]any{"mode": "detail", "doc_id": documents[0], "page": 2}, nil)
	r.add([]string{"scry", "--detail", "library.go"}, "scry", map[string]any{"mode": "detail", "doc_id": "library.go"}, nil, inLibrary)
	r.add([]string{"scry", "why"}, "scry", map[string]any{"mode": "why", "doc_id": "library.go"}, []string{"library.go"}, inLibrary)
	r.add([]string{"scry", "why"}, "scry", map[string]any{"mode": "why", "doc_id": documents[0], "query": "pages opened late"},
		[]string{documents[0], "pages opened late"}, inLibrary)
	r.add([]string{"scry", "--file", "library.go"}, "scry", map[string]any{"mode": "file", "path": "library.go"}, nil, inLibrary)
	r.add([]string{"scry", "orient"}, "scry", map[string]any{"mode": "orient"}, []string{"."}, inLibrary)
	for _, rank := range []int{1, 2, 99} {
		r.add([]string{"scry", "--detail", queryID, fmt.Sprint(rank)}, "scry",
			map[string]any{"mode": "detail", "query_id": queryID, "rank": rank}, nil)
	}
	for _, file := range []string{documents[0], "web/src/legacy/poller.ts", "server", "nowhere.go"} {
		r.add([]string{"scry", "--file", file}, "scry", map[string]any{"mode": "file", "path": file}, nil)
		r.add([]string{"scry", "--file", file}, "scry", map[string]any{"mode": "file", "path": file}, nil, limit3)
	}
}

// addChanges adds what changed, and folders.
func (r *toolRequests) addChanges() {
	for _, given := range [][]argument{
		nil,
		{century},
		{century, limit3},
		{century, inScripts},
		{century, inGo},
		{century, authorInes},
		{since2024},
		{since2024, until2025},
		{until2025, authorInes},
		{budget300, century},
		{arg("--budget", "budget", 150), century},
		{arg("--days", "days", 99_999_999)},
		{inLibrary, century},
	} {
		r.add([]string{"scry", "recent"}, "scry", map[string]any{"mode": "recent"}, nil, given...)
	}
	for _, folder := range []string{".", "server", "engine/src", "layer"} {
		r.add([]string{"scry", "orient"}, "scry", map[string]any{"mode": "orient", "path": folder}, []string{folder})
		r.add([]string{"scry", "orient"}, "scry", map[string]any{"mode": "orient", "path": folder}, []string{folder}, limit3)
		r.add([]string{"scry", "orient"}, "scry", map[string]any{"mode": "orient", "path": folder}, []string{folder}, budget300)
	}
}

// addKnowledge adds beliefs, notes and feedback.
func (r *toolRequests) addKnowledge(queryID string) {
	r.add([]string{"scry", "--content-type", "beliefs"}, "scry", map[string]any{"content_type": "beliefs"}, nil)
	for _, id := range []string{"jitter-every-retry", "nobody"} {
		r.add([]string{"scry", "--belief", id}, "scry", map[string]any{"belief": id}, nil)
		r.add([]string{"scry", "--belief", id}, "scry", map[string]any{"belief": id}, nil, onlyCode)
	}
	r.add([]string{"scry", "--belief", "open-late"}, "scry", map[string]any{"belief": "open-late"}, nil, inLibrary)
	for _, q := range []string{"how large is the pool", "retries", "xyzzy"} {
		gotchas := arg("--type", "content_type", "gotcha")
		for _, given := range [][]argument{nil, {limit3}, {arg("--file", "path", "README.md")}, {gotchas}} {
			r.add([]string{"memory", "recall"}, "scry", map[string]any{"mode": "recall", "query": q}, []string{q}, given...)
		}
		for _, given := range [][]argument{nil, {arg("--budget", "budget", 200)}, {arg("--max", "limit", 1), gotchas}} {
			r.add([]string{"memory", "recall", "--inject"}, "scry", map[string]any{"mode": "inject", "query": q}, []string{q}, given...)
			r.last().json = "--format=json"
		}
	}
	for _, verdict := range []string{"good", "bad", "perhaps"} {
		r.add([]string{"scry", "feedback", queryID, verdict}, "scry",
			map[string]any{"mode": "feedback", "query_id": queryID, "query": verdict}, nil)
		r.last().json = ""
	}
}

// addFacts adds contexts and facts.
func (r *toolRequests) addFacts() {
	for _, topic := range []string{"", "retries", "error handling", "xyzzy plugh"} {
		for _, given := range [][]argument{nil, {arg("--budget", "budget", 400)}, {inLibrary}} {
			if topic != "" {
				given = append(given[:len(given):len(given)], arg("--topic", "topic", topic))
			}
			r.add([]string{"context"}, "context", nil, nil, given...)
		}
	}
	for _, kind := range assay.Types() {
		for _, pattern := range []string{".", "Gateway.Accept", "server/internal/ingest/gateway.go", "NoSuchThing"} {
			r.add([]string{"assay", kind, pattern}, "assay", map[string]any{"query_type": kind, "pattern": pattern}, nil)
		}
		r.add([]string{"assay", kind, "*"}, "assay", map[string]any{"query_type": kind, "pattern": "*"}, nil, limit3)
		r.add([]string{"assay", kind, "*"}, "assay", map[string]any{"query_type": kind, "pattern": "*"}, nil, budget300)
		r.add([]string{"assay", kind, "Open"}, "assay", map[string]any{"query_type": kind, "pattern": "Open"}, nil, allRepos, budget300)
	}
	r.add([]string{"assay", "callers", "Open"}, "assay", map[string]any{"query_type": "callers", "pattern": "Open"}, nil, inLibrary)
	for _, pattern := range []string{"server/internal/lease/lease.go", "Holder.Acquire", "none.go", "README.md", "server"} {
		r.add([]string{"impact", pattern}, "assay", map[string]any{"query_type": "impact", "pattern": pattern}, nil)
	}
	r.add([]string{"impact"}, "assay", map[string]any{"query_type": "impact"}, nil)
	r.add([]string{"impact", "--diff=HEAD~3..HEAD"}, "assay", map[string]any{"query_type": "impact", "pattern": "HEAD~3..HEAD"}, nil, budget300)
	r.add([]string{"impact", "--diff=none..HEAD"}, "assay", map[string]any{"query_type": "impact", "pattern": "none..HEAD"}, nil)
	r.add([]string{"impact", "library.go"}, "assay", map[string]any{"query_type": "impact", "pattern": "library.go"}, nil, inLibrary)
	for _, name := range []string{"server/internal/ingest/gateway.go", "Holder.Acquire", "nowhere.go"} {
		r.add([]string{"impact", name}, "assay", map[string]any{"query_type": "impact", "pattern": name}, nil)
		r.add([]string{"impact", name}, "assay", map[string]any{"query_type": "impact", "pattern": name}, nil, budget300)
	}
	r.add([]string{"impact"}, "assay", map[string]any{"query_type": "impact"}, nil)
	r.add([]string{"impact", "--diff", "HEAD~3..HEAD"}, "assay", map[string]any{"query_type": "impact", "pattern": "HEAD~3..HEAD"}, nil)
}

// addErrors adds requests that fail.
func (r *toolRequests) addErrors() {
	r.add([]string{"scry"}, "scry", nil, nil)
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, arg("--content-type", "content_type", "opinions"))
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, arg("--lang", "lang", "klingon"))
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, arg("--since", "since", "soon"))
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, arg("--author", "author", " "))
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, until2025, arg("--since", "since", "2026"))
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, onlyCode, since2024)
	r.add([]string{"scry"}, "scry", map[string]any{"query": "x"}, []string{"x"}, arg("--path", "path", "a["))
	r.add([]string{"scry", "--regex", "a("}, "scry", map[string]any{"mode": "regex", "query": "a("}, nil)
	r.add([]string{"scry", "recent"}, "scry", map[string]any{"mode": "recent"}, nil, since2024, century)
	r.add([]string{"memory", "recall"}, "scry", map[string]any{"mode": "recall", "query": "x"}, []string{"x"},
		arg("--type", "content_type", "poem"))
	r.add([]string{"scry", "--detail", "q_nope", "1"}, "scry", map[string]any{"mode": "detail", "query_id": "q_nope", "rank": 1}, nil)
	r.add([]string{"assay", "nothing", "x"}, "assay", map[string]any{"query_type": "nothing", "pattern": "x"}, nil)
	r.add([]string{"assay", "callers"}, "assay", map[string]any{"query_type": "callers"}, nil)
}
