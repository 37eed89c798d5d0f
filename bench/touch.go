package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles/embed"
	"patina/scrape"
)

// A seen is the time from a change until a question found it.
type seen struct{ scrape, query time.Duration }

func (s seen) all() float64 { return millis(s.scrape + s.query) }

// touches measures the time from a change in a file until a question finds the new text: with two
// commands, and in this process with its engine open. Each run changes another file.
func (b *bench) touches(ctx context.Context) (err error) {
	b.say("touched files")
	chosen, err := b.tree.touchable(3 * b.times.runs)
	if err != nil {
		return err
	}
	if len(chosen) < 3*b.times.runs {
		b.report.note("the folder holds %d source files of a usual size; %d are needed to touch one a run", len(chosen),
			3*b.times.runs)
		return nil
	}
	e, err := b.open(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close(context.Background())) }()
	warm := func(ctx context.Context, path, word string) (seen, error) {
		return b.touchWarm(ctx, e, path, word, nil)
	}
	named := func(ctx context.Context, path, word string) (seen, error) {
		return b.touchWarm(ctx, e, path, word, []string{path})
	}
	for i, way := range []struct {
		name  string
		touch func(ctx context.Context, path, word string) (seen, error)
	}{{"one touched file until a command finds it", b.touchCommand}, {
		"one touched file until the warm engine finds it",
		warm,
	}, {"one touched file, given its path", named}} {
		var took []seen
		for j, path := range chosen[i*b.times.runs : (i+1)*b.times.runs] {
			word := "qzfreshly" + string(rune('a'+i)) + string(rune('a'+j))
			if err := b.tree.append(path, word); err != nil {
				return err
			}
			s, err := way.touch(ctx, path, word)
			if err != nil {
				return fmt.Errorf("touch %q: %w", path, err)
			}
			took = append(took, s)
		}
		b.report.add(
			figure{way.name, "ms", each(took, seen.all)},
			figure{"— of which the scrape", "ms", each(took, func(s seen) float64 { return millis(s.scrape) })},
		)
	}
	return nil
}

func (b *bench) touchCommand(ctx context.Context, path, word string) (seen, error) {
	scraping, err := b.scrapeInto(ctx, b.store)
	if err != nil {
		return seen{}, err
	}
	asking, err := b.scry(ctx, "--json", word)
	if err != nil {
		return seen{}, err
	}
	var answer struct {
		Results []struct {
			Path string `json:"path"`
		} `json:"results"`
	}
	if err := json.Unmarshal(asking.out, &answer); err != nil {
		return seen{}, fmt.Errorf("read what patina scry printed: %w", err)
	}
	for _, r := range answer.Results {
		if r.Path == path {
			return seen{scraping.wall, asking.wall}, nil
		}
	}
	return seen{}, fmt.Errorf("%q is not found after the scrape", word)
}

func (b *bench) touchWarm(ctx context.Context, e *actors.Engine, path, word string, only []string) (seen, error) {
	began := time.Now()
	if _, err := scrape.Run(ctx, scrape.Options{
		Root: b.tree.root, StoreDir: b.store, Files: only,
		Embedder: embed.Base(), Load: embed.Load,
	}); err != nil {
		return seen{}, err
	}
	s := seen{scrape: time.Since(began)}
	answer, err := e.Scry(ctx, api.Request{Text: word})
	if err != nil {
		return seen{}, err
	}
	s.query = time.Since(began) - s.scrape
	for _, r := range answer.Results {
		if r.Path == path {
			return s, nil
		}
	}
	return seen{}, fmt.Errorf("%q is not found after the scrape", word)
}

// commentMark is the start of a comment, by file extension.
var commentMark = map[string]string{
	".go": "//", ".c": "//", ".h": "//", ".cc": "//", ".cpp": "//", ".hpp": "//", ".cs": "//", ".java": "//",
	".js": "//", ".jsx": "//",
	".ts": "//", ".tsx": "//", ".rs": "//", ".php": "//", ".swift": "//", ".kt": "//", ".py": "#", ".rb": "#",
	".sh": "#", ".pl": "#",
}

// Bounds on the size of touched files, in bytes.
const (
	touchLeast = 1 << 10
	touchMost  = 64 << 10
)

// touchable draws up to n source files that people wrote.
func (r *repository) touchable(n int) ([]string, error) {
	var all []string
	for _, f := range r.files {
		if commentMark[filepath.Ext(f.path)] == "" || f.size < touchLeast || f.size > touchMost {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.root, f.path))
		if err != nil {
			return nil, err
		}
		// Only the names of generated files are indexed, so they are left out.
		if !strings.Contains(strings.ToLower(string(content)), "generated") {
			all = append(all, f.path)
		}
	}
	rand.New(rand.NewPCG(20261121, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))], nil
}

// append adds a comment at the end of a file.
func (r *repository) append(path, word string) error {
	f, err := os.OpenFile(filepath.Join(r.root, path), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n%s %s\n", commentMark[filepath.Ext(path)], word)
	return errors.Join(err, f.Close())
}
