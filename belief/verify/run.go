package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"patina/store"
	"patina/store/sqlite"
)

// limits bound one check. Real checks take less than a tenth of the steps and of the time.
var limits = sqlite.Limits{Steps: 50_000_000, Time: 5 * time.Second, Bytes: 256 << 20, Rows: 1000}

// A source has the data of all views.
type source struct {
	Source
	snapshot *store.Snapshot
	reached  []BeliefReach // nil before it is queried
}

// A Source is an index at one generation, and data from outside the index.
type Source struct {
	Reader  *store.Reader
	Tracked func(context.Context) ([]string, error) // files that git tracks; nil: those in the index
}

// A Runner runs checks, all on the same generation. Each view is copied when a check first reads
// it. It must not be used concurrently.
type Runner struct {
	from    source
	sandbox *sqlite.Sandbox
	filled  map[string]error
	counts  int // number of queries for the files of checks
	bombs   int // number of those that reached a limit
}

// NewRunner returns a runner. The caller must call Close.
func NewRunner(ctx context.Context, from Source) (*Runner, error) {
	snap, err := from.Reader.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	names, statements := nameViews()
	sandbox, err := sqlite.OpenSandbox(statements, names)
	if err != nil {
		return nil, fmt.Errorf("open a sandbox: %w", err)
	}
	return &Runner{from: source{Source: from, snapshot: snap}, sandbox: sandbox, filled: make(map[string]error)}, nil
}

// Close frees the copies of views.
func (r *Runner) Close() error { return r.sandbox.Close() }

// Run runs one check. Faults of the check are in the outcome. An error is returned only if ctx
// ends.
func (r *Runner) Run(ctx context.Context, c Check) (Outcome, error) {
	o := Outcome{Check: c}
	if c.Type != "sql" {
		o.Status, o.Detail = Unsupported, fmt.Sprintf("type %q is not run; only %q is", c.Type, "sql")
		return o, nil
	}
	answer, err := r.ask(ctx, c.Query, limits)
	if err == nil {
		var ok bool
		if o.Got, ok, err = compareExpected(c.Expect, answer); err == nil {
			o.Status = Failed
			if ok {
				o.Status = Passed
			}
			return o, nil
		}
	}
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	o.Status, o.Detail = Broken, err.Error()
	return o, nil
}

// ask fills the views that a query reads, and runs the query.
func (r *Runner) ask(ctx context.Context, query string, l sqlite.Limits) (sqlite.Table, error) {
	read, err := r.sandbox.Reads(ctx, query, l)
	if err != nil {
		return sqlite.Table{}, err
	}
	for _, name := range read {
		if err := r.fill(ctx, name); err != nil {
			return sqlite.Table{}, fmt.Errorf("read the view %q: %w", name, err)
		}
	}
	return r.sandbox.Ask(ctx, query, l)
}

// errEnough ends the filling of a view whose rows are no longer needed.
var errEnough = errors.New("enough rows")

// prepareView reads the other views that a view needs, because they cannot be read while it is
// filled.
func (r *Runner) prepareView(ctx context.Context, v view) (err error) {
	if v.name == reachView && r.from.reached == nil {
		r.from.reached, _, err = r.Reach(ctx, nil)
	}
	return err
}

// fill copies a view, once.
func (r *Runner) fill(ctx context.Context, name string) error {
	if err, done := r.filled[name]; done {
		return err
	}
	v := viewNamed(name)
	err := r.prepareView(ctx, v)
	if err != nil {
		return err
	}
	err = r.sandbox.Fill(name, v.width(), func(yield func([]any, error) bool) {
		err := v.fill(ctx, &r.from, func(values ...any) error {
			if !yield(values, nil) {
				return errEnough
			}
			return ctx.Err()
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	})
	if ctx.Err() == nil {
		r.filled[name] = err
	}
	return err
}
