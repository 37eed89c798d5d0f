package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A report has the figures, the machine and the repository that they were measured on.
type report struct {
	command    string
	version    string // patina's
	machine    string
	began      time.Time
	loads      [2]string // at start and end
	repository string
	times      times
	tree       *repository
	indexed    scraped
	figures    []figure
	notes      []string
	last       map[string]string // medians of the kept results, by name of the figure
}

func (r *report) begin(ctx context.Context, b *bench, name string) {
	r.command = "make bench"
	if v := os.Getenv("BENCH_COPIES"); v != "" {
		r.command = "BENCH_COPIES=" + v + " " + r.command
	}
	if v := os.Getenv("BENCH_REPO"); v != "" {
		r.command = "BENCH_REPO=" + filepath.Base(v) + " " + r.command
	}
	if v, err := output(ctx, "", b.patina, "version"); err == nil {
		r.version, _, _ = strings.Cut(v, "\n")
	}
	r.machine, r.began, r.repository, r.tree, r.times = machine(ctx), time.Now(), name, b.tree, b.times
	r.loads[0] = load(ctx)
	kept, err := os.ReadFile("bench/history/speed.md")
	if r.last = lastMedians(string(kept), name); err != nil || r.last == nil {
		r.note("no last medians: bench/history/speed.md holds none of %s", name)
	}
}

// heading returns the first line of a repository's section.
func heading(repository string) string { return "## Speed on " + repository + "\n" }

// lastMedians returns the medians that a file of results has for a repository, or nil if it has no
// section for it.
func lastMedians(file, repository string) map[string]string {
	_, section, found := strings.Cut(file, beginMark+"\n"+heading(repository))
	if !found {
		return nil
	}
	section, _, _ = strings.Cut(section, endMark)
	medians, above := map[string]string{}, ""
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, " | "); len(cells) >= 5 && strings.HasPrefix(line, "| ") {
			var key string
			key, above = keyed(strings.TrimPrefix(cells[0], "| "), above)
			medians[key] = strings.TrimSpace(cells[3])
		}
	}
	return medians
}

// keyed returns the key of a figure. A name that begins with a dash belongs to the figure above,
// whose name is stem.
func keyed(name, above string) (key, stem string) {
	if strings.HasPrefix(name, "— ") {
		return above + " " + name, above
	}
	return name, name
}

func (r *report) end(ctx context.Context) { r.loads[1] = load(ctx) }

func (r *report) add(fs ...figure) { r.figures = append(r.figures, fs...) }

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// The first and last line of a report in a file.
const (
	beginMark = "<!-- speed:begin -->"
	endMark   = "<!-- speed:end -->"
)

// markdown returns the report between its markers.
func (r *report) markdown() string {
	var w strings.Builder
	fmt.Fprintln(&w, beginMark)
	fmt.Fprintln(&w, heading(r.repository))
	fmt.Fprintf(&w, "`%s`, %s, %s; %s; load average %s at the beginning, %s at the end.\n", r.command,
		r.began.UTC().Format("2006-01-02"),
		r.version, r.machine, r.loads[0], r.loads[1])
	fmt.Fprintf(&w, "%d files of %s MB in the folder; in the index %d files, %d chunks, %d commits.\n",
		len(r.tree.files),
		digits(float64(r.tree.bytes)/megabyte), r.indexed.Files, r.indexed.Chunks, r.indexed.Commits)
	fmt.Fprintf(&w, "First scrapes %d times, questions %d rounds of %d different ones (1 to %d words), all else %d times.\n\n",
		r.times.first, r.times.rounds, maxQuestions, maxWords, r.times.runs)
	fmt.Fprintln(&w, "| measured | unit | least | median | greatest | last median |\n|---|---|--:|--:|--:|--:|")
	key, above := "", ""
	for _, f := range r.figures {
		key, above = keyed(f.name, above)
		fmt.Fprintf(&w, "| %s | %s | %s | %s |\n", f.name, f.unit, f.cells(), r.last[key])
	}
	fmt.Fprintln(&w)
	for _, n := range append([]string{
		"Commands are whole processes, with git where they start it; peak memory is of the largest of them. Files are in the page cache.",
		"A warm question is answered in the measuring process, one at a time, with no result cache, without the text that a user reads.",
	}, r.notes...) {
		fmt.Fprintln(&w, "-", n)
	}
	fmt.Fprintln(&w, endMark)
	return w.String()
}

// cells returns the last three cells in a figure's row. A single value is in the middle.
func (f figure) cells() string {
	if len(f.values) == 1 {
		return " | " + digits(f.values[0]) + " | "
	}
	return digits(f.least()) + " | " + digits(f.median()) + " | " + digits(f.greatest())
}

// replaceSection replaces the section in old, with its markers, by another one. Without a section
// in old, it appends it. It returns an error if a marker is missing or repeated.
func replaceSection(old, section string) (string, error) {
	begin, end := strings.Index(old, beginMark), strings.Index(old, endMark)
	switch {
	case strings.Count(old, beginMark) > 1 || strings.Count(old, endMark) > 1:
		return "", errors.New("a speed marker stands there twice")
	case begin < 0 && end < 0:
		if old = strings.TrimRight(old, "\n"); old != "" {
			old += "\n\n"
		}
		return old + section, nil
	case begin < 0 || end < begin:
		return "", fmt.Errorf("%s without %s before it", endMark, beginMark)
	case end < 0:
		return "", fmt.Errorf("%s without %s after it", beginMark, endMark)
	}
	return old[:begin] + strings.TrimSuffix(section, "\n") + old[end+len(endMark):], nil
}
