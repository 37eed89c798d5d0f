package memory

import (
	"context"

	"patina/memory/recall"
	"patina/store/doc"
)

// A Calibrated is a model that knows its cosines of unrelated notes. The cosines of some models are
// all near to 1, and the thresholds for notes are those of the built-in model.
type Calibrated interface {
	doc.BatchEmbedder
	// Unrelated returns a cosine that 1% of the pairs of unrelated short texts exceed, below 1.
	Unrelated(ctx context.Context) (float64, error)
}

// A scale brings cosines of a model to those of the built-in one. The zero value changes nothing.
type scale struct {
	unrelated float64
	set       bool
}

// scaleOf returns the scale of a model.
func scaleOf(ctx context.Context, model doc.BatchEmbedder) (scale, error) {
	c, ok := model.(Calibrated)
	if !ok {
		return scale{}, nil
	}
	u, err := c.Unrelated(ctx)
	return scale{u, true}, modelError(ctx, err)
}

// rescale returns a cosine on the scale of the built-in model. That of unrelated notes becomes
// recall.UnrelatedCosine, and 1 stays 1.
func (s scale) rescale(cosine float64) float64 {
	if !s.set {
		return cosine
	}
	return 1 - (1-cosine)*(1-recall.UnrelatedCosine)/max(1-s.unrelated, 1e-3)
}
