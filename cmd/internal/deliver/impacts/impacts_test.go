package impacts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/ask"
	"patina/belief/verify"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/code/brief"
	"patina/code/history"
	"patina/code/impact"
)

// manyRows returns an impact with n rows in each section.
func manyRows(n int, name string) *ask.ImpactFound {
	a := &api.ImpactAnswer{}
	checks := &api.VerifyAnswer{}
	a.Changed = []impact.Changed{{Path: name, Language: "Go", Symbols: []string{"F"}, Commits: 9}}
	a.Commits = 9
	for i := range n {
		path := fmt.Sprintf("%s/%d.go", name, i)
		a.Callers = append(a.Callers, impact.Caller{DocID: path + "::G", Path: path, Line: i + 1, Symbol: "G", Target: name + "::F", Candidate: i%2 == 1, Of: 2})
		a.Tests = append(a.Tests, impact.Test{DocID: path + "::TestF", Path: path, Symbol: "TestF", Line: i + 1, Hops: 1, Score: .9, Reason: "calls it"})
		a.Missing = append(a.Missing, impact.Missing{Path: path, With: name, Commits: 5, Of: 9})
		a.Files = append(a.Files, impact.File{Path: fmt.Sprintf("%s/f%d.go", name, i), Together: 3, Of: 9, Callers: 1})
		a.Governing = append(a.Governing, api.Governing{ID: fmt.Sprintf("b%d", i), Path: path, Line: 3, Statement: name + " is so.", Reason: "cites " + path, ByOthers: true})
		a.Rules = append(a.Rules, brief.Quote{Text: "Never " + name, Path: "AGENTS.md", Line: i})
		checks.Beliefs = append(checks.Beliefs, verify.Verified{ID: fmt.Sprintf("b%d", i), Outcomes: []verify.Outcome{{
			Check: verify.Check{Type: "sql", Label: name, Expect: "= 0"}, Status: verify.Failed, Got: "1",
		}}})
	}
	a.Authors = []history.Author{{Name: name, Commits: 3}}
	return &ask.ImpactFound{ImpactAnswer: a, Name: name, Checks: checks}
}

// No text exceeds its budget, whatever the rows, and a cut one says so.
func TestTextStaysWithinItsBudget(t *testing.T) {
	for _, name := range []string{"a", strings.Repeat("long/", 60), "\x1b[2J`x`<b>"} {
		for _, n := range []int{0, 1, 5, 50, 200} {
			for _, budget := range []int{0, 100, 150, 300, 1500} {
				var b strings.Builder
				o := deliver.Options{Dialect: dialect.CLI{}, Budget: budget}
				if err := Text(&b, manyRows(n, name), o); err != nil {
					t.Fatal(err)
				}
				ceiling := defaultTokens * layout.TokenBytes
				if budget > 0 {
					ceiling = budget * layout.TokenBytes
				}
				if b.Len() > ceiling {
					t.Errorf("%.10q, %d rows, budget %d: %d bytes, at most %d may be\n%s", name, n, budget, b.Len(), ceiling, b.String())
				}
				if strings.ContainsRune(b.String(), '\x1b') {
					t.Errorf("a control sequence: %q", b.String())
				}
				if n == 200 && !strings.Contains(b.String(), "shows all") {
					t.Errorf("budget %d: the cut is not told", budget)
				}
			}
		}
	}
}

// Markdown fits a comment, and nothing of the repository is outside of code spans.
func TestMarkdownQuotesTheRepository(t *testing.T) {
	for _, name := range []string{"a", "`", "``` `a` ` ``", " @team #1 <script> [x](y) ", "\r\n# x\n- y", "</details>", strings.Repeat("`", 50)} {
		for _, n := range []int{0, 2, 200} {
			var b strings.Builder
			if err := Markdown(&b, manyRows(n, name), deliver.Options{Dialect: dialect.CLI{}}); err != nil {
				t.Fatal(err)
			}
			if b.Len() > 65_536 || !strings.HasPrefix(b.String(), Marker+"\n") {
				t.Errorf("%d bytes: %.60q", b.Len(), b.String())
			}
			bare := withoutSpans(t, b.String())
			for _, bad := range []string{"@team", "<script>", "[x]", "# x", "\n- y", "`"} {
				if strings.Contains(bare, bad) {
					t.Errorf("%q, %d rows: %q outside of code:\n%s", name, n, bad, bare)
				}
			}
			if strings.Count(bare, "<details") != strings.Count(bare, "</details>") {
				t.Errorf("%q: details that do not end:\n%s", name, bare)
			}
		}
	}
}

// withoutSpans removes code spans line by line, as CommonMark reads them: a span ends at the next
// run of as many backticks.
func withoutSpans(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(text) {
		for {
			i := strings.IndexByte(line, '`')
			if i < 0 {
				break
			}
			out.WriteString(line[:i])
			rest := strings.TrimLeft(line[i:], "`")
			fence := len(line[i:]) - len(rest)
			end := -1
			for at := 0; at < len(rest); {
				j := strings.IndexByte(rest[at:], '`')
				if j < 0 {
					break
				}
				run := len(rest[at+j:]) - len(strings.TrimLeft(rest[at+j:], "`"))
				if run == fence {
					end = at + j + run
					break
				}
				at += j + run
			}
			if end < 0 {
				t.Fatalf("a span that does not end: %q", line)
			}
			line = rest[end:]
		}
		out.WriteString(line)
	}
	return out.String()
}

func TestJSONHasEverything(t *testing.T) {
	var b strings.Builder
	if err := JSON(&b, manyRows(150, "a")); err != nil {
		t.Fatal(err)
	}
	var v struct {
		Callers, Tests, Missing, Governing, Files []map[string]any
		Failed                                    int `json:"failed_checks"`
	}
	if err := json.Unmarshal([]byte(b.String()), &v); err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]map[string]any{v.Callers, v.Tests, v.Missing, v.Governing, v.Files} {
		if len(list) != 150 {
			t.Errorf("%d of 150", len(list))
		}
	}
	if v.Failed != 150 || len(v.Governing[0]["checks"].([]any)) != 1 {
		t.Errorf("%d failed checks, %v", v.Failed, v.Governing[0])
	}
}

// Rows of one function or one file are joined, in the order of the first.
func TestRowsAreJoined(t *testing.T) {
	var g groupedRows
	for i := range 100 {
		g.addPart("a:", " f", fmt.Sprint(i), ",")
	}
	g.addPart("b:", " f", "1", ",")
	g.addPart("a:", " g", "1", ",")
	rows := g.joinedRows()
	if len(rows) != 3 || !strings.HasPrefix(rows[0], "a:0,1,2,") || !strings.HasSuffix(rows[0], " more f") || rows[1] != "b:1 f" {
		t.Errorf("%q", rows)
	}
	if !slices.IsSortedFunc(rows[1:], func(a, b string) int { return -strings.Compare(a, b) }) {
		t.Errorf("%q", rows)
	}
}
