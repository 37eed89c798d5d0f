package beliefs

import (
	"fmt"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/belief/audit"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// For any number and content of beliefs, a list and an audit must keep their ceiling, say how much
// is left out, and send no control sequence.
func TestBeliefsAreBounded(t *testing.T) {
	const n = 10_000
	list, report := &api.BeliefsAnswer{}, &api.AuditAnswer{Beliefs: n}
	for i := range n {
		id := fmt.Sprintf("b%d\x1b[2J\u202e", i)
		list.Beliefs = append(list.Beliefs, entry(id, "It is\n```\n\x07 so. "+strings.Repeat("long ", 1<<(i%12)), ""))
		report.Findings = append(report.Findings, audit.Finding{
			Flaw: audit.BrokenLink, ID: id, Path: "layer/beliefs/" + id + ".md", Line: 1, Text: strings.Repeat(id, 100),
			Fix: "mend it",
		})
	}
	for _, budget := range []int{0, 100, 500} {
		o := deliver.Options{Dialect: dialect.CLI{}, Budget: budget}
		ceiling := layout.PageBytes
		if budget > 0 {
			ceiling = budget * layout.TokenBytes
		}
		for name, print := range map[string]func(*strings.Builder) error{
			"list":  func(b *strings.Builder) error { return List(b, list, 0, o) },
			"audit": func(b *strings.Builder) error { return Audit(b, report, o) },
		} {
			var b strings.Builder
			if err := print(&b); err != nil {
				t.Fatal(err)
			}
			if s := b.String(); len(s) > ceiling || !strings.Contains(s, " more") || layout.Body(s) != s {
				t.Errorf("%s at %d: %d bytes\n%s", name, budget, len(s), s)
			}
		}
	}
}

// A page about one belief is bounded too.
func TestPageOfABeliefIsBounded(t *testing.T) {
	e := entry("b", strings.Repeat("long ", 1<<12), "x")
	for i := range 500 {
		e.Sources = append(e.Sources,
			audit.Evidence{Target: audit.Target{Name: fmt.Sprintf("%d\x1b[2J", i) + strings.Repeat("x", 500)}})
		e.Others = append(e.Others, audit.Target{Relation: "supported by", Name: "o\x1b[2J", Stands: "active"})
	}
	e.Edges = []audit.Target{{Relation: "attacks", Name: "x"}}
	var b strings.Builder
	if err := Show(&b, Page{Entry: e, Log: make([]string, 1000)}, deliver.Options{Dialect: dialect.CLI{}}); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); len(s) > layout.PageBytes || layout.Body(s) != s || strings.Count(s, " more: ") != 3 {
		t.Errorf("%d bytes\n%s", len(s), s)
	}
}
