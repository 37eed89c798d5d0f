// Notes measures recall on public sets of notes and sessions, through the store of notes and the
// ranking of sessions as users have them.
//
//	go run ./bench/notes -realmem DIR      earlier sessions and notes that answer a message
//	                                       (RealMem), and how many of another user's messages,
//	                                       and of -absurd FILES, find no note
//	go run ./bench/notes -memorycode DIR   the newest of the rules on one subject (MemoryCode)
//
// Fetch the sets yourself: DIR has the JSON files of dataset/ in the repositories
// AvatarMemory/RealMemBench and for-ai/MemoryCode. Every *.json in DIR is asked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/bench/eval"
	"patina/memory"
)

func main() {
	realMem := flag.String("realmem", "", "ask RealMem, the files in this `folder`")
	memoryCode := flag.String("memorycode", "", "ask MemoryCode, the files in this `folder`")
	sets := flag.String("absurd", "", "with -realmem, ask the notes these `files` of absurd questions, with commas between")
	flag.Parse()
	ctx := context.Background()
	err := errors.New("want -realmem or -memorycode")
	switch {
	case *realMem != "":
		var absurd []string
		if absurd, err = loadAbsurd(*sets); err == nil {
			err = measureRealMem(ctx, *realMem, absurd)
		}
	case *memoryCode != "":
		err = measureMemoryCode(ctx, *memoryCode)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notes:", err)
		os.Exit(1)
	}
}

// loadAbsurd returns the questions of files with commas between.
func loadAbsurd(files string) (out []string, err error) {
	for f := range strings.SplitSeq(files, ",") {
		if f == "" {
			continue
		}
		questions, err := eval.Load(f)
		if err != nil {
			return nil, err
		}
		for _, q := range questions {
			out = append(out, q.Query)
		}
	}
	return out, nil
}

// withNotes calls use with an empty store of notes, and removes it.
func withNotes(ctx context.Context, use func(*memory.Store) error) error {
	dir, err := os.MkdirTemp("", "patina-notes-")
	if err != nil {
		return err
	}
	s, err := memory.Open(ctx, filepath.Join(dir, "memory.db"))
	if err == nil {
		err = errors.Join(use(s), s.Close())
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// addNotes adds notes that were written at a time.
func addNotes(ctx context.Context, s *memory.Store, at time.Time, texts []string) error {
	for _, t := range texts {
		m := memory.Memory{Content: t, Created: at, Source: "bench", Origin: memory.Imported}
		if _, err := s.Add(ctx, m, true); err != nil {
			return fmt.Errorf("add %q: %w", t, err)
		}
	}
	return nil
}

// A column holds the values of a system, question by question.
type column struct {
	name   string
	values []float64
}

// printColumns prints each column's mean in percent, and its difference from the first one, with
// 95% intervals.
func printColumns(title string, columns []column) {
	fmt.Printf("%s (%d)\n", title, len(columns[0].values))
	for _, c := range columns {
		less := slices.Clone(c.values)
		for i := range less {
			less[i] -= columns[0].values[i]
		}
		e, d := eval.EstimateOf(c.values), eval.EstimateOf(less)
		fmt.Printf("  %-32s %5.1f [%4.1f, %4.1f]   %+5.1f [%+.1f, %+.1f]\n", c.name, 100*e.Mean, 100*e.Low, 100*e.High,
			100*d.Mean, 100*d.Low, 100*d.High)
	}
}
