package deliver

import (
	"fmt"
	"io"

	"patina/cmd/internal/layout"
)

// FactsTables writes the table of the project, and one of each related project that was asked, in
// the bytes that one table alone would have. If they do not fit, the related projects are counted.
func FactsTables(w io.Writer, a FactsAnswer, o Options) error {
	n := len(a.Elsewhere)
	if n == 0 {
		return FactsTable(w, a, o)
	}
	ceiling := layout.PageBytes
	if o.Budget > 0 {
		ceiling = o.Ceiling()
	}
	share := ceiling / (1 + n)
	if share < MinBudget*layout.TokenBytes+factsHeadRoom {
		line := layout.Faint(fmt.Sprintf("related projects with facts: %d of %d; %s shows them", a.related(), n,
			o.Dialect.Raise((1+n)*(MinBudget*layout.TokenBytes+factsHeadRoom)/layout.TokenBytes)))
		o.Budget = max(MinBudget, (ceiling-layout.Size([]layout.Line{line}))/layout.TokenBytes)
		if err := FactsTable(w, a, o); err != nil {
			return err
		}
		return layout.Write(w, []layout.Line{line}, o.Colour)
	}
	home := o
	home.Budget = share / layout.TokenBytes
	if err := FactsTable(w, a, home); err != nil {
		return err
	}
	for _, x := range a.Elsewhere {
		head := layout.Strong(x.title())
		if err := layout.Write(w, []layout.Line{head}, o.Colour); err != nil {
			return err
		}
		if x.Missed != "" {
			continue
		}
		theirs := o
		theirs.Dialect = o.Dialect.In(x.Visit.Repo)
		theirs.Budget = (share - layout.Size([]layout.Line{head})) / layout.TokenBytes
		if err := FactsTable(w, x.FactsAnswer, theirs); err != nil {
			return err
		}
	}
	return nil
}

// factsHeadRoom bounds the line above the facts of a related project, in bytes.
const factsHeadRoom = 200

// title returns the line above the facts of a related project.
func (x FactsElsewhere) title() string {
	s := "[" + layout.Clip(x.Project, 32) + "]"
	if x.Visit.Via != "" {
		s += " via " + layout.Clip(x.Visit.Via, 16)
	}
	if x.Missed != "" {
		s += ": not asked: " + layout.Clip(x.Missed, 100)
	}
	return s
}

// related counts the related projects that have facts.
func (a FactsAnswer) related() (n int) {
	for _, x := range a.Elsewhere {
		if x.Missed == "" && len(x.Facts.Facts) > 0 {
			n++
		}
	}
	return n
}
