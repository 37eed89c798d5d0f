package rankings

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"patina/actors"
	"patina/actors/api"
	"patina/code/lookup"
	"patina/scrape"
	"patina/store/doc"
	"patina/store/literal"
	"patina/store/text"
)

// Bounds of the strings that are drawn: three words or more, on one line, not long.
const (
	drawnWords   = 3
	drawnLetters = 12
	drawnMost    = 200
	drawnLine    = 300
)

// A Drawn is a string of a source that occurs nowhere else in its repository.
type Drawn struct {
	Path string
	Line int
	Text string // as written between its quotes
}

// DrawLiterals draws up to n strings from the code outside of tests. Each occurs only once in the
// repository. Equal indexes and seeds give equal draws.
func DrawLiterals(ctx context.Context, r Reader, n int, seed uint64) ([]Drawn, error) {
	var all strings.Builder
	var found []Drawn
	err := lookup.Texts(ctx, r.Reader, func(t lookup.Text) error {
		if t.Path == "" {
			return nil
		}
		all.WriteString(t.Body)
		all.WriteByte(0)
		f := scrape.Extract(t.Path, []byte(t.Body))
		if f.Kind == doc.Code && f.Class&(doc.TestFolder|doc.TestName|doc.OtherText) == 0 {
			found = append(found, stringsOf(t)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	order := rand.New(rand.NewPCG(seed, seed))
	order.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	whole := all.String()
	var out []Drawn
	for _, d := range found {
		if len(out) < n && strings.Count(whole, d.Text) == 1 {
			out = append(out, d)
		}
	}
	return out, nil
}

// stringsOf returns the strings of a text that may be drawn. It skips lines that begin like
// comments.
func stringsOf(t lookup.Text) (out []Drawn) {
	n := 0
	for line := range strings.Lines(t.Body) {
		n++
		bare := strings.TrimSpace(line)
		if len(line) > drawnLine || strings.HasPrefix(bare, "//") || strings.HasPrefix(bare, "#") ||
			strings.HasPrefix(bare, "*") {
			continue
		}
		literal.Quoted(line, func(from, to int) {
			s := line[from:to]
			words := 0
			text.Runs(s, func(run string) {
				if len(run) > 1 {
					words++
				}
			})
			if words >= drawnWords && len(s) >= drawnLetters && len(s) <= drawnMost &&
				strings.Count(s, " ") >= drawnWords-1 {
				out = append(out, Drawn{t.Path, n, s})
			}
		})
	}
	return out
}

// An Asking is a form in which drawn strings are asked.
type Asking struct {
	Name string
	Of   func(d Drawn, i int) (question string, ok bool)
}

// filledIn are values for placeholders.
var filledIn = []string{"/tmp/x", "main.conf", "42", "permission denied", "worker"}

// Askings returns the forms in which a literal is asked: as written, with its placeholders filled
// in, and in quotes inside a question.
func Askings() []Asking {
	sentences := []string{`why do I get "%s" when it starts`, `where does "%s" come from`, `what prints "%s"?`}
	return []Asking{
		{"verbatim", func(d Drawn, _ int) (string, bool) { return d.Text, true }},
		{"filled in", func(d Drawn, i int) (string, bool) {
			s, from := "", 0
			for _, p := range text.Placeholders(d.Text) {
				if d.Text[p[0]] != '\\' {
					s += d.Text[from:p[0]] + filledIn[i%len(filledIn)]
					from = p[1]
					i++
				}
			}
			return s + d.Text[from:], from > 0
		}},
		{"quoted", func(d Drawn, i int) (string, bool) {
			return fmt.Sprintf(sentences[i%len(sentences)], d.Text), !strings.Contains(d.Text, `"`)
		}},
	}
}

// Found counts the drawn strings that were asked, and those that were found.
type Found struct{ Asked, First, Line, Ten int }

// Ask asks for each string in a form. It counts the strings whose file is first, whose line is
// shown first, and whose file is among ten. missed is called for each string whose file is not
// first, and must not be nil.
func (a Asking) Ask(ctx context.Context, e *actors.Engine, ds []Drawn,
	missed func(question string, d Drawn),
) (f Found, err error) {
	for i, d := range ds {
		question, ok := a.Of(d, i)
		if !ok {
			continue
		}
		answer, err := e.Scry(ctx, api.Request{Text: question})
		if err != nil {
			return f, err
		}
		f.Asked++
		at := slices.IndexFunc(answer.Results, func(r api.Result) bool { return r.Path == d.Path })
		if at >= 0 {
			f.Ten++
		}
		if at != 0 {
			missed(question, d)
			continue
		}
		f.First++
		if slices.ContainsFunc(answer.Results[0].Lines, func(l doc.Line) bool { return l.Number == d.Line }) {
			f.Line++
		}
	}
	return f, nil
}

// Add adds another count.
func (f *Found) Add(o Found) {
	f.Asked, f.First, f.Line, f.Ten = f.Asked+o.Asked, f.First+o.First, f.Line+o.Line, f.Ten+o.Ten
}

// Row writes one row of a table.
func (f Found) Row(w io.Writer, name, form string) error {
	n := float64(max(1, f.Asked))
	_, err := fmt.Fprintf(w, "| %s | %s | %d | %.3f | %.3f | %.3f |\n", name, form, f.Asked,
		float64(f.First)/n, float64(f.Line)/n, float64(f.Ten)/n)
	return err
}
