package train

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"patina/oracles/embed"
	"patina/store/doc"
)

// pool is the number of functions among which each one is searched.
const pool = 1000

// A Score is the mean reciprocal rank over questions, and the half-width of its 95% interval, by
// the table and by BM25.
type Score struct {
	Questions   int
	Table, BM25 float64
	TableRange  float64
	BM25Range   float64
}

// Evaluate searches for functions of held-out sources by the first sentence of their comment, each
// among a thousand. It prints and returns the mean reciprocal rank of the table and of BM25 over
// the same words: whole for the sentence, and nameless for the sentence without the function's
// name.
func Evaluate(c *Corpus, table *embed.Table, log io.Writer) (whole, nameless Score) {
	var asked []example
	for _, e := range c.held {
		if e.kind == symbol && e.about != "" {
			asked = append(asked, e)
		}
	}
	rand.New(rand.NewPCG(seed, 2)).Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
	model := embed.New(table)
	var found, foundWords [2][]float64
	for pools := slices.Collect(slices.Chunk(asked, pool)); len(pools) > 0 && len(pools[0]) == pool; pools = pools[1:] {
		for k, cutName := range []bool{false, true} {
			a, b := evaluatePool(model, pools[0], cutName)
			found[k], foundWords[k] = append(found[k], a...), append(foundWords[k], b...)
		}
	}
	scores := [2]Score{}
	for k, label := range []string{"sentence", "sentence without the function's name"} {
		s := Score{Questions: len(found[k])}
		s.Table, s.TableRange = mean(found[k])
		s.BM25, s.BM25Range = mean(foundWords[k])
		scores[k] = s
		fmt.Fprintf(log, "%s → function among %d, %d questions, MRR: table %.3f ± %.3f, BM25 %.3f ± %.3f\n",
			label, pool, s.Questions, s.Table, s.TableRange, s.BM25, s.BM25Range)
	}
	return scores[0], scores[1]
}

// evaluatePool returns the reciprocal ranks by the table and by BM25.
func evaluatePool(model *embed.Model, asked []example, cutName bool) (byTable, byWords []float64) {
	vectors := make([][]int8, len(asked))
	texts := make([][]string, len(asked))
	parallel(len(asked), func(i int) {
		vectors[i] = make([]int8, model.Dimension())
		model.Embed(vectors[i], model.Encode(nil, doc.Passage{Path: asked[i].path, Body: asked[i].body}))
		texts[i] = wordsOf(asked[i].path + "\n" + asked[i].body)
	})
	lexical := newBM25(texts)
	byTable, byWords = make([]float64, len(asked)), make([]float64, len(asked))
	parallel(len(asked), func(i int) {
		question := firstSentence(asked[i].about)
		if cutName {
			question = without(question, asked[i].name)
		}
		vector := model.Question([]doc.QuestionPart{{Text: question, Weight: 1}})
		cosines := make([]float64, len(vectors))
		for k, v := range vectors {
			for d, x := range v {
				cosines[k] += float64(vector[d]) * float64(x)
			}
		}
		byTable[i], byWords[i] = reciprocal(cosines, i), reciprocal(lexical.scores(wordsOf(question)), i)
	})
	return byTable, byWords
}

// reciprocal returns one over the rank of a score. Equal scores share the middle of their places.
func reciprocal(scores []float64, of int) float64 {
	above, equal := 0, 0
	for k, s := range scores {
		if s > scores[of] {
			above++
		} else if s == scores[of] && k != of {
			equal++
		}
	}
	return 1 / (1 + float64(above) + float64(equal)/2)
}

// firstSentence returns a text up to a full stop before a space, or up to an empty line.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.ReplaceAll(text, "\n", " ")
	if at := strings.Index(text, ". "); at > 0 {
		return text[:at]
	}
	return text
}

func wordsOf(text string) []string {
	var out []string
	for w := range embed.Words(text) {
		out = append(out, string(w))
	}
	return out
}

// bm25 is Okapi BM25 with the usual k1 = 1.2 and b = 0.75.
type bm25 struct {
	lists   map[string][]posting
	lengths []float64 // relative to the mean
}

type posting struct {
	text int
	n    float64
}

func newBM25(texts [][]string) *bm25 {
	b := &bm25{lists: map[string][]posting{}, lengths: make([]float64, len(texts))}
	sum := 0.0
	for i, text := range texts {
		b.lengths[i] = float64(len(text))
		sum += b.lengths[i]
		for _, w := range text {
			list := b.lists[w]
			if n := len(list); n == 0 || list[n-1].text != i {
				list = append(list, posting{text: i})
			}
			list[len(list)-1].n++
			b.lists[w] = list
		}
	}
	for i := range b.lengths {
		b.lengths[i] /= sum / float64(len(texts))
	}
	return b
}

func (b *bm25) scores(question []string) []float64 {
	out := make([]float64, len(b.lengths))
	for _, w := range question {
		list := b.lists[w]
		n, all := float64(len(list)), float64(len(b.lengths))
		idf := math.Log(1 + (all-n+0.5)/(n+0.5))
		for _, p := range list {
			out[p.text] += idf * p.n * 2.2 / (p.n + 1.2*(0.25+0.75*b.lengths[p.text]))
		}
	}
	return out
}

// mean returns the mean and 1.96 standard errors. It returns 0 for fewer than two numbers.
func mean(x []float64) (m, within float64) {
	if len(x) < 2 {
		return 0, 0
	}
	for _, v := range x {
		m += v / float64(len(x))
	}
	for _, v := range x {
		within += (v - m) * (v - m)
	}
	n := float64(len(x))
	return m, 1.96 * math.Sqrt(within/(n-1)/n)
}
