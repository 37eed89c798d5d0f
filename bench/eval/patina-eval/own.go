package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"patina/bench/eval/record"
	"patina/bench/eval/self"
)

// The first and last line of the section in a file of results.
const (
	ownBegin = "<!-- own:begin -->\n"
	ownEnd   = "<!-- own:end -->\n"
)

// own runs "patina eval" in folders, with an index and a home of its own for each, and prints one
// table. With -o it replaces the section of that file and draws a picture beside it.
func own(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	patina := flags.String("patina", "bin/patina", "the program that is measured")
	into := flags.String("o", "", "file of results whose section is replaced")
	picture := flags.String("svg", "", "file for the picture")
	sample := flags.Int("sample", 100, "most questions of each sort")
	saved := flags.Bool("reports", false, "the arguments are reports (patina eval --json), not folders")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name one folder or more")
	}
	var reports []*self.Report
	for _, name := range flags.Args() {
		r, err := self.Read(name)
		if !*saved {
			r, err = ownOf(ctx, *patina, name, *sample)
		}
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if *picture != "" {
		var b bytes.Buffer
		if err := errors.Join(record.Bars(&b, reports), os.WriteFile(*picture, b.Bytes(), 0o644)); err != nil {
			return err
		}
	}
	by := "make eval"
	if *saved {
		by = "patina eval --json"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "## A project's own questions\n\n`%s`, %s, patina %s, %d projects, %d questions of each sort at most, seed %d. MRR among ten places of the wanted kind;\n"+
		"differences are paired, with 95%% intervals, bold where they exclude 0 ([docs/evaluation.md](../docs/evaluation.md)).\n\n",
		by, time.Now().Format(time.DateOnly), reports[0].Version, len(reports), reports[0].Sample, reports[0].Seed)
	if *picture != "" {
		fmt.Fprintf(&b, "![MRR of unified, the best channel and BM25](%s)\n\n", filepath.Base(*picture))
	}
	if err := record.Section(&b, reports); err != nil {
		return err
	}
	if *into != "" {
		return replaceSection(*into, b.String())
	}
	_, err := out.Write(b.Bytes())
	return err
}

// ownOf scrapes a folder into a throw-away index and measures it.
func ownOf(ctx context.Context, patina, folder string, sample int) (*self.Report, error) {
	home, err := os.MkdirTemp("", "patina-own-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(home) }()
	if patina, err = filepath.Abs(patina); err != nil {
		return nil, err
	}
	var out []byte
	for _, words := range [][]string{{"scrape"}, {"eval", "--json", "--sample", fmt.Sprint(sample)}} {
		c := exec.CommandContext(ctx, patina, append(words, "--store", filepath.Join(home, "index"))...)
		c.Dir, c.Env, c.Stderr = folder, append(os.Environ(), "PATINA_HOME="+filepath.Join(home, "home")), os.Stderr
		if out, err = c.Output(); err != nil {
			return nil, fmt.Errorf("%s in %q: %w", strings.Join(words, " "), folder, err)
		}
	}
	var r self.Report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("read the report about %q: %w", folder, err)
	}
	return &r, nil
}

// replaceSection replaces the section of a file by a text. If there is no section, it appends one.
// It returns an error if only one of the section's marks is there.
func replaceSection(file, text string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(b), ownBegin)
	_, after, closed := strings.Cut(rest, ownEnd)
	if found != closed {
		return fmt.Errorf("%q has one border of the section, and not the other", file)
	}
	if !found {
		before = strings.TrimRight(before, "\n") + "\n\n"
	}
	return os.WriteFile(file, []byte(before+ownBegin+text+ownEnd+after), 0o644)
}
