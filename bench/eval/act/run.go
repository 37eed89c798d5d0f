package act

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"patina/bench/eval"
)

// Options of Run.
type Options struct {
	Source
	Agent  string        // the command line of an agent
	Client string        // whose hooks are installed, as "patina agent install" names it
	Runs   int           // of each task in each arm; 0 means 1
	Limit  time.Duration // of one run of the agent; 0 means usualLimit
	OnDone func(done, total int)
}

const (
	usualLimit = 10 * time.Minute
	checkLimit = 5 * time.Minute
)

// The arms. Both have the server of patina, so that the hooks are the only difference.
const (
	without = "without"
	with    = "with"
)

// A Report compares the two arms.
type Report struct {
	Runs       int           `json:"runs"` // of each task in each arm
	Rows       []Row         `json:"tasks"`
	Without    eval.Estimate `json:"without"`
	With       eval.Estimate `json:"with"`
	Difference eval.Estimate `json:"difference"` // with less without, paired by task
	Partial    bool          `json:"partial,omitempty"`
}

// A Row is one task.
type Row struct {
	Task    string   `json:"task"`
	Without int      `json:"without"` // runs that were done
	With    int      `json:"with"`
	Shown   int      `json:"shown"` // items that hooks showed, in all runs
	Faults  []string `json:"faults,omitempty"`
}

// Run lets the agent do each task in a fresh copy, without and with hooks in turns, and checks it.
// An agent that fails or is late has not done its task, unless the check says so. If ctx ends, the
// report has the tasks that were finished, and the error is that of ctx.
func Run(ctx context.Context, tasks []Task, o Options) (*Report, error) {
	if o.Runs == 0 {
		o.Runs = 1
	}
	if o.Limit == 0 {
		o.Limit = usualLimit
	}
	r := &Report{Runs: o.Runs}
	total := 2 * o.Runs * len(tasks)
	done := 0
	for _, t := range tasks {
		row := Row{Task: t.ID}
		for n := range o.Runs {
			for _, arm := range []string{without, with} {
				ok, shown, fault, err := try(ctx, t, o, arm, n)
				if err != nil {
					r.Partial = true
					r.estimate()
					return r, fmt.Errorf("task %s: %w", t.ID, err)
				}
				if fault != "" {
					row.Faults = append(row.Faults, arm+": "+fault)
				}
				row.Shown += shown
				if ok && arm == with {
					row.With++
				} else if ok {
					row.Without++
				}
				if done++; o.OnDone != nil {
					o.OnDone(done, total)
				}
			}
		}
		r.Rows = append(r.Rows, row)
	}
	r.estimate()
	return r, nil
}

// try lets the agent do a task once. The error is a fault of the measurement, not of the agent.
func try(ctx context.Context, t Task, o Options, arm string, n int) (ok bool, shown int, fault string, err error) {
	name := filepath.Join(t.ID, arm+strconv.Itoa(n))
	p, err := newPlace(ctx, o.Source, name)
	if err != nil {
		return false, 0, "", err
	}
	defer func() { _ = os.RemoveAll(filepath.Join(o.work, name)) }()
	if t.Setup != "" {
		if said, err := p.shell(ctx, t.Setup, checkLimit); err != nil {
			return false, 0, "", fmt.Errorf("its setup: %w: %s", err, said)
		}
	}
	for _, note := range t.Notes {
		if _, err := p.run(ctx, nil, noteArgs(note)...); err != nil {
			return false, 0, "", err
		}
	}
	hooks := map[string]string{without: "none", with: "act"}[arm]
	if _, err := p.run(ctx, nil, "agent", "install", "--client", o.Client, "--scope", "project", "--hooks", hooks, "--yes"); err != nil {
		return false, 0, "", err
	}
	prompt := filepath.Join(o.work, name, "prompt.md")
	if err := os.WriteFile(prompt, []byte(t.Prompt+"\n"), 0o600); err != nil {
		return false, 0, "", err
	}
	said, failed := p.shell(ctx, o.Agent, o.Limit, "PATINA_TASK="+prompt)
	if ctx.Err() != nil {
		return false, 0, "", ctx.Err()
	}
	if failed != nil {
		fault = fmt.Sprintf("the agent: %v: %s", failed, said)
	}
	_, unmet := p.shell(ctx, t.Check, checkLimit)
	return unmet == nil, countShown(p.root), fault, ctx.Err()
}

func noteArgs(n Note) []string {
	args := []string{"memory", "add", n.Text, "--type", "gotcha"}
	if n.Path != "" {
		args = append(args, "--path", n.Path)
	}
	if n.Symbol != "" {
		args = append(args, "--symbol", n.Symbol)
	}
	return args
}

// countShown returns the number of items that hooks have shown in a copy. Each leaves two marks.
func countShown(root string) int {
	b, err := os.ReadFile(filepath.Join(root, ".patina", "shown"))
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	return len(strings.Fields(string(b))) / 2
}

// estimate computes the means over tasks.
func (r *Report) estimate() {
	var a, b, d []float64
	for _, row := range r.Rows {
		x, y := float64(row.Without)/float64(r.Runs), float64(row.With)/float64(r.Runs)
		a, b, d = append(a, x), append(b, y), append(d, y-x)
	}
	r.Without, r.With, r.Difference = eval.EstimateOf(a), eval.EstimateOf(b), eval.EstimateOf(d)
}
