// Command nodes tests repositories on other machines. It starts real processes of the real command,
// each with a home folder and a certificate of its own, which host real repositories. Its parts:
//
//	equal     answers over the wire beside those at home
//	faults    two replicas are killed, stopped and drained under load, and one alone
//	networks  partitions and lost packets (root, Linux)
//	restarts  what a front and a user keep of a node that dies often
//	slow      questions that are slow at a server, with and without a second replica
//	ends      cancelled look-ups and reset streams
//	beats     beats beside programs that burn all processors
//	scatter   processor time beside frames over TLS, and that of a front
//	many      ten thousand repositories
//	moves     a node joins twenty others, and one crashes
//	versions  two versions of the command ask each other (-old COMMAND)
//	routing   questions across repositories, on one machine and on four nodes (-set, -clones)
//
//	go run -tags sqlite_fts5 ./bench/nodes equal faults
//
// Without a name all parts run, except for those that need a flag or root and lack it. Each prints
// a table, which belongs in bench/history/nodes.md. Nothing is asserted, because machines are noisy
// and shared: a row that misses its mark says so.
//
// What a part needs besides the command are children of this program (child.go): servers whose
// answers are slow or prepared, frames over TLS, and loops that burn processors.
//
// cluster.go starts processes, repositories.go makes the repositories, load.go asks, and table.go
// prints. The other files are one part each.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A bench is one run of the command.
type bench struct {
	out    io.Writer // tables
	log    io.Writer // progress
	patina string    // absolute path of the command
	old    string    // another version of it; "" if there is none
	set    string    // questions across repositories; "" if there are none
	clones string    // folder with the repositories of the set
	work   string    // temporary folder, the only one that is written to
	self   string    // this program
	quick  bool      // a tenth of everything, to see that it runs
}

// A part is one group of measurements. needs returns what it lacks, or "".
type part struct {
	name  string
	run   func(context.Context, *bench) error
	needs func(*bench) string
}

func parts() []part {
	return []part{
		{"equal", equal, nil},
		{"faults", faults, nil},
		{"networks", networks, needsRoot},
		{"restarts", restarts, nil},
		{"slow", slow, nil},
		{"ends", ends, nil},
		{"beats", beats, nil},
		{"scatter", scatter, nil},
		{"many", many, nil},
		{"moves", moves, nil},
		{"versions", versions, func(b *bench) string { return unlessSet(b.old, "-old COMMAND") }},
		{"routing", routing, func(b *bench) string {
			return cmp.Or(unlessSet(b.set, "-set FILE"), unlessSet(b.clones, "-clones FOLDER"))
		}},
	}
}

func unlessSet(value, flag string) string {
	if value == "" {
		return "give " + flag
	}
	return ""
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 2 && os.Args[1] == childMark {
		if err := child(ctx, os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "nodes, child:", err)
			os.Exit(1)
		}
		return
	}
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "nodes:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, out, log io.Writer) (err error) {
	b := &bench{out: out, log: log}
	flags := flag.NewFlagSet("nodes", flag.ContinueOnError)
	patina := flags.String("patina", "bin/patina", "the `command` to measure")
	flags.StringVar(&b.old, "old", "", "another version of the `command`, for versions")
	flags.StringVar(&b.set, "set", "", "`file` of questions across repositories, for routing (docs/evaluation.md)")
	flags.StringVar(&b.clones, "clones", "", "`folder` with a clone of each repository of -set under its name there")
	flags.BoolVar(&b.quick, "quick", false, "do a tenth of everything: to see that it runs, not for figures to keep")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(b, flags.Args())
	if err != nil {
		return err
	}
	for _, file := range []*string{patina, &b.old, &b.set, &b.clones} {
		if *file == "" {
			continue
		}
		if *file, err = filepath.Abs(*file); err != nil {
			return err
		}
	}
	b.patina = *patina
	if _, err := os.Stat(b.patina); err != nil {
		return fmt.Errorf("find patina: %w (make build)", err)
	}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "patina-nodes-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	for _, p := range chosen {
		began := time.Now()
		fmt.Fprintf(b.out, "## %s\n\n", p.name)
		if err := p.run(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(b.log, "%s took %s\n\n", p.name, time.Since(began).Round(time.Second))
	}
	return nil
}

// choose returns the named parts, or all that can run.
func choose(b *bench, names []string) (chosen []part, err error) {
	var known []string
	for _, p := range parts() {
		known = append(known, p.name)
		lacks := ""
		if p.needs != nil {
			lacks = p.needs(b)
		}
		named := slices.Contains(names, p.name)
		switch {
		case named && lacks != "":
			return nil, fmt.Errorf("%s: %s", p.name, lacks)
		case named, len(names) == 0 && lacks == "":
			chosen = append(chosen, p)
		case len(names) == 0:
			fmt.Fprintf(b.log, "%s is left out: %s\n", p.name, lacks)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("no part %q: the parts are %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// some returns n, or a tenth of it in a quick run.
func (b *bench) some(n int) int {
	if b.quick {
		return max(1, n/10)
	}
	return n
}

// say prints a line of progress.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.log, time.Now().Format("15:04:05 ")+format+"\n", args...)
}

// folder makes a folder in the working folder.
func (b *bench) folder(name string) (string, error) {
	return os.MkdirTemp(b.work, name+"-")
}
