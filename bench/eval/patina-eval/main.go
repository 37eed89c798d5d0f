// Command patina-eval runs the measurements that are not in "patina eval": rankings on questions
// taken from a repository, strings of a source asked word for word, and whether a set of questions
// gives its answers away (docs/evaluation.md).
//
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval calibration REPORT…
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval commits -work FOLDER REPOSITORY…
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval functions SCRAPED-FOLDER…
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval lines -q QUESTIONS -trees FOLDER
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval literals SCRAPED-FOLDER…
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval overlap -q QUESTIONS -C FOLDER
//	go run -tags sqlite_fts5 ./bench/eval/patina-eval own -patina PROGRAM FOLDER…
//
// It measures the code that it is compiled with; lines and own measure a program. Each measurement
// lists its flags with -h. The figures are computed in packages eval and rankings.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"patina/actors"
	"patina/bench/eval/rankings"
	"patina/oracles/embed"
	"patina/store"
	"patina/store/doc"
)

// A measurement reads its flags and prints its figures.
type measurement func(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error

var measurements = map[string]measurement{
	"calibration": calibration, "commits": commits, "functions": functions,
	"lines": lines, "literals": literals, "overlap": overlap, "own": own,
}

const names = "calibration, commits, functions, lines, literals, overlap, own"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := command(ctx, os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "patina-eval:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return errors.New("name a measurement: " + names)
	}
	measure, ok := measurements[args[0]]
	if !ok {
		return fmt.Errorf("no measurement %q: there are %s", args[0], names)
	}
	if err := measure(ctx, flag.NewFlagSet(args[0], flag.ContinueOnError), args[1:], out); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// withIndex calls f with the index of a scraped folder.
func withIndex(ctx context.Context, dir string, f func(rankings.Reader) error) error {
	index, err := store.Open(filepath.Join(dir, ".patina"))
	if err != nil {
		return err
	}
	defer index.Close()
	pin, err := index.Pin(ctx, 1)
	if err != nil {
		return err
	}
	defer pin.Close()
	return f(rankings.Reader{Reader: pin.Readers[0]})
}

// withEngine calls f with an engine that answers from the index of a scraped folder.
func withEngine(dir, name string, f func(*actors.Engine) error) error {
	return withProject(actors.Project{ID: name, Name: name, Root: dir, StoreDir: filepath.Join(dir, ".patina")}, f)
}

func withProject(p actors.Project, f func(*actors.Engine) error) error {
	e, err := actors.Open(actors.Options{Projects: []actors.Project{p}})
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = e.Close(end) // the figures are printed
	}()
	return f(e)
}

// modelOf returns the base model with a table from a file or, if file is empty, the built-in one.
func modelOf(file string) (doc.Adapter, error) {
	if file == "" {
		return embed.Base(), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read table: %w", err)
	}
	table, err := embed.ReadTable(data)
	if err != nil {
		return nil, fmt.Errorf("read table %q: %w", file, err)
	}
	return embed.New(table), nil
}
