package eval

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/store/doc"
)

type oneAnswer struct{ results []api.Result }

func (o oneAnswer) Scry(context.Context, api.Request) (*api.Answer, error) {
	return &api.Answer{Results: o.results}, nil
}

func shownAt(rank int, path string, first, last int, sha string) api.Result {
	return api.Result{Rank: rank, Description: doc.Description{Path: path, First: first, Last: last, SHA: sha}}
}

func TestLinesAreJudgedByTheLinesShown(t *testing.T) {
	asker := oneAnswer{[]api.Result{
		shownAt(1, "a.go", 1, 20, ""), shownAt(2, "b.go", 5, 9, ""), shownAt(3, "a.go", 30, 40, ""),
		shownAt(4, "", 0, 0, "abcdef123456"),
	}}
	text := "1. [code] a.go:12 f 1-20\n      12  x := 1\n2. [code] b.go:5\n   a sentence\n3. [code] a.go:31 g 30-40\n      31  y()\n4. [commit] abcdef1\n"
	for expect, want := range map[string]LineRow{
		"a.go:12-14":     {Lines: 1, File: 1, InText: true},
		"a.go:13-14":     {Lines: 1, File: 1},
		"a.go:31":        {Lines: 3, File: 1, InText: true},
		"a.go:25-28":     {File: 1},
		"b.go":           {Lines: 2, File: 2, InText: true},
		"c.go:12-12":     {},
		"commit:abcdef1": {Lines: 4, File: 4, InText: true},
		"commit:bbb":     {},
	} {
		qs := []LineQuestion{{Query: "q", Expect: []string{expect}}}
		rows, err := Lines(t.Context(), asker, qs, func(*api.Answer) (string, error) { return text, nil })
		if err != nil {
			t.Fatal(err)
		}
		want.Query, want.Tokens = "q", len(text)/4
		if rows[0] != want {
			t.Errorf("%s: %+v, want %+v", expect, rows[0], want)
		}
	}
}

func TestLinesText(t *testing.T) {
	var b strings.Builder
	rows := []LineRow{
		{Kind: "why", Lines: 1, File: 1, InText: true, Tokens: 200},
		{Kind: "error", File: 3, Tokens: 400},
	}
	if err := LinesText(&b, "app", rows); err != nil {
		t.Fatal(err)
	}
	want := "app            n=2   lines @1 50 @3 50 @10 50  file @1 50 @3 100 @10 100  in the text 50  tokens 400\n"
	if got, _, _ := strings.Cut(b.String(), "  error"); got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestLoadLinesNamesWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "not a JSON list of repositories", `[{"name":"x","questions":[{"query":"q"}]}]`: `question 1 of "x"`,
	} {
		file := filepath.Join(t.TempDir(), "set.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadLines(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
