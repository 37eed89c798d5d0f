package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles"
	"patina/store"
	"patina/store/text"
)

// cold measures questions as commands, one process each, in turns with ripgrep on the same tree.
func (b *bench) cold(ctx context.Context, qs []question) error {
	rg := ""
	if b.times.beside {
		var err error
		if rg, err = b.ripgrep(ctx); err != nil {
			return err
		}
	}
	var patina, peer [][]time.Duration
	var work [2][][]time.Duration // processor time of both
	for round := range b.times.rounds {
		b.say("cold questions, round %d of %d", round+1, b.times.rounds)
		var ours, theirs []time.Duration
		var spent [2][]time.Duration
		for _, q := range qs {
			u, err := b.scry(ctx, "--", q.text)
			if err != nil {
				return err
			}
			ours, spent[0] = append(ours, u.wall), append(spent[0], u.cpu)
			if rg == "" {
				continue
			}
			// Exit code 1 means no match. Exit code 2 means errors on single files.
			if u, err = b.process(ctx, []int{1, 2}, rg, "-l", "-F", "-i", "-e", q.rare, "./"); err != nil {
				return err
			}
			theirs, spent[1] = append(theirs, u.wall), append(spent[1], u.cpu)
		}
		patina = append(patina, ours)
		if rg != "" {
			peer = append(peer, theirs)
			work[0], work[1] = append(work[0], spent[0]), append(work[1], spent[1])
		}
	}
	b.report.add(latencies("cold question: patina scry", patina, coldPercentiles)...)
	if rg != "" {
		b.report.add(latencies("ripgrep -l -F -i of its rarest word", peer, coldPercentiles)...)
		b.report.add(
			figure{"patina scry to ripgrep, medians", "×", medianRatios(patina, peer)},
			figure{"patina scry to ripgrep, medians of processor time", "×", medianRatios(work[0], work[1])},
		)
	}
	return nil
}

// medianRatios divides the medians of two commands, round by round.
func medianRatios(ours, theirs [][]time.Duration) []float64 {
	out := make([]float64, len(ours))
	for i := range ours {
		out[i] = seconds(percentile(ours[i], 0.5)) / seconds(percentile(theirs[i], 0.5))
	}
	return out
}

// ripgrep returns the path of $RG, or of rg on the path. If there is no such program, it returns ""
// and notes that in the report.
func (b *bench) ripgrep(ctx context.Context) (string, error) {
	name := os.Getenv("RG")
	if name == "" {
		name = "rg"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		b.report.note("ripgrep is not on PATH nor in $RG: no comparison with it")
		return "", nil
	}
	version, err := output(ctx, "", path, "--version")
	if err != nil {
		return "", err
	}
	version, _, _ = strings.Cut(version, "\n")
	list, err := output(ctx, b.tree.root, path, "--files", "./")
	if err != nil {
		return "", err
	}
	b.report.note("%s searches %d files of the same tree; `rg -l -F -i WORD ./` and `patina scry QUESTION` ran in turn",
		version, strings.Count(list, "\n")+1)
	return path, nil
}

// open opens an engine on the measured store, in a process that stays, like "patina mcp". If os is
// nil, it has all oracles. The caller must close the engine.
func (b *bench) open(os []oracles.Oracle) (*actors.Engine, error) {
	actors.Reside()
	return actors.Open(actors.Options{
		Projects: []actors.Project{{Name: "bench", Root: b.tree.root, StoreDir: b.store}},
		Oracles:  os,
	})
}

// nothing is an oracle without hits. An engine with only such oracles has only the overhead.
type nothing struct{ name string }

func (n nothing) Name() string { return n.name }

func (n nothing) Open(oracles.Project) (oracles.Channel, error) { return n, nil }

func (nothing) Close() error { return nil }

func (nothing) Query(context.Context, *store.Reader, oracles.Question) ([]oracles.List, error) {
	return nil, nil
}

func nothings() []oracles.Oracle {
	var out []oracles.Oracle
	for _, o := range oracles.Default() {
		out = append(out, nothing{o.Name()})
	}
	return out
}

// An ask asks one question in this process.
type ask func(ctx context.Context, q question) error

func timed(ctx context.Context, qs []question, f ask) ([]time.Duration, error) {
	took := make([]time.Duration, len(qs))
	for i, q := range qs {
		began := time.Now()
		if err := f(ctx, q); err != nil {
			return nil, fmt.Errorf("ask %q: %w", q.text, err)
		}
		took[i] = time.Since(began)
	}
	return took, nil
}

// asking returns an ask that uses an engine. A missing channel is an error, because a partial
// answer has another cost.
func (b *bench) asking(e *actors.Engine) ask {
	return func(ctx context.Context, q question) error {
		// The timeout is long because a slow machine must not cost a channel.
		a, err := e.Scry(ctx, api.Request{Text: q.text, Timeout: time.Minute})
		if err == nil && a.Partial {
			err = fmt.Errorf("the answer is partial: %v", a.Channels)
		}
		return err
	}
}

// enough is the number of hits for each kind that the engine requests from an oracle for ten
// results (actors).
const enough = 100

func lexical(r *store.Reader) ask {
	return func(ctx context.Context, q question) error {
		_, err := oracles.Lexical{}.Query(ctx, r,
			oracles.Question{Text: q.text, Parsed: text.ParseQuestion(q.text), Limit: enough})
		return err
	}
}

func semantic(r *store.Reader) ask {
	oracle := oracles.NewSemantic()
	return func(ctx context.Context, q question) error {
		_, err := oracle.Query(ctx, r, oracles.Question{
			Text: q.text, Parsed: text.ParseQuestion(q.text),
			Limit: enough,
		})
		return err
	}
}

// reader pins the store for one reader. The function that it returns must be called to release it.
func (b *bench) reader(ctx context.Context) (*store.Reader, func(), error) {
	s, err := store.Open(b.store)
	if err != nil {
		return nil, nil, err
	}
	p, err := s.Pin(ctx, 1)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return p.Readers[0], func() {
		p.Close()
		_ = s.Close() // it was only read
	}, nil
}
