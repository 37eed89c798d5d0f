package verify

import (
	"slices"
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	const whole = "```verify type=\"sql\" label=\"No tokio\" expect=\"= 0\"\nSELECT 1\n```\n"
	for _, test := range []struct {
		name, text string
		want       []Check
	}{
		{"none", "# belief\n\n```sql\nSELECT 1\n```\n", nil},
		{"one", "# b\n\n## Verification\n\n" + whole, []Check{{"sql", "No tokio", "= 0", "SELECT 1", 5}}},
		{
			"two", whole + "\n" + whole,
			[]Check{{"sql", "No tokio", "= 0", "SELECT 1", 1}, {"sql", "No tokio", "= 0", "SELECT 1", 5}},
		},
		{
			"any order and quotes", "~~~ Verify expect='>= 1', LABEL=x type=SQL\nSELECT 2\n~~~",
			[]Check{{"sql", "x", ">= 1", "SELECT 2", 1}},
		},
		{
			"a quote in quotes", "```verify label='say \"no\"' type=sql\nx\n```",
			[]Check{{"sql", `say "no"`, "", "x", 1}},
		},
		{"attributes missing", "```verify\nSELECT 1\n```", []Check{{"", "", "", "SELECT 1", 1}}},
		{"no end", "```verify type=\"sql\nSELECT 1", []Check{{"sql", "", "", "SELECT 1", 1}}},
		{"longer fence", "````verify type=sql\n```\nSELECT 1\n````", []Check{{"sql", "", "", "```\nSELECT 1", 1}}},
		{"inside another block", "````md\n" + whole + "````\n", nil},
		{"indented as code", "    ```verify type=sql\n    SELECT 1\n    ```", nil},
		{"another word", "```verifying type=sql\nSELECT 1\n```", nil},
		{
			"carriage returns", strings.ReplaceAll(whole, "\n", "\r\n"),
			[]Check{{"sql", "No tokio", "= 0", "SELECT 1", 1}},
		},
		{"spaced", "```verify type = \"sql\" expect = \"= 0\"\nq\n```", []Check{{"sql", "", "= 0", "q", 1}}},
	} {
		if got, more := Blocks(test.text); !slices.Equal(got, test.want) || more != 0 {
			t.Errorf("%s: %+v and %d more, want %+v", test.name, got, more, test.want)
		}
	}
}

// The number and the size of blocks are bounded, and the rest is counted.
func TestBlocksAreBounded(t *testing.T) {
	got, more := Blocks(strings.Repeat("```verify type=sql\nSELECT 1\n```\n", 1000))
	if len(got) != maxBlocks || more != 1000-maxBlocks {
		t.Errorf("%d checks and %d more", len(got), more)
	}
	got, _ = Blocks("```verify type=sql\n" + strings.Repeat("SELECT 1 +\n", 1_000_000) + "```\n")
	if len(got) != 1 || len(got[0].Query) > maxBlock+100 {
		t.Errorf("%d checks, %d bytes", len(got), len(got[0].Query))
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("```verify type=\"sql\" label=\"x\" expect=\"= 0\"\nSELECT 1\n```\n")
	f.Add("~~~verify type='a\n```\n~~~\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := Blocks(text)
		lines := strings.Split(text, "\n")
		for _, c := range got {
			if c.Line < 1 || c.Line > len(lines) || !strings.Contains(strings.ToLower(lines[c.Line-1]), "verify") {
				t.Fatalf("line %d of %q", c.Line, text)
			}
			if !strings.Contains(text, c.Query) || strings.TrimSpace(c.Query) != c.Query {
				t.Fatalf("query %q", c.Query)
			}
		}
	})
}

func FuzzFrontMatter(f *testing.F) {
	f.Add("---\nid: x\nmilestones:\n- version: 1\n  name: y\n---\n# t\n")
	f.Add("---\n- a: b\nmilestones: [\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := patternOf("layer/core/x.md", text)
		if p.title == "" || p.layer == "" || p.path != "layer/core/x.md" || len(p.milestones) > maxMilestones {
			t.Fatalf("%+v", p)
		}
	})
}
