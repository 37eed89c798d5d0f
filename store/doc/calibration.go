package doc

// A Calibration holds 101 quantiles, least first, of the cosines between random pairs of a
// repository's own vectors. It is empty or nil if there are too few vectors.
//
// It is needed because texts from one repository are alike in ways unrelated to a question. A
// cosine of 0.3 is high in one repository and means nothing in another.
type Calibration []float64

const (
	RandomPairs = 4096
	Quantiles   = 101
	// noise is the quantile up to which a cosine is no evidence. Among ten thousand chunks, a
	// hundred are as near to any question.
	noise = 99
	// certain is the cosine that accounts for a whole question. Between noise and certain, evidence
	// rises with the square. Ten absurd questions to Go's standard library were tried: one reached
	// half way, the others less.
	certain = 1.0
)

// Evidence maps a cosine to the share of a question that it accounts for, 0..1. Without a
// calibration it returns 0.
func (c Calibration) Evidence(cosine float64) float64 {
	if len(c) < Quantiles || c[noise] >= certain {
		return 0
	}
	x := min(1, max(0, (cosine-c[noise])/(certain-c[noise])))
	return x * x
}
