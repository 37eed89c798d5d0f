package oracles

import (
	"context"
	"math"

	"patina/store/doc"
	"patina/store/text"
)

// A QuestionVector is the vector of a question by a model.
type QuestionVector struct {
	Model  string // its id
	Vector []float32
}

// Parts returns the texts of a question that a model embeds.
func Parts(q text.Question) []doc.QuestionPart { return questionParts(q) }

// Embed returns the vector of the question by a model. It takes that of the asker if there is one.
func (q Question) Embed(ctx context.Context, model doc.BatchEmbedder) ([]float32, error) {
	for _, v := range q.Vectors {
		if v.Model == model.Model() && v.isUnit(model.Dimension()) {
			return v.Vector, nil
		}
	}
	return model.EmbedQuestion(ctx, questionParts(q.Parsed))
}

// unitTolerance is by how much the squared length of a unit vector may differ from 1, after
// rounding.
const unitTolerance = 1e-3

// isUnit reports whether a vector has a length in numbers, and is of length 1. A peer may have sent
// anything.
func (v QuestionVector) isUnit(dimension int) bool {
	sum := 0.0
	for _, x := range v.Vector {
		sum += float64(x) * float64(x)
	}
	return len(v.Vector) == dimension && math.Abs(sum-1) <= unitTolerance // false for NaN
}
