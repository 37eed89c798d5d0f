package dialect

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"strings"
	"testing"

	"patina/cmd/internal/layout/layouttest"
	"patina/cmd/internal/mcp/mcptest"
	"patina/internal/printable"
)

func TestMCPSpellsCalls(t *testing.T) {
	m := MCP{}
	for got, want := range map[string]string{
		m.Ask(`say "hi"`):                    `scry(query="say \"hi\"")`,
		m.Detail("q_260202143000_abc", 1, 1): `scry(doc_id="q_260202143000_abc 1")`,
		m.Detail("q_260202143000_abc", 2, 3): `scry(doc_id="q_260202143000_abc 2", page=3)`,
		m.Detail("q_260202143000_abc", 0, 1): `scry(doc_id="q_260202143000_abc RANK")`,
		m.Describe("a.go::F#2", 2):           `scry(mode="detail", doc_id="a.go::F#2", page=2)`,
		m.Why("commit:0123456789ab"):         `scry(mode="why", doc_id="commit:0123456789ab")`,
		m.Neighbours("-n.go"):                `scry(mode="file", path="-n.go")`,
		m.Recent(30):                         `scry(mode="recent", days=30)`,
		m.Assay("callers", "F"):              `assay(query_type="callers", pattern="F")`,
		m.Believe("sync-first"):              `scry(belief="sync-first")`,
		m.Reach("sync-first"):                `scry(belief="sync-first", content_type="code")`,
		m.Memories("q", 9, "--file", "a.go", "--type", "gotcha", "--type", "lesson", "--tags", "x"): `scry(mode="recall", limit=9, query="q", path="a.go", content_type="gotcha,lesson")`,
		m.Raise(1800):                               "budget=1800",
		m.JSON():                                    `format="json"`,
		m.Scrape():                                  "patina scrape",
		MCP{Repo: "b"}.Why("a.go"):                  `scry(mode="why", doc_id="a.go", repo="b")`,
		MCP{Silent: true}.Why("a.go"):               "",
		MCP{Silent: true}.Detail("q", 1, 1):         `scry(doc_id="q 1")`,
		m.Why("\xff"):                               "",
		m.Why(strings.Repeat("a", 400)):             "",
		fmt.Sprint(m.Recall().MCP):                  `[scry(query="your question") scry(content_type="beliefs", query="your question")]`,
		fmt.Sprint(m.Recall().CLI):                  `[patina scry "your question" patina scry --content-type beliefs "your question"]`,
		fmt.Sprint(CLI{Repo: "b"}.Recall().MCP):     `[scry(query="your question", repo="b") scry(content_type="beliefs", query="your question", repo="b")]`,
		fmt.Sprint(CLI{Store: "a b"}.Recall().CLI):  `[patina scry --store 'a b' "your question" patina scry --store 'a b' --content-type beliefs "your question"]`,
		fmt.Sprint(CLI{Store: "\x00"}.Recall().CLI): "[]",
		CLI{}.Ask("-x"):                             "patina scry -- -x",
		CLI{}.Detail("q_260202143000_abc", 0, 1):    "patina show q_260202143000_abc RANK",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// For any name, its call must be harmless and read back as the name.
func TestMCPCallsReadBack(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20_000 {
		name := layouttest.Nasty(r)
		call := MCP{}.Assay("callers", name)
		if call == "" {
			continue
		}
		if !printable.All(call) {
			t.Fatalf("%+q holds what nobody sees", call)
		}
		got, rest, err := mcptest.Parse(call)
		want := map[string]any{"query_type": "callers", "pattern": name}
		if err != nil || rest != "" || got.Tool != "assay" || !maps.Equal(got.Args, want) {
			t.Fatalf("%q is read as %v with %q behind: %v", call, got, rest, err)
		}
	}
	calls := mcptest.Find(`xscry(belief="a") · scry(mode="recent", days=3) · assay(query_type="callers", pattern="a) b")`)
	if len(calls) != 2 || calls[0].Args["days"] != json.Number("3") || calls[1].Args["pattern"] != "a) b" {
		t.Errorf("found %v", calls)
	}
}

// The descriptions of tools say when to ask, and when to recall.
func TestDescriptionsSayWhenToRecall(t *testing.T) {
	for text, wants := range map[string][]string{
		ScryTool:    {"USE THIS FIRST", "session learnings", "beliefs", RecallRule},
		ContextTool: {"USE THIS to understand design rules before making architectural changes", "beliefs"},
	} {
		for _, want := range wants {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
				t.Errorf("no %q in: %s", want, text)
			}
		}
	}
}
