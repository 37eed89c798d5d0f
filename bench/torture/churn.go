package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
)

const (
	mostBetween = 500                    // edits between two comparisons with a fresh scrape
	foundWithin = 5 * time.Minute        // an index that was removed is built again
	askEvery    = 100 * time.Millisecond // of the client that asks all the time
	drift       = 1.05                   // of memory and descriptors, after the hundredth edit
	warmEdits   = 100
)

// A churning is the state of the trial "churn".
type churning struct {
	*torture
	r      *rand.Rand
	s      *server
	number int // of the edit
	away   bool
	hidden bool // whether git ignores a file

	took    map[string][]time.Duration // from the end of an edit until it is found, by step
	asked   int
	early   int // answers that were behind and said so
	compare int
}

// churn makes n edits, renames, changes of branch and the like while one "patina mcp" runs. Every
// edit writes its number in two places, so an answer with two numbers mixes states.
func churn(ctx context.Context, t *torture) (err error) {
	c := &churning{torture: t, r: rand.New(rand.NewSource(t.seed)), took: map[string][]time.Duration{}}
	if err := c.begin(ctx); err != nil {
		return err
	}
	if c.s, err = t.serve(ctx); err != nil {
		return err
	}
	inner, stop := context.WithCancelCause(ctx) // an error of the other client ends the trial
	var asking sync.WaitGroup
	asking.Go(func() { stop(c.besides(inner)) })
	if err = c.found(inner, "first"); err == nil {
		err = c.edits(inner)
	}
	stop(nil)
	asking.Wait()
	if cause := context.Cause(inner); !errors.Is(cause, context.Canceled) {
		err = errors.Join(cause, err)
	}
	c.report()
	return errors.Join(err, c.s.close())
}

// edits makes the edits, one after another, and checks the answer after each.
func (c *churning) edits(ctx context.Context) error {
	between := min(mostBetween, max(1, c.n/3))
	every := max(1, c.n/200)
	var first, last []footprint
	for c.number = 1; c.number <= c.n; c.number++ {
		name, step := c.step(between)
		if err := step(ctx); err != nil {
			return fmt.Errorf("edit %d (%s): %w", c.number, name, err)
		}
		if err := c.found(ctx, name); err != nil {
			return fmt.Errorf("edit %d (%s): %w", c.number, name, err)
		}
		if c.number%between == 0 {
			if err := c.same(ctx); err != nil {
				return fmt.Errorf("after edit %d (%s): %w", c.number, name, err)
			}
			c.report()
		}
		if c.number%every > 0 && c.number > 2*warmEdits {
			continue
		}
		f, err := c.s.footprint()
		if err != nil {
			return err
		}
		switch { // medians, because memory goes up and down with the collector
		case c.number > warmEdits && c.number <= 2*warmEdits:
			first = append(first, f)
		case c.number > c.n-c.n/10:
			last = append(last, f)
		}
	}
	return c.drifted(first, last)
}

// found asks until the answer equals the tree. An answer that does not must say so.
func (c *churning) found(ctx context.Context, step string) error {
	want, err := c.written()
	if err != nil {
		return err
	}
	began := time.Now()
	for {
		got, behind, err := c.known(ctx)
		if err != nil {
			return err
		}
		c.asked++
		if maps.Equal(got, want) {
			c.took[step] = append(c.took[step], time.Since(began))
			return nil
		}
		if !behind {
			return fmt.Errorf("the answer is behind and does not say so: %v, want %v", lacking(got, want),
				lacking(want, got))
		}
		c.early++
		if time.Since(began) > foundWithin {
			return fmt.Errorf("not found within %s: %v, want %v", foundWithin, lacking(got, want), lacking(want, got))
		}
	}
}

// lacking returns the entries of a that b lacks.
func lacking(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.DeleteFunc(out, func(k, v string) bool { return b[k] == v })
	return out
}

// besides asks all the time, like a second client.
func (c *churning) besides(ctx context.Context) error {
	for ctx.Err() == nil {
		if _, _, err := c.known(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("asked during edits: %w", err)
		}
		select {
		case <-time.After(askEvery):
		case <-ctx.Done():
		}
	}
	return nil
}

// numbered matches a function that an edit has written: its file, its half and the edit's number.
var numbered = regexp.MustCompile(`\bChurn(\d+)(Head|Tail)At(\d+)\b`)

