package self

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"patina/scrape"
	"patina/store/doc"
)

// fewestWords is the least number of words in a sentence that may be a question. "returns true"
// could be about anything.
const fewestWords = 4

// A sampler takes questions from the files of a project, and records the lines that must be hidden
// because of them.
type sampler struct {
	files map[string]string
	kinds map[string]doc.Kind
	paths []string // sorted
	draw  *rand.Rand
	most  int // greatest number of questions of each truth
	cuts  map[string][]span
}

func newSampler(files map[string]string, kinds map[string]doc.Kind, seed uint64, most int) *sampler {
	return &sampler{
		files: files, kinds: kinds, paths: slices.Sorted(maps.Keys(files)), draw: rand.New(rand.NewPCG(seed, seed)),
		most: most, cuts: map[string][]span{},
	}
}

// shuffled returns the paths that wanted accepts, in an order that depends only on the seed and the
// truth. A truth must have the same sample whatever else is measured.
func (s *sampler) shuffled(truth string, seed uint64, wanted func(path string) bool) []string {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(truth) {
		h = (h ^ uint64(truth[i])) * 1099511628211
	}
	s.draw = rand.New(rand.NewPCG(seed, h))
	list := slices.DeleteFunc(slices.Clone(s.paths), func(p string) bool { return !wanted(p) })
	s.draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// code takes questions from functions. Each asks for the file of a function by its comment, or by
// its name, and the function is cut out. A file is asked for only once. Tests, generated and
// vendored files are skipped.
func (s *sampler) code(x *set, seed uint64) {
	const unlike = doc.TestFolder | doc.TestName | doc.TestCode | doc.Generated | doc.Vendored | doc.PathOnly | doc.OtherText
	for _, path := range s.shuffled(Code, seed, func(p string) bool { return s.kinds[p] == doc.Code }) {
		if len(x.cases) == s.most {
			break
		}
		f := scrape.Extract(path, []byte(s.files[path]))
		if f.Class&unlike != 0 {
			continue
		}
		e, query, ok := s.function(f)
		if !ok {
			continue
		}
		s.cuts[path] = append(s.cuts[path], span{e.First, e.Last})
		x.cases = append(x.cases, Case{ID: fmt.Sprintf("%s:%d", path, e.Line), Query: query, Expect: []string{path}})
	}
	if len(x.cases) == 0 {
		x.why = "no file has two functions with names or comments to ask by"
	}
}

// function draws one of a file's functions. It prefers functions with a sentence. ok is false
// unless another function remains in the file.
func (s *sampler) function(f *doc.File) (e doc.Entry, query string, ok bool) {
	var all, said []doc.Entry
	for _, e := range f.Entries {
		if e.Sort != doc.Function && e.Sort != doc.Method {
			continue
		}
		if all = append(all, e); len(wordsOf(e.Summary)) >= fewestWords {
			said = append(said, e)
		}
	}
	if len(all) < 2 {
		return e, "", false
	}
	if len(said) > 0 {
		e = said[s.draw.IntN(len(said))]
		return e, e.Summary, leaves(all, e)
	}
	e = all[s.draw.IntN(len(all))]
	name, _, _ := strings.Cut(e.Name[strings.LastIndexByte(e.Name, '.')+1:], "#")
	return e, name, len(name) > 2 && leaves(all, e)
}

// leaves reports whether a function outside of e remains.
func leaves(all []doc.Entry, e doc.Entry) bool {
	return slices.ContainsFunc(all, func(x doc.Entry) bool { return x.First > e.Last || x.Last < e.First })
}

// firstWords returns the beginning of a text, with at most so many words.
func firstWords(text string, most int) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(most, len(words))], " ")
}
