package transformer

import (
	"errors"
	"math"

	"patina/store/doc"
)

// pool writes the unit vector of a text with tokens tokens to dst. states holds one vector for each
// token, or a single one if the graph pools.
func pool(dst, states []float32, how Pooling, tokens int) error {
	dim := len(dst)
	if how == Mean {
		sums := make([]float64, dim)
		for t := range tokens {
			for i, x := range states[t*dim : (t+1)*dim] {
				sums[i] += float64(x)
			}
		}
		for i, x := range sums {
			dst[i] = float32(x / float64(tokens))
		}
	} else {
		copy(dst, states[:dim])
	}
	return normalise(dst)
}

var errNotFinite = errors.New("the graph gave a vector that is not finite")

// normalise divides a vector by its length. The zero vector is not changed.
func normalise(v []float32) error {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if math.IsNaN(square) || math.IsInf(square, 0) {
		return errNotFinite
	}
	if square == 0 {
		return nil
	}
	length := math.Sqrt(square)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return nil
}

// quantise writes a unit vector as bytes, as doc.Embedder does.
func quantise(dst []int8, unit []float32) {
	for i, x := range unit {
		dst[i] = doc.Quantise(float64(x) * doc.VectorScale)
	}
}

// widen returns half-precision floats, little-endian, as floats.
func widen(dst []float32, half []byte) {
	for i := range dst {
		dst[i] = fromHalf(uint16(half[2*i]) | uint16(half[2*i+1])<<8)
	}
}

// fromHalf returns a number of 16 bits: 1 of sign, 5 of exponent, 10 of fraction.
func fromHalf(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0:
		value := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(value) | sign)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
