package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// placedText returns a table of all answers, of both halves with their kinds and of each
// repository, and the MRR of each channel alone in all and in the halves.
func placedText(rows []placed) string {
	var b strings.Builder
	b.WriteString("| | n | MRR | file first, in 3, in 10 | lines first, in 3 | MRR of each channel alone |\n|---|--:|--:|--:|--:|---|\n")
	line := func(name string, in func(placed) bool) {
		of := slices.DeleteFunc(slices.Clone(rows), func(r placed) bool { return !in(r) })
		if len(of) > 0 {
			fmt.Fprintf(&b, "| %s | %d | %s\n", name, len(of), figures(of))
		}
	}
	line("all", func(placed) bool { return true })
	for _, half := range []struct {
		name   string
		sealed bool
	}{{"open", false}, {"sealed", true}} {
		line(half.name, func(r placed) bool { return r.Sealed == half.sealed })
		for _, k := range kindsOf(rows) {
			line("— "+k, func(r placed) bool { return r.Sealed == half.sealed && r.Kind == k })
		}
	}
	var repos []string
	for _, r := range rows {
		if !slices.Contains(repos, r.Repo) {
			repos = append(repos, r.Repo)
			line(r.Repo, func(x placed) bool { return x.Repo == r.Repo })
		}
	}
	return b.String()
}

// kindsOf returns the kinds of the rows in order, or nil if there is only one.
func kindsOf(rows []placed) []string {
	kinds := map[string]bool{}
	for _, r := range rows {
		kinds[r.Kind] = true
	}
	if len(kinds) < 2 {
		return nil
	}
	return slices.Sorted(maps.Keys(kinds))
}

// figures returns the cells of a line after the number of rows.
func figures(rows []placed) string {
	var sum float64
	alone := map[string]float64{}
	for _, r := range rows {
		sum += reciprocal(r.File)
		for channel, rank := range r.Channels {
			alone[channel] += reciprocal(rank)
		}
	}
	within := func(rank func(placed) int, most int) (n int) {
		for _, r := range rows {
			if x := rank(r); x > 0 && x <= most {
				n++
			}
		}
		return n
	}
	file, lines := func(r placed) int { return r.File }, func(r placed) int { return r.Lines }
	n := float64(len(rows))
	var channels []string
	for _, c := range slices.Sorted(maps.Keys(alone)) {
		channels = append(channels, fmt.Sprintf("%s %.4f", c, alone[c]/n))
	}
	return fmt.Sprintf("%.4f | %d, %d, %d | %d, %d | %s |", sum/n, within(file, 1), within(file, 3), within(file, 10),
		within(lines, 1), within(lines, 3), strings.Join(channels, ", "))
}

// reciprocal returns 1/rank, or 0 beyond the tenth place and for what was not found.
func reciprocal(rank int) float64 {
	if rank < 1 || rank > 10 {
		return 0
	}
	return 1 / float64(rank)
}

// A program answers in a folder.
type program struct{ path, dir string }

// json runs the program and decodes what it prints.
func (p program) json(ctx context.Context, to any, words ...string) error {
	path, err := filepath.Abs(p.path)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, path, words...)
	c.Dir, c.Stderr = p.dir, os.Stderr
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	return json.Unmarshal(out, to)
}
