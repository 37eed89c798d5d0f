package ab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/store/doc"
)

// An Engine answers for one project, like *actors.Engine.
type Engine interface {
	Scry(ctx context.Context, r api.Request) (*api.Answer, error)
	Detail(ctx context.Context, r api.DetailRequest) (*api.DetailAnswer, error)
	Reach(ctx context.Context, r api.ReachRequest) (*api.ReachAnswer, error)
}

// Options control how arms are compared.
type Options struct {
	K    int // results that count; 0: 10
	Seed uint64
	// Print returns an answer as users get it, within a budget of tokens. 0 is the usual budget. It
	// must not be nil.
	Print      func(a *api.Answer, budget int) (string, error)
	Judge      *Judge                // nil: no judge
	Record     *Record               // nil: no record
	OnProgress func(done, total int) // counts answers; may be nil
	OnJudged   func(done, total int)
}

const (
	usualK = 10
	// patience is the time for each question. It is long because a slow machine must not cost a
	// channel: quality is measured, not speed.
	patience      = 30 * time.Second
	bytesPerToken = 4
	// noteRelation is the relation of code to a belief about it (code/lookup).
	noteRelation = "belief"
)

// Run answers every task with every arm, compares the arms with the first one, and lets a judge
// read the answers. There must be two arms or more. A task with an answer that fails is left out of
// the figures and named in the report. Run returns an error if ctx ends, if the needed documents
// cannot be looked up, or if nothing can be compared.
func Run(ctx context.Context, e Engine, tasks []Task, arms []Arm, o Options) (*Report, error) {
	if o.K == 0 {
		o.K = usualK
	}
	if err := check(tasks, arms, o.K); err != nil {
		return nil, err
	}
	x := &experiment{engine: e, arms: arms, options: o}
	if err := x.find(ctx, tasks); err != nil {
		return nil, err
	}
	total := len(x.tasks) * len(arms)
	for i, t := range x.tasks {
		for j := range arms {
			row, err := x.ask(ctx, t, &arms[j])
			if err != nil {
				return nil, err
			}
			x.rows = append(x.rows, row)
			o.Record.keep("answer", row)
			if o.OnProgress != nil {
				o.OnProgress(i*len(arms)+j+1, total)
			}
		}
	}
	r := x.report()
	if o.Judge != nil {
		verdict, err := x.judge(ctx)
		if err != nil {
			return nil, err
		}
		r.Judge = verdict
	}
	o.Record.keep("report", r)
	return r, nil
}

// check returns an error if the arms cannot be compared over the tasks.
func check(tasks []Task, arms []Arm, k int) error {
	switch {
	case len(tasks) == 0:
		return errors.New("compare: no tasks")
	case len(arms) < 2:
		return errors.New("compare: want two arms or more")
	case k < 1:
		return fmt.Errorf("compare: the first %d results: want 1 or more", k)
	}
	for i, a := range arms {
		if slices.ContainsFunc(arms[:i], func(b Arm) bool { return a.Name == b.Name }) {
			return fmt.Errorf("compare: two arms named %q", a.Name)
		}
		if a.limit < k {
			return fmt.Errorf("arm %q: limit %d is less than the %d results that count", a.Name, a.limit, k)
		}
	}
	return nil
}

// An experiment is the state of one Run.
type experiment struct {
	engine    Engine
	arms      []Arm
	options   Options
	tasks     []Task
	documents map[string]document // that tasks need and the index has
	missing   []string            // ids that the index does not have
	dropped   []string            // ids of tasks of which it has no document
	beliefs   int                 // about some code of this index
	reach     map[string][]string // files by belief
	rows      []Row               // by task, then by arm
	texts     []string            // of the rows
	index     api.IndexState
}

// A document is a document that a task needs.
type document struct {
	kind doc.Kind
	body string
}

