package deliver

import (
	"strings"
	"testing"
	"unicode/utf8"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/fusion"
	"patina/store/doc"
)

func painting(score float64) *api.Answer {
	d := doc.Description{
		DocID: "src/lock.go", Shown: "src/lock.go::Lock", Kind: doc.Code, Path: "src/lock.go", Symbol: "Lock", First: 3,
		Last: 9, Line: 5, Signed: 3,
		Title: "func Lock(ctx context.Context, name string) error",
		Lines: []doc.Line{
			{Number: 5, Text: "\treturn errors.New(\"a message that is quite long, and so long that it cannot fit\")"},
			{Number: 3, Text: "func Lock("},
			{Number: 4, Text: "\tctx context.Context, name string,"},
		},
	}
	r := api.Result{Rank: 1, Description: d, Result: fusion.Result{
		Key: fusion.Key{Project: "p", Kind: "code", ID: d.Path}, Score: score,
		Contributions: []fusion.Contribution{{Channel: "lexical", Rank: 1, Normalised: 0.76}},
	}}
	return &api.Answer{QueryID: "q_260202143000_abc", Relevance: fusion.Relevant, Results: []api.Result{r}}
}

func snippetsOf(t *testing.T, a *api.Answer, o Options) string {
	t.Helper()
	var b strings.Builder
	o.Dialect = dialect.CLI{}
	if err := Snippets(&b, a, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Only the line of a call may be longer than the width. All others are cut with an ellipsis.
func TestLinesKeepTheWidth(t *testing.T) {
	a := painting(0.5)
	text := snippetsOf(t, a, Options{Width: 60, Logged: true})
	cut := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > 60 && !strings.Contains(line, "patina ") {
			t.Errorf("%d characters: %s", n, line)
		}
		if strings.HasSuffix(line, layout.Ellipsis) {
			cut++
		}
	}
	if cut != 1 {
		t.Errorf("%d lines are cut:\n%s", cut, text)
	}
	if wide := snippetsOf(t, a, Options{Logged: true}); strings.Contains(wide, layout.Ellipsis) {
		t.Errorf("cut without a width:\n%s", wide)
	}
}

// The lines above and below the results keep the width too, and no call is cut in two.
func TestNotesKeepTheWidth(t *testing.T) {
	a := painting(0.5)
	a.Notes = []string{
		"`lok` is not in the index; did you mean Lock, lock, Locks",
		"no file matches the path \"src/old/**/*.go\" of this question",
	}
	a.Indexes = []api.IndexState{{
		Project: "p",
		Lag: &api.Lag{
			Files: 3, Looked: 3, Folders: true, Pending: []string{"src/lock.go", "src/unlock.go"},
			Why: "too much for a question to read",
		},
	}}
	a.Channels = []api.ChannelState{{
		Project: "p", Channel: "semantic", Status: api.Deadline,
		Detail: "deadline 5400 ms",
	}, {Project: "p", Channel: "temporal", Status: api.Failed, Detail: "disk on fire"}}
	a.Partial = true
	wide := snippetsOf(t, a, Options{Logged: true})
	for width := 30; width < 120; width++ {
		text := snippetsOf(t, a, Options{Width: width, Logged: true})
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width &&
				!strings.Contains(line, "patina ") {
				t.Errorf("%d of %d characters: %s", n, width, line)
			}
		}
		for _, said := range []string{
			"disk on fire", "did you mean Lock", "too much for a question to read",
			"the answer lacks semantic",
		} {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), said) || !strings.Contains(wide, said) {
				t.Errorf("width %d: %q is not in:\n%s", width, said, text)
			}
		}
		if !strings.Contains(text, "patina scrape") {
			t.Errorf("width %d: the call is cut:\n%s", width, text)
		}
	}
}

// A name that the end of the line cuts must have its colour.
func TestCutNamesArePainted(t *testing.T) {
	a := painting(0.5)
	a.Results[0].Symbol = "LockThatWaitsForEverybody"
	for _, width := range []int{30, 32, 40} {
		text := snippetsOf(t, a, Options{Colour: true, Width: width})
		_, head, _ := strings.Cut(text, "1. [code]")
		if head, _, _ = strings.Cut(head, "\n"); !strings.Contains(head, nameStyle+"Lock") ||
			!strings.Contains(head, layout.Ellipsis+layout.ResetStyle) {
			t.Errorf("width %d: %q", width, head)
		}
	}
}

// Paths and names have their own colours, which must not change the text.
func TestPathsAndNamesArePainted(t *testing.T) {
	a := painting(0.5)
	text := snippetsOf(t, a, Options{Colour: true})
	for _, want := range []string{
		pathStyle + "src/lock.go" + layout.ResetStyle,
		nameStyle + "Lock" + layout.ResetStyle,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%q", want, text)
		}
	}
	for _, style := range []string{pathStyle, nameStyle, layout.StrongStyle, layout.FaintStyle, layout.ResetStyle} {
		text = strings.ReplaceAll(text, style, "")
	}
	if plain := snippetsOf(t, a, Options{}); text != plain {
		t.Errorf("without colours:\n%s\nplain:\n%s", text, plain)
	}
}

// The channels' numbers are for --explain, a signature is printed once, and a match never scores 0.
func TestSnippetsSayNothingTwice(t *testing.T) {
	text := snippetsOf(t, painting(0.001), Options{})
	for _, absent := range []string{"lexical", "func Lock(\n", "ctx context.Context, name string,", "(0.00)"} {
		if strings.Contains(text, absent) {
			t.Errorf("%q in:\n%s", absent, text)
		}
	}
	if !strings.Contains(text, "(<0.01)") || strings.Count(text, "ctx context.Context") != 1 {
		t.Errorf("score and signature:\n%s", text)
	}
	if text := snippetsOf(t, painting(0.5), Options{Explain: true}); !strings.Contains(text, "lexical 0.76") {
		t.Errorf("--explain:\n%s", text)
	}
}

// Further places are named too, with the call that lists them.
func TestMorePlacesAreSaid(t *testing.T) {
	a := painting(0.5)
	a.More = []api.More{{Project: "p"}}
	a.More[0].Text, a.More[0].Files = "APP_DEBUG", 4
	if text := snippetsOf(t, a, Options{}); !strings.Contains(text,
		`"APP_DEBUG" stands in 4 more files: patina scry --literal APP_DEBUG`) {
		t.Error(text)
	}
}
