package decision

import (
	"fmt"
	"slices"
	"testing"
)

func TestEdges(t *testing.T) {
	texts := []struct{ path, text string }{
		{"adr/0001-a.md", "# A\n\n## Status\n\nSuperseded by [B](0002-b.md)\n"},
		{"adr/0002-b.md", "# B\n\n## Status\n\nAccepted\n\nSupersedes ADR-1\n"},
		{"adr/0003-c.md", "# C\n\n## Status\n\nAccepted, supersedes [B](0002-b.md)\n"},
		{"adr/0004-d.md", "# D\n\n## Status\n\nSuperseded by ADR-99\n"},
		{"web/adr/0001-a.md", "# A of the web\n\n## Status\n\nSuperseded by ADR 2\n"},
		{"web/adr/0002-b.md", "# B of the web\n\n## Status\n\nAccepted\n"},
	}
	var records []*Record
	for _, x := range texts {
		r, ok := Parse(x.path, []byte(x.text), nil)
		if !ok {
			t.Fatalf("%s: no record", x.path)
		}
		records = append(records, r)
	}
	var got []string
	for _, e := range Edges(records) {
		got = append(got, fmt.Sprintf("%s:%d %s -> %s (%s)", e.Path, e.Line, e.Old, e.New, e.Named))
	}
	want := []string{
		"adr/0001-a.md:5 adr/0001-a.md -> adr/0002-b.md (B)",
		"adr/0003-c.md:5 adr/0002-b.md -> adr/0003-c.md (B)",
		"adr/0004-d.md:5 adr/0004-d.md ->  (ADR-99)",
		"web/adr/0001-a.md:5 web/adr/0001-a.md -> web/adr/0002-b.md (ADR 2)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBeliefs(t *testing.T) {
	texts := []struct{ path, text string }{
		{"adr/0001-queue.md", "# One queue\n\n## Status\n\nSuperseded by [two](0002-two-queues.md)\n\n## Decision\n\nThere is one queue.\n"},
		{"adr/0002-two-queues.md", "# Two queues\n\n## Status\n\nAccepted, supersedes ADR-77\n\n## Decision\n\nThere are two queues.\n"},
		{"web/adr/0001-queue.md", "# A queue of the web\n\n## Decision\n\nThe web has a queue.\n"},
		{"adr/0003-queues.md", "# Queues\n\nNotes on queues.\n"},
	}
	var records []*Record
	for _, x := range texts {
		r, _ := Parse(x.path, []byte(x.text), nil)
		records = append(records, r)
	}
	var got []string
	for _, b := range Beliefs(records) {
		got = append(got, fmt.Sprintf("%s %s %s:%d-%d %s over %v by %v", b.ID, b.Status, b.Path, b.Line, b.End, b.Statement, b.Supersedes, b.AttackedBy))
	}
	want := []string{
		"adr-0001-queue archived adr/0001-queue.md:9-9 There is one queue. over [] by [{0002-two-queues true adr/0001-queue.md 5}]",
		"0002-two-queues active adr/0002-two-queues.md:9-9 There are two queues. over [{adr-0001-queue true adr/0001-queue.md 5} {ADR-77 false adr/0002-two-queues.md 5}] by []",
		"web-adr-0001-queue active web/adr/0001-queue.md:5-5 The web has a queue. over [] by []",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
