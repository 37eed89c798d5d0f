package conversation

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"patina/bench/eval"
	"patina/memory/recall"
	"patina/store/doc"
)

// depths are the numbers of turns at which recall is measured.
var depths = []int{5, 10, 20}

// budget bounds an injected set: 500 tokens of 4 bytes.
const budget = 2000

// A system is one way to rank the turns of a conversation.
type system struct {
	name string
	rank func(x *recall.Index, question string, cosines []float64) []int
}

// The first two are the rankings that recall uses for notes and sessions.
var systems = []system{
	{"words", func(x *recall.Index, q string, _ []float64) []int { return places(x.Rank(q, nil, recall.Measured)) }},
	{"hybrid", func(x *recall.Index, q string, cosines []float64) []int {
		return places(x.Rank(q, cosines, recall.Measured))
	}},
	{"vectors alone", func(_ *recall.Index, _ string, cosines []float64) []int { return ordered(cosines) }},
	{"FTS alone", func(x *recall.Index, q string, _ []float64) []int {
		var scores []float64
		for _, c := range x.Candidates(q) {
			scores = append(scores, c.BM25)
		}
		return ordered(scores)
	}},
	{"specification, words", func(x *recall.Index, q string, _ []float64) []int {
		return places(x.Rank(q, nil, recall.Specification))
	}},
	{"specification, hybrid", func(x *recall.Index, q string, cosines []float64) []int {
		return places(x.Rank(q, cosines, recall.Specification))
	}},
}

// A Row is the results of one question.
type Row struct {
	Conversation string               `json:"conversation"`
	Question     string               `json:"question"`
	Category     string               `json:"category"`
	Recall       map[string][]float64 `json:"recall"` // by system, at 5, 10 and 20
	// Shown is the share of the answer's words that the injected set has, Unbudgeted that of the
	// best 20 whole turns, and Five that of the best five.
	Shown      float64 `json:"shown"`
	Unbudgeted float64 `json:"unbudgeted"`
	Five       float64 `json:"five"`
	Answered   bool    `json:"answered"` // whether it has an answer in words
	// Evidence is the share of the evidence in the same three sets, in the same order.
	Evidence [3]float64 `json:"evidence"`
}

// Run asks all questions. It leaves out questions without evidence, because their recall is not
// defined. model must not be nil.
func Run(list []Conversation, model doc.Embedder) (rows []Row) {
	for _, c := range list {
		index, vectors := recall.NewIndex(c.Turns), recall.Vectors(model, c.Turns)
		for _, q := range c.Questions {
			if len(q.Evidence) > 0 {
				rows = append(rows, ask(c, index, recall.Cosines(model, q.Text, vectors), q))
			}
		}
	}
	return rows
}

func ask(c Conversation, index *recall.Index, cosines []float64, q Question) Row {
	row := Row{Conversation: c.Name, Question: q.Text, Category: q.Category, Recall: map[string][]float64{}}
	for _, s := range systems {
		order := s.rank(index, q.Text, cosines)
		for _, depth := range depths {
			row.Recall[s.name] = append(row.Recall[s.name], eval.ShareOf(order[:min(depth, len(order))], q.Evidence))
		}
		if s.name == "hybrid" {
			row.show(c, order[:min(20, len(order))], q)
		}
	}
	return row
}

func places(list []recall.Ranked) (order []int) {
	for _, r := range list {
		order = append(order, r.Item)
	}
	return order
}

