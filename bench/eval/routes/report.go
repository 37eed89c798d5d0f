package routes

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"patina/bench/eval"
)

// Schema is the version of a Report's JSON form. It must change if the fields do.
const Schema = "patina-eval-routing/1"

// A Report is the result of one Run.
type Report struct {
	Schema       string   `json:"schema"`
	Repositories int      `json:"repositories"` // repositories of the set that are registered
	Missing      []string `json:"missing"`      // repositories of the set that are not
	LeftOut      int      `json:"left_out"`     // questions that need them
	Partial      bool     `json:"partial"`      // whether it was interrupted
	Elsewhere    []Arm    `json:"elsewhere"`    // questions that another repository answers
	Local        []Arm    `json:"local"`        // questions that home answers
	Rows         []Row    `json:"rows"`
}

// An Arm has the means of one way to ask, with 95% intervals.
type Arm struct {
	Name   string        `json:"name"`
	N      int           `json:"n"`
	Asked  eval.Estimate `json:"repository_asked"`
	Five   eval.Estimate `json:"repository_in_five"`
	Ten    eval.Estimate `json:"repository_in_ten"`
	File   eval.Estimate `json:"file_in_ten"`
	MRR    eval.Estimate `json:"mrr"`
	Change eval.Estimate `json:"mrr_minus_home"` // paired
	Visits float64       `json:"visits"`         // mean number of other repositories that were asked
}

// A Row is one question in all ways.
type Row struct {
	ID    string            `json:"id"`
	Local bool              `json:"local"`
	Arms  map[string]Result `json:"arms"`
}

// A Result is one answer.
type Result struct {
	Asked  bool `json:"asked"`  // whether the right repository was asked
	Repo   int  `json:"repo"`   // place of its first result among ten, from 1, or 0
	File   int  `json:"file"`   // place of the first right file, likewise
	Visits int  `json:"visits"` // other repositories asked
}

// rr returns the reciprocal rank of the file.
func (r Result) rr() float64 {
	if r.File == 0 {
		return 0
	}
	return 1 / float64(r.File)
}

func (r *Report) finish() {
	for _, local := range []bool{false, true} {
		var arms []Arm
		for _, name := range Arms() {
			if a := r.arm(name, local); a.N > 0 {
				arms = append(arms, a)
			}
		}
		if local {
			r.Local = append([]Arm{}, arms...)
		} else {
			r.Elsewhere = append([]Arm{}, arms...)
		}
	}
}

func (r *Report) arm(name string, local bool) Arm {
	a := Arm{Name: name}
	var asked, five, ten, file, rr, change []float64
	for _, row := range r.Rows {
		if row.Local != local {
			continue
		}
		x := row.Arms[name]
		a.N++
		a.Visits += float64(x.Visits)
		asked = append(asked, share(x.Asked))
		five = append(five, share(x.Repo > 0 && x.Repo <= 5))
		ten = append(ten, share(x.Repo > 0))
		file = append(file, share(x.File > 0))
		rr = append(rr, x.rr())
		change = append(change, x.rr()-row.Arms[AtHome].rr())
	}
	a.Visits /= float64(max(1, a.N))
	a.Asked, a.Five, a.Ten = eval.EstimateOf(asked), eval.EstimateOf(five), eval.EstimateOf(ten)
	a.File, a.MRR, a.Change = eval.EstimateOf(file), eval.EstimateOf(rr), eval.EstimateOf(change)
	return a
}

func share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Text prints the tables.
func (r *Report) Text(out io.Writer) error {
	var b strings.Builder
	table := func(title string, arms []Arm) {
		if len(arms) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s (n=%d, %d repositories)\n", title, arms[0].N, r.Repositories)
		w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		fmt.Fprintln(w, "\tright repository asked\tin five\tin ten\tfile in ten\tMRR\tminus home alone\tothers asked")
		for _, a := range arms {
			fmt.Fprintf(w, "%s\t%.0f%%\t%.0f%%\t%.0f%%\t%.0f%% [%.0f, %.0f]\t%.3f\t%+.3f [%+.3f, %+.3f]\t%.1f\n",
				a.Name, 100*a.Asked.Mean, 100*a.Five.Mean,
				100*a.Ten.Mean, 100*a.File.Mean, 100*a.File.Low, 100*a.File.High, a.MRR.Mean, a.Change.Mean,
				a.Change.Low, a.Change.High, a.Visits)
		}
		_ = w.Flush() // a Builder does not fail
		b.WriteByte('\n')
	}
	table("answered elsewhere", r.Elsewhere)
	table("answered at home", r.Local)
	if len(r.Missing) > 0 {
		fmt.Fprintf(&b, "not registered: %s: %d questions left out\n", strings.Join(r.Missing, ", "), r.LeftOut)
	}
	if r.Partial {
		b.WriteString("interrupted: the questions asked until then\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
