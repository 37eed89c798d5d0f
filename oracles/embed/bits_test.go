package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"patina/store/doc"
)

// A fit and its vectors must have the same bits on every processor. These sums are from amd64. They
// are the same with GOAMD64=v3 and on arm64, where a compiler may fuse products with sums.
const (
	fittedTable   = "ec5d4d3091e45990"
	fittedVectors = "5640ac0d92eefb34"
)

// The dimension and the numbers of pairs leave remainders in registers of any width.
func TestFitHasTheSameBitsOnEveryProcessor(t *testing.T) {
	defer limitWidth(16)
	base, corpus := wholeNumbers(t, 300, 320, 115)
	widths := []int{16}
	if runtime.GOARCH == "amd64" {
		widths = []int{4, 8, 16}
	}
	for _, width := range widths {
		limitWidth(width)
		fitted := adapt(t, base, corpus)
		if sum := shortSum(fitted.Table()); sum != fittedTable {
			t.Errorf("registers of %d floats: the table has the sum %s, want %s", width, sum, fittedTable)
		}
		if sum := shortSum(vectorsOf(fitted, corpus)); sum != fittedVectors {
			t.Errorf("registers of %d floats: vectors have the sum %s, want %s", width, sum, fittedVectors)
		}
	}
}

// wholeNumbers returns a model and a corpus made of whole numbers, so that nothing in them is
// rounded.
func wholeNumbers(t *testing.T, pieces, dim, passages int) (*Model, doc.Corpus) {
	t.Helper()
	random := rand.NewPCG(7, 8)
	below := func(n int) int { return int(random.Uint64() % uint64(n)) }
	texts := []string{Unknown}
	for i := 1; i < pieces; i++ {
		texts = append(texts, fmt.Sprint("piece", i))
	}
	words, err := NewVocabulary(texts)
	if err != nil {
		t.Fatal(err)
	}
	table := newTable(words, dim, [idSize]byte{}, func(id uint16, dst []byte) float32 {
		for i := range dst {
			dst[i] = byte(below(255) - 127)
		}
		return float32(min(int(id), 1)*(300+below(700))) / (1 << 19)
	})
	passage := func(inPath, inDoc, inBody int) []byte {
		out := binary.LittleEndian.AppendUint16(nil, uint16(inPath))
		out = binary.LittleEndian.AppendUint16(out, uint16(inDoc))
		for range inPath + inDoc + inBody {
			out = binary.LittleEndian.AppendUint16(out, uint16(min(below(pieces), below(pieces))))
		}
		return out
	}
	var c doc.Corpus
	for i := range passages {
		c.Passages = append(c.Passages, passage(3, below(9), 1+below(60)))
		c.Files = append(c.Files, int32(i/5))
	}
	for range passages / 2 {
		subject, file := passage(0, 2+below(6), 0), int32(below(passages/5))
		c.Commits = append(c.Commits, doc.Change{Subject: subject, Files: []int32{file}})
	}
	return New(table), c
}

// vectorsOf returns the vectors of all passages, as bytes and before rounding.
func vectorsOf(m *Model, c doc.Corpus) []byte {
	var out []byte
	vector, exact := make([]int8, m.Dimension()), make([]float32, m.Dimension())
	for _, p := range c.Passages {
		m.Embed(vector, p)
		m.Exact(exact, p)
		for i, x := range vector {
			out = binary.LittleEndian.AppendUint32(append(out, byte(x)), math.Float32bits(exact[i]))
		}
	}
	return out
}

func shortSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
