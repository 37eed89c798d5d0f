package lookups

import (
	"context"

	"patina/code/describe"
	"patina/store"
	"patina/store/doc"
)

// Surveys keeps the survey of the generation that was used last, because one is expensive to make.
// It is safe for concurrent use. It must be made by NewSurveys.
type Surveys struct {
	turn chan struct{} // has a token while at and held are used
	at   doc.Generation
	held *describe.Survey
}

// NewSurveys returns an empty Surveys.
func NewSurveys() *Surveys { return &Surveys{turn: make(chan struct{}, 1)} }

// surveyOf returns the survey of a reader's generation. One caller makes it while others wait.
func (s *Surveys) surveyOf(ctx context.Context, r *store.Reader) (*describe.Survey, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.held != nil && s.at == r.Generation() {
		return s.held, nil
	}
	made, err := describe.NewSurvey(ctx, r)
	if err != nil {
		return nil, err
	}
	s.at, s.held = r.Generation(), made
	return made, nil
}
