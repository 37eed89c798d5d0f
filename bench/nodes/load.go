package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/wire/config"
	"patina/wire/peer"
)

var (
	comment    = regexp.MustCompile(`(?m)^// ([A-Z][^\n]{30,100})$`)
	definition = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?([A-Z]\w{3,})\(`)
)

// questionsOf draws n questions from the Go files of a repository: windows of comments, and names
// of functions. The same tree gives the same questions.
func questionsOf(r config.Repository, n int) ([]string, error) {
	var sentences, names []string
	root := strings.TrimPrefix(r.URL, "file://")
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ".go" {
			return err
		}
		content, err := os.ReadFile(p)
		for _, m := range comment.FindAllSubmatch(content, -1) {
			sentences = append(sentences, string(m[1]))
		}
		for _, m := range definition.FindAllSubmatch(content, -1) {
			names = append(names, string(m[1]))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	draw := rand.New(rand.NewPCG(46, uint64(n)))
	seen := map[string]bool{}
	var out []string
	for tries := 0; len(out) < n && tries < 100*n && len(sentences) > 0 && len(names) > 0; tries++ {
		q := names[draw.IntN(len(names))]
		if len(out)%3 > 0 {
			words := strings.Fields(sentences[draw.IntN(len(sentences))])
			from := draw.IntN(len(words))
			q = strings.Join(words[from:min(len(words), from+1+draw.IntN(10))], " ")
		}
		if !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	if len(out) < n {
		return nil, fmt.Errorf("%s has %d different questions, not %d", r.Name, len(out), n)
	}
	return out, nil
}

// An asker asks one repository by the engine of a user, as "patina mcp" does.
type asker struct {
	engine *actors.Engine
	set    *peer.Set
}

// newAsker returns an asker of repositories that a set reaches. Closing it closes the set.
func newAsker(s *peer.Set, repositories ...string) (*asker, error) {
	e, err := actors.Open(actors.Options{Lazy: true})
	if err != nil {
		return nil, err
	}
	for _, name := range repositories {
		t, err := s.Target(name)
		if err != nil {
			return nil, err
		}
		if err := e.AddTarget(t); err != nil {
			return nil, err
		}
	}
	return &asker{e, s}, nil
}

func (a *asker) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = a.engine.Close(ctx)
	a.set.Close()
}

// An outcome is what became of a question.
type outcome struct {
	at      time.Time
	took    time.Duration
	budget  time.Duration
	failure string // "" for a whole answer
	partial bool
	status  api.Status // of the worst channel
	detail  string
}

// ask asks a question about one repository, and says what is wrong with the answer.
func (a *asker) ask(ctx context.Context, repository, text string, budget time.Duration) outcome {
	o := outcome{at: time.Now(), budget: budget}
	answer, err := a.engine.Scry(ctx, api.Request{Text: text, Projects: []string{repository}, Timeout: budget})
	o.took = time.Since(o.at)
	if err != nil {
		o.failure = err.Error()
		return o
	}
	o.partial = answer.Partial
	for _, c := range answer.Channels {
		if c.Status == api.Unreachable || c.Status == api.Failed || c.Status == api.Overloaded || c.Status == api.Deadline {
			o.status, o.detail = c.Status, c.Detail
		}
	}
	switch {
	case answer.Partial:
		o.failure = fmt.Sprintf("partial: %s: %s", o.status, o.detail)
	case slices.ContainsFunc(answer.Results, func(r api.Result) bool { return r.Bare }):
		o.failure = "not described"
	}
	return o
}

// A load is questions that come at a rate, whether or not the last ones were answered.
type load struct {
	askers    []*asker
	ask       func(a *asker, i int) outcome
	mu        sync.Mutex
	outcomes  []outcome
	stop      chan struct{}
	ended     sync.WaitGroup
	unstarted int // beyond what may be under way
}

// startLoad begins a load of some questions a second, by askers in turn.
func startLoad(askers []*asker, perSecond int, ask func(a *asker, i int) outcome) *load {
	l := &load{askers: askers, ask: ask, stop: make(chan struct{})}
	under := make(chan struct{}, 256)
	l.ended.Go(func() {
		t := time.NewTicker(time.Second / time.Duration(perSecond))
		defer t.Stop()
		for i := 0; ; i++ {
			select {
			case <-l.stop:
				return
			case <-t.C:
			}
			select {
			case under <- struct{}{}:
			default:
				l.unstarted++
				continue
			}
			l.ended.Go(func() {
				defer func() { <-under }()
				o := l.ask(l.askers[i%len(l.askers)], i)
				l.mu.Lock()
				defer l.mu.Unlock()
				l.outcomes = append(l.outcomes, o)
			})
		}
	})
	return l
}

// end ends the load, waits for the answers and returns what became of all.
func (l *load) end() tally {
	close(l.stop)
	l.ended.Wait()
	return newTally(l.outcomes)
}

// A tally sums outcomes up.
type tally struct {
	asked    int
	failed   int
	late     int           // beyond the budget and 10 ms
	lateMost time.Duration // beyond the budget
	times    []time.Duration
	why      map[string]int
}

func newTally(all []outcome) tally {
	t := tally{why: map[string]int{}}
	for _, o := range all {
		t.asked++
		t.times = append(t.times, o.took)
		if o.failure != "" {
			t.failed++
			t.why[o.failure]++
		}
		if over := o.took - o.budget; over > 0 {
			t.lateMost = max(t.lateMost, over)
			if over > 10*time.Millisecond {
				t.late++
			}
		}
	}
	return t
}

// reasons returns the most frequent reason of failures.
func (t tally) reasons() string {
	most := ""
	for why, n := range t.why {
		if n > t.why[most] {
			most = why
		}
	}
	if most == "" {
		return ""
	}
	return fmt.Sprintf("%d × %.160s", t.why[most], most)
}

// loadHead and cells are the columns of a tally.
var loadHead = []string{"asked", "failed", "beyond budget + 10 ms", "p50", "p99", "longest"}

func (t tally) cells() []any {
	return []any{
		t.asked, mark(t.failed == 0, fmt.Sprint(t.failed)), mark(t.late == 0, fmt.Sprint(t.late)),
		percentile(t.times, .5), percentile(t.times, .99), percentile(t.times, 1),
	}
}

// await waits until something holds, for a minute at most.
func await(ctx context.Context, what string, holds func() bool) (time.Time, error) {
	end := time.Now().Add(time.Minute)
	for !holds() {
		if err := ctx.Err(); err != nil {
			return time.Time{}, err
		}
		if time.Now().After(end) {
			return time.Time{}, errors.New("a minute has passed without: " + what)
		}
		time.Sleep(time.Millisecond)
	}
	return time.Now(), nil
}

// stateOf returns the state of a node in a set.
func stateOf(s *peer.Set, node string) peer.NodeState {
	for _, n := range s.States() {
		if n.Name == node {
			return n
		}
	}
	return peer.NodeState{Condition: peer.Unknown}
}

// sleep waits, unless ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
