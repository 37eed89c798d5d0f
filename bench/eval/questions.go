package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"patina/store/text"
)

// A Question is an entry in a set, with its answers.
type Question struct {
	ID       string `json:"id"`
	Query    string `json:"query"`
	Kind     string `json:"kind,omitempty"`     // for the report only; the engine does not see it
	Category string `json:"category,omitempty"` // likewise
	// Expect has paths, doc_ids or full shas. Without any, the question has no answer and should be
	// refused. Load leaves out repeated ones.
	Expect []string `json:"expect"`
	Match  string   `json:"match,omitempty"` // Any (also if empty) or All
}

// Values for Question.Match.
const (
	// Any needs one target: the best place counts.
	Any = "any"
	// All needs every target: the worst place counts.
	All = "all"
)

// Absurd reports whether a question has no answer.
func (q Question) Absurd() bool { return len(q.Expect) == 0 }

func realOnes(qs []Question) []Question {
	return slices.DeleteFunc(slices.Clone(qs), Question.Absurd)
}

// Load reads a set in the flat form: a JSON list of questions. Unknown fields are notes of the
// authors and are ignored. An error names the file, the line and the field.
func Load(path string) ([]Question, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	qs, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("read questions %q: %w", path, err)
	}
	return qs, nil
}

func parse(b []byte) ([]Question, error) {
	var raw []json.RawMessage
	if err := decode(b, &raw); err != nil {
		return nil, fmt.Errorf("not a JSON list of questions: %w", err)
	}
	starts := startsOf(b)
	if len(raw) == 0 {
		return nil, errors.New("no questions")
	}
	qs, seen := make([]Question, len(raw)), map[string]int{}
	for i, x := range raw {
		q, err := parseOne(x)
		if first, ok := seen[q.ID]; err == nil && ok {
			err = &FieldError{"id", fmt.Sprintf("field \"id\": %q is also that of question %d", q.ID, first)}
		}
		if err != nil {
			return nil, AtLine(b, starts[i], err)
		}
		qs[i], seen[q.ID] = q, i+1
	}
	return qs, nil
}

// decode is json.Unmarshal with lines in its errors. It returns an error if text follows the value.
func decode(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(v); err != nil {
		return AtLine(b, 0, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: text after the end", lineOf(b, d.InputOffset()))
	}
	return nil
}

// startsOf returns the offset of each entry of a valid JSON list.
func startsOf(b []byte) (starts []int64) {
	d := json.NewDecoder(bytes.NewReader(b))
	var raw json.RawMessage
	for _, err := d.Token(); err == nil && d.More(); {
		if err = d.Decode(&raw); err == nil {
			starts = append(starts, d.InputOffset()-int64(len(raw)))
		}
	}
	return starts
}

func parseOne(b []byte) (q Question, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil || fields == nil {
		return q, fmt.Errorf("not an object: %.40q", b)
	}
	if _, ok := fields["questions"]; ok {
		return q, &FieldError{"questions", `field "questions": the form with one list a repository is not read; give one flat list`}
	}
	if _, ok := fields["expect"]; !ok {
		return q, errors.New(`field "expect" is missing (an empty list says that nothing answers the question)`)
	}
	if err := json.Unmarshal(b, &q); err != nil {
		return q, err
	}
	q.Expect = eachOnce(q.Expect)
	return q, q.check()
}

// eachOnce returns the distinct entries in order. It keeps a nil list nil.
func eachOnce(list []string) (out []string) {
	if list != nil {
		out = []string{}
	}
	for _, x := range list {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func (q Question) check() error {
	switch {
	case strings.TrimSpace(q.ID) == "":
		return &FieldError{"id", `field "id" is missing or empty`}
	case strings.TrimSpace(q.Query) == "":
		return &FieldError{"query", `field "query" is missing or empty`}
	case q.Match != "" && q.Match != Any && q.Match != All:
		return &FieldError{"match", fmt.Sprintf("field \"match\": %q is neither %q nor %q", q.Match, Any, All)}
	case q.Expect == nil:
		return &FieldError{"expect", `field "expect" is null: an empty list says that nothing answers the question`}
	}
	for i, x := range q.Expect {
		if strings.TrimSpace(x) == "" {
			return &FieldError{"expect", fmt.Sprintf("field \"expect\": entry %d is empty", i+1)}
		}
	}
	return nil
}

// Overlap returns the words of a question that occur in a text, as stems, in the question's order,
// without stop words.
func Overlap(query, in string) []string {
	x := NewLexicon(nil)
	x.Add(in)
	return slices.DeleteFunc(text.ParseQuestion(query).Terms, func(t string) bool { return x.Postings[t] == nil })
}
