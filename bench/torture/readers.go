package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

// twins is the number of files that always change together. An answer with two different numbers
// mixes generations.
const twins = 2

var twinNumber = regexp.MustCompile(`Torturetwin is number (\d+)`)

// readers runs processes that ask, one question at a time each, for n seconds while one scrape
// after another publishes.
func readers(ctx context.Context, t *torture) error {
	r := rand.New(rand.NewSource(t.seed))
	files, err := t.sources()
	if err != nil {
		return err
	}
	if err := t.writeTwins(0); err != nil {
		return err
	}
	dir := filepath.Join(t.work, "read")
	if err := t.scrape(ctx, dir); err != nil {
		return err
	}
	var asked atomic.Int64
	failed := make(chan error, t.readers)
	end := make(chan struct{})
	var all sync.WaitGroup
	for range t.readers {
		all.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
				}
				if err := t.ask(ctx, dir); err != nil {
					failed <- err
					return
				}
				asked.Add(1)
			}
		})
	}
	updates, fulls := 0, 0
	var wrong error
	for stop := time.Now().Add(time.Duration(t.n) * time.Second); time.Now().Before(stop) && wrong == nil; {
		var args []string
		if updates%5 == 4 {
			args = append(args, "--full")
			fulls++
		}
		updates++
		wrong = errors.Join(t.writeTwins(updates), t.change(r, files, updates, 20))
		if wrong == nil {
			wrong = t.scrape(ctx, dir, args...)
		}
		select {
		case err := <-failed:
			wrong = errors.Join(wrong, err)
		default:
		}
	}
	close(end)
	all.Wait()
	close(failed)
	for err := range failed {
		wrong = errors.Join(wrong, err)
	}
	if wrong != nil {
		return wrong
	}
	fmt.Fprintf(t.out, "  %d processes asked %d questions during %d scrapes (%d of them full): no error, no answer of two generations\n", t.readers, asked.Load(), updates, fulls)
	return nil
}

func (t *torture) writeTwins(number int) error {
	var errs []error
	for i := range twins {
		src := fmt.Sprintf("package p\n\n// Torturetwin is number %d of all.\nfunc Torturetwin%d() {}\n", number, i)
		errs = append(errs, os.WriteFile(filepath.Join(t.tree, fmt.Sprintf("torturetwin%d.go", i)), []byte(src), 0o644))
	}
	return errors.Join(errs...)
}

// ask asks for the twins and checks the answer.
func (t *torture) ask(ctx context.Context, store string) error {
	// The question must not refresh the index, because it could read the tree between the writes of
	// the two files.
	c := t.command(ctx, store, "scry", "--json", "--no-refresh", "--timeout", "60s", "--limit", "5",
		"torturetwin number")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != 1) || errs.Len() > 0 {
		return fmt.Errorf("ask: %v: %s", err, errs.String())
	}
	var answer struct {
		Partial bool
		Results []struct{ Summary string }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	numbers := map[string]int{}
	for _, x := range answer.Results {
		if m := twinNumber.FindStringSubmatch(x.Summary); m != nil {
			numbers[m[1]]++
		}
	}
	if answer.Partial || len(numbers) != 1 {
		return fmt.Errorf("ask: partial %v, twins %v in %s", answer.Partial, numbers, out.String())
	}
	return nil
}
