package eval

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"patina/actors/api"
	"patina/internal/lazyregexp"
)

// A LineSet has the questions about one repository whose answers are lines.
type LineSet struct {
	Repo      string         `json:"repo"`
	Name      string         `json:"name"` // of its checkout
	Language  string         `json:"language"`
	Revision  string         `json:"revision"`
	Questions []LineQuestion `json:"questions"`
}

// A LineQuestion is a question with the lines that answer it. Any entry in Expect is enough:
// "path:first-last", "path" or "commit:sha".
type LineQuestion struct {
	Kind   string   `json:"kind"`
	Query  string   `json:"query"`
	Expect []string `json:"expect"`
}

// Files returns the expected files and full commit ids, each once.
func (q LineQuestion) Files() []string {
	var out []string
	for _, e := range q.Expect {
		p := placeOf(e)
		if target := p.path + p.sha; !slices.Contains(out, target) {
			out = append(out, target)
		}
	}
	return out
}

// Sealed reports whether a question about a repository ("owner/name") is in the half whose misses
// nobody reads: the first hexadecimal digit of the SHA-256 of both, with a line break between, is 8
// to f.
func Sealed(repo, query string) bool {
	return sha256.Sum256([]byte(repo + "\n" + query))[0] >= 0x80
}

// LoadLines reads a set: a JSON list with one object for each repository. An error names the file
// and the line.
func LoadLines(path string) ([]LineSet, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	var sets []LineSet
	if err := decode(b, &sets); err != nil {
		return nil, fmt.Errorf("read questions %q: not a JSON list of repositories: %w", path, err)
	}
	starts := startsOf(b)
	for n, s := range sets {
		for i, q := range s.Questions {
			if strings.TrimSpace(q.Query) == "" || len(q.Expect) == 0 {
				err := &FieldError{
					"questions",
					fmt.Sprintf("question %d of %q: no query, or nothing expected", i+1, s.Name),
				}
				return nil, fmt.Errorf("read questions %q: %w", path, AtLine(b, starts[n], err))
			}
		}
	}
	return sets, nil
}

// An expectedPlace is the place of an answer. Without lines, the whole file or commit answers.
type expectedPlace struct {
	path, sha   string
	first, last int
}

var placeForm = lazyregexp.New(`^(.+):(\d+)(?:-(\d+))?$`)

func placeOf(expect string) expectedPlace {
	if sha, ok := strings.CutPrefix(expect, "commit:"); ok {
		return expectedPlace{sha: sha}
	}
	m := placeForm().FindStringSubmatch(expect)
	if m == nil {
		return expectedPlace{path: expect}
	}
	first, _ := strconv.Atoi(m[2])
	last, err := strconv.Atoi(m[3])
	if err != nil {
		last = first
	}
	return expectedPlace{path: m[1], first: first, last: last}
}

// found reports whether a result shows the place: its file and, if lines is true, some of its
// lines.
func (p expectedPlace) found(r api.Result, lines bool) bool {
	if p.sha != "" {
		return r.SHA != "" && strings.HasPrefix(r.SHA, p.sha)
	}
	if r.Path != p.path {
		return false
	}
	return !lines || p.last == 0 || r.First <= p.last && r.Last >= p.first
}

// A LineRow is the result for one question. Ranks begin at 1; 0 means not found.
type LineRow struct {
	Kind   string `json:"kind"`
	Query  string `json:"query"`
	Lines  int    `json:"lines"`   // rank of the first result that shows expected lines
	File   int    `json:"file"`    // rank of the first result in an expected file
	InText bool   `json:"in_text"` // whether an expected line is in the printed text itself
	Tokens int    `json:"tokens"`  // of the text, bytes / 4
}

