package embedders

import (
	"context"
	"time"

	"patina/store/doc"
)

// readyTime is the longest time that a question to another machine waits for its vector. A model of
// 12 layers takes 15 ms on one processor. A node with the model takes as long itself.
const readyTime = 50 * time.Millisecond

// Ready returns the vectors of a question by the models that are chosen for a project and open, by
// id. It never opens one, and waits for 50 ms at most.
func (p *Pool) Ready(ctx context.Context, home, projectID string, parts []doc.QuestionPart) map[string][]float32 {
	chosen, err := p.Chosen(home, projectID)
	if err != nil || len(chosen) == 0 {
		return nil // an error is told by the project's own answer
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	out := map[string][]float32{}
	for _, m := range chosen {
		if _, done := out[m.Model()]; done || !p.IsOpen(m) {
			continue
		}
		if v, err := m.EmbedQuestion(ctx, parts); err == nil {
			out[m.Model()] = v
		}
	}
	return out
}
