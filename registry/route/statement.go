package route

import (
	"encoding/binary"
	"math"
	"slices"
)

// Bounds of the statements in a sketch. A project has some fifty beliefs of a dozen words each,
// which is 1.5 kB.
const (
	maxStatements  = 256
	maxStatedTerms = 24

	maxStatementBytes = len(statementMark) + maxStatements*(1+2*maxStatedTerms)
)

// A statement is the set of terms that a belief states, as sorted hashes of 16 bits. A term that a
// belief does not state is in one of a dozen terms by mistake once in 5,000 times.
type statement []uint16

// statementMark begins the encoding of statements: each as the number of its terms and their
// hashes.
const statementMark = "psb1"

func shortHash(term string) uint16 {
	h := HashOf(term)
	return uint16(h>>16) ^ uint16(h)
}

// statementsOf returns the first statements, of each its first terms.
func statementsOf(stated [][]string) (out []statement) {
	for _, terms := range stated[:min(len(stated), maxStatements)] {
		var s statement
		for _, term := range terms[:min(len(terms), maxStatedTerms)] {
			s = append(s, shortHash(term))
		}
		slices.Sort(s)
		if s = slices.Compact(s); len(s) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Statements returns the encoding of the statements, or nil if there are no statements.
func (s Sketch) Statements() []byte {
	if len(s.stated) == 0 {
		return nil
	}
	out := []byte(statementMark)
	for _, terms := range s.stated {
		out = append(out, byte(len(terms)))
		for _, h := range terms {
			out = binary.LittleEndian.AppendUint16(out, h)
		}
	}
	return out
}

// parseStatements decodes statements. An empty b holds no statements.
func parseStatements(b []byte) (out []statement, err error) {
	if len(b) == 0 {
		return nil, nil
	}
	if len(b) <= len(statementMark) || string(b[:len(statementMark)]) != statementMark {
		return nil, errNoSketch
	}
	for b = b[len(statementMark):]; len(b) > 0; {
		n := int(b[0])
		if n == 0 || n > maxStatedTerms || len(b) < 1+2*n || len(out) == maxStatements {
			return nil, errNoSketch
		}
		s := make(statement, n)
		for i := range s {
			s[i] = binary.LittleEndian.Uint16(b[1+2*i:])
			if i > 0 && s[i] <= s[i-1] {
				return nil, errNoSketch
			}
		}
		out, b = append(out, s), b[1+2*n:]
	}
	return out, nil
}

// LacksStatements reports whether a sketch of a project with beliefs is of a version before
// statements.
func (s Sketch) LacksStatements() bool { return s.Beliefs > 0 && len(s.stated) == 0 }

// statedPart is the weight of the words that a belief must state, of the weight of all words of the
// question, and leastStated is their number. Of 259 questions that a belief elsewhere answers,
// asked in other projects, 223 ask its project, and 211 without statements. Of 483 questions about
// home, 7 have such a belief elsewhere, and the visits stay as many. A part of 0.5 gives 217 and 2,
// one word 226 and 17 with more visits (bench/history/repositories.md, "Beliefs decide a visit").
//
// "How should I handle errors" has one word that counts. That suffices in a sentence, of
// sentenceWords words at least, and not alone, where it is a name.
const (
	statedPart    = 0.4
	leastStated   = 2
	sentenceWords = 3
)

// A weighted word of a question is heavier the fewer chunks of all projects hold it.
type weighted struct {
	hash   uint16
	weight float64
}

// weigh returns the stems of a question with their weights. all must hold the sketches of all
// registered projects.
func weigh(stems []string, all []Sketch) (out []weighted, sum float64) {
	counts := Count(stems, all)
	for _, stem := range stems {
		w := math.Log1p(float64(counts.Chunks) / (0.5 + float64(counts.Terms[stem])))
		out, sum = append(out, weighted{shortHash(stem), w}), sum+w
	}
	return out, sum
}

// mostStated returns the highest weight of words that one belief states, if it states at least need
// of them.
func (s Sketch) mostStated(words []weighted, need int) (most float64) {
	for _, stated := range s.stated {
		n, weight := 0, 0.0
		for _, w := range words {
			if _, ok := slices.BinarySearch(stated, w.hash); ok {
				n, weight = n+1, weight+w.weight
			}
		}
		if n >= need {
			most = max(most, weight)
		}
	}
	return most
}