// find looks up the documents that tasks need, and the code that beliefs are about.
func (x *experiment) find(ctx context.Context, tasks []Task) error {
	x.documents, x.reach = map[string]document{}, map[string][]string{}
	for _, t := range tasks {
		held := false
		for _, n := range slices.Concat(t.Knowledge, t.Code) {
			for _, id := range n {
				ok, err := x.lookUp(ctx, id)
				if err != nil {
					return err
				}
				held = held || ok
			}
		}
		if !held {
			x.dropped = append(x.dropped, t.ID)
			continue
		}
		x.tasks = append(x.tasks, t)
	}
	if len(x.tasks) == 0 {
		return ErrOther
	}
	about, err := x.engine.Reach(ctx, api.ReachRequest{ReadOptions: api.ReadOptions{Timeout: patience}})
	if err != nil {
		return err
	}
	for _, b := range about.Beliefs {
		for _, r := range b.Reached {
			x.reach[doc.Belief.FileID(b.ID)] = append(x.reach[doc.Belief.FileID(b.ID)], r.Path)
		}
	}
	x.beliefs = len(about.Beliefs)
	return nil
}

// ErrOther reports that the tasks are about another project.
var ErrOther = errors.New("compare: nothing that the tasks need is in this index")

// lookUp reports whether the index has a document, and remembers the result.
func (x *experiment) lookUp(ctx context.Context, id string) (bool, error) {
	if _, ok := x.documents[id]; ok {
		return true, nil
	}
	if slices.Contains(x.missing, id) {
		return false, nil
	}
	d, err := x.engine.Detail(ctx, api.DetailRequest{ReadOptions: api.ReadOptions{Timeout: patience}, DocID: id})
	if errors.Is(err, lookup.ErrNoDocument) {
		x.missing = append(x.missing, id)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up %q: %w", id, err)
	}
	x.index = d.Index
	x.documents[id] = document{kind: d.Kind, body: d.Title + "\n" + d.Path + "\n" + d.Body}
	return true, nil
}

// ask answers a task with an arm. An error of the engine makes a failed row. Only an error of ctx
// is returned.
func (x *experiment) ask(ctx context.Context, t Task, arm *Arm) (Row, error) {
	row := Row{Task: t.ID, Kind: t.Kind, Arm: arm.Name}
	text, err := "", error(nil)
	a, err := x.engine.Scry(ctx, arm.request(t.Query))
	if err == nil {
		row.Partial = a.Partial
		strip(a, arm)
		text, err = x.print(ctx, a, arm)
	}
	if ctx.Err() != nil {
		return row, ctx.Err()
	}
	if err != nil {
		row.Failed = err.Error()
	} else {
		row.score(t, a, text, x.options.K)
		row.Best = x.best(t, arm, row)
	}
	id := ""
	if a != nil {
		id = a.QueryID
	}
	x.texts = append(x.texts, blind(text, id))
	return row, nil
}

// strip removes the notes about beliefs from an answer, if the arm is without them.
func strip(a *api.Answer, arm *Arm) {
	if arm.annotations {
		return
	}
	for i := range a.Results {
		d := &a.Results[i].Description
		d.Links = slices.DeleteFunc(slices.Clone(d.Links), func(l doc.Link) bool { return l.Relation == noteRelation })
	}
}

// print returns the text of an answer in the form of the arm.
func (x *experiment) print(ctx context.Context, a *api.Answer, arm *Arm) (string, error) {
	if !arm.full {
		return x.options.Print(a, arm.budget)
	}
	var b strings.Builder
	for _, r := range a.Results {
		id := r.Shown
		if id == "" {
			id = r.DocID
		}
		d, err := x.engine.Detail(ctx, api.DetailRequest{
			ReadOptions: api.ReadOptions{Timeout: patience},
			DocID:       id,
		})
		if err != nil {
			return "", fmt.Errorf("open %q: %w", id, err)
		}
		fmt.Fprintf(&b, "%d. [%s] %s %s\n", r.Rank, r.Kind.Label(), id, r.Path)
		for _, l := range r.Description.Links {
			if l.Relation == noteRelation {
				fmt.Fprintf(&b, "   ← %s (%s)\n", l.Target, l.Note)
			}
		}
		b.WriteString(strings.TrimRight(d.Body, "\n") + "\n\n")
	}
	text := b.String()
	if most := arm.budget * bytesPerToken; most > 0 && len(text) > most {
		cut := fmt.Sprintf("\ncut to %d tokens\n", arm.budget)
		text = strings.ToValidUTF8(text[:max(0, most-len(cut))], "") + cut
	}
	return text, nil
}
