// Command patina-train makes the built-in table of package embed from the committed list of sources
// (docs/embedder.md). Package train has the steps.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/oracles/embed"
	"patina/oracles/embed/train"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "patina-train:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	cache := flag.String("cache", filepath.Join(os.TempDir(), "patina-train"),
		"`folder` for downloads and for tables that are not finished")
	mirrors := flag.String("mirrors", "", "`folder` of local git copies (owner+name/repo), used before the network")
	evaluation := flag.String("evaluation", "",
		"comma-separated `folders` whose text must not be trained on, besides the committed list")
	steps := flag.Int("steps", 1200, "training steps")
	out := flag.String("o", "", "`file` for the table; its manifest is written beside it (.manifest)")
	measured := flag.String("measure", "", "a `table` to measure; nothing is trained")
	translations := flag.String("translations", "", "`file` for the table of translations; no other table is made")
	licences := flag.Bool("licences", false,
		"print the list of sources with the licences that are detected, and train nothing")
	flag.Parse()

	sources, err := train.Sources()
	if err != nil {
		return err
	}
	o := train.Options{Cache: *cache, Mirrors: *mirrors, Log: os.Stderr}
	if *licences {
		return printLicences(ctx, sources, o)
	}
	if *measured != "" {
		return measure(ctx, sources, o, *measured)
	}
	if *out == "" && *translations == "" {
		return fmt.Errorf("no file for the table (hint: -o oracles/embed/base.table)")
	}
	folders := strings.FieldsFunc(*evaluation, func(r rune) bool { return r == ',' })
	if o.Windows, err = train.ReadEvaluation(ctx, folders, o); err != nil {
		return err
	}
	if *translations != "" {
		corpus, err := train.Read(ctx, slices.DeleteFunc(sources, func(s train.Source) bool { return s.Held }), o)
		if err != nil {
			return err
		}
		return os.WriteFile(*translations, corpus.Translations(), 0o644)
	}
	return makeTable(ctx, sources, o, *steps, *out)
}

// makeTable runs every step, from the sources to the table.
func makeTable(ctx context.Context, sources []train.Source, o train.Options, steps int, out string) error {
	if err := os.MkdirAll(o.Cache, 0o755); err != nil {
		return fmt.Errorf("make cache: %w", err)
	}
	started := time.Now()
	lap := func(what string) { fmt.Fprintf(o.Log, "%s after %s\n", what, time.Since(started).Round(time.Second)) }
	corpus, err := train.Read(ctx, sources, o)
	if err != nil {
		return err
	}
	lap("sources read")
	words, err := corpus.Vocabulary(train.Pieces)
	if err != nil {
		return err
	}
	lap(fmt.Sprintf("vocabulary of %d pieces", words.Len()))
	table, err := train.Run(ctx, corpus, words, steps, o.Log, func(step int, t *embed.Table) error {
		return os.WriteFile(filepath.Join(o.Cache, fmt.Sprintf("step%d.table", step)), t.Bytes(), 0o644)
	})
	if err != nil {
		return err
	}
	lap("trained")
	if err := os.WriteFile(out, table.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	manifest, err := os.Create(out + ".manifest")
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	if err := train.WriteManifest(manifest, corpus, table, steps); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	if err := manifest.Close(); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	train.Evaluate(corpus, table, o.Log)
	lap("done")
	return nil
}

// measure evaluates an existing table.
func measure(ctx context.Context, sources []train.Source, o train.Options, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read table: %w", err)
	}
	table, err := embed.ReadTable(data)
	if err != nil {
		return fmt.Errorf("read table %q: %w", name, err)
	}
	o.Windows = train.NewWindows() // because held-out sources may hold anything
	corpus, err := train.Read(ctx, slices.DeleteFunc(sources, func(s train.Source) bool { return !s.Held }), o)
	if err != nil {
		return err
	}
	train.Evaluate(corpus, table, o.Log)
	return nil
}

// printLicences prints the list with the detected licences.
func printLicences(ctx context.Context, sources []train.Source, o train.Options) error {
	for _, s := range sources {
		licence, err := train.Licence(ctx, s, o)
		if err != nil {
			licence = "refused: " + err.Error()
		}
		fmt.Printf("%s %s %s\n", s.Name, s.Version, licence)
	}
	return ctx.Err()
}
