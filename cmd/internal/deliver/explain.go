package deliver

import (
	"fmt"
	"io"
	"strings"

	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/fusion"
)

// arithmetic returns the numbers behind a score: docs/ranking.md. The first line has those that
// merged its kind into the answer, the next those that ordered it within its kind.
func arithmetic(r api.Result) []string {
	share := fmt.Sprintf("share %.3f", r.Share)
	if told := r.Told(); told < 1 {
		share += fmt.Sprintf(" × told %.2f", told)
	}
	if r.Breadth > 0 {
		share += fmt.Sprintf(" + 0.25 × breadth %.3f", r.Breadth)
	}
	if r.Channel > 0 {
		share += fmt.Sprintf(" + 0.2 × channel %.3f", r.Channel)
	}
	if r.Subject > 0 {
		share += fmt.Sprintf(" + 0.2 × subject %.3f", r.Subject)
	}
	prior := fmt.Sprintf("prior %.2f", r.Prior)
	order := printerOf(r.Kind).order
	if d := r.Evidence.Demotion; order == nil && d > 0 && d < 1 {
		prior += fmt.Sprintf(" × demotion %.2f", d)
	}
	if r.Weight > 0 && r.Weight < 1 {
		prior += fmt.Sprintf(" × route %.2f", r.Weight)
	}
	agreement := fmt.Sprintf("agreement %.3f", r.Agreement)
	if backed := r.Backed(); backed < 1 {
		agreement += fmt.Sprintf(" × backed %.2f", backed)
	}
	lines := []string{
		chance(r),
		fmt.Sprintf("merged by %.3f = %s × (%s + 0.2 × %s)", r.Own(), prior, share, agreement),
	}
	if why := placed(r); why != "" {
		lines = append(lines, why)
	}
	var parts []string
	for _, c := range r.Contributions {
		s := layout.Clip(c.Channel, 16)
		if c.Rank > 0 {
			s += fmt.Sprintf(" #%d raw %.3g", c.Rank, c.Raw)
		}
		parts = append(parts, s+fmt.Sprintf(" %.3f×%.2f=%.3f", c.Normalised, c.Weight, c.Added))
	}
	if len(parts) > 0 {
		lines = append(lines, layout.Clip(strings.Join(parts, " + "), 2*layout.MaxLine))
	}
	e := r.Evidence
	lines = append(lines,
		fmt.Sprintf("relevance by share × known %.2f = %.3f, or by meaning %.3f", e.Known, r.Share*e.Known, e.Cosine))
	if order != nil {
		lines = append(lines, order(r))
	}
	return lines
}

// chance returns the numbers behind the score shown.
func chance(r api.Result) string {
	s := fmt.Sprintf("score %.3f; its own chance to be right %.3f", r.Score, r.Chance)
	if r.Weight > 0 && r.Weight < 1 {
		s += fmt.Sprintf(" × route %.2f", r.Weight)
	}
	if r.Exact {
		return s + ", as named by the question"
	}
	s += fmt.Sprintf(", from merged %.3f, known %.2f, file name %.2f, lead %+.3f, margin %+.3f", r.Own()/weight(r),
		r.Evidence.Known, r.Evidence.Coverage, r.Lead, r.Margin)
	if r.Passage > 0 {
		s += fmt.Sprintf(", passage %.2f", r.Passage)
	}
	return s
}

func weight(r api.Result) float64 {
	if r.Weight > 0 {
		return min(1, r.Weight)
	}
	return 1
}

// placed returns why a result comes before one with a higher chance, or "" if no rule moved it.
func placed(r api.Result) string {
	switch r.Placed {
	case fusion.PlacedExact:
		return "placed first: the question names it"
	case fusion.PlacedKind:
		return fmt.Sprintf("placed by its kind's order: merged with %.3f, the number of a later one", r.Merged)
	case fusion.PlacedReserved:
		return "placed here: a place is kept for the best of its kind"
	case fusion.PlacedForeign:
		return "placed here: a place is kept for other projects"
	case fusion.PlacedMerge:
		return fmt.Sprintf("placed by %.3f: the order goes by this number, not by the chance", r.Merged)
	}
	return ""
}

// A WordPair is a word in a question, the nearest word in a document, and their cosine.
type WordPair struct {
	Question string  `json:"question"`
	Passage  string  `json:"passage"`
	Cosine   float64 `json:"cosine"`
}

// Why writes how one document was ranked. The answer must hold that document alone, or nothing if
// no channel found it. closest are its words nearest to the question's; it may be nil.
func Why(w io.Writer, docID string, x *api.Explanation, closest []WordPair, o Options) error {
	a := &x.Answer
	lines := preamble(a, o)[:1]
	if lacks := Incomplete(a, o.Visits); lacks != "" {
		lines = append(lines, layout.Strong(lacks))
	}
	if len(a.Results) == 0 {
		lines = append(lines,
			layout.Text(fmt.Sprintf("%s is not among the %s that were found", layout.OpenPath(docID),
				layout.Count(x.Ranked, "document"))))
	}
	for _, r := range a.Results {
		lines = append(lines, layout.Strong(fmt.Sprintf("rank %d of %d", r.Rank, x.Ranked)), layout.Strong(title(r, o)))
		for _, text := range arithmetic(r) {
			lines = append(lines, layout.Text(layout.Indent+text))
		}
	}
	var pairs []string
	for _, p := range closest {
		pairs = append(pairs, fmt.Sprintf("%s ~ %s %.2f", p.Question, p.Passage, p.Cosine))
	}
	if len(pairs) > 0 {
		lines = append(lines,
			layout.Text(layout.Indent+layout.Clip("closest words "+strings.Join(pairs, ", "), 2*layout.MaxLine)))
	}
	return layout.Write(w, append(lines, footer(a, o)...), o.Colour)
}

// WhyJSON writes the same as Why by the schema in docs/json.md.
func WhyJSON(w io.Writer, x *api.Explanation, closest []WordPair, o Options) error {
	pairs := []WordPair{}
	for _, p := range closest {
		p.Cosine = layout.Round(p.Cosine)
		pairs = append(pairs, p)
	}
	return layout.Encode(w, struct {
		jsonAnswer
		Ranked  int        `json:"ranked"`
		Closest []WordPair `json:"closest"`
	}{answerOf(&x.Answer, o), x.Ranked, pairs})
}
