package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// A table is printed in Markdown.
type table struct {
	head   []string
	rows   [][]string
	series map[string]*series // by name of their row
}

func newTable(head ...string) *table { return &table{head: head} }

// add adds a row. Durations and numbers are written with three digits.
func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = cell(c)
	}
	t.rows = append(t.rows, row)
}

func cell(c any) string {
	switch c := c.(type) {
	case time.Duration:
		return duration(c)
	case float64:
		return digits(c)
	default:
		return fmt.Sprint(c)
	}
}

// print prints the table and an empty line.
func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(t.head, " | "), strings.Repeat("---|", len(t.head)))
	for _, r := range t.rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | "))
	}
	fmt.Fprintln(w)
}

// digits formats a number with three significant digits.
func digits(v float64) string {
	if v == 0 || math.Abs(v) >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	places := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return fmt.Sprintf("%.*f", min(places, 4), v)
}

func duration(d time.Duration) string {
	if d >= 10*time.Second {
		return digits(d.Seconds()) + " s"
	}
	return digits(float64(d)/float64(time.Millisecond)) + " ms"
}

// percentile returns the value that a share p of all values does not exceed, or zero without
// values.
func percentile[T cmp.Ordered](values []T, p float64) T {
	if len(values) == 0 {
		var zero T
		return zero
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(int(math.Ceil(p*float64(len(sorted))-1e-9)), 1)-1]
}

// mark says whether a figure reaches its mark.
func mark(reached bool, what string) string {
	if reached {
		return what
	}
	return what + " **missed**"
}

// A series is times of one row that are summed up when all are there.
type series struct {
	row   int
	limit time.Duration
	times []time.Duration
}

// addTo adds a time to the row of this name.
func (t *table) addTo(name string, d, limit time.Duration) {
	if t.series == nil {
		t.series = map[string]*series{}
	}
	s := t.series[name]
	if s == nil {
		s = &series{row: len(t.rows), limit: limit}
		t.series[name] = s
		t.add(name, "")
	}
	s.times = append(s.times, d)
}

// merge writes the times of addTo into their rows.
func (t *table) merge() {
	for _, s := range t.series {
		most := percentile(s.times, 1)
		text := mark(most <= s.limit, duration(most))
		if len(s.times) > 1 {
			text = "p50 " + duration(percentile(s.times, .5)) + ", most " + text + fmt.Sprintf(" of %d", len(s.times))
		}
		t.rows[s.row][1] = text
	}
}
