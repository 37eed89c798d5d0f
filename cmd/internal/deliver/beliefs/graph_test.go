package beliefs

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"patina/belief"
	"patina/belief/audit"
	"patina/belief/knowledge"
	"patina/cmd/internal/layout"
)

// entry returns a belief that supports some beliefs and attacks one.
func entry(id, statement, attacks string, supports ...string) audit.Entry {
	b := belief.Belief{ID: id, Statement: statement, Status: belief.Active, Source: belief.OwnFile}
	for _, s := range supports {
		b.Supports = append(b.Supports, belief.Edge{Target: s})
	}
	if attacks != "" {
		b.Attacks = []belief.Edge{{Target: attacks, Status: `odd" |>`}}
	}
	return audit.Entry{Held: knowledge.Held{Belief: b, Standing: 0.5}}
}

func drawn(t *testing.T, g BeliefGraph, format string) string {
	t.Helper()
	var b strings.Builder
	if err := Graph(&b, g, format); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// texts parses XML to its end and returns its text.
func texts(t *testing.T, drawing string) string {
	t.Helper()
	var out strings.Builder
	for d := xml.NewDecoder(strings.NewReader(drawing)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, drawing)
		}
		if s, ok := token.(xml.CharData); ok {
			out.Write(s)
		}
	}
}

// For any ids and statements, a drawing holds the intended nodes. Package drawing tests the rest.
func TestHostileGraph(t *testing.T) {
	hostile := []string{
		`"]; evil [label="x`, "a\x1b[2J\nb", "</text><script>alert(1)</script>", `c:\`, "n1[\"x\"] --> n2",
		"](javascript:alert(1))", "```", "%%{init: {}}%%",
		"\u202etxet", "end", "click n0 href", "#quot;", "--", "]]>", "\xff\xfe", "<!--", "é ü 日本", "|x|", "&amp;&lt;",
	}
	var entries []audit.Entry
	for i, s := range hostile {
		entries = append(entries, entry(s, s+s, hostile[(i+5)%len(hostile)], hostile[(i+1)%len(hostile)], s))
	}
	g := GraphOf(entries, "")
	if len(g.Nodes) != len(hostile) || len(g.Edges) != 3*len(hostile) {
		t.Errorf("%d nodes, %d edges", len(g.Nodes), len(g.Edges))
	}
	said := texts(t, drawn(t, g, "svg"))
	for _, s := range hostile {
		if want := layout.Middle(s, 38); !strings.Contains(said, want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
}

// Ten thousand beliefs in a circle make a graph of 200 nodes, which says how many are left out.
func TestLargeGraph(t *testing.T) {
	const n = 10_000
	var entries []audit.Entry
	for i := range n {
		entries = append(entries,
			entry(fmt.Sprintf("b%d", i), "It holds.", "", fmt.Sprintf("b%d", (i+1)%n), fmt.Sprintf("b%d", (i*7)%n)))
	}
	g := GraphOf(entries, "")
	if len(g.Nodes) != maxNodes || g.More != n-maxNodes {
		t.Fatalf("%d nodes, %d more", len(g.Nodes), g.More)
	}
	for format, most := range map[string]int{"dot": 60_000, "mermaid": 30_000, "svg": 120_000} {
		if s := drawn(t, g, format); !strings.Contains(s, "9,800 more left out") || len(s) > most {
			t.Errorf("%s: %d bytes, without the rest: %s", format, len(s), s[max(0, len(s)-200):])
		}
	}
	texts(t, drawn(t, g, "svg"))
	around := GraphOf(entries, "B5")
	for _, x := range around.Nodes {
		if x.ID == "b5000" {
			t.Error("a far belief is around b5")
		}
	}
	if len(around.Nodes) < 5 || len(around.Nodes) > 40 {
		t.Errorf("%d around one", len(around.Nodes))
	}
}
