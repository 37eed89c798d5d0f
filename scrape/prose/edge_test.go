package prose

import (
	"fmt"
	"maps"
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
	var records []*Decision
	for _, x := range texts {
		r, ok := ParseDecision(x.path, []byte(x.text), nil)
		if !ok {
			t.Fatalf("%s: no record", x.path)
		}
		records = append(records, r)
	}
	var got []string
	for _, e := range Supersessions(records) {
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

// Records of one name in two folders must get different names.
func TestNames(t *testing.T) {
	records := []*Decision{
		{Path: "adr/0001-queue.md", ID: "0001-queue"},
		{Path: "adr/0002-two.md", ID: "0002-two"},
		{Path: "web/adr/0001-queue.md", ID: "0001-queue"},
	}
	want := map[string]string{
		"adr/0001-queue.md": "adr-0001-queue", "adr/0002-two.md": "0002-two",
		"web/adr/0001-queue.md": "web-adr-0001-queue",
	}
	if got := DecisionNames(records); !maps.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
