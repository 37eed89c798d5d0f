package project

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/code/assay"
	"patina/code/lookup"
)

// Bounds of the search for an example: it must not take longer than the answer.
const (
	exampleFiles     = 3  // the most central ones of the project
	exampleFunctions = 24 // of them, whose callers are counted
	exampleWords     = 4  // that a question must have
	mostExampleWords = 24 // that it may have
)

// An Example is a question that a project answers by itself.
type Example struct {
	Question string // never empty
	Symbol   string // the doc_id that should be found; empty if the question is about the project
}

// ExampleOf returns a question about a project in the project's own words: the first sentence about
// the function that is called most among those of the central files, without its name. Where no
// function is described, the question is about the title of the README, or about the name.
func ExampleOf(ctx context.Context, e api.Service, name string) (Example, error) {
	o := api.ReadOptions{Timeout: time.Minute}
	over, err := e.Overview(ctx, api.OverviewRequest{ReadOptions: o})
	if errors.Is(err, lookup.ErrNoDocument) { // nothing is indexed
		return Example{Question: "what is " + name}, nil
	}
	if err != nil {
		return Example{}, err
	}
	type function struct {
		id    string
		calls int
	}
	var all []function
	for _, c := range over.Central[:min(len(over.Central), exampleFiles)] {
		q := assay.Query{Type: "functions", Pattern: c.Path}
		defined, err := e.Assay(ctx, api.AssayRequest{ReadOptions: o, Query: q})
		if err != nil {
			return Example{}, err
		}
		for _, f := range defined.Facts.Facts[:min(len(defined.Facts.Facts), exampleFunctions-len(all))] {
			called, err := e.Assay(ctx, api.AssayRequest{ReadOptions: o, Query: assay.Query{Type: "callers", Pattern: f.DocID}})
			if err != nil {
				return Example{}, err
			}
			all = append(all, function{f.DocID, certainCalls(called.Facts.Facts)})
		}
	}
	slices.SortStableFunc(all, func(a, b function) int { return cmp.Compare(b.calls, a.calls) })
	for _, f := range all {
		d, err := e.Detail(ctx, api.DetailRequest{ReadOptions: o, DocID: f.id})
		if err != nil {
			return Example{}, err
		}
		if q := sentenceWithout(d.Summary, d.Symbol); q != "" {
			return Example{Question: q, Symbol: f.id}, nil
		}
	}
	if r := over.Readme; r != nil && strings.TrimSpace(r.Title) != "" && r.Title != path.Base(r.Path) {
		name = strings.TrimSpace(r.Title)
	}
	return Example{Question: "what is " + name}, nil
}

// certainCalls counts the calls among facts, without those that only a name suggests.
func certainCalls(facts []assay.Fact) (n int) {
	for _, f := range facts {
		if !f.Candidate {
			n += max(f.Count, 1)
		}
	}
	return n
}

// sentenceWithout returns the sentence of a summary about a symbol, without the symbol's name at
// its beginning. It returns "" for a summary with too few words.
func sentenceWithout(summary, symbol string) string {
	words := strings.Fields(strings.TrimRight(summary, " .:…\n"))
	if len(words) > 0 && (strings.EqualFold(words[0], symbol) || strings.EqualFold(words[0], lastName(symbol))) {
		words = words[1:]
	}
	if len(words) < exampleWords {
		return ""
	}
	return strings.Join(words[:min(len(words), mostExampleWords)], " ")
}

// lastName returns the last part of a symbol's name.
func lastName(symbol string) string { return path.Base(strings.ReplaceAll(symbol, ".", "/")) }
