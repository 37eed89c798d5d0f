// Package routes measures questions that are asked in one repository and may be answered in
// another.
//
// A set names, for each question, the repository where it is asked, the one that answers it, and
// the files there. Each question is asked in four ways: only at home; along the edges from home, as
// users ask it (scry --all-repos); likewise, but with each repository's own word weights; and in
// all repositories of the set. The edges are the user's graph, which the set does not change.
//
// set.go reads sets, run.go asks, and report.go has the figures and prints them. Finding and
// opening repositories is left to package project.
package routes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"patina/bench/eval"
)

// A Question is a question that is asked at Home.
type Question struct {
	ID     string   `json:"id"`
	Home   string   `json:"home"`
	Query  string   `json:"query"`
	Repo   string   `json:"repo"`   // the repository that answers it; Home itself for a local question
	Expect []string `json:"expect"` // paths in Repo, each of which is enough
}

// Local reports whether home itself answers.
func (q Question) Local() bool { return q.Repo == q.Home }

// Load reads a set: {"questions": [{"id", "home", "query", "repo", "expect": [path, …]}]}. Other
// fields are notes of the authors. An error names the file and the line.
func Load(name string) ([]Question, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	qs, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("read questions %q: %w", name, err)
	}
	return qs, nil
}

// parse decodes one question after another, because errors must name their lines.
func parse(b []byte) (qs []Question, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	at := func() int { return line(b, int(d.InputOffset())) }
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("line %d: not a JSON object with \"questions\"", at())
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, broken(b, d, err)
		}
		if key != "questions" {
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return nil, broken(b, d, err)
			}
			continue
		}
		if qs != nil {
			return nil, fmt.Errorf("line %d: field \"questions\" stands there twice", at())
		}
		if qs, err = list(b, d); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, broken(b, d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: text after the end", at())
	}
	if len(qs) == 0 {
		return nil, errors.New(`no questions: {"questions": [{"id", "home", "query", "repo", "expect": [path, …]}]}`)
	}
	return qs, nil
}

func list(b []byte, d *json.Decoder) ([]Question, error) {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, fmt.Errorf("line %d: field \"questions\" is no list", line(b, int(d.InputOffset())))
	}
	qs := []Question{}
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, broken(b, d, err)
		}
		began := d.InputOffset() - int64(len(raw))
		var q Question
		if err := json.Unmarshal(raw, &q); err != nil {
			return nil, eval.AtLine(b, began, err)
		}
		if err := q.check(qs); err != nil {
			return nil, eval.AtLine(b, began, err)
		}
		qs = append(qs, q)
	}
	if _, err := d.Token(); err != nil {
		return nil, broken(b, d, err)
	}
	return qs, nil
}

func (q Question) check(before []Question) error {
	for _, f := range []struct{ name, value string }{
		{"id", q.ID},
		{"home", q.Home},
		{"query", q.Query},
		{"repo", q.Repo},
	} {
		if strings.TrimSpace(f.value) == "" {
			return &eval.FieldError{Field: f.name, Text: fmt.Sprintf("field %q is missing or empty", f.name)}
		}
	}
	if len(q.Expect) == 0 || slices.Contains(q.Expect, "") {
		return &eval.FieldError{Field: "expect", Text: `field "expect" is missing or empty, or has an empty entry`}
	}
	if slices.ContainsFunc(before, func(x Question) bool { return x.ID == q.ID }) {
		return &eval.FieldError{Field: "id", Text: fmt.Sprintf("field \"id\": %q stands there twice", q.ID)}
	}
	return nil
}

// broken returns the error for text that is not JSON, with its line.
func broken(b []byte, d *json.Decoder, err error) error {
	at := int(d.InputOffset())
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(at, int(s.Offset))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = len(b), errors.New("the text ends in the middle")
	}
	return fmt.Errorf("line %d: %w", line(b, at), err)
}

// line returns the line of the byte at an offset, from 1.
func line(b []byte, at int) int { return 1 + bytes.Count(b[:min(max(0, at), len(b))], []byte("\n")) }
