package graphtest

import "math/rand/v2"

// A Form is the arithmetic of a graph.
type Form string

// The forms.
const (
	Float32 Form = "float32"
	Float16 Form = "float16"
	Int8    Form = "int8" // matrices of bytes; activations are measured and rounded in each run
)

// A Config is the shape of a Transformer.
type Config struct {
	Layers, Hidden, Heads, Inner int // Inner is the width of the feed-forward part
	Vocabulary, Positions        int
	Form                         Form // "" means Float32
	External                     bool // weights in a file of their own
	Narrow                       bool // inputs of 32 bits
	Pooled                       bool // a further output sentence_embedding: the mean over the mask
	Seed                         uint64
}

// Tiny is a shape that runs in well under a millisecond.
var Tiny = Config{Layers: 2, Hidden: 48, Heads: 4, Inner: 96, Vocabulary: 200, Positions: 64, Seed: 1}

// A layer holds the weights of one layer. Matrices are stored by rows of inputs.
type layer struct {
	query, key, value, out     linear
	first, second              linear // feed-forward
	afterAttention, afterInner norm
}

type linear struct {
	in, out int
	weight  []float32 // in × out
	bias    []float32
}

type norm struct{ gain, bias []float32 }

// A Transformer is an encoder with random weights.
type Transformer struct {
	Config
	words, positions, types []float32
	begin                   norm
	layers                  []layer
}

// New makes the weights. Equal configurations give equal weights, whatever their Form.
func New(c Config) *Transformer {
	if c.Form == "" {
		c.Form = Float32
	}
	r := rand.New(rand.NewPCG(c.Seed, 0))
	t := &Transformer{
		Config: c,
		words:  random(r, c.Vocabulary*c.Hidden, 1), positions: random(r, c.Positions*c.Hidden, .3),
		types: random(r, 2*c.Hidden, .3), begin: randomNorm(r, c.Hidden),
	}
	for range c.Layers {
		h := c.Hidden
		t.layers = append(t.layers, layer{
			query: randomLinear(r, h, h), key: randomLinear(r, h, h), value: randomLinear(r, h, h), out: randomLinear(r, h, h),
			first: randomLinear(r, h, c.Inner), second: randomLinear(r, c.Inner, h),
			afterAttention: randomNorm(r, h), afterInner: randomNorm(r, h),
		})
	}
	return t
}

// random returns numbers evenly distributed between −scale and scale.
func random(r *rand.Rand, n int, scale float32) []float32 {
	all := make([]float32, n)
	for i := range all {
		all[i] = (2*r.Float32() - 1) * scale
	}
	return all
}

// randomLinear keeps the variance of its input.
func randomLinear(r *rand.Rand, in, out int) linear {
	return linear{in, out, random(r, in*out, sqrt(3/float32(in))), random(r, out, .1)}
}

func randomNorm(r *rand.Rand, n int) norm {
	gain := random(r, n, .2)
	for i := range gain {
		gain[i]++
	}
	return norm{gain, random(r, n, .1)}
}
