package embed

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"patina/store/doc"
)

// source returns the functions of this project's own Go files, which tests embed, train on and
// search.
var source = sync.OnceValue(func() (c struct {
	passages []doc.Passage
	files    []int32
},
) {
	var file int32
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return nil // bad input of a test
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				body := string(text[fset.Position(f.Pos()).Offset:fset.Position(f.End()).Offset])
				passage := doc.Passage{Path: filepath.ToSlash(path), Doc: f.Doc.Text(), Body: body}
				c.passages = append(c.passages, passage)
				c.files = append(c.files, file)
			}
		}
		file++
		return nil
	})
	if err != nil {
		panic(err)
	}
	return c
})

// standIn is a table that is briefly trained on the project's own functions. It is small but has
// the real shape.
var standIn = sync.OnceValue(func() *Table { return trainStandIn(256) })

// flat is a standIn with short vectors, for tests that take long.
var flat = sync.OnceValue(func() *Table { return trainStandIn(64) })

func trainStandIn(dim int) *Table {
	words := standInVocabulary()
	trainer := NewTrainer(words.Len(), dim, 1)
	batcher := newBatcher(standInCorpus(New(trainer.Quantise(words))), words.Len())
	for step := range 9 {
		if step%3 < 2 { // there are no commits
			batch := batcher.batch(step)
			for _, bag := range append(batch.Questions, batch.Passages...) {
				for i, number := range bag.IDs {
					bag.IDs[i] = batcher.numbers.pieces[number]
				}
			}
			trainer.Step(Batch{batch.Questions[:96], batch.Passages[:96], batch.Alike}, 0.02)
		}
	}
	return trainer.Quantise(words)
}

// standInVocabulary returns all letters and digits, and the words that occur ten times.
func standInVocabulary() *Vocabulary {
	counts := map[string]int{}
	for _, p := range source().passages {
		for word := range Words(p.Doc + " " + p.Body) {
			counts[string(word)]++
		}
	}
	pieces := []string{Unknown}
	for _, b := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		pieces = append(pieces, string(b), Continued+string(b))
	}
	var common []string
	for word, n := range counts {
		if n >= 10 && len(word) > 1 {
			common = append(common, word)
		}
	}
	slices.Sort(common)
	for _, word := range common {
		pieces = append(pieces, word)
		if counts[word] > 100 {
			pieces = append(pieces, Continued+word)
		}
	}
	words, err := NewVocabulary(pieces)
	if err != nil {
		panic(err)
	}
	return words
}

// standInCorpus returns the project's functions, encoded, without commits.
func standInCorpus(m *Model) doc.Corpus {
	c := doc.Corpus{Files: source().files}
	for _, p := range source().passages {
		c.Passages = append(c.Passages, m.Encode(nil, p))
	}
	return c
}

// length returns the length of a vector.
func length[T int8 | float32](x []T) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum)
}

func TestStandInIsDeterministic(t *testing.T) {
	words := standIn().Vocabulary()
	t.Logf("%d pieces, %d functions, %s", words.Len(), len(source().passages), standIn().Model())
	if again := standInVocabulary(); !slices.Equal(again.pieces, words.pieces) {
		t.Error("two runs give different vocabularies")
	}
}
