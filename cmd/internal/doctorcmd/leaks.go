package doctorcmd

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/code/lookup"
	"patina/internal/secrets"
)

// A leak is a secret in the index. It has the position, but too little of the secret to use it.
type leak struct {
	Rule   string `json:"rule"`
	About  string `json:"about"`
	Path   string `json:"path"` // empty for a commit
	SHA    string `json:"sha"`  // empty for a file
	Line   int    `json:"line"`
	Hint   string `json:"hint"` // its first characters, four at most
	Length int    `json:"length"`
}

// String writes the leak on one line.
func (l leak) String() string {
	where := l.Path
	if l.SHA != "" {
		where = "commit " + l.SHA[:min(12, len(l.SHA))]
	}
	return fmt.Sprintf("%s:%d: %s, %s… (%s)", where, l.Line, l.Rule, l.Hint, cli.Plural(l.Length, "character"))
}

// tokens looks for secrets in every indexed text from this working tree.
func (e *examination) tokens(i *project.Inspection) {
	g := i.Generation()
	leaks := []leak{}
	files, commits := 0, 0
	err := i.Texts(e.ctx, func(t lookup.Text) error {
		if t.SHA != "" {
			commits++
		} else {
			files++
		}
		found, err := findWithin(e.ctx, t)
		if err != nil {
			return err
		}
		for _, f := range found {
			leaks = append(leaks, leak{f.Rule, f.About, t.Path, t.SHA, f.Line, f.Hint, f.Length})
		}
		e.progress("secrets", files+commits, g.Files+g.Commits)
		return nil
	})
	if err != nil {
		e.say("secrets", failed, err.Error(), e.call("scrape", "--full"))
		return
	}
	slices.SortStableFunc(leaks, func(a, b leak) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortStableFunc(leaks, func(a, b leak) int { return cmp.Compare(min(1, len(a.SHA)), min(1, len(b.SHA))) })
	e.sayLeaks(leaks, files, commits)
}

// findWithin looks for secrets in one text. It returns an error if ctx ends first, because a
// malicious text can take many seconds.
func findWithin(ctx context.Context, t lookup.Text) ([]secrets.Finding, error) {
	found := make(chan []secrets.Finding, 1)
	go func() { found <- secrets.Find(t.Path, t.Body) }()
	select {
	case f := <-found:
		return f, ctx.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (e *examination) sayLeaks(leaks []leak, files, commits int) {
	rules := map[string]int{}
	for _, l := range leaks {
		rules[l.Rule]++
	}
	values := []any{"found", leaks, "rules", rules, "files", files, "commits", commits}
	searched := cli.Plural(files, "file") + ", " + cli.Plural(commits, "commit message")
	if len(leaks) == 0 {
		e.say("secrets", fine, "none that a rule knows in "+searched, "", values...)
		return
	}
	var counts []string
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		counts = append(counts, fmt.Sprintf("%d %s", rules[rule], rule))
	}
	e.say("secrets", warned, fmt.Sprintf("%d in %s: %s", len(leaks), searched, strings.Join(counts, ", ")),
		e.rotate(leaks), values...)
	last := &e.found[len(e.found)-1]
	for _, l := range leaks {
		last.more = append(last.more, l.String())
	}
}

// rotate returns the mend for leaks, which must not be empty. A secret in a commit message can only
// be revoked.
func (e *examination) rotate(leaks []leak) string {
	mend := "revoke each where it was issued"
	if leaks[0].SHA == "" { // files come before commits
		mend += "; then take it out of the file, or name the file in .patinaignore, and run " + e.call("scrape")
	}
	return mend
}
