// Package spend measures the cost of answers in tokens: of snippets, of the same results in full,
// and of searching and reading files instead.
//
// It counts bytes and does not judge answers, which is left to the packages that have questions
// with known answers. A token is four bytes, as everywhere in patina. Equal indexes give equal
// figures.
package spend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/store/doc"
	"patina/store/text"
)

// Schema is the version of a Report's JSON form. It must change if the fields do.
const Schema = "patina-eval-tokens/1"

// An Index calls f with each text of an index.
type Index interface {
	Texts(ctx context.Context, f func(lookup.Text) error) error
}

// Options control what is asked, and how answers are printed.
type Options struct {
	Engine    api.Service
	Index     Index
	Questions []string // empty: subjects of the project's own commits
	Sample    int      // greatest number of these
	Seed      uint64
	// Snippets and Detail print as users see it: ten results, and the first page of one. Both must
	// be set.
	Snippets   func(io.Writer, *api.Answer) error
	Detail     func(io.Writer, *api.DetailAnswer) error
	OnProgress func(done, total int) // may be nil
}

// A Report is the result of one Run. All figures are tokens.
type Report struct {
	Schema    string `json:"schema"`
	Questions int    `json:"questions"`
	Kinds     []Cost `json:"kinds"` // all kinds together first
}

// A Cost has the medians over questions, with results of one kind only or of all kinds.
type Cost struct {
	Kind      string `json:"kind"`
	N         int    `json:"n"`          // questions with a result
	Results   int    `json:"results"`    // in an answer
	Snippets  int    `json:"snippets"`   // the answer
	Detailed  int    `json:"detailed"`   // the answer and its first result in detail
	Full      int    `json:"full"`       // the same results, whole
	FirstFile int    `json:"first_file"` // the first result's file, whole; 0 for commits
	AllFiles  int    `json:"all_files"`  // the files of all results, each once
	// RG is the output of "rg -n -i -F WORD" over the indexed files. WORD is the rarest word of the
	// question that occurs on any line. RGReading adds 60 lines of the file with most hits.
	RG        int `json:"rg"`
	RGReading int `json:"rg_reading"`
}

// ErrNoQuestions reports that a project has no commit whose subject can be a question.
var ErrNoQuestions = errors.New("no commit has a subject to ask by")

const (
	tokenBytes  = 4
	mostResults = 10
	window      = 60 // lines that a reader examines around a hit
	fewestWords = 4
	patience    = 30 * time.Second
	whole       = "all"
)

// Run asks all questions, over all kinds together and over each kind. It returns ErrNoQuestions if
// there are no questions.
func Run(ctx context.Context, o Options) (*Report, error) {
	files, subjects, err := read(ctx, o.Index)
	if err != nil {
		return nil, err
	}
	qs := o.Questions
	if len(qs) == 0 {
		rnd := rand.New(rand.NewPCG(o.Seed, o.Seed))
		rnd.Shuffle(len(subjects), func(i, j int) { subjects[i], subjects[j] = subjects[j], subjects[i] })
		qs = subjects[:min(o.Sample, len(subjects))]
	}
	if len(qs) == 0 {
		return nil, ErrNoQuestions
	}
	r := &Report{Schema: Schema, Questions: len(qs)}
	kinds := slices.Concat([]doc.Kind{""}, doc.Kinds())
	m := &meter{Options: o, files: files, rg: map[string][2]int{}}
	for i, k := range kinds {
		c, err := m.cost(ctx, k, qs, i*len(qs), len(kinds)*len(qs))
		if err != nil {
			return nil, err
		}
		if c.N > 0 {
			r.Kinds = append(r.Kinds, c)
		}
	}
	return r, nil
}

// read returns the texts of all files, by path, and the subjects of commits that can be questions.
func read(ctx context.Context, x Index) (files map[string]string, subjects []string, err error) {
	files = map[string]string{}
	err = x.Texts(ctx, func(t lookup.Text) error {
		if t.Path != "" {
			files[t.Path] = t.Body
		} else if subject, _, _ := strings.Cut(t.Body, "\n"); len(strings.Fields(subject)) >= fewestWords &&
			!slices.Contains(subjects, subject) {
			subjects = append(subjects, subject)
		}
		return ctx.Err()
	})
	return files, subjects, err
}

// A meter measures the cost of answers in one project.
type meter struct {
	Options
	files map[string]string
	lines map[string][]string // of each file, in lower case, split once
	rg    map[string][2]int   // by question
}

// A sample has the counts of one question.
type sample struct{ results, snippets, detailed, full, first, all, rg, rgReading int }

