package markdown

import (
	"fmt"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		last int
		body string
	}{
		"yaml":                   {"---\na: b\n---\nText.", 3, "Text."},
		"toml":                   {"+++\na = 1\n+++\nText.", 3, "Text."},
		"dots close yaml":        {"---\na: b\n...\nText.", 3, "Text."},
		"blanks behind a mark":   {"---  \na: b\n--- \t\nText.", 3, "Text."},
		"carriage returns":       {"---\r\na: b\r\n---\r\nText.", 3, "Text."},
		"a byte order mark":      {"\ufeff---\na: b\n---\nText.", 3, "Text."},
		"blank lines above":      {"\n \n---\na: b\n---\nText.", 5, "Text."},
		"nothing inside":         {"---\n---\nText.", 2, "Text."},
		"no end of line":         {"---\na: b\n---", 3, ""},
		"no front matter":        {"Text.\n---\na: b\n---\n", 0, "Text.\n---\na: b\n---\n"},
		"no end":                 {"---\na: b\n", 0, "---\na: b\n"},
		"a rule below a blank":   {"\n---\nProse.\n---\n", 0, "\n---\nProse.\n---\n"},
		"dashes inside a value":  {"---\na: x\n  --- y\n---\nText.", 4, "Text."},
		"longer dashes":          {"----\na: b\n----\n", 0, "----\na: b\n----\n"},
		"dots do not close toml": {"+++\na = 1\n...\n", 0, "+++\na = 1\n...\n"},
		"empty":                  {"", 0, ""},
	} {
		b, body, ok := SplitFrontMatter(test.text)
		if b.Last != test.last || body != test.body || ok != (test.last > 0) {
			t.Errorf("%s: last line %d, body %q, %v", name, b.Last, body, ok)
		}
	}
}

// form returns entries as one line of text.
func form(entries []Entry) string {
	var out []string
	for _, e := range entries {
		s := e.Text
		if e.Members != nil {
			s = "[" + form(e.Members) + "]"
		}
		if e.Entries != nil {
			s = "{" + form(e.Entries) + "}"
		}
		if e.Key != "" {
			s = fmt.Sprintf("%d:%s=%s", e.Line, e.Key, s)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestEntries(t *testing.T) {
	for name, test := range map[string]struct{ text, want, faults string }{
		"plain":    {"---\nid: a b\nStatus: Active\n---\n", "2:id=a b, 3:status=Active", ""},
		"comments": {"---\n# note\nstatus: active # since 2024\n---\n", "3:status=active", ""},
		"quotes":   {"---\na: 'it''s'\nb: \"x: y\"\n---\n", "2:a=it's, 3:b=x: y", ""},
		"nesting":  {"---\nid: outer\nsource:\n  id: inner\n---\n", "2:id=outer, 3:source={4:id=inner}", ""},
		"lists": {
			"---\na: [x, \"y z\"]\nb:\n  - p\n- q\n---\n", "2:a=[x, y z], 3:b=",
			"3: not valid YAML: did not find expected key",
		},
		"a block list": {"---\nb:\n- p\n- q\n---\n", "2:b=[p, q]", ""},
		"folded": {
			"---\na: >-\n  one\n  two --- three\nb: |\n  x\n  y\n---\n",
			"2:a=one two --- three, 5:b=x\ny", "",
		},
		"an alias": {"---\na: &n [x, y]\nb: *n\n---\n", "2:a=[x, y], 3:b=[x, y]", ""},
		"nothing":  {"---\na:\nb: ~\n---\n", "2:a=, 3:b=", ""},
		"a colon inside": {
			"---\ntitle: What: a tale\nid: y\n---\n", "2:title=What: a tale, 3:id=y",
			"2: not valid YAML: mapping values are not allowed in this context",
		},
		"a tab": {
			"---\nfacets:\n\t- a\nstatus: active\n---\n", "2:facets=, 4:status=active",
			"2: not valid YAML: found character that cannot start any token",
		},
		"twice": {
			"---\nstatus: active\nstatus: archived\n---\n", "2:status=active, 3:status=archived",
			`3: "status" is given twice`,
		},
		"a merge": {
			"---\n<<<<<<< HEAD\nid: a\n=======\nid: b\n>>>>>>> x\n---\n", "3:id=a, 5:id=b",
			`2: a mark of a merge, 4: a mark of a merge, 6: a mark of a merge, 5: "id" is given twice`,
		},
		"no mapping": {"---\nwords alone\n---\n", "", "2: not valid YAML: no key and value"},
		"an open list": {
			"---\nid: [\nkind: x\n---\n", "2:id=, 3:kind=x",
			"2: not valid YAML: did not find expected node content",
		},
		"toml": {
			"+++\ntitle = \"x\"\ntags = [\"a\", \"b\"]\n[extra]\nweight = 1.5\n+++\n",
			"4:extra={5:weight=1.5}, 3:tags=[a, b], 2:title=x", "",
		},
		"broken toml":     {"+++\ntitle = \n+++\n", "", "2: not valid TOML: "},
		"leading blanks":  {"\n\n---\nid: a\n---\n", "4:id=a", ""},
		"numbers as text": {"---\nn: 0016\nd: 2024-01-02\nv: 1.10\n---\n", "2:n=0016, 3:d=2024-01-02, 4:v=1.10", ""},
	} {
		b, _, _ := SplitFrontMatter(test.text)
		entries, faults := b.Entries()
		var said []string
		for _, f := range faults {
			said = append(said, fmt.Sprintf("%d: %s", f.Line, f.What))
		}
		if got := form(entries); got != test.want {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
		if got := strings.Join(said, ", "); got != test.faults &&
			!(name == "broken toml" && strings.HasPrefix(got, test.faults)) {
			t.Errorf("%s: faults %s\nwant %s", name, got, test.faults)
		}
	}
}

// Ten aliases of ten aliases of ten … are not expanded.
func TestAliasesAreBounded(t *testing.T) {
	text := "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	b, _, _ := SplitFrontMatter(text + "---\n")
	entries, _ := b.Entries()
	if n := count(entries); n == 0 || n > 2*maxEntries {
		t.Errorf("%d entries", n)
	}
}

func count(entries []Entry) int {
	n := len(entries)
	for _, e := range entries {
		n += count(e.Members) + count(e.Entries)
	}
	return n
}

func FuzzSplit(f *testing.F) {
	f.Add("---\nid: [a, b]\nx: &y {z: 1}\nw: *y\n---\n# t\n")
	f.Add("+++\na = 1\n[b]\nc = [{d = 2}]\n+++\n")
	f.Add("\n---\n\t- a\n<<: *x\n...\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, body, ok := SplitFrontMatter(text)
		if !strings.HasSuffix(text, body) || ok == (b.Last == 0) {
			t.Fatalf("%+v, body %q", b, body)
		}
		lines := strings.Count(text, "\n") + 1
		entries, faults := b.Entries()
		for _, e := range entries {
			if ok && (e.Line < b.Line || e.Line > lines) {
				t.Fatalf("%+v of %d lines", e, lines)
			}
		}
		for _, f := range faults {
			if ok && (f.Line < b.Line || f.Line > lines || f.What == "") {
				t.Fatalf("%+v of %d lines", f, lines)
			}
		}
	})
}
