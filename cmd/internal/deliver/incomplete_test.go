package deliver

import (
	"bytes"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/fusion"
)

// An incomplete answer must say so in every form, and is never called irrelevant. A result without
// known lines prints no line.
func TestIncompleteInEveryForm(t *testing.T) {
	a := sample(3)
	a.Partial, a.Relevance = true, fusion.Unjudged
	a.Results[0].Bare = true
	a.Channels = []api.ChannelState{
		{Project: "patina", Channel: "lexical", Status: api.OK},
		{Project: "patina", Channel: "semantic", Status: api.Deadline, Detail: "deadline 6000 ms"},
		{Project: "patina", Channel: "description", Status: api.Deadline},
	}
	template, err := ParseTemplate("{{.path}}:{{.line_start}}")
	if err != nil {
		t.Fatal(err)
	}
	const lacks = "the answer lacks semantic, description"
	for name, form := range map[string]struct {
		print func(*bytes.Buffer) error
		want  string
		lines int // of a form with one line a result
	}{
		"text": {func(b *bytes.Buffer) error { return Snippets(b, a, Options{Dialect: dialect.CLI{}}) }, lacks, 0},
		"small": {
			func(b *bytes.Buffer) error { return Snippets(b, a, Options{Dialect: dialect.CLI{}, Budget: 100}) },
			lacks, 0,
		},
		"mcp": {func(b *bytes.Buffer) error { return Snippets(b, a, Options{Dialect: dialect.MCP{}}) }, lacks, 0},
		"explain": {func(b *bytes.Buffer) error {
			return Snippets(b, a,
				Options{Dialect: dialect.CLI{}, Explain: true})
		}, lacks, 0},
		"json": {
			func(b *bytes.Buffer) error { return JSON(b, a, Options{Dialect: dialect.CLI{}}) }, `"description"`,
			0,
		},
		"brief": {
			func(b *bytes.Buffer) error { return Brief(b, a, Options{Dialect: dialect.CLI{}}) },
			`"incomplete": [`, 0,
		},
		"format": {
			func(b *bytes.Buffer) error { return Format(b, a, template, Options{Dialect: dialect.CLI{}}) },
			a.Results[2].Path, 2,
		},
		"vimgrep": {func(b *bytes.Buffer) error {
			return Vimgrep(b, a, func(string, int) (string, error) { return "text", nil })
		}, a.Results[2].Path, 1},
	} {
		var b bytes.Buffer
		if err := form.print(&b); err != nil {
			t.Fatal(name, err)
		}
		if text := b.String(); !strings.Contains(text, form.want) || strings.Contains(text, "nothing relevant") {
			t.Errorf("%s:\n%s", name, text)
		} else if form.lines > 0 && strings.Count(text, "\n") != form.lines {
			t.Errorf("%s: a line for a result that was not described:\n%s", name, text)
		}
	}
	if found := a.Relevant(); len(found) != 2 || found[0].Bare {
		t.Errorf("listed: %+v", found)
	}
}

// A project that nobody answers for is named with its reason in every form that names channels.
func TestUnreachableProjectIsNamed(t *testing.T) {
	a := sample(3)
	a.Partial = true
	a.Channels = []api.ChannelState{
		{Project: "patina", Channel: "lexical", Status: api.OK},
		{Project: "far", Channel: "lexical", Status: api.Unreachable, Detail: "n1, n2 down since 10:00:00"},
		{Project: "far", Channel: "semantic", Status: api.Unreachable, Detail: "n1, n2 down since 10:00:00"},
	}
	o := Options{Dialect: dialect.CLI{}, Visits: map[string]Visit{"far": {}}}
	for name, form := range map[string]struct {
		print func(*bytes.Buffer) error
		want  string
	}{
		"text":  {func(b *bytes.Buffer) error { return Snippets(b, a, o) }, "not searched: far (n1, n2 down since 10:00:00)"},
		"json":  {func(b *bytes.Buffer) error { return JSON(b, a, o) }, `"status": "UNREACHABLE"`},
		"brief": {func(b *bytes.Buffer) error { return Brief(b, a, o) }, `"UNREACHABLE"`},
	} {
		var b bytes.Buffer
		if err := form.print(&b); err != nil {
			t.Fatal(name, err)
		}
		if text := b.String(); !strings.Contains(text, form.want) || !strings.Contains(text, "n1, n2 down since 10:00:00") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// What a channel made of the question is in the explanation and in the full JSON, not in an answer.
func TestDetailOfChannelIsExplained(t *testing.T) {
	a := sample(3)
	a.Channels = []api.ChannelState{{Project: "patina", Channel: "lexical", Status: api.OK, Detail: "random: rand, rng"}}
	text := func(o Options) string {
		var b bytes.Buffer
		if err := Snippets(&b, a, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const want = "lexical also random: rand, rng"
	if got := text(Options{Dialect: dialect.CLI{}, Explain: true}); !strings.Contains(got, want) {
		t.Errorf("not explained:\n%s", got)
	}
	if got := text(Options{Dialect: dialect.CLI{}}); strings.Contains(got, "rng") {
		t.Errorf("said unasked:\n%s", got)
	}
	var b bytes.Buffer
	if err := JSON(&b, a, Options{Dialect: dialect.CLI{}}); err != nil || !strings.Contains(b.String(), `"detail": "random: rand, rng"`) {
		t.Errorf("%v\n%s", err, b.String())
	}
}
