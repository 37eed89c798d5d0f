package actors

import (
	"context"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
)

// surveys keeps the survey of the generation asked for last. It is safe for concurrent use.
type surveys struct {
	turn chan struct{} // held while held is read or made
	at   doc.Generation
	held *lookup.Survey
}

func newSurveys() *surveys { return &surveys{turn: make(chan struct{}, 1)} }

// surveyOf returns the survey of a reader's generation. One caller makes it, and others wait.
func (s *surveys) surveyOf(ctx context.Context, r *store.Reader) (*lookup.Survey, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.held != nil && s.at == r.Generation() {
		return s.held, nil
	}
	made, err := lookup.NewSurvey(ctx, r)
	if err != nil {
		return nil, err
	}
	s.at, s.held = r.Generation(), made
	return made, nil
}
