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

// fewestWords is how many words a sentence needs to be a question: "returns true" could be about
// anything.
const fewestWords = 4

// A sampler takes questions from the files of a project, and notes which lines must be hidden.
type sampler struct {
	files map[string]string
	kinds map[string]doc.Kind
	paths []string // sorted
	draw  *rand.Rand
	most  int // questions of each truth
	cuts  map[string][]span
}

func newSampler(files map[string]string, kinds map[string]doc.Kind, seed uint64, most int) *sampler {
	return &sampler{
		files: files, kinds: kinds, paths: slices.Sorted(maps.Keys(files)), draw: rand.New(rand.NewPCG(seed, seed)),
		most: most, cuts: map[string][]span{},
	}
}

// shuffled returns the paths of a kind in an order that depends on the seed and the truth alone, so
// that a truth has the same sample whatever else is measured.
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

// code asks for the file of a function by its comment, or its name, with the function cut out. A
// file is asked for once; tests, generated and vendored files are not.
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

// function draws one of a file's functions: one with a sentence if there is any. Another must be
// left.
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

// firstWords returns the beginning of a text: at most so many words.
func firstWords(text string, most int) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(most, len(words))], " ")
}