// known asks the server for the numbers in the tree. It returns an error if the answer has two
// numbers for one file.
func (c *churning) known(ctx context.Context) (numbers map[string]string, behind bool, err error) {
	text, err := c.s.call(ctx, "assay", map[string]any{
		"query_type": "functions", "pattern": "Churn*", "limit": 100,
		"format": "json",
	})
	if err != nil {
		return nil, false, err
	}
	var a struct {
		Indexes []struct {
			Files       int    `json:"files"`
			Looked      int    `json:"looked_at"`
			BehindFiles int    `json:"behind_files"`
			NewFiles    int    `json:"new_files"`
			Why         string `json:"not_refreshed"`
		}
		Facts []struct{ Path, Symbol string }
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return nil, false, fmt.Errorf("%w: %.200s", err, text)
	}
	for _, x := range a.Indexes {
		behind = behind || x.Looked < x.Files || x.BehindFiles > 0 || x.NewFiles > 0 || x.Why != ""
	}
	texts := map[string]string{}
	for _, f := range a.Facts {
		texts[f.Path] += f.Symbol + "\n"
	}
	numbers, err = pairs(texts)
	return numbers, behind, err
}

// pairs reads the number of each file from texts by path. The two files that are exchanged together
// count as one. A file may be at two paths while git works.
func pairs(texts map[string]string) (map[string]string, error) {
	together := map[string]string{}
	for name, text := range texts {
		if path.Base(path.Dir(name)) == "pair" {
			name = path.Dir(name)
		}
		together[name] += text
	}
	out := map[string]string{}
	for name, text := range together {
		halves := map[string]bool{}
		for _, m := range numbered.FindAllStringSubmatch(text, -1) {
			if n, ok := out[name]; ok && n != m[3] {
				return nil, fmt.Errorf("two states in one answer: %s is at %s and at %s", name, n, m[3])
			}
			out[name] = m[3]
			halves[m[2]] = true
		}
		if len(halves) == 1 {
			return nil, fmt.Errorf("half a state in one answer: %s at %s", name, out[name])
		}
	}
	return out, nil
}

// same compares the index with a fresh one of the same tree.
func (c *churning) same(ctx context.Context) error {
	fresh := filepath.Join(c.work, "fresh")
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	p := c.command(ctx, fresh, "scrape", "--full", "--no-adapt")
	p.Env = c.home("fresh-home")
	if out, err := p.CombinedOutput(); err != nil {
		return fmt.Errorf("scrape: %w: %s", err, out)
	}
	want, err := digest(ctx, fresh)
	if err != nil {
		return err
	}
	for began := time.Now(); ; {
		if _, _, err := c.known(ctx); err != nil { // it reads the remaining changes, such as a commit
			return err
		}
		got, err := digest(ctx, filepath.Join(c.tree, ".patina"))
		if err == nil && got == want {
			c.compare++
			return nil
		}
		if time.Since(began) > time.Minute {
			return errors.Join(err, errors.New("the index differs from a fresh one"))
		}
	}
}

// drifted compares memory and descriptors at the end with those after the hundredth edit. It
// returns an error if they have grown.
func (c *churning) drifted(first, last []footprint) error {
	if len(first) == 0 || len(last) == 0 {
		return nil
	}
	memory := func(f footprint) int { return f.kilobytes }
	open := func(f footprint) int { return f.descriptors }
	m0, m1, d0, d1 := median(first, memory), median(last, memory), median(first, open), median(last, open)
	fmt.Fprintf(c.out, "  memory %d KB after %d edits, %d KB at the end; descriptors %d and %d\n", m0, warmEdits, m1,
		d0, d1)
	if float64(m1) > drift*float64(m0) || float64(d1) > drift*float64(d0) {
		return fmt.Errorf("more than %.2f times the memory or the descriptors of the hundredth edit", drift)
	}
	return nil
}

func median(fs []footprint, of func(footprint) int) int {
	var ns []int
	for _, f := range fs {
		ns = append(ns, of(f))
	}
	slices.Sort(ns)
	return ns[len(ns)/2]
}

// report prints the time until each kind of edit was found.
func (c *churning) report() {
	n := -len(c.took["first"])
	for _, name := range slices.Sorted(maps.Keys(c.took)) {
		ds := slices.Sorted(slices.Values(c.took[name]))
		n += len(ds)
		fmt.Fprintf(c.out, "  %-8s %6d: found after %s (p50), %s (p95), %s at most\n", name, len(ds),
			ds[len(ds)/2].Round(time.Millisecond), ds[len(ds)*95/100].Round(time.Millisecond),
			ds[len(ds)-1].Round(time.Millisecond))
	}
	f, _ := c.s.footprint() // zero if the server has ended
	fmt.Fprintf(c.out, "  %d edits, %d answers, %d of them behind and saying so; the index equalled a fresh one %d times; now %d KB and %d descriptors\n",
		n, c.asked, c.early, c.compare, f.kilobytes, f.descriptors)
}
