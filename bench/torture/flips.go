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
	"slices"
	"strings"
)

// questions are asked of an index with a flipped bit. Half are answered by words, half by meaning.
var questions = []string{
	"how does the garbage collector mark objects", "parse a duration string", "http request timeout", "sort a slice",
	"Reader",
	"where are certificates verified", "read a file line by line", "regular expression backtracking",
}

// flips flips n random bits, one at a time, in a copy of an index, and asks. Every answer must be
// right, be an error, or name the channel that failed.
func flips(ctx context.Context, t *torture) error {
	r := rand.New(rand.NewSource(t.seed))
	whole, broken := filepath.Join(t.work, "whole"), filepath.Join(t.work, "broken")
	if err := t.scrape(ctx, whole); err != nil {
		return err
	}
	right := map[string]string{}
	for _, q := range questions {
		a, how := t.answer(ctx, whole, q)
		if how != "" {
			return fmt.Errorf("ask %q of the whole index: %s", q, how)
		}
		right[q] = a
	}
	var rightAnswers, errorsSaid, wrong, unharmed int
	for i := range t.n {
		if err := copyStore(whole, broken); err != nil {
			return err
		}
		where, err := flip(r, broken)
		if err != nil {
			return err
		}
		said := false
		for _, q := range questions {
			a, how := t.answer(ctx, broken, q)
			switch {
			case strings.HasPrefix(how, "crash"):
				return fmt.Errorf("flip %d (%s): %q: %s", i, where, q, how)
			case how != "":
				errorsSaid++
				said = true
			case a == right[q]:
				rightAnswers++
			default:
				wrong++
				fmt.Fprintf(t.out, "  flip %d (%s): %q is answered wrongly, in silence:\n    %s\n    not %s\n", i,
					where, q, a, right[q])
			}
		}
		if !said {
			unharmed++
		}
	}
	fmt.Fprintf(t.out, "  %d flips × %d questions: %d right answers, %d errors or named channels, %d wrong in silence; %d flips were met by no question\n",
		t.n, len(questions), rightAnswers, errorsSaid, wrong, unharmed)
	if wrong > 0 {
		return errors.New("silent wrong answers")
	}
	return nil
}

// answer asks a question and returns the places in its answer. If that fails, it returns the error
// output as its second result, which is empty otherwise.
func (t *torture) answer(ctx context.Context, store, question string) (string, string) {
	c := t.command(ctx, store, "scry", "--json", "--strict", "--timeout", "20s", question)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return "", "crash: " + err.Error()
	}
	if code := c.ProcessState.ExitCode(); code > 1 || code < 0 {
		if code > 3 || code < 0 || strings.Contains(errs.String(), "goroutine ") {
			return "", fmt.Sprintf("crash: exit %d: %s", code, errs.String())
		}
		return "", strings.TrimSpace(errs.String()) + " "
	}
	var a struct {
		Partial  bool
		Channels []struct{ Status, Detail string }
		Results  []struct {
			DocID     string `json:"doc_id"`
			LineStart int    `json:"line_start"`
			Score     float64
			Summary   string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		return "", "crash: no JSON: " + err.Error()
	}
	if a.Partial || slices.ContainsFunc(a.Channels, func(c struct{ Status, Detail string }) bool {
		return c.Status == "UNAVAILABLE" && c.Detail != "no git history"
	}) {
		return "", "channel named"
	}
	return fmt.Sprint(a.Results), ""
}

// flip flips one bit in one file of a store and returns its position. Every bit in the store is
// equally likely.
func flip(r *rand.Rand, dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all int64
	var sizes []int64
	for _, e := range entries {
		i, err := e.Info()
		if err != nil {
			return "", err
		}
		sizes = append(sizes, i.Size())
		all += i.Size()
	}
	at := r.Int63n(all)
	for i, e := range entries {
		if at >= sizes[i] {
			at -= sizes[i]
			continue
		}
		name := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return "", err
		}
		b := make([]byte, 1)
		_, err = f.ReadAt(b, at)
		b[0] ^= 1 << r.Intn(8)
		if err == nil {
			_, err = f.WriteAt(b, at)
		}
		return fmt.Sprintf("%s, byte %d", e.Name(), at), errors.Join(err, f.Close())
	}
	return "", errors.New("the store is empty")
}
