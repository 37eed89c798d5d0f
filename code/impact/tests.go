package impact

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/code/callers"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/store/doc"
)

// A Test is a test that a change may break.
type Test struct {
	DocID     string
	Path      string
	Symbol    string // the test function; empty if the whole file is meant
	Line      int
	Hops      int  // calls between the test and the changed symbol; 0: not known to call it
	Candidate bool // some call on the way is known by its name alone
	Score     float64
	Reason    string
}

// These weigh the ways from a test to a change. Each is a rough probability that the test notices
// it, and the ways of one test are joined as independent ones (bench/history/impact.md).
const (
	hopWeight       = 0.6  // for each further call between the two
	candidateWeight = 0.5  // for a call known by its name alone, divided by its meanings
	leastWeight     = 0.01 // of a way that is followed
	symbolInName    = 0.5  // times the share of the words of a changed symbol that a test has
	fileWeight      = 0.6  // of the score of a file, for each of its tests
	mostWords       = 0.5  // share of the words from which a test is named like a symbol
	testNamed       = 0.4  // the test file is named like the changed one
	testImports     = 0.2
	testTogether    = 0.5 // times the share of common commits
	maxExpanded     = 120 // functions whose callers are searched for tests
	maxNamedTests   = 30  // test files whose functions are compared by name
	shortestName    = 4   // of a symbol, in bytes: shorter ones are common words
)

// testsFound are the tests found so far, by doc_id.
type testsFound map[string]*Test

// addTest adds a way from a test to the change.
func (t testsFound) addTest(x Test) {
	had := t[x.DocID]
	if had == nil {
		t[x.DocID] = &x
		return
	}
	joined := 1 - (1-had.Score)*(1-x.Score)
	if x.Score > had.Score && x.Hops > 0 {
		x.Line = cmp.Or(had.Line, x.Line)
		*had = x
	}
	had.Score = joined
}

// A step is a function on the way from tests to the change.
type step struct {
	path, symbol string
	hops         int // calls from it to the change
	weight       float64
	candidate    bool
	inTest       bool
	first        string // the function that calls the change
}

func (s step) id() string { return doc.SymbolID(s.path, s.symbol) }

// findTests finds the tests that reach a changed symbol by calls, and those that are named like the
// change, import it, or change together with it.
func (g *gathering) findTests(ctx context.Context) error {
	g.found = testsFound{}
	if err := g.followCallers(ctx); err != nil {
		return err
	}
	if err := g.findNamedFiles(ctx); err != nil {
		return err
	}
	if err := g.findTestFiles(ctx); err != nil {
		return err
	}
	for _, t := range g.found {
		g.out.Tests = append(g.out.Tests, *t)
	}
	slices.SortFunc(g.out.Tests, func(a, b Test) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), a.Line-b.Line, cmp.Compare(a.DocID, b.DocID))
	})
	if n := len(g.out.Tests); n > maxTests {
		g.addNote("the first %d of %d tests", maxTests, n)
		g.out.Tests = g.out.Tests[:maxTests]
	}
	return nil
}

// followCallers follows calls backwards from the change to tests, the likeliest way first.
func (g *gathering) followCallers(ctx context.Context) error {
	var queue []step
	seen := make(map[string]bool)
	for _, x := range g.changed {
		for _, name := range x.Symbols {
			seen[doc.SymbolID(x.Path, name)] = true
			if doc.IsTest(x.class) && isTestName(x.Language, name) {
				s := step{path: x.Path, symbol: name, weight: 1, inTest: true}
				g.addReached(s, 0, "changed itself")
			}
		}
	}
	for _, c := range g.calls {
		s := step{path: c.Path, symbol: c.Symbol, hops: 1, weight: 1, candidate: c.Candidate, inTest: c.Test, first: c.Symbol}
		if c.Candidate {
			s.weight = candidateWeight / float64(max(1, c.Of))
		}
		queue = g.queueCaller(queue, s, c.Line)
	}
	expanded := 0
	for len(queue) > 0 && !g.isLate() {
		best := 0
		for i, s := range queue {
			if s.weight > queue[best].weight {
				best = i
			}
		}
		s := queue[best]
		queue = slices.Delete(queue, best, best+1)
		if seen[s.id()] {
			continue
		}
		seen[s.id()] = true
		if expanded == maxExpanded {
			g.addNote("the callers of %d functions were followed to tests", maxExpanded)
			return nil
		}
		expanded++
		more, err := g.expand(ctx, s)
		if err != nil {
			return err
		}
		if len(more) == 0 && s.inTest { // nobody calls it: a runner of tests does
			g.addReached(s, 0, "")
		}
		for _, next := range more {
			queue = g.queueCaller(queue, next.step, next.line)
		}
	}
	return nil
}

// queueCaller records a function that calls on the way. A test is found, and the callers of any
// other function are searched later.
func (g *gathering) queueCaller(queue []step, s step, line int) []step {
	switch {
	case s.weight < leastWeight:
	case s.inTest && (s.symbol == "" || isTestName(languageOf(s.path), s.symbol)):
		g.addReached(s, line, "")
	case s.symbol != "":
		queue = append(queue, s)
	}
	return queue
}

// addReached adds a test that reaches the change by calls.
func (g *gathering) addReached(s step, line int, reason string) {
	t := Test{
		DocID: s.path, Path: s.path, Symbol: s.symbol, Line: line, Hops: s.hops, Candidate: s.candidate,
		Score: s.weight * callsOfTests, Reason: reason,
	}
	if s.symbol != "" {
		t.DocID = s.id()
	}
	switch {
	case reason != "":
	case s.hops <= 1:
		t.Reason = "calls it"
	default:
		t.Reason = fmt.Sprintf("calls it through %s", doc.BareName(s.first))
	}
	g.found.addTest(t)
}

// callsOfTests is the probability that a test notices a change of a function that it calls.
const callsOfTests = 0.9

// A foundStep is a step with the line of the call.
type foundStep struct {
	step
	line int
}

// expand returns the functions that call one on the way.
func (g *gathering) expand(ctx context.Context, s step) (more []foundStep, err error) {
	last := doc.LastName(s.symbol)
	defs, err := lookup.Defined(ctx, g.r, g.snap, last)
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(defs), func(d xref.Definition) bool {
		return d.Path != s.path || d.Entry.Name != s.symbol
	})
	if len(wanted) == 0 {
		return nil, nil
	}
	calls, _, err := callers.CallersOf(ctx, g.r, g.snap, last, wanted, defs, callers.AllFiles)
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		next := step{
			path: strings.Clone(c.In.Path), hops: s.hops + 1, weight: s.weight * hopWeight,
			candidate: s.candidate || !c.Edge.Certain, first: s.first,
		}
		if i := c.Call.Caller; i >= 0 && i < len(c.In.Entries) {
			next.symbol = strings.Clone(c.In.Entries[i].Name)
		}
		if next.inTest = doc.IsTest(c.In.Class) || inTestModule(next.symbol); next.inTest && s.inTest {
			next.weight = s.weight // a helper of tests
		}
		if !c.Edge.Certain {
			next.weight *= candidateWeight / float64(max(1, c.Edge.Candidates))
		}
		if next.id() != s.id() {
			more = append(more, foundStep{next, c.Call.Line})
		}
	}
	return more, nil
}
