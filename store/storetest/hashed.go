// Package storetest has test helpers for stores: an invented corpus, embedders without a model,
// dumps and damage.
//
// Embedders must be deterministic here. Real models are left to oracles/embed.
package storetest

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"patina/store/doc"
	"patina/store/text"
)

// Dimension is the dimension of both embedders.
const Dimension = 64

// Hashed is an Embedder without a model. The hash of a word is its direction, and a text's vector
// is the sum of them.
type Hashed struct{}

// Model implements doc.Embedder.
func (Hashed) Model() string { return "hashed" }

// Dimension implements doc.Embedder.
func (Hashed) Dimension() int { return Dimension }

// Encode implements doc.Embedder. It appends four bytes for each word.
func (Hashed) Encode(dst []byte, p doc.Passage) []byte {
	return encodeWords(encodeWords(encodeWords(dst, p.Path), p.Doc), p.Body)
}

// Embed implements doc.Embedder.
func (Hashed) Embed(dst []int8, encoded []byte) { embedEncoded(dst, encoded, nil) }

// Question implements doc.Embedder.
func (Hashed) Question(parts []doc.QuestionPart) []float32 { return embedQuestion(parts, nil) }

// Fitted is an Adapter. It learns the words that occur in over half of a repository's passages, and
// ignores them.
type Fitted struct {
	Hashed
	common []byte // hashes of words; nil before fitting
}

// Model implements doc.Embedder.
func (f Fitted) Model() string {
	if f.common == nil {
		return "fitted"
	}
	h := fnv.New32a()
	_, _ = h.Write(f.common)
	return fmt.Sprintf("fitted %08x", h.Sum32())
}

// Embed implements doc.Embedder.
func (f Fitted) Embed(dst []int8, encoded []byte) { embedEncoded(dst, encoded, f.common) }

// Question implements doc.Embedder.
func (f Fitted) Question(parts []doc.QuestionPart) []float32 { return embedQuestion(parts, f.common) }

// Adapt implements doc.Adapter.
func (f Fitted) Adapt(ctx context.Context, c doc.Corpus) (doc.Adapter, error) {
	if len(c.Passages) == 0 {
		return f, ctx.Err()
	}
	held := make(map[uint32]int)
	for _, p := range c.Passages {
		seen := make(map[uint32]bool)
		for word := range decodeWords(p) {
			if !seen[word] {
				seen[word] = true
				held[word]++
			}
		}
	}
	var common []uint32
	for word, n := range held {
		if 2*n > len(c.Passages) {
			common = append(common, word)
		}
	}
	slices.Sort(common)
	f.common = binary.LittleEndian.AppendUint32(nil, uint32(len(common)))
	for _, word := range common {
		f.common = binary.LittleEndian.AppendUint32(f.common, word)
	}
	return f, ctx.Err()
}

// Table implements doc.Adapter.
func (f Fitted) Table() []byte { return f.common }

// Load returns the Fitted with a table. It returns an error unless the table is complete.
func Load(table []byte) (doc.Adapter, error) {
	if len(table) < 4 || len(table) != 4*(1+int(binary.LittleEndian.Uint32(table))) {
		return nil, fmt.Errorf("load a table of %d bytes: not one of these", len(table))
	}
	return Fitted{common: table}, nil
}

func encodeWords(dst []byte, s string) []byte {
	text.Runs(s, func(run string) {
		text.Words(run, func(word string) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(word))
			dst = binary.LittleEndian.AppendUint32(dst, h.Sum32())
		})
	})
	return dst
}

func decodeWords(encoded []byte) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		for i := 0; i+4 <= len(encoded); i += 4 {
			if !yield(binary.LittleEndian.Uint32(encoded[i:])) {
				return
			}
		}
	}
}

// addDirections adds the directions of the encoded words to v. It ignores the words in common,
// which may be nil.
func addDirections(v []float32, encoded []byte, weight float32, common []byte) {
	left := slices.Collect(decodeWords(common))
	for word := range decodeWords(encoded) {
		if slices.Contains(left, word) {
			continue
		}
		x := uint64(word)*0x9e3779b97f4a7c15 + 1
		for i := range v {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			v[i] += weight * (float32(x>>40)/(1<<23) - 1)
		}
	}
}

func normaliseVector(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
}

func embedEncoded(dst []int8, encoded, common []byte) {
	v := make([]float32, Dimension)
	addDirections(v, encoded, 1, common)
	normaliseVector(v)
	for i, x := range v {
		dst[i] = int8(max(-127, min(127, math.Round(float64(x)*doc.VectorScale))))
	}
}

func embedQuestion(parts []doc.QuestionPart, common []byte) []float32 {
	v := make([]float32, Dimension)
	for _, p := range parts {
		addDirections(v, encodeWords(nil, p.Text), p.Weight, common)
	}
	normaliseVector(v)
	return v
}
