package act

import (
	"fmt"
	"io"
	"strings"

	"patina/bench/eval"
)

// Text writes the report as lines.
func (r *EchoReport) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "planted notes that came back     %d of %d\n", r.Echoed, r.Planted)
	fmt.Fprintf(&b, "the same again: silent           %d of %d\n", r.Quiet, r.Repeated)
	fmt.Fprintf(&b, "nothing governs: silent          %d of %d\n", r.Silent, r.Ungoverned)
	fmt.Fprintf(&b, "edits of other files: answered   %d of %d, by what the project knows\n", r.Known, r.Others)
	fmt.Fprintf(&b, "failed or not as it must be      %d\n", r.Failed)
	if r.Late > 0 {
		fmt.Fprintf(&b, "late, and fired again            %d\n", r.Late)
	}
	fmt.Fprintf(&b, "longest text                     %d bytes\n", r.MostBytes)
	fmt.Fprintf(&b, "processor time of a hook         %.1f ms (patina version: %.1f); the slowest took %.0f ms\n", r.UsedMS, r.StartMS, r.SlowestMS)
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "fault: %q\n", f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Text writes the report as a table.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	width := len("task")
	for _, row := range r.Rows {
		width = max(width, len(row.Task))
	}
	fmt.Fprintf(&b, "%-*s  without  with  shown\n", width, "task")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "%-*s  %3d/%-3d  %2d/%-2d  %d\n", width, row.Task, row.Without, r.Runs, row.With, r.Runs, row.Shown)
	}
	line := func(name string, e eval.Estimate) {
		fmt.Fprintf(&b, "%-*s  %+.3f [%+.3f, %+.3f]\n", width, name, e.Mean, e.Low, e.High)
	}
	fmt.Fprintf(&b, "share of tasks done, 95%% by bootstrap over %d tasks:\n", len(r.Rows))
	line("without", r.Without)
	line("with", r.With)
	line("difference", r.Difference)
	for _, row := range r.Rows {
		for _, f := range row.Faults {
			fmt.Fprintf(&b, "fault: %s, %q\n", row.Task, f)
		}
	}
	if r.Partial {
		b.WriteString("interrupted: the tasks above are complete\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
