package verify

import (
	"context"
	"errors"
	"strings"

	"patina/belief/knowledge"
	"patina/internal/lazyregexp"
	"patina/store/sqlite"
)

// A BeliefReach is a belief with the files that it is about.
type BeliefReach struct {
	ID       string
	Path     string
	Line     int  // of its statement
	ByOthers bool // as in belief.Belief
	Reached  []knowledge.Reached
}

// Reach returns the files that beliefs are about: those with the ids, or all if ids is empty. It
// runs their checks to find the files whose rows they count.
func (r *Runner) Reach(ctx context.Context, ids []string) (out []BeliefReach, missing []string, err error) {
	beliefs, missing, err := r.from.beliefs(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	finder, err := knowledge.NewReachFinder(ctx, r.from.Reader)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range beliefs {
		of := knowledge.BeliefText{ID: b.ID, Statement: b.statement, Text: b.text}
		for _, c := range b.Checks {
			paths, err := r.countedFiles(ctx, c)
			if err != nil {
				return nil, nil, err
			}
			of.Checked = append(of.Checked, paths)
		}
		reached, err := finder.Reach(ctx, of)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, BeliefReach{b.ID, b.Path, b.Line, b.ByOthers, reached})
	}
	return out, missing, nil
}

// counting matches a query that counts the rows of one view.
var counting = lazyregexp.New(`(?is)^\s*SELECT\s+COUNT\s*\([^()]*\)\s+FROM\s+(\w+)((?:\s+WHERE\s.*)?)$`)

// placed names the file column of the views that have one. The files in belief_code_reach are
// already reached.
var placed = map[string]string{
	"function_facts": "file", "import_facts": "file", "call_graph": "file", "code_search": "path",
	"git_tracked_files": "file_path", "commit_files": "file_path",
}

// countLimits bound the search for the files of one check. They are tight because one question
// searches all checks, and a stranger may have a million of them.
var countLimits = sqlite.Limits{Steps: limits.Steps / 10, Time: limits.Time / 5, Bytes: limits.Bytes, Rows: limits.Rows}

const (
	maxCounts = 2000 // checks that are searched for files
	maxBombs  = 3    // checks that may reach a limit before the search ends
)

// countedFiles returns the files whose rows a check counts, if it expects some. It returns nil for
// a query of another form, or one without an answer.
func (r *Runner) countedFiles(ctx context.Context, c Check) ([]string, error) {
	m := counting().FindStringSubmatch(strings.TrimRight(c.Query, "; \n"))
	if c.Type != "sql" || m == nil || !strings.HasPrefix(strings.TrimSpace(c.Expect), ">") {
		return nil, nil
	}
	column, ok := placed[strings.ToLower(m[1])]
	if !ok || strings.Contains(strings.ToLower(m[2]), "belief_code_reach") {
		return nil, nil
	}
	if r.counts == maxCounts || r.bombs == maxBombs {
		return nil, nil
	}
	r.counts++
	answer, err := r.ask(ctx, "SELECT DISTINCT "+column+" FROM "+m[1]+m[2], countLimits)
	if errors.Is(err, sqlite.ErrLimit) {
		r.bombs++
	}
	if err != nil {
		return nil, ctx.Err()
	}
	var paths []string
	for _, row := range answer.Rows {
		paths = append(paths, formatValue(row[0]))
	}
	return paths, nil
}

// beliefReach fills the view reachView.
func beliefReach(_ context.Context, s *source, row func(...any) error) error {
	for _, b := range s.reached {
		for _, x := range b.Reached {
			if err := row(b.ID, x.Path, x.Score, x.Commits, x.Symbol, x.Reason); err != nil {
				return err
			}
		}
	}
	return nil
}
