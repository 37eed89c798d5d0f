package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"patina/bench/eval"
)

// A placed is the result for one question of a set.
type placed struct {
	Repo   string `json:"repo"`
	Sealed bool   `json:"sealed"`
	eval.LineRow
	// Channels has the rank of the first expected file from each channel alone, without those that
	// had nothing to search.
	Channels map[string]int `json:"channels"`
}

// lines lets a program ask the questions of a set in the scraped folders of its repositories, with
// all channels and each alone, and prints how high the expected files and lines stand.
func lines(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	patina := flags.String("patina", "bin/patina", "the program that is measured")
	file := flags.String("q", "", "set of questions whose answers are lines")
	trees := flags.String("trees", "", "folder with the scraped repositories, by their names in the set")
	keep := flags.String("json", "", "file to keep a row a question in")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *file == "" || *trees == "" {
		return errors.New("name a set (-q) and the folder of its repositories (-trees)")
	}
	sets, err := eval.LoadLines(*file)
	if err != nil {
		return err
	}
	var rows []placed
	for _, s := range sets {
		got, err := placedIn(ctx, program{*patina, filepath.Join(*trees, s.Name)}, *file, s)
		if err != nil {
			return fmt.Errorf("repository %q: %w", s.Name, err)
		}
		rows = append(rows, got...)
	}
	if err := save(rows, *keep); err != nil {
		return err
	}
	_, err = io.WriteString(out, placedText(rows))
	return err
}

// placedIn asks the questions about one repository.
func placedIn(ctx context.Context, p program, file string, s eval.LineSet) ([]placed, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	var asked []eval.LineRow
	if err := p.json(ctx, &asked, "eval", "lines", "-q", file, "--name", s.Name, "--json"); err != nil {
		return nil, err
	}
	flat, err := flatSet(s)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(flat) }()
	var report eval.Report
	if err := p.json(ctx, &report, "eval", "-q", flat, "--json"); err != nil {
		return nil, err
	}
	rows := make([]placed, len(asked))
	for i, r := range asked {
		rows[i] = placed{s.Repo, eval.Sealed(s.Repo, r.Query), r, map[string]int{}}
	}
	for _, system := range report.Systems {
		channel, alone := strings.CutPrefix(system.Name, "only ")
		for i := range system.Rows {
			if alone && i < len(rows) {
				rows[i].Channels[channel] = system.Rows[i].Rank
			}
		}
	}
	return rows, nil
}

// flatSet writes a set whose answers are files for "patina eval -q", in the order of the questions,
// and returns the file's name.
func flatSet(s eval.LineSet) (string, error) {
	questions := make([]eval.Question, len(s.Questions))
	for i, q := range s.Questions {
		questions[i] = eval.Question{ID: fmt.Sprint(i), Query: q.Query, Kind: q.Kind, Expect: q.Files()}
	}
	b, err := json.Marshal(questions)
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "patina-lines-*.json")
	if err != nil {
		return "", err
	}
	_, err = f.Write(b)
	return f.Name(), errors.Join(err, f.Close())
}
