// Command bench measures how fast patina is on one repository: scrapes, one changed file, warm and
// cold questions.
//
// It measures a copy of the folder in BENCH_REPO, by default Go's standard library, and never
// writes to the folder itself. Commands are measured as processes, like those that a user starts.
// Warm questions are measured in this process, which collects its garbage like "patina mcp"
// (actors.Reside). Every figure has a minimum, median and maximum over several runs, because
// machines are noisy. Quality is left to bench/eval.
//
// Three settings choose the measurements:
//
//   - BENCH_REPO is a folder. Its history counts if it is the top of a git working tree. It must
//     have at least 200 sentences and names.
//   - BENCH_COPIES is the number of copies, each with other identifiers. Eight copies of Go's
//     standard library make a million chunks.
//   - RG, CTAGS and ZOEKT_INDEX name other programs that are not on the path.
//
// Some rows need an explanation:
//
//   - "Fitting adds" is the difference between two processes that take turns, one with
//     --no-adapt.
//   - "Fitting the model to the repository" is the call only, in this process. Its heap includes
//     garbage.
//   - "Vectors of all chunks" embeds the indexed texts again with the index's own model. It makes
//     the flat file without reading and cutting files.
//   - The exact scan reads every row, as bytes. Recall compares its ten rows with the ten nearest
//     by unrounded floats.
//   - The graph has the same rows, however few. An index builds one from half a million rows on.
//     If the index has one, warm questions are measured with and without it.
//   - "History alone" runs from nothing to a published index of commits. "git log --raw" prints
//     the same commits and file names, and its output is dropped.
//
// repository.go makes the copy, copies.go multiplies it, process.go runs commands, and questions.go
// makes the questions. start.go, scrape.go, query.go, warm.go and touch.go measure; history.go
// measures commits only, fitting.go the fitting, and meaning.go the embedder. nearest.go and
// recall.go measure vectors and recall. peers.go runs other programs on the same tree, and
// clients.go asks from many clients. memories.go measures notes (only these with -memories), and
// plain.go the table that they are compared with. beside.go measures two versions of the command in
// turns (only these with -beside OTHER). machine.go describes the computer, stats.go, report.go and
// plot.go print the results, and profile.go writes CPU profiles.
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
	"syscall"
)

// A times is how often each measurement runs.
type times struct {
	first  int // first scrapes, the slowest
	runs   int // rescrapes and touched files; odd, so that one run is the median
	rounds int // each covers all questions
	// beside adds comparisons: other programs, an unfitted model, fitting only, many clients.
	beside bool
}

var (
	usual = times{first: 5, runs: 7, rounds: 5, beside: true} // at least five runs each
	// With copies, a million chunks take some ten minutes, mostly for the graph.
	large = times{first: 1, runs: 3, rounds: 2}
	trial = times{first: 1, runs: 1, rounds: 1, beside: true} // a smoke test; its figures are not kept
)

const maxQuestions = 200

// defaultPatina is the binary that make builds, relative to the top of the project.
const defaultPatina = "bin/patina"

// A bench is one run of the command.
type bench struct {
	patina string // absolute path of the command
	tree   *repository
	times  times
	work   string // temporary folder, the only one that is written to
	store  string // folder with the index that is asked
	log    io.Writer
	report report
}

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the program and returns its exit code.
func command(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(errs)
	patina := flags.String("patina", defaultPatina, "the command to measure")
	file := flags.String("o", "", "put the table into this `file`, too, between its speed markers, and a plot beside it (.svg)")
	once := flags.Bool("quick", false, "measure everything once: to see that it runs, not for figures to keep")
	other := flags.String("beside", "", "measure starts, scrapes and cold questions alone, by turns with another `command`, such as an earlier version")
	notes := flags.Bool("memories", false, "measure notes alone")
	profile := flags.String("cpuprofile", "",
		"measure nothing: write CPU profiles of scraping and asking to `PREFIX`-scrape.pprof and PREFIX-query.pprof")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	b := &bench{log: errs, times: usual}
	measure := b.measure
	if *notes {
		measure = b.memoriesAlone
	}
	if *other != "" {
		measure = b.byTurns(*other)
	}
	if *once {
		b.times = trial
	}
	err := b.within(ctx, *patina, func() error {
		if *profile != "" {
			return b.profiles(ctx, *profile)
		}
		if err := measure(ctx); err != nil {
			return err
		}
		b.report.end(ctx)
		return b.publish(out, *file)
	})
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(errs, "bench: interrupted")
		return 130 // 128 + SIGINT, as in shells
	}
	fmt.Fprintf(errs, "bench: %v\n", err)
	return 1
}

