package rankings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"patina/store/doc"
	"patina/store/text"
)

// A Function is a function with a doc comment.
type Function struct {
	Name     string
	Sentence string // the comment's first sentence
	Body     string // signature and code, without comments
}

const (
	fewestSentence = 4 // words: "returns true" could describe any function
	fewestLines    = 3 // of a body; fewer hold only a name and a comment
)

// ReadFunctions returns the functions and methods in an index that have useful comments, in path
// order. Of equal sentences or bodies only one is kept, because nobody could tell the copies apart.
func ReadFunctions(ctx context.Context, l Reader) ([]Function, error) {
	var list []Function
	err := eachFile(ctx, l, []doc.Kind{doc.Code}, func(f extracted) error {
		list = append(list, functionsOf(f.File, f.body)...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read functions: %w", err)
	}
	return distinct(list), nil
}

func functionsOf(f *doc.File, body string) []Function {
	lines, comment := strings.Split(body, "\n"), map[string]bool{}
	for _, c := range f.Chunks {
		for line := range strings.SplitSeq(c.Doc, "\n") {
			comment[strings.TrimSpace(line)] = true
		}
	}
	var list []Function
	for _, e := range f.Entries {
		if e.Sort != doc.Function && e.Sort != doc.Method || len(strings.Fields(e.Summary)) < fewestSentence {
			continue
		}
		var code []string
		for _, line := range lines[min(e.Line-1, len(lines)):min(e.Last, len(lines))] {
			if bare := strings.TrimSpace(line); bare != "" && !comment[bare] {
				code = append(code, line)
			}
		}
		if len(code) >= fewestLines {
			list = append(list, Function{e.Name, e.Summary, strings.Join(code, "\n")})
		}
	}
	return list
}

func distinct(fs []Function) []Function {
	seen := map[string]bool{}
	return slices.DeleteFunc(fs, func(f Function) bool {
		again := seen[f.Sentence] || seen[f.Body]
		seen[f.Sentence], seen[f.Body] = true, true
		return again
	})
}

// Pools cuts functions, shuffled with a fixed seed, into pools of equal size. size must be
// positive. The rest is dropped.
func Pools(fs []Function, size int) [][]Function {
	fs = slices.Clone(fs)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
	var pools [][]Function
	for len(fs) >= size {
		pools, fs = append(pools, fs[:size]), fs[size:]
	}
	return pools
}

// Leave selects the words that are left out of a sentence before it is asked.
type Leave int

// Values for Leave.
const (
	// LeaveNothing drops no word.
	LeaveNothing Leave = iota
	// LeaveName drops the function's name where it is written as one word.
	LeaveName
	// LeaveNameParts drops every word containing a part of the name, whatever its ending.
	LeaveNameParts
)

// Describe searches every pool for each function by its sentence, with words and with an embedder.
// The embedder must not be nil.
func Describe(pools [][]Function, e doc.Embedder, l Leave) *MacroReport {
	var rs []*Repository
	for i, pool := range pools {
		rs = append(rs, describeFunction(fmt.Sprintf("pool %d", i+1), pool, e, l))
	}
	return NewMacroReport(rs)
}

func describeFunction(name string, pool []Function, e doc.Embedder, l Leave) *Repository {
	t := &Tree{Paths: make([]string, len(pool))}
	r := &Repository{Name: name, Files: len(pool), Chunks: len(pool)}
	for i, f := range pool {
		t.Passages = append(t.Passages, Passage{i, doc.Passage{Body: f.Body}})
		r.Questions = append(r.Questions, Subject{Subject: l.from(f.Sentence, f.Name), targets: []int{i}})
	}
	rankers := append(t.byWords(), t.by(static, t.vectors(e, t.encoded(e))))
	// Words and vectors do not fail.
	_ = r.rank(context.Background(), append(rankers, joined(len(pool), bm25c, static)))
	return r
}

// from removes the left-out words from a sentence. Of a name such as "Type.Method#2" only the last
// part counts.
func (l Leave) from(sentence, name string) string {
	if l == LeaveNothing {
		return sentence
	}
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '.')+1:], "#")
	own := map[string]bool{strings.ToLower(name): true}
	if l == LeaveNameParts {
		text.Runs(name, func(run string) {
			text.Parts(run, func(part string) { own[text.Stem(strings.ToLower(part))] = true })
		})
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(sentence), func(word string) bool {
		found := own[strings.ToLower(strings.TrimFunc(word, notOfName))]
		if l == LeaveNameParts {
			text.Runs(word, func(run string) {
				text.Parts(run, func(part string) { found = found || own[text.Stem(strings.ToLower(part))] })
			})
		}
		return found
	}), " ")
}

func notOfName(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
