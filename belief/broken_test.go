package belief

import (
	"slices"
	"strings"
	"testing"
)

func TestBroken(t *testing.T) {
	for _, test := range [][2]string{
		{"---\nid: a\n---\n# a\n\nIt holds.\n", ""},
		{"\ufeff---\r\nid: a\r\n---\r\n# a\r\n\r\nIt holds.\r\n", ""},
		{"---\nfacets: [a,\n  b]\nx:\n  - y\n# note\n---\nIt holds.\n", ""},
		{"# a\n\nIt holds.\n", "no front matter"},
		{"", "no front matter"},
		{"---\nid: a\n# a\nIt holds.\n", "its front matter has no end"},
		{"---\nid: a\n---\n---\nid: b\n---\nIt holds.\n", "two front matters"},
		{"---\nid: a\n---\n# a\n## Supports\n- [[b]]\n", "no statement"},
		{"---\nid: a\nwords alone\n---\nIt holds.\n", ""},
		{"---\n<<<<<<< HEAD\nid: a\n---\nIt holds.\n", "line 2: a mark of a merge"},
		{"---\nid: a\nfacets: [a, b\n---\nIt holds.\n", ""},
		{"---\nid: \"a\n---\nIt holds.\n", ""},
	} {
		if got := Broken(test[0]); got != test[1] {
			t.Errorf("%q: %q, want %q", test[0], got, test[1])
		}
	}
}

// An entry that is not valid YAML is skipped and reported.
func TestMisreadYAML(t *testing.T) {
	for text, want := range map[string]Fault{
		"---\nid: a\nwords alone\n---\nIt holds.\n":   {3, "not valid YAML: no key and value"},
		"---\nid: a\nfacets: [a, b\n---\nIt holds.\n": {3, "not valid YAML: did not find expected ',' or ']'"},
		"---\nsource: \"a\n---\nIt holds.\n":          {2, "not valid YAML: found unexpected end of stream"},
		"---\nfacets:\n\t- a\nid: b\n---\nIt holds.\n": {
			2,
			"not valid YAML: found character that cannot start any token",
		},
		"---\nstatus: active\nstatus: active\n---\nX y.\n": {3, `"status" is given twice`},
	} {
		if got := Misread(text); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestCited(t *testing.T) {
	got := Cited("[[a]] and [[b|text]], [[belief:c]] [[a]] [[]] [[ ]] [[un\nclosed]] [[d]] [[" +
		strings.Repeat("x", 300) + "]] [[e")
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(got[:4], want[:4]) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Evidence, places of application, facets and log are read, even if other parts are missing.
func TestParseBody(t *testing.T) {
	b := Parse("layer/beliefs/x.md", `---
facets: [rust, "two words"]
endorsed: yes
---
# x
It holds.

## Evidence
- [[session-1]]: words (weight: 0.90)
- session-2: words (weight: 7)
- in `+"`src/a.rs`"+`, mostly
- words alone
not a bullet

## Applied-In
* [[src/b.rs]]

## Revision Log
- 2024-01-01: made
- 2024-02-02: again
`)
	var targets []string
	for _, l := range b.Evidence {
		targets = append(targets, l.Target)
	}
	if !slices.Equal(targets, []string{"session-1", "session-2", "src/a.rs", ""}) || b.Evidence[0].Weight != 0.9 ||
		b.Evidence[1].Weight != -1 || b.Evidence[0].Line != 9 {
		t.Errorf("evidence %+v", b.Evidence)
	}
	if len(b.Applied) != 1 || b.Applied[0].Target != "src/b.rs" || b.Revisions != 2 {
		t.Errorf("applied %+v, %d revisions", b.Applied, b.Revisions)
	}
	if !slices.Equal(b.Facets, []string{"rust", "two words"}) || b.Endorsed == nil || !*b.Endorsed {
		t.Errorf("facets %q, endorsed %v", b.Facets, b.Endorsed)
	}
	if strings.Contains(b.Text, "again") || !strings.Contains(b.Text, "words alone") {
		t.Errorf("text %q", b.Text)
	}
}

func FuzzBroken(f *testing.F) {
	f.Add("---\nid: [\n---\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		if Broken(text) == "" && Parse("layer/beliefs/x.md", text).Statement == "" {
			t.Errorf("%q: no statement, and not broken", text)
		}
		for _, name := range Cited(text) {
			if name == "" || strings.ContainsAny(name, "\n") {
				t.Errorf("%q cites %q", text, name)
			}
		}
	})
}
