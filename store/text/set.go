package text

import (
	"iter"
	"strings"
	"sync"
)

// A WordSet is a set of words. It is made of its text when it is first asked, because a command
// that does not ask should not pay for it when it starts. It may be used concurrently.
type WordSet struct {
	list string
	once sync.Once
	has  map[string]bool
}

// Set returns the set of the words in a text, separated by white space. It is inlined, so that the
// compiler lays out a variable made by it and nothing runs at the start (TestStartMakesNoTables).
func Set(words string) *WordSet { return &WordSet{list: words} }

// Has reports whether a word is in the set. A nil set is empty.
func (s *WordSet) Has(word string) bool {
	if s == nil {
		return false
	}
	s.once.Do(s.split)
	return s.has[word]
}

// All returns the words of the set, in the order of its text.
func (s *WordSet) All() iter.Seq[string] { return strings.FieldsSeq(s.list) }

// usualWord is about the length of a word in such a text, with its space.
const usualWord = 8

func (s *WordSet) split() {
	s.has = make(map[string]bool, len(s.list)/usualWord)
	for w := range strings.FieldsSeq(s.list) {
		s.has[w] = true
	}
}
