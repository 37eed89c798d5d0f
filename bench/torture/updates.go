package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles"
	"patina/oracles/embed"
	"patina/scrape"
)

const (
	updateQuestions = 50
	updateResults   = 40
	mostSteps       = 6 // edits in a sequence
)

// An updating is the state of the trial "updates".
type updating struct {
	*torture
	r         *rand.Rand
	number    int // of the edit
	away      bool
	questions []string
	now       time.Time // of every question
	updated   scrape.Options
	engine    *actors.Engine // on the updated index, open all the time

	edits, scrapes  int
	answers, same   int
	first           string  // the first difference
	apart           float64 // the greatest difference between scores
	common, leading int     // results in both lists, and equal first results
	results         int     // in the lists of the fresh index
}

// updates makes n random sequences of edits, one after another, and follows them with an index that
// is only ever updated. After each sequence, 50 questions must have the same 40 results, with the
// same scores to the last digit, as in a fresh index of the same tree. With -adapt, answers may
// differ because each index has a model fitted to its tree. The difference is then reported.
func updates(ctx context.Context, t *torture) (err error) {
	if err := t.repository(ctx); err != nil {
		return err
	}
	u := &updating{torture: t, r: rand.New(rand.NewSource(t.seed)), now: time.Now()}
	u.updated = u.options("updated")
	if u.questions, err = u.ask(); err != nil {
		return err
	}
	if _, err = scrape.Run(ctx, u.updated); err != nil {
		return err
	}
	if u.engine, err = u.open(u.updated); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, u.engine.Close(context.Background())) }()
	for i := range t.n {
		if err := u.sequence(ctx); err != nil {
			return fmt.Errorf("sequence %d: %w", i, err)
		}
		if err := u.compare(ctx, i); err != nil {
			return fmt.Errorf("sequence %d: %w", i, err)
		}
	}
	u.tell()
	if u.same < u.answers && !t.adapt {
		return fmt.Errorf("an updated index answers unlike a fresh one: %s", u.first)
	}
	return nil
}

func (u *updating) options(name string) scrape.Options {
	return scrape.Options{
		Root: u.tree, StoreDir: filepath.Join(u.work, name), Embedder: embed.Base(), Load: embed.Load,
		NoAdapt: !u.adapt,
	}
}

func (u *updating) open(o scrape.Options) (*actors.Engine, error) {
	return actors.Open(actors.Options{
		Projects: []actors.Project{{Name: "p", Root: u.tree, StoreDir: o.StoreDir}},
		Oracles:  oracles.Default(),
	})
}

// sequence makes some edits. Each is read by a scrape of the whole tree, by a scrape of the files
// that it has changed, or together with the next. After the last one, the whole tree is scraped.
func (u *updating) sequence(ctx context.Context) error {
	for range 1 + u.r.Intn(mostSteps) {
		u.number++
		name, step := u.choose()
		names, err := step(ctx)
		if err != nil {
			return fmt.Errorf("edit %d (%s): %w", u.number, name, err)
		}
		u.edits++
		o := u.updated
		switch at := u.r.Intn(10); {
		case at < 3 && len(names) > 0 && scrape.Alone(u.tree, names):
			o.Files = names
		case at < 8:
			continue
		}
		if err := u.scrape(ctx, o); err != nil {
			return fmt.Errorf("edit %d (%s): %w", u.number, name, err)
		}
	}
	return u.scrape(ctx, u.updated)
}

func (u *updating) scrape(ctx context.Context, o scrape.Options) error {
	u.scrapes++
	_, err := scrape.Run(ctx, o)
	return err
}

// compare builds a fresh index and asks both indexes.
func (u *updating) compare(ctx context.Context, sequence int) (err error) {
	o := u.options("fresh")
	if err := os.RemoveAll(o.StoreDir); err != nil {
		return err
	}
	if _, err := scrape.Run(ctx, o); err != nil {
		return err
	}
	fresh, err := u.open(o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fresh.Close(context.Background())) }()
	for _, q := range u.questions {
		got, err := u.answer(ctx, u.engine, q)
		if err != nil {
			return err
		}
		want, err := u.answer(ctx, fresh, q)
		if err != nil {
			return err
		}
		u.judge(fmt.Sprintf("sequence %d, %q", sequence, q), got, want)
	}
	return nil
}

func (u *updating) answer(ctx context.Context, e *actors.Engine, q string) (*api.Answer, error) {
	a, err := e.Scry(ctx, api.Request{Text: q, Limit: updateResults, Timeout: time.Minute, Now: u.now})
	if err == nil && a.Partial {
		err = fmt.Errorf("the answer to %q is partial", q)
	}
	return a, err
}

// judge compares two answers.
func (u *updating) judge(what string, got, want *api.Answer) {
	u.answers++
	differs := ""
	if got.Relevance != want.Relevance {
		differs = fmt.Sprintf("relevance %q, want %q", got.Relevance, want.Relevance)
	}
	scores := map[string]float64{}
	for _, x := range want.Results {
		scores[x.DocID] = x.Score
	}
	for _, x := range got.Results {
		if score, ok := scores[x.DocID]; ok {
			u.common++
			u.apart = max(u.apart, math.Abs(score-x.Score))
		}
	}
	u.results += len(want.Results)
	for i := range max(len(got.Results), len(want.Results)) {
		a, b := place(got.Results, i), place(want.Results, i)
		if i == 0 && a.DocID == b.DocID {
			u.leading++
		}
		if differs == "" && (a.DocID != b.DocID || a.Score != b.Score) {
			differs = fmt.Sprintf("place %d: %s %v, want %s %v", i+1, a.DocID, a.Score, b.DocID, b.Score)
		}
	}
	if differs == "" {
		u.same++
	} else if u.first == "" {
		u.first = what + ": " + differs
	}
}

// place returns the i-th result, or the zero Result if there are fewer.
func place(of []api.Result, i int) api.Result {
	if i < len(of) {
		return of[i]
	}
	return api.Result{}
}

func (u *updating) tell() {
	fmt.Fprintf(u.out, "  %d sequences, %d edits, %d updates; %d answers of up to %d results, %d of them equal to the last digit\n",
		u.n, u.edits, u.scrapes, u.answers, updateResults, u.same)
	if u.first != "" {
		n := float64(max(1, u.answers))
		fmt.Fprintf(u.out, "  first difference: %s\n  %.4f of the results in both, %.4f of the first places; scores at most %.4f apart\n",
			u.first, float64(u.common)/float64(max(1, u.results)), float64(u.leading)/n, u.apart)
	}
}

// ask makes questions from the tree: subjects of commits, names, and words of some lines.
func (u *updating) ask() ([]string, error) {
	files, err := u.texts()
	if err != nil {
		return nil, err
	}
	var out []string
	for len(out) < updateQuestions {
		lines, err := linesOf(files[u.r.Intn(len(files))])
		if err != nil {
			return nil, err
		}
		q := strings.Join(u.words(lines, 1+u.r.Intn(6)), " ")
		if q != "" && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out, nil
}

// words returns up to n consecutive words, from a random line on.
func (u *updating) words(lines []string, n int) (out []string) {
	at := u.r.Intn(max(1, len(lines)))
	for _, line := range lines[min(at, len(lines)):] {
		for _, w := range strings.FieldsFunc(line, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
		}) {
			if len(w) > 2 && len(out) < n {
				out = append(out, w)
			}
		}
		if len(out) == n {
			break
		}
	}
	return out
}
