// Command bench measures how fast patina is on one repository: scrapes, one changed file, warm and cold questions.
//
// It measures a copy of the folder in BENCH_REPO (of Go's standard library where that is not set) and never writes to the
// folder itself. Commands are measured as the processes that a user starts, warm questions in this process. Machines are
// noisy, so every figure is the least, the median and the greatest of several runs. Quality is the business of bench/eval.
//
// Three variables choose what is measured: BENCH_REPO, a folder, with its history if it is the top of a git working tree; small
// ones do, from 200 sentences and names on. BENCH_COPIES, how many copies of it, with other identifiers: eight of Go's standard
// library are a million chunks. And RG, CTAGS and ZOEKT_INDEX, where the peers are that are not on the path.
//
// What some rows mean. "Fitting adds" is the difference of two processes that ran one after the other, one with --no-adapt; "fitting
// the model to the repository" is the call alone, in this process, its heap with what is garbage already. "Vectors of all chunks" are
// made anew from the texts of the index, by its own model: that is the making of the flat file without reading and cutting the
// files. The exact scan looks at all of them, as bytes; recall compares the ten rows that are found with the ten nearest in floats
// that were never rounded. The graph is made of the same rows, however few: an index makes one from half a million on, and where it
// has, warm questions are measured with and without it. "History alone" begins with nothing and ends with a published index of
// commits; "git log --raw" beside it writes the same commits and the names of their files and does nothing with them.
//
// repository.go makes the copy and copies.go multiplies it, process.go runs commands, questions.go makes the questions, scrape.go
// and query.go measure, history.go the commits alone, fitting.go what fitting the model takes, meaning.go the embedder, nearest.go
// and recall.go the vectors and what searches find of them, peers.go runs other programs on the same tree, clients.go asks by many
// at once, stats.go and report.go make a table of it, profile.go says where the time goes.
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

// A times says how often things are measured.
type times struct {
	first  int  // first scrapes, which take longest
	runs   int  // rescrapes and touched files; odd, so that the median is one of them
	rounds int  // each over all questions
	beside bool // what is measured beside what a user does: peers, the model left as it is, fitting it alone, many clients
}

var (
	usual = times{first: 5, runs: 7, rounds: 5, beside: true} // five of everything at least
	large = times{first: 1, runs: 3, rounds: 2}               // with copies: a million chunks in some ten minutes, most of it the graph
	trial = times{first: 1, runs: 1, rounds: 1, beside: true} // to see that it runs: no figures to keep
)

const maxQuestions = 200

// defaultPatina is what make builds, from the top of the project.
const defaultPatina = "bin/patina"

// A bench is one run of the program.
type bench struct {
	patina string // absolute path of the command
	tree   *repository
	times  times
	work   string // temporary folder: everything that is written is in it
	store  string // folder of the index that questions are asked of
	log    io.Writer
	report report
}

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command is the program; it returns the exit code.
func command(args []string, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(errs)
	patina := flags.String("patina", defaultPatina, "the command to measure")
	file := flags.String("o", "", "put the table into this `file`, too, between its speed markers, and a plot beside it (.svg)")
	once := flags.Bool("quick", false, "measure everything once: to see that it runs, not for figures to keep")
	profile := flags.String("cpuprofile", "", "measure nothing: write CPU profiles of scraping and asking to `PREFIX`-scrape.pprof and PREFIX-query.pprof")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	b := &bench{log: errs, times: usual}
	if *once {
		b.times = trial
	}
	err := b.within(ctx, *patina, func() error {
		if *profile != "" {
			return b.profiles(ctx, *profile)
		}
		if err := b.measure(ctx); err != nil {
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
		return 130 // 128 + SIGINT, as shells have it
	}
	fmt.Fprintf(errs, "bench: %v\n", err)
	return 1
}

// within runs f with a copy of the repository in a temporary folder, which is gone afterwards however f ends.
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

// isolate keeps this process and those that it starts away from the user's projects and settings, and their temporary
// files in the folder that will be removed.
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
	return errors.Join(os.Mkdir(tmp, 0o700), os.Setenv("TMPDIR", tmp), os.Setenv("PATINA_HOME", filepath.Join(work, "home")))
}

// measure measures everything. First scrapes come first, while this process is small: where a child is started without
// a copy of the address space, as on Linux, its peak memory is at least that of the parent.
func (b *bench) measure(ctx context.Context) error {
	if err := b.scrapes(ctx); err != nil {
		return err
	}
	b.say("making questions")
	qs, err := makeQuestions(b.tree, maxQuestions)
	if err != nil {
		return err
	}
	parts := []func(context.Context, []question) error{b.meaning, b.nearestRows, b.cold, b.searches}
	if b.times.beside {
		parts = append(parts, b.crowd, b.fitting)
	}
	for _, part := range parts {
		if err := part(ctx, qs); err != nil {
			return err
		}
	}
	return b.touches(ctx) // last: these change the index
}

func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.log, "bench: "+format+"\n", args...) }

// publish prints the report, and puts it into file unless that is empty.
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
	return errors.Join(os.WriteFile(file, []byte(replaced), 0o644), os.WriteFile(picture, []byte(b.report.svg()), 0o644))
}
