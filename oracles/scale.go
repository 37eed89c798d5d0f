package oracles

import "patina/store/doc"

// A scale brings cosines of another model to those of the built-in one, which all constants of the
// ranking are for. Some models have cosines of .7 to .9 for any two texts.
//
// The cosine of random texts becomes that of the same texts by the built-in model, and 1 stays 1
// (docs/ranking.md, "Meaning"). So a model whose vectors are the built-in ones with a common
// component ranks as they do. A nil scale changes nothing.
type scale struct {
	slope  float64
	spread float64 // of random cosines, as a multiple of the built-in model's
	random doc.Calibration
}

const (
	medianQuantile = (doc.Quantiles - 1) / 2
	upperQuantile  = doc.Quantiles - 2
	// mostStretched bounds how far differences of cosines are stretched or pressed together, and how
	// far the chance of many chunks is stretched, where a model can hardly tell texts apart.
	mostStretched = 20
)

// scaleOf returns the scale of a model, by quantiles of the cosines of random texts by this model
// and, for the same pairs, by the built-in one. index is the calibration of the index by the
// built-in model.
func scaleOf(own, table, index doc.Calibration) *scale {
	s := &scale{slope: 1, spread: 1, random: index}
	if len(own) < doc.Quantiles || len(table) < doc.Quantiles {
		return s
	}
	s.slope = mostStretched
	if m := own[medianQuantile]; m < 1 {
		s.slope = max(1.0/mostStretched, min((1-table[medianQuantile])/(1-m), mostStretched))
	}
	if t := table[upperQuantile] - table[medianQuantile]; t > 0 {
		s.spread = min(s.slope*(own[upperQuantile]-own[medianQuantile])/t, mostStretched)
	}
	if len(index) == doc.Quantiles {
		s.random = make(doc.Calibration, doc.Quantiles)
		for i, x := range index {
			s.random[i] = x + (s.rescale(own[i]) - table[i])
		}
	}
	return s
}

// rescale returns a cosine on the scale of the built-in model.
func (s *scale) rescale(cosine float64) float64 {
	if s == nil || s.slope == 1 {
		return cosine
	}
	return 1 - s.slope*(1-cosine)
}

// spreadOf returns how far random cosines spread, as a multiple of the built-in model's.
func (s *scale) spreadOf() float64 {
	if s == nil {
		return 1
	}
	return s.spread
}