// Lines asks each question as a user would, and scores the lines that are shown. printed must
// return the text of an answer. Lines stops at the first error. It returns an error if there are no
// questions.
func Lines(
	ctx context.Context, a Asker, qs []LineQuestion, printed func(*api.Answer) (string, error),
) ([]LineRow, error) {
	if len(qs) == 0 {
		return nil, errors.New("evaluate lines: no questions")
	}
	rows := make([]LineRow, len(qs))
	for i, q := range qs {
		answer, err := a.Scry(ctx, api.Request{Text: q.Query, Limit: depth, Timeout: patience})
		if err != nil {
			return nil, fmt.Errorf("ask %q: %w", q.Query, err)
		}
		text, err := printed(answer)
		if err != nil {
			return nil, fmt.Errorf("print the answer to %q: %w", q.Query, err)
		}
		rows[i] = LineRow{Kind: q.Kind, Query: q.Query, Tokens: len(text) / 4}
		rows[i].judge(q, answer, text)
	}
	return rows, nil
}

func (row *LineRow) judge(q LineQuestion, a *api.Answer, text string) {
	var places []expectedPlace
	for _, e := range q.Expect {
		places = append(places, placeOf(e))
	}
	rank := func(lines bool) int {
		return 1 + slices.IndexFunc(a.Results, func(r api.Result) bool {
			return slices.ContainsFunc(places, func(p expectedPlace) bool { return p.found(r, lines) })
		})
	}
	row.Lines, row.File = rank(true), rank(false)
	row.InText = slices.ContainsFunc(places, func(p expectedPlace) bool { return p.inText(a, text) })
}

var (
	headForm   = lazyregexp.New(`^(\d+)\. \[`)
	numberForm = lazyregexp.New(`^ +(\d+)  `)
)

// inText reports whether a printed line with a number belongs to the place. Without lines, the
// result itself is enough.
func (p expectedPlace) inText(a *api.Answer, text string) bool {
	var result *api.Result
	for line := range strings.Lines(text) {
		if m := headForm().FindStringSubmatch(line); m != nil {
			rank, _ := strconv.Atoi(m[1])
			i := slices.IndexFunc(a.Results, func(r api.Result) bool { return r.Rank == rank })
			if i < 0 {
				return false
			}
			if result = &a.Results[i]; p.last == 0 && p.found(*result, false) {
				return true
			}
			continue
		}
		m := numberForm().FindStringSubmatch(line)
		if m == nil || result == nil || result.Path != p.path || result.Path == "" {
			continue
		}
		if n, _ := strconv.Atoi(m[1]); p.first <= n && n <= p.last {
			return true
		}
	}
	return false
}

// LinesText prints the figures over all questions and for each kind.
func LinesText(w io.Writer, name string, rows []LineRow) error {
	var kinds []string
	for _, r := range rows {
		if !slices.Contains(kinds, r.Kind) {
			kinds = append(kinds, r.Kind)
		}
	}
	slices.Sort(kinds)
	if err := linesText(w, name, rows); err != nil || len(kinds) < 2 {
		return err
	}
	for _, k := range kinds {
		of := slices.DeleteFunc(slices.Clone(rows), func(r LineRow) bool { return r.Kind != k })
		if err := linesText(w, "  "+k, of); err != nil {
			return err
		}
	}
	return nil
}

func linesText(w io.Writer, name string, rows []LineRow) error {
	share := func(good func(LineRow) bool) float64 {
		n := 0
		for _, r := range rows {
			if good(r) {
				n++
			}
		}
		return 100 * float64(n) / float64(len(rows))
	}
	within := func(rank func(LineRow) int, n int) float64 {
		return share(func(r LineRow) bool { return rank(r) > 0 && rank(r) <= n })
	}
	lines, file := func(r LineRow) int { return r.Lines }, func(r LineRow) int { return r.File }
	tokens := make([]int, len(rows))
	for i, r := range rows {
		tokens[i] = r.Tokens
	}
	slices.Sort(tokens)
	_, err := fmt.Fprintf(w, "%-14s n=%-3d lines @1 %.0f @3 %.0f @10 %.0f  file @1 %.0f @3 %.0f @10 %.0f  in the text %.0f  tokens %d\n",
		name, len(rows), within(lines, 1), within(lines, 3), within(lines, depth),
		within(file, 1), within(file, 3), within(file, depth),
		share(func(r LineRow) bool { return r.InText }), tokens[len(tokens)/2])
	return err
}
