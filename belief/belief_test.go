package belief

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

const whole = `---
type: belief
id: sync-first
facets: [rust, architecture]
confidence:
  score: 0.88
entrenchment: very-high
status: Scoped
---

# sync-first

Prefer blocking code.

## Statement

Use it by default.

## Supports

<!-- Add beliefs this supports -->
- [[local-first]] - by nature
- milestones: text [[not-me]]

## Attacks

- [[async|by default]] (status: defeated, reason: slow, and hard)
- [[batch]] (status: scoped, reason: "fine, status: on branches")
` + "```\n- [[in-code]]\n```" + `

## Attacked-By

- [[parallel]] (status: active, confidence: 0.3, scope: "if many, many")
* [[defied]] (confidence: 7)
-
- [[]]

## Context

- [[elsewhere]]
`

func TestParse(t *testing.T) {
	b := Parse("layer/surface/beliefs/x.md", whole)
	if b.ID != "sync-first" || b.Statement != "Prefer blocking code." || b.Status != "scoped" ||
		b.Entrenchment != 0.95 || b.Path != "layer/surface/beliefs/x.md" {
		t.Errorf("%+v", b)
	}
	var got []string
	for _, edges := range [][]Edge{b.Supports, b.Attacks, b.AttackedBy} {
		for _, e := range edges {
			got = append(got,
				fmt.Sprintf("%d %s/%s/%s/%s/%g", e.Line, e.Target, e.Status, e.Reason, e.Scope, e.Confidence))
		}
	}
	want := `22 local-first////-1
23 milestones////-1
27 async/defeated/slow, and hard//-1
28 batch/scoped/fine, status: on branches//-1
35 parallel/active//if many, many/0.3
36 defied////-1`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
}

// Missing and broken parts have defaults, and the rest is read.
func TestParseOdd(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":              {"", "x active 0.5 "},
		"no front matter":    {"# t\n\nText.\n", "x active 0.5 Text."},
		"no end to it":       {"---\nid: y\n# t\nText.", "x active 0.5 ---"},
		"two of them":        {"---\nid: y\n---\n---\nid: z\n---\n# t\nText.", "y active 0.5 ---"},
		"broken values":      {"---\nid: [\nentrenchment: huge\nstatus:\n---\nText.", "x active 0.5 Text."},
		"a number":           {"---\nentrenchment: 0.7\n---\nText.", "x active 0.7 Text."},
		"a number too large": {"---\nentrenchment: 17\n---\n", "x active 0.5 "},
		"no number":          {"---\nentrenchment: NaN\n---\n", "x active 0.5 "},
		"confidence alone":   {"---\nconfidence:\n  score: 0.9\n---\n", "x active 0.9 "},
		"quoted":             {"---\nid: \"y-z\"\nentrenchment: 'low'\n---\n", "y-z active 0.3 "},
		"a byte order mark":  {"\ufeff---\nid: y\n---\n", "y active 0.5 "},
		"carriage returns": {
			"---\r\nid: y\r\nentrenchment: high\r\n---\r\n# y\r\n\r\nText.\r\n",
			"y active 0.8 Text.",
		},
		"a comment":          {"---\nstatus: archived # since 2024\n---\nText.", "x archived 0.5 Text."},
		"dots":               {"---\nid: y\n...\nText.", "y active 0.5 Text."},
		"capital keys":       {"---\nStatus: Archived\nEntrenchment: High\n---\nText.", "x archived 0.8 Text."},
		"a nested id":        {"---\nid: y\nsource:\n  id: z\n---\nText.", "y active 0.5 Text."},
		"blank lines above":  {"\n\n---\nid: y\n---\nText.", "y active 0.5 Text."},
		"a broken neighbour": {"---\nfacets:\n\t- a\nid: y\n---\nText.", "y active 0.5 Text."},
		"edges first":        {"## Supports\n- [[a]]\n## Statement\nText.", "x active 0.5 Text."},
	} {
		b := Parse("layer/beliefs/x.md", test.text)
		if got := fmt.Sprintf("%s %s %g %s", b.ID, b.Status, b.Entrenchment, b.Statement); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestIsPath(t *testing.T) {
	for path, want := range map[string]bool{
		"layer/surface/epistemic/beliefs/a.md": true, "layer/surface/beliefs/a.md": true, "layer/beliefs/a.md": true,
		"layer/beliefs/x/a.md":        true,
		"layer/surface/beliefs/a.txt": false, "docs/beliefs/a.md": false, "layer/a.md": false,
	} {
		if IsPath(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

// A file of any size is bounded.
func TestParseIsBounded(t *testing.T) {
	b := Parse("layer/beliefs/x.md", "# x\n"+strings.Repeat("é", 1<<20)+"\n")
	if len(b.Statement) > maxValue || !utf8.ValidString(b.Statement) {
		t.Errorf("%d bytes", len(b.Statement))
	}
	b = Parse("layer/beliefs/x.md", "# x\n## Attacks\n"+strings.Repeat("- [[y]] (reason: z)\n", 100_000))
	if len(b.Attacks) != maxEdges {
		t.Errorf("%d edges", len(b.Attacks))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("## Attacked-By\n- [[a]] (status: x, (reason: \", scope:")
	f.Fuzz(func(t *testing.T, text string) {
		b := Parse("layer/beliefs/x.md", text)
		lines := strings.Count(text, "\n") + 1
		for _, e := range append(append(b.Supports, b.Attacks...), b.AttackedBy...) {
			if e.Target == "" || e.Line < 1 || e.Line > lines || e.Confidence > 1 {
				t.Fatalf("%+v", e)
			}
		}
		if b.ID == "" || b.Entrenchment < 0 || b.Entrenchment > 1 || strings.Contains(b.Statement, "\n") {
			t.Fatalf("%+v", b)
		}
	})
}
