package deliver

import (
	"io"

	"patina/cmd/internal/layout"
)

// FactsTables writes the table of the project, and one of each related project that was asked. All
// tables together have the bytes that one alone would have.
func FactsTables(w io.Writer, a FactsAnswer, o Options) error {
	if len(a.Elsewhere) == 0 {
		return FactsTable(w, a, o)
	}
	if o.Budget == 0 {
		o.Budget = layout.PageBytes / layout.TokenBytes
	}
	o.Budget /= 1 + len(a.Elsewhere)
	if err := FactsTable(w, a, o); err != nil {
		return err
	}
	for _, x := range a.Elsewhere {
		head := "[" + layout.Clip(x.Project, 32) + "]"
		if x.Visit.Via != "" {
			head += " via " + layout.Clip(x.Visit.Via, 16)
		}
		if x.Missed != "" {
			head += ": not asked: " + layout.Clip(x.Missed, layout.MaxLine)
		}
		if err := layout.Write(w, []layout.Line{layout.Strong(head)}, o.Colour); err != nil {
			return err
		}
		if x.Missed != "" {
			continue
		}
		theirs := o
		theirs.Dialect = o.Dialect.In(x.Visit.Repo)
		if err := FactsTable(w, x.FactsAnswer, theirs); err != nil {
			return err
		}
	}
	return nil
}