// within runs f with a copy of the repository in a temporary folder. It always removes the folder.
func (b *bench) within(ctx context.Context, patina string, f func() error) (err error) {
	if b.patina, err = filepath.Abs(patina); err != nil {
		return err
	}
	if _, err := os.Stat(b.patina); err != nil {
		return fmt.Errorf("find patina: %w (make build)", err)
	}
	source, name, err := chosen(ctx)
	if err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "patina-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	if err := isolate(b.work); err != nil {
		return err
	}
	b.say("copying %s", name)
	if b.tree, err = copied(ctx, source, filepath.Join(b.work, "tree")); err != nil {
		return fmt.Errorf("copy %q: %w", source, err)
	}
	n, err := copies()
	if err != nil {
		return err
	}
	if n > 1 {
		b.times.first, b.times.beside = large.first, large.beside
		b.times.runs, b.times.rounds = min(b.times.runs, large.runs), min(b.times.rounds, large.rounds)
		name = fmt.Sprintf("%d copies of %s", n, name)
		if err := b.tree.multiply(ctx, n); err != nil {
			return fmt.Errorf("copy %q: %w", source, err)
		}
	}
	b.report.begin(ctx, b, name)
	return f()
}

// isolate keeps this process and its children away from the user's projects and settings. Their
// temporary files go to work, which is removed.
func isolate(work string) error {
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, "PATINA_") || name == "RIPGREP_CONFIG_PATH" {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	tmp := filepath.Join(work, "tmp")
	return errors.Join(os.Mkdir(tmp, 0o700), os.Setenv("TMPDIR", tmp),
		os.Setenv("PATINA_HOME", filepath.Join(work, "home")))
}

// measure runs all measurements. First scrapes must come first, while this process is small,
// because on Linux a child's peak memory is at least that of its parent.
func (b *bench) measure(ctx context.Context) error {
	if err := b.start(ctx); err != nil { // first, because its peak is the least
		return err
	}
	if err := b.scrapes(ctx); err != nil {
		return err
	}
	b.say("making questions")
	qs, err := makeQuestions(b.tree, maxQuestions)
	if err != nil {
		return err
	}
	parts := []func(context.Context, []question) error{b.meaning, b.nearestRows, b.cold}
	if b.times.beside {
		parts = append(parts, b.fitting) // before this process resides
	}
	parts = append(parts, b.searches)
	if b.times.beside {
		parts = append(parts, b.crowd, b.memories)
	}
	for _, part := range parts {
		if err := part(ctx, qs); err != nil {
			return err
		}
	}
	return b.touches(ctx) // last, because it changes the index
}

func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.log, "bench: "+format+"\n", args...) }

// publish prints the report. If file is not empty, it also replaces the section in that file and
// writes a plot beside it.
func (b *bench) publish(out io.Writer, file string) error {
	text := b.report.markdown()
	if _, err := io.WriteString(out, text); err != nil || file == "" {
		return err
	}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read results: %w", err)
	}
	replaced, err := replaceSection(string(old), text)
	if err != nil {
		return fmt.Errorf("replace results in %q: %w", file, err)
	}
	picture := strings.TrimSuffix(file, filepath.Ext(file)) + ".svg"
	return errors.Join(os.WriteFile(file, []byte(replaced), 0o644),
		os.WriteFile(picture, []byte(b.report.svg()), 0o644))
}
