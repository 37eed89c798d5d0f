package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"patina/ask"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/mcp/mcptest"
	"patina/code/assay"
)

// agent is a real client of a real "patina mcp".
type agent struct {
	*client.Client
	t *testing.T
}

// connect starts "patina mcp" in the working folder and initializes a session.
func connect(t *testing.T, args ...string) agent {
	t.Helper()
	c, err := client.NewStdioMCPClient("patina", os.Environ(), append([]string{"mcp"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return greet(t, c, mcp.LATEST_LEGACY_PROTOCOL_VERSION)
}

func greet(t *testing.T, c *client.Client, protocol string) agent {
	t.Helper()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = protocol
	hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	return agent{c, t}
}

// try calls a tool and returns its text.
func (a agent) try(tool string, args map[string]any) (text string, isError bool) {
	a.t.Helper()
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = tool, args
	got, err := a.CallTool(a.t.Context(), r)
	if err != nil {
		a.t.Fatalf("%s %v: %v", tool, args, err)
	}
	if len(got.Content) != 1 {
		a.t.Fatalf("%s %v: %d blocks", tool, args, len(got.Content))
	}
	if args["format"] != "json" && got.StructuredContent != nil {
		a.t.Errorf("%s %v: structured content nobody asked for", tool, args)
	}
	return got.Content[0].(mcp.TextContent).Text, got.IsError
}

// call is try for a call that must be successful.
func (a agent) call(tool string, args map[string]any) string {
	a.t.Helper()
	text, isError := a.try(tool, args)
	if isError {
		a.t.Errorf("%s %v: %s", tool, args, text)
	}
	return text
}

// A toolMode is one question, as a command and as a call of a tool.
type toolMode struct {
	command []string
	tool    string
	args    map[string]any
}

// mcpModes lists every mode, with arguments that the fixture answers.
func mcpModes() []toolMode {
	modes := []toolMode{
		{[]string{"scry", "how are retries spread"}, "scry", map[string]any{"query": "how are retries spread"}},
		{
			[]string{"scry", "--limit", "3", "--path", "!**/*.md", "--lang", "go", "where is the disk full"},
			"scry",
			map[string]any{"query": "where is the disk full", "limit": 3, "path": "!**/*.md", "lang": "go"},
		},
		{
			[]string{"scry", "--content-type", "commit", "jitter"},
			"scry",
			map[string]any{"mode": "find", "query": "jitter", "content_type": "commit"},
		},
		{
			[]string{"scry", "--budget", "200", "acknowledge after sync"},
			"scry",
			map[string]any{"query": "acknowledge after sync", "budget": 200},
		},
		{[]string{"scry", "xyzzy plugh frobnicate"}, "scry", map[string]any{"query": "xyzzy plugh frobnicate"}},
		{[]string{"scry", "--content-type", "beliefs"}, "scry", map[string]any{"content_type": "beliefs"}},
		{[]string{"scry", "--belief", "jitter-every-retry"}, "scry", map[string]any{"belief": "jitter-every-retry"}},
		{
			[]string{"scry", "--belief", "jitter-every-retry", "--content-type", "code"},
			"scry",
			map[string]any{"belief": "jitter-every-retry", "content_type": "code"},
		},
		{
			[]string{"scry", "--detail", "belief:jitter-every-retry"},
			"scry",
			map[string]any{"mode": "detail", "doc_id": "belief:jitter-every-retry"},
		},
		{[]string{"scry", "--detail", "README.md"}, "scry", map[string]any{"mode": "detail", "doc_id": "README.md"}},
		{[]string{"scry", "why", "README.md"}, "scry", map[string]any{"mode": "why", "doc_id": "README.md"}},
		{
			[]string{"scry", "why", "README.md", "what is this"},
			"scry",
			map[string]any{"mode": "why", "doc_id": "README.md", "query": "what is this"},
		},
		{
			[]string{"scry", "why", "belief:jitter-every-retry"},
			"scry",
			map[string]any{"mode": "why", "doc_id": "belief:jitter-every-retry"},
		},
		{[]string{"scry", "--file", "README.md"}, "scry", map[string]any{"mode": "file", "path": "README.md"}},
		{
			[]string{"scry", "recent", "--days", "36500", "-n", "4"},
			"scry",
			map[string]any{"mode": "recent", "days": 36500, "limit": 4},
		},
		{[]string{"scry", "recent", "--days", "1"}, "scry", map[string]any{"mode": "recent", "days": 1}},
		{[]string{"scry", "orient", "."}, "scry", map[string]any{"mode": "orient"}},
		{[]string{"context"}, "context", nil},
		{
			[]string{"context", "--topic", "retries", "--budget", "400"},
			"context",
			map[string]any{"topic": "retries", "budget": 400},
		},
		{
			[]string{"assay", "functions", "nobody*calls*this"},
			"assay",
			map[string]any{"query_type": "functions", "pattern": "nobody*calls*this"},
		},
		{
			[]string{"assay", "functions", "*", "--limit", "4"},
			"assay",
			map[string]any{"query_type": "functions", "pattern": "*", "limit": 4},
		},
		{
			[]string{"assay", "functions", "*", "--timeout", "9s"},
			"assay",
			map[string]any{"query_type": "functions", "pattern": "*", "timeout": 9},
		},
	}
	for _, x := range assay.Types() {
		modes = append(modes,
			toolMode{[]string{"assay", x, "."}, "assay", map[string]any{"query_type": x, "pattern": "."}})
	}
	return modes
}

// Tools and commands give the same answers. Only the calls in a text are spelled differently, and
// each of them runs.
func TestToolsSayWhatCommandsSay(t *testing.T) {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	a := connect(t)
	var calls []mcptest.Call
	for _, m := range mcpModes() {
		want := inTools(t, g.run(m.command...))
		said := a.call(m.tool, m.args)
		if got := g.plain(said); got != want {
			t.Errorf("%v says\n%s\nand %s %v says\n%s", m.command, want, m.tool, m.args, got)
		}
		calls = append(calls, mcptest.Find(said)...)
	}
	if len(calls) < 30 {
		t.Errorf("%d calls in all texts", len(calls))
	}
	for _, c := range calls {
		a.call(c.Tool, c.Args)
	}
}

// JSON must not depend on the caller.
func TestToolsSayJSON(t *testing.T) {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	a := connect(t)
	for _, m := range mcpModes() {
		if m.command[0] == "scry" && m.args["query"] != nil && m.args["doc_id"] == nil {
			continue // dig_deeper has a call
		}
		args := map[string]any{"format": "json"}
		for name, value := range m.args {
			args[name] = value
		}
		want := g.run(append(m.command[:1:1], append([]string{"--json"}, m.command[1:]...)...)...)
		want = regexp.MustCompile(`\[exit \d\]\n`).ReplaceAllString(want, "")
		want, _, _ = strings.Cut(want, "\npatina:")
		want = sinceField.ReplaceAllString(want, "")
		if got := sinceField.ReplaceAllString(g.plain(a.call(m.tool, args)),
			""); strings.TrimSpace(got) != strings.TrimSpace(inTools(t, want)) {
			t.Errorf("%v says\n%s\nand %s %v says\n%s", m.command, want, m.tool, args, got)
		}
	}
	text := a.call("scry", map[string]any{"query": "how are retries spread", "format": "json"})
	var answer struct {
		Results   []struct{ DocID string }
		DigDeeper string `json:"dig_deeper"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || len(answer.Results) == 0 ||
		!strings.HasPrefix(answer.DigDeeper, `scry(doc_id="q_`) {
		t.Errorf("%v: %s", err, text)
	}
}

// sinceField matches a time that differs between runs.
var sinceField = regexp.MustCompile(`"since": "[^"]*"`)

var (
	commandCall = regexp.MustCompile(`patina (?:scry|assay|context|show|memory recall|memory show)(?: '[^'\n]*'| [^ \n·"]+)+`)
	commandWord = regexp.MustCompile(`'([^'\n]*)'|[^ \n]+`)
)

// inTools returns a command's text with its calls spelled as calls of tools.
func inTools(t *testing.T, text string) string {
	t.Helper()
	text = regexp.MustCompile(`(?m)^\[exit \d\]\n`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^patina: `).ReplaceAllString(text, "")
	text = regexp.MustCompile(`--budget (\d+)`).ReplaceAllString(text, "budget=$1")
	text = strings.ReplaceAll(text, "--json", `format="json"`)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, "your question") { // the recall directive has both spellings
			continue
		}
		lines[i] = commandCall.ReplaceAllStringFunc(line, func(call string) string {
			var words []string
			for _, m := range commandWord.FindAllStringSubmatch(strings.TrimPrefix(call, "patina "), -1) {
				words = append(words, strings.Trim(m[0], "'"))
			}
			return toolCallOf(t, words)
		})
	}
	return strings.Join(lines, "")
}

// toolCallOf returns the call of a tool for the words of a command.
func toolCallOf(t *testing.T, w []string) string {
	t.Helper()
	m := dialect.MCP{}
	if at := slices.Index(w, "--repo"); at > 0 {
		m.Repo = w[at+1]
		w = slices.Delete(w, at, at+2)
	}
	number := func(i int) int {
		n, err := strconv.Atoi(w[i])
		if err != nil {
			t.Fatalf("%q: %v", w, err)
		}
		return n
	}
	page := 1
	if at := slices.Index(w, "--page"); at > 0 {
		page = number(at + 1)
		w = w[:at]
	}
	switch {
	case w[0] == "show" && w[2] == "RANK":
		return m.Detail(w[1], 0, page)
	case w[0] == "show":
		return m.Detail(w[1], number(2), page)
	case w[0] == "assay":
		return m.Assay(w[1], w[2])
	case w[0] == "memory" && w[1] == "show":
		return m.Describe("memory:"+w[2], 1)
	case w[0] == "memory":
		return m.Memories(w[len(w)-1], number(3), w[4:len(w)-2]...)
	case w[1] == "why":
		return m.Why(w[2])
	case w[1] == "--file":
		return m.Neighbours(w[2])
	case w[1] == "recent":
		return m.Recent(number(3))
	case w[1] == "orient":
		return m.Orient(w[2])
	case w[1] == "--literal":
		return m.Lines(w[2])
	case w[1] == "--belief" && len(w) == 5:
		return m.Reach(w[2])
	case w[1] == "--belief":
		return m.Believe(w[2])
	case w[1] == "--detail":
		return m.Describe(w[2], page)
	}
	if len(w) == 2 {
		return m.Ask(w[1])
	}
	t.Errorf("no tool for %q", w)
	return ""
}

// The tool remember must act like "patina memory add": same words, same note, and a repeated note
// is merged.
func TestRememberIsMemoryAdd(t *testing.T) {
	g := layGoldens(t)
	a := connect(t)
	note := map[string]any{
		"text": "The pool size is 8", "type": "gotcha", "tags": "db, Prod", "path": "README.md",
		"symbol": "pool",
	}
	id := strings.TrimSpace(a.call("remember", note))
	if again, want := a.call("remember", note),
		g.run("memory", "add", "the pool size is 8", "--type", "gotcha"); g.plain(again) != g.plain(want) ||
		again != id+" says the same: merged\n" {
		t.Errorf("again: %q, and the command %q", again, want)
	}
	shown := g.run("memory", "show", id)
	for _, want := range []string{"[gotcha]", "agent", "db, prod", "README.md", "symbol  pool"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	var kept struct {
		ID     string
		Merged bool
	}
	note["format"] = "json"
	if err := json.Unmarshal([]byte(a.call("remember", note)), &kept); err != nil || kept.ID != id || !kept.Merged {
		t.Errorf("as JSON: %+v, %v", kept, err)
	}
	secret := "the token is ghp_" + strings.Repeat("aB3dE6gH9", 4)
	if said, isError := a.try("remember", map[string]any{"text": secret}); !isError ||
		strings.Contains(said, "--allow") || strings.Contains(said, "ghp_") {
		t.Errorf("a secret: %v %s", isError, said)
	}
	for _, args := range []map[string]any{{}, {"text": "x", "type": "poem"}} {
		if said, isError := a.try("remember", args); !isError {
			t.Errorf("%v: %s", args, said)
		}
	}
}

// The description of a tool is in the help of the command, word for word.
func TestToolsAreDescribedAsCommands(t *testing.T) {
	layGoldens(t)
	a := connect(t)
	list, err := a.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 4 {
		t.Errorf("%d tools", len(list.Tools))
	}
	for _, tool := range list.Tools {
		var out strings.Builder
		command := []string{tool.Name}
		if tool.Name == "remember" {
			command = []string{"memory", "add"}
		}
		if code := run(append(command, "--help"), strings.NewReader(""), &out, &out); code != 0 ||
			!strings.Contains(oneLine(out.String()), oneLine(tool.Description)) {
			t.Errorf("%s is described as\n%s\nand its help is\n%s", tool.Name, tool.Description, out.String())
		}
		if tool.Annotations.ReadOnlyHint == nil || *tool.Annotations.ReadOnlyHint == (tool.Name == "remember") ||
			tool.Name == "remember" && (tool.Annotations.IdempotentHint == nil || !*tool.Annotations.IdempotentHint) {
			t.Errorf("%s: annotations %+v", tool.Name, tool.Annotations)
		}
		if always := tool.Meta != nil &&
			tool.Meta.AdditionalFields["anthropic/alwaysLoad"] == true; always != (tool.Name == "scry") {
			t.Errorf("%s: to be loaded always: %v", tool.Name, always)
		}
	}
}

// Kinds have one set of words: in the list of tools, in the help and in errors.
func TestKindsHaveOneSetOfWords(t *testing.T) {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	a := connect(t)
	list, err := a.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(list.Tools[0]); err != nil || !strings.Contains(string(text), `"`+ask.Kinds()+`"`) {
		t.Errorf("%v: the list does not name %s: %s", err, ask.Kinds(), text)
	}
	said, isError := a.try("scry", map[string]any{"query": "x", "content_type": "opinions"})
	if !isError || !strings.Contains(said, "there are: "+ask.Kinds()) {
		t.Errorf("an unknown kind: %s", said)
	}
	words := append(strings.Split(ask.Kinds(), ", "), "beliefs", "commits", "sessions", "docs", "patterns", "memories")
	for _, word := range words {
		if said, isError := a.try("scry", map[string]any{"query": "retries", "content_type": word}); isError {
			t.Errorf("%s: %s", word, said)
		}
		g.run("scry", "--content-type", word, "retries")
	}
}

// rootsOf answers a server's request for roots.
type rootsOf []string

func (r rootsOf) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	out := &mcp.ListRootsResult{Roots: []mcp.Root{}}
	for _, dir := range r {
		out.Roots = append(out.Roots, mcp.Root{URI: "file://" + dir})
	}
	return out, nil
}

// connectTo is connect for a client with roots.
func connectTo(t *testing.T, roots []string, args ...string) agent {
	t.Helper()
	return speak(t, mcp.LATEST_LEGACY_PROTOCOL_VERSION, roots, args...)
}

// fits skips a test whose server makes a first index if tests should be short, because fitting its
// model takes minutes under the race detector.
func fits(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("fits a model")
	}
}

// speak is connectTo for a client of another protocol.
func speak(t *testing.T, protocol string, roots []string, args ...string) agent {
	t.Helper()
	plain, err := client.NewStdioMCPClient("patina", os.Environ(), append([]string{"mcp"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	c := client.NewClient(plain.GetTransport(), client.WithRootsHandler(rootsOf(roots)),
		client.WithProtocolVersion(protocol))
	if err := c.Start(t.Context()); err != nil {
		t.Logf("start: %v", err) // the transport is already running
	}
	t.Cleanup(func() { _ = c.Close() })
	return greet(t, c, protocol)
}

// The roots of the client are the projects, before --project and the working folder. The first call
// makes an index.
func TestToolsAnswerAboutTheRoots(t *testing.T) {
	fits(t)
	g := layGoldens(t)
	dir := filepath.Dir(g.root)
	for name, text := range map[string]string{
		"one/kettle.go": "package one\n\n// BoilKettle heats water for tea.\nfunc BoilKettle() {}\n",
		"two/toast.go":  "package two\n\n// BurnToast browns bread.\nfunc BurnToast() {}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	ask := func(a agent, query string, more ...string) string {
		args := map[string]any{"query": query}
		for i := 0; i < len(more); i += 2 {
			args[more[i]] = more[i+1]
		}
		return a.call("scry", args)
	}

	several := connectTo(t, []string{one, two}, "--project", g.root)
	if got := ask(several, "heats water for tea"); !strings.Contains(got, "kettle.go") ||
		!strings.Contains(got, `project: one (others: repo="two")`) {
		t.Errorf("the first root answers\n%s", got)
	}
	if got := ask(several, "browns bread", "repo", "two"); !strings.Contains(got, "toast.go") ||
		!strings.Contains(got, `doc_id="toast.go::BurnToast", repo="two")`) {
		t.Errorf("the second root answers\n%s", got)
	}
	if got := several.call("scry", map[string]any{
		"mode":   "detail",
		"doc_id": filepath.Join(two, "toast.go"),
	}); !strings.Contains(got, "browns bread") {
		t.Errorf("a path in the second root shows\n%s", got)
	}
	for _, c := range mcptest.Find(ask(several, "browns bread", "repo", "two")) {
		if got := several.call(c.Tool, c.Args); !strings.Contains(got, "oast") {
			t.Errorf("%v shows\n%s", c, got)
		}
	}
	if text, isError := several.try("scry", map[string]any{"query": "x", "repo": "three"}); !isError ||
		!strings.Contains(text, "there are: one, two") {
		t.Errorf("an unknown project: %s", text)
	}
	list, err := several.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil || !strings.Contains(fmt.Sprint(list.Tools[0].InputSchema), "repo") &&
		!strings.Contains(string(list.Tools[0].RawInputSchema), "repo") {
		t.Errorf("the list for several roots has no repo: %v", err)
	}

	if got := ask(speak(t, mcp.LATEST_PROTOCOL_VERSION, []string{two}), "browns bread"); !strings.Contains(got,
		"toast.go") {
		t.Errorf("by the newest protocol, a root answers\n%s", got)
	}
	if got := ask(connectTo(t, []string{two}), "browns bread"); !strings.Contains(got, "toast.go") ||
		strings.Contains(got, "project:") {
		t.Errorf("a single root answers\n%s", got)
	}
	t.Chdir(dir)
	if got := ask(connect(t, "--project", one), "heats water for tea"); !strings.Contains(got, "kettle.go") {
		t.Errorf("--project answers\n%s", got)
	}
	if text, isError := connect(t).try("scry", map[string]any{"query": "x"}); !isError ||
		!strings.Contains(text, `"args": ["mcp", "--project", "/path/to/repository"]`) {
		t.Errorf("without any project: %s", text)
	}
	if text, isError := connectTo(t, []string{filepath.Join(dir, "gone")}).try("scry",
		map[string]any{"query": "x"}); !isError || !strings.Contains(text, "there is no folder") {
		t.Errorf("with a root that is not there: %s", text)
	}
	t.Chdir(g.root)
	if got := ask(connect(t), "how are retries spread"); !strings.Contains(got, "retr") {
		t.Errorf("the working folder answers\n%s", got)
	}
}
