package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"patina/store/text"
)

// A question has a text for patina, and its rarest word for a search of files.
type question struct {
	text string
	rare string
}

const (
	maxWords   = 12      // in a question; all lengths from 1 are equally likely
	sampled    = 1 << 13 // sentences and names in the sample
	readAtMost = 1 << 20 // bytes; larger files are data
	tries      = 200     // draws for each question
)

// makeQuestions draws n different questions from a repository's own text. They are windows of
// sentences in comments and documents. Half of the one-word questions are names of definitions. The
// same tree gives the same questions. It returns an error if the tree has too little text.
func makeQuestions(r *repository, n int) ([]question, error) {
	random := rand.New(rand.NewPCG(20261121, uint64(n)))
	sentences, names := sample[[]string]{random: random}, sample[string]{random: random}
	err := r.texts(func(path string, content []byte) {
		eachSentence(content, isDocument(path), sentences.add)
		if !isDocument(path) {
			for _, m := range definition.FindAllSubmatch(content, -1) {
				names.add(string(m[1]))
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("make questions: %w", err)
	}
	texts := draw(random, sentences.kept, names.kept, n)
	if len(texts) < n {
		return nil, fmt.Errorf("make questions: the folder holds too little text: %d different questions of %d",
			len(texts), n)
	}
	return withRarest(r, texts)
}

// draw returns up to n questions that differ in more than case.
func draw(random *rand.Rand, sentences [][]string, names []string, n int) []string {
	var out []string
	seen := map[string]bool{}
	for try := 0; len(sentences) > 0 && len(out) < n && try < tries*n; try++ {
		words := 1 + random.IntN(maxWords)
		s := sentences[random.IntN(len(sentences))]
		if words == 1 && len(names) > 0 && random.IntN(2) == 0 {
			s = []string{names[random.IntN(len(names))]}
		}
		if len(s) < words {
			continue
		}
		at := random.IntN(len(s) - words + 1)
		q := strings.Join(s[at:at+words], " ")
		if key := strings.ToLower(q); len(searchable(q)) > 0 && !seen[key] {
			seen[key] = true
			out = append(out, q)
		}
	}
	return out
}

// searchable returns a question's content words in lower case: words with at least three bytes that
// are not stop words. A word that text.Runs normalises, such as "µs", is left out, because ripgrep
// looks for it as it is written.
func searchable(q string) []string {
	var out []string
	low := strings.ToLower(q)
	text.Runs(q, func(run string) {
		if word := strings.ToLower(run); len(word) >= 3 && !text.IsStop(word) && strings.Contains(low, word) {
			out = append(out, word)
		}
	})
	return out
}

// withRarest returns each question with its rarest word, counted in files. Of equally rare words,
// it is the first.
func withRarest(r *repository, texts []string) ([]question, error) {
	files := map[string]int{}
	for _, t := range texts {
		for _, word := range searchable(t) {
			files[word] = 0
		}
	}
	err := r.texts(func(_ string, content []byte) {
		here := map[string]bool{}
		text.Runs(string(content), func(run string) {
			word := strings.ToLower(run)
			if _, asked := files[word]; asked && !here[word] {
				here[word] = true
				files[word]++
			}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("count words: %w", err)
	}
	out := make([]question, len(texts))
	for i, t := range texts {
		words := searchable(t)
		rare := words[0]
		for _, w := range words[1:] {
			if files[w] < files[rare] {
				rare = w
			}
		}
		out[i] = question{t, rare}
	}
	return out, nil
}

// texts calls f with the content of each text file, in path order. Large files are skipped.
func (r *repository) texts(f func(path string, content []byte)) error {
	for _, x := range r.files {
		if x.size > readAtMost {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.root, x.path))
		if err != nil {
			return err
		}
		if bytes.IndexByte(content[:min(len(content), 8<<10)], 0) < 0 { // git's test for text
			f(x.path, content)
		}
	}
	return nil
}

// definition matches the names of definitions in most languages, well enough for questions.
var definition = regexp.MustCompile(`(?m)^[ \t]*(?:(?:pub|export|public|private|static|async|default)\s+)*` +
	`(?:func|fn|def|class|type|struct|interface|trait|enum|function|module)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_]\w{3,39})`)

func isDocument(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

// comment matches the start of a line comment in most languages.
var comment = regexp.MustCompile(`^(?://+!?|/?\*+|#+|--+|;+|%+)\s`)

// eachSentence calls f with the words of each sentence. In source files it reads comments. In
// documents it reads everything outside of code fences.
func eachSentence(content []byte, document bool, f func(words []string)) {
	var paragraph []string
	end := func() {
		splitSentences(strings.Join(paragraph, " "), f)
		paragraph = paragraph[:0]
	}
	fenced := false
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, readAtMost+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if document && strings.HasPrefix(line, "```") {
			fenced = !fenced
			line = ""
		}
		if mark := comment.FindString(line); mark != "" {
			line = line[len(mark):]
		} else if !document {
			line = ""
		}
		if line == "" || fenced {
			end()
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
}

// splitSentences calls f with the words of each sentence in a paragraph. Words lose the punctuation
// around them.
func splitSentences(paragraph string, f func(words []string)) {
	var words []string
	for _, field := range strings.Fields(paragraph) {
		word := strings.Trim(field, ".,;:!?()[]{}<>\"'`*_~|=#/\\-")
		if word != "" {
			words = append(words, word)
		}
		if strings.ContainsAny(field[len(field)-1:], ".!?:;") && len(words) > 0 {
			f(words)
			words = nil
		}
	}
	if len(words) > 0 {
		f(words)
	}
}

// A sample keeps a fixed number of items, each with the same probability (reservoir sampling,
// Vitter's algorithm R).
type sample[T any] struct {
	random *rand.Rand
	kept   []T
	seen   int
}

func (s *sample[T]) add(x T) {
	s.seen++
	if len(s.kept) < sampled {
		s.kept = append(s.kept, x)
	} else if at := s.random.IntN(s.seen); at < sampled {
		s.kept[at] = x
	}
}