// ordered returns the indexes of positive scores, best first.
func ordered(scores []float64) (order []int) {
	for i, s := range scores {
		if s > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// show sets the shares of the evidence and of the answer's words in the sets that would be
// injected.
func (r *Row) show(c Conversation, order []int, q Question) {
	lines := make([]string, len(order))
	for i, n := range order {
		t := c.Turns[n]
		lines[i] = fmt.Sprintf("- [%s] %s: %s", t.At.Format("2006-01-02"), t.Speaker, t.Text)
	}
	want := recall.Question(q.Answer)
	r.Answered = r.Category != adversarial && len(want) > 0
	shown := func(at int, chosen []int) float64 {
		var turns []int
		var text []string
		for _, i := range chosen {
			turns, text = append(turns, order[i]), append(text, lines[i])
		}
		r.Evidence[at] = eval.ShareOf(turns, q.Evidence)
		if !r.Answered {
			return 0
		}
		return said(want, text)
	}
	all := make([]int, len(order))
	for i := range all {
		all[i] = i
	}
	r.Unbudgeted, r.Shown, r.Five = shown(0, all), shown(1, recall.Fit(lines, budget, 0)),
		shown(2, recall.Fit(lines, budget, 5))
}

func said(want, lines []string) float64 {
	has := map[string]bool{}
	for _, w := range recall.Words(strings.Join(lines, "\n")) {
		has[w] = true
	}
	n := 0
	for _, w := range want {
		if has[w] {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

// Text prints recall by category and system.
func Text(w io.Writer, rows []Row) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d questions\n", len(rows))
	for _, g := range groupsOf(rows) {
		some := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
			return !slices.Contains(g.categories, r.Category)
		})
		if len(some) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s (%d)\n  %-24s %6s %-22s %6s   %s\n", g.name, len(some), "", "R@5", "R@10", "R@20",
			"R@10 less hybrid's")
		for _, s := range systems {
			at := func(i int) []float64 { return column(some, func(r Row) float64 { return r.Recall[s.name][i] }) }
			ten := eval.EstimateOf(at(1))
			less := eval.EstimateOf(column(some, func(r Row) float64 {
				return r.Recall[s.name][1] - r.Recall["hybrid"][1]
			}))
			fmt.Fprintf(b, "  %-24s %6.1f %6.1f [%5.1f, %5.1f]  %6.1f   %+.1f [%+.1f, %+.1f]\n", s.name,
				100*eval.EstimateOf(at(0)).Mean,
				100*ten.Mean, 100*ten.Low, 100*ten.High, 100*eval.EstimateOf(at(2)).Mean, 100*less.Mean, 100*less.Low,
				100*less.High)
		}
	}
	injected(b, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// injected prints the shares that a set of 500 tokens shows, with and without a budget.
func injected(w io.Writer, rows []Row) {
	answered := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !r.Answered })
	fmt.Fprintf(w, "\nthe answer's words shown (%d with an answer), and the evidence (%d)\n", len(answered), len(rows))
	for i, s := range []struct {
		name  string
		value func(Row) float64
	}{
		{"20 whole turns", func(r Row) float64 { return r.Unbudgeted }},
		{"500 tokens", func(r Row) float64 { return r.Shown }},
		{"500 tokens, 5 at most", func(r Row) float64 { return r.Five }},
	} {
		e, v := eval.EstimateOf(column(answered, s.value)), eval.EstimateOf(column(rows, func(r Row) float64 {
			return r.Evidence[i]
		}))
		fmt.Fprintf(w, "  %-24s %6.1f [%5.1f, %5.1f]   evidence %6.1f [%5.1f, %5.1f]\n",
			s.name, 100*e.Mean, 100*e.Low, 100*e.High, 100*v.Mean, 100*v.Low, 100*v.High)
	}
}

// A group is a set of categories with one line in the table.
type group struct {
	name       string
	categories []string
}

// groupsOf returns the groups for which figures are published, and one group for each category.
func groupsOf(rows []Row) []group {
	var names []string
	for _, r := range rows {
		if !slices.Contains(names, r.Category) {
			names = append(names, r.Category)
		}
	}
	slices.Sort(names)
	out := []group{{"all", names}}
	if known := slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return n == adversarial
	}); len(known) < len(names) {
		out = append(out, group{"all but adversarial (categories 1-4)", known})
	}
	if slices.ContainsFunc(core, func(n string) bool { return slices.Contains(names, n) }) {
		out = append(out, group{"core", core})
	}
	for _, n := range names {
		out = append(out, group{n, []string{n}})
	}
	return out
}

func column(rows []Row, value func(Row) float64) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = value(r)
	}
	return out
}
