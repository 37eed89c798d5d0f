package deliver

import (
	"patina/actors/api"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// Parts are an answer in the parts of which Snippets makes its text, for a front end with a layout
// of its own. Nothing in them acts on a terminal, but a page must escape them.
type Parts struct {
	Above   []string // channels that are missing, weakness, and the words read as times and people
	Results []Part   // those that a text would show
	Below   []string // notes, freshness, and the channels that were not searched
}

// A Part is a result of an answer.
type Part struct {
	api.Result
	ID    string     // doc_id of the part shown
	Name  string     // the document in a line
	Score string     // in two digits
	Above []string   // lines without a number: a signature, a statement, a summary
	Lines []doc.Line // lines of its text, as many as the widest answer has
	Why   string     // the sentence that gives a reason, or ""
}

// PartsOf returns the parts of an answer.
func PartsOf(a *api.Answer, o Options) Parts {
	var p Parts
	for _, l := range preamble(a, o)[1:] {
		p.Above = append(p.Above, l.Text)
	}
	if s := wordsRead(a.Read, o.Dialect); s != "" {
		p.Above = append(p.Above, s)
	}
	for i, r := range shown(a) {
		x := Part{Result: r, ID: ShownID(r.Description), Name: name(r.Description), Score: scoreText(r.Score), Why: whyOf(r.Description)}
		x.Above, x.Lines = excerptLines(r.Description, quota(quotas[0], i), layout.MaxLine)
		x.Lines = withoutMargin(x.Lines)
		for j := range x.Lines {
			x.Lines[j].Text = layout.ClipCode(x.Lines[j].Text, layout.MaxLine)
		}
		p.Results = append(p.Results, x)
	}
	for _, l := range footer(a, o) {
		p.Below = append(p.Below, l.Text)
	}
	return p
}

// Name returns a document in a line, as the first line of its whole text has it.
func Name(d doc.Description) string { return name(d) }

// Above returns the lines above the whole text of a document, such as the author of a commit.
func Above(d doc.Description) []string {
	if above := printerOf(d.Kind).above; above != nil {
		return above(d)
	}
	return nil
}

// Arithmetic returns the numbers behind the score of a result, a line each, as --explain has them.
func Arithmetic(r api.Result) []string { return arithmetic(r) }
