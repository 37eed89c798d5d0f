package self

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"patina/code/lookup"
)

// A LeakError reports that an index has the text that its questions ask for, so its figures mean
// nothing.
type LeakError struct{ What string }

// Error implements error.
func (e *LeakError) Error() string { return "the searched index knows the future: " + e.What }

// knows returns a LeakError if an index has one of the hidden commits.
func knows(ctx context.Context, x Index, hidden map[string]bool) error {
	return x.Texts(ctx, func(t lookup.Text) error {
		if hidden[t.SHA] {
			return &LeakError{fmt.Sprintf("commit %.12s", t.SHA)}
		}
		return nil
	})
}

// copies returns the queries whose words occur in an index one after another, because finding such
// a copy needs no understanding. Marks, case and line ends are ignored.
func copies(ctx context.Context, x Index, queries []string) (map[string]bool, error) {
	begin, found := map[string][]phrase{}, map[string]bool{}
	for _, q := range queries {
		if ws := wordsOf(q); len(ws) > 0 {
			begin[ws[0]] = append(begin[ws[0]], phrase{q, ws})
		}
	}
	err := x.Chunks(ctx, func(t lookup.ChunkText) error {
		ws := wordsOf(t.Text)
		for i, w := range ws {
			for _, p := range begin[w] {
				if !found[p.query] && p.stands(ws[i:]) {
					found[p.query] = true
				}
			}
		}
		return ctx.Err()
	})
	return found, err
}

type phrase struct {
	query string
	words []string
}

func (p phrase) stands(ws []string) bool {
	if len(ws) < len(p.words) {
		return false
	}
	for i, w := range p.words {
		if ws[i] != w {
			return false
		}
	}
	return true
}

// wordsOf returns a text's runs of letters and digits, in lower case.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// withoutCopies drops the cases whose text the index has word for word.
func (s *set) withoutCopies(ctx context.Context) error {
	var queries []string
	for _, c := range s.cases {
		queries = append(queries, c.Query)
	}
	found, err := copies(ctx, s.on, queries)
	if err != nil {
		return err
	}
	var kept []Case
	for _, c := range s.cases {
		if found[c.Query] {
			s.leave("stands elsewhere word for word")
			continue
		}
		kept = append(kept, c)
	}
	if s.cases = kept; len(kept) == 0 && s.why == "" {
		s.why = "each question stands elsewhere word for word"
	}
	return nil
}