func (m *meter) cost(ctx context.Context, k doc.Kind, qs []string, done, total int) (Cost, error) {
	c := Cost{Kind: string(k)}
	if k == "" {
		c.Kind = whole
	}
	var all []sample
	for i, q := range qs {
		s, err := m.one(ctx, k, q)
		if err != nil {
			return c, fmt.Errorf("ask %q: %w", q, err)
		}
		if s.results > 0 {
			all = append(all, s)
		}
		if m.OnProgress != nil {
			m.OnProgress(done+i+1, total)
		}
	}
	of := func(f func(sample) int) int { return median(all, f) }
	c.N, c.Results = len(all), of(func(s sample) int { return s.results })
	c.Snippets, c.Detailed = of(func(s sample) int { return s.snippets }), of(func(s sample) int { return s.detailed })
	c.Full = of(func(s sample) int { return s.full })
	c.FirstFile, c.AllFiles = of(func(s sample) int { return s.first }), of(func(s sample) int { return s.all })
	c.RG, c.RGReading = of(func(s sample) int { return s.rg }), of(func(s sample) int { return s.rgReading })
	return c, nil
}

// median returns the lower median, 0 for an empty list.
func median(all []sample, f func(sample) int) int {
	if len(all) == 0 {
		return 0
	}
	var xs []int
	for _, s := range all {
		xs = append(xs, f(s))
	}
	slices.Sort(xs)
	return xs[(len(xs)-1)/2]
}

func (m *meter) one(ctx context.Context, k doc.Kind, q string) (s sample, err error) {
	r := api.Request{Text: q, Limit: mostResults, Timeout: patience}
	if k != "" {
		r.Filter.Kinds = []doc.Kind{k}
	}
	a, err := m.Engine.Scry(ctx, r)
	if err != nil || len(a.Results) == 0 {
		return s, err
	}
	var b bytes.Buffer
	if err := m.Snippets(&b, a); err != nil {
		return s, err
	}
	s.results, s.snippets = len(a.Results), tokens(b.Len())
	read := map[string]bool{}
	bodies, sizes := 0, 0
	for i, x := range a.Results {
		d, err := m.Engine.Detail(ctx, api.DetailRequest{
			ReadOptions: api.ReadOptions{Timeout: patience},
			DocID:       x.DocID,
		})
		if err != nil {
			return s, err
		}
		bodies += len(d.Body)
		if body, ok := m.files[x.Path]; ok && !read[x.Path] {
			read[x.Path] = true
			sizes += len(body)
		}
		if i == 0 {
			if b.Reset(); m.Detail(&b, d) == nil {
				s.detailed = s.snippets + tokens(b.Len())
			}
			s.first = tokens(sizes)
		}
	}
	s.full, s.all = tokens(bodies), tokens(sizes)
	s.rg, s.rgReading = m.search(q)
	return s, nil
}

func tokens(bytes int) int { return bytes / tokenBytes }

// search returns the size of the output of a search for a question's rarest word, and that size
// with the lines around a hit in the file with most hits.
func (m *meter) search(q string) (found, reading int) {
	if x, ok := m.rg[q]; ok {
		return x[0], x[1]
	}
	if m.lines == nil {
		m.lines = map[string][]string{}
		for path, body := range m.files {
			m.lines[path] = strings.Split(strings.ToLower(body), "\n")
		}
	}
	best := hits{}
	for _, w := range words(q) {
		if h := m.hits(w); h.lines > 0 && (best.lines == 0 || h.lines < best.lines) {
			best = h
		}
	}
	m.rg[q] = [2]int{tokens(best.bytes), tokens(best.bytes + best.window)}
	return m.rg[q][0], m.rg[q][1]
}

// words returns the words of a question that a person could search for, without stop words.
func words(q string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(q), func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127)
	}) {
		if len(w) > 2 && w != "zebra" && len(text.ParseQuestion(w+" zebra").Terms) > 1 && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// hits are the lines with a word.
type hits struct {
	lines, bytes int // as printed: "path:line:text"
	window       int // bytes of the lines around the first hit in the file with most hits
}

func (m *meter) hits(word string) (h hits) {
	most, where := 0, ""
	for path, lines := range m.lines {
		n := 0
		for i, l := range lines {
			if strings.Contains(l, word) {
				n++
				h.bytes += len(path) + len(fmt.Sprint(i+1)) + len(l) + 3
			}
		}
		h.lines += n
		if n > most || n == most && n > 0 && path < where {
			most, where = n, path
		}
	}
	for i, l := range m.lines[where] {
		if strings.Contains(l, word) {
			for _, x := range m.lines[where][max(0, i-window/2):min(len(m.lines[where]), i+window/2)] {
				h.window += len(x) + 1
			}
			break
		}
	}
	return h
}

// Text prints the table.
func (r *Report) Text(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kind\tn\tresults\tsnippets\t+ first in detail\tin full\tfull / snippets\tfirst file\tall files\trg\trg + 60 lines\t")
	for _, c := range r.Kinds {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1fx\t%d\t%d\t%d\t%d\t\n", c.Kind, c.N, c.Results, c.Snippets,
			c.Detailed, c.Full,
			float64(c.Full)/float64(max(1, c.Snippets)), c.FirstFile, c.AllFiles, c.RG, c.RGReading)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "tokens (bytes / 4), medians of %d questions; rg: all lines with the question's rarest word that any line has\n", r.Questions)
	return err
}
