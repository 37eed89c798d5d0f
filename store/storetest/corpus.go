package storetest

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/text"
)

// A Corpus is an invented scrape: random files and commits with few different words, because words
// should collide.
type Corpus struct {
	Rnd     *rand.Rand
	Files   map[string]*doc.File
	Commits []doc.Revision
}

var vocabulary = strings.Fields(`alpha beta gamma delta http server client ReadFile parseQuestion snake_case index store
	fusion lexical oracle café 東京 größe x1 utf8 HTTPServer the of and commit merge rank retry timeout queue worker`)

// NewCorpus returns an empty corpus. Equal seeds give equal content.
func NewCorpus(seed int64) *Corpus {
	return &Corpus{Rnd: rand.New(rand.NewSource(seed)), Files: make(map[string]*doc.File)}
}

// Words returns 1 to n random words. n must be positive.
func (c *Corpus) Words(n int) string {
	var ws []string
	for range c.Rnd.Intn(n) + 1 {
		ws = append(ws, vocabulary[c.Rnd.Intn(len(vocabulary))])
	}
	return strings.Join(ws, " ")
}

// Write creates or changes a file.
func (c *Corpus) Write(path string) {
	f := &doc.File{
		Path: path, Language: "Go", Kind: doc.Code, Hash: fmt.Sprint(c.Rnd.Int63()),
		Stat: doc.Stat{Size: c.Rnd.Int63n(1000), Inode: 1 << 63},
	}
	if strings.HasSuffix(path, ".md") {
		f.Kind, f.Language = doc.Pattern, "Markdown"
	}
	if strings.Contains(path, "_test") {
		f.Class = doc.TestName | doc.TestCode
	}
	var body strings.Builder
	line := 1
	for i := range c.Rnd.Intn(5) + 1 {
		ch := doc.Chunk{Entry: i, First: line, Last: line + 2, Names: c.Words(3), Doc: c.Words(5), Body: c.Words(20)}
		e := doc.Entry{
			Name: fmt.Sprintf("Sym%d", i), Sort: doc.Function, First: line, Line: line + 1, Last: line + 2,
			Title: "func " + ch.Names, Summary: ch.Doc, Parent: -1,
		}
		if f.Kind == doc.Pattern {
			e.Name, e.Sort = fmt.Sprintf("section-%d", i), doc.Section
		}
		fmt.Fprintf(&body, "%s\n%s\n%s\n", ch.Names, ch.Doc, ch.Body)
		f.Entries, f.Chunks = append(f.Entries, e), append(f.Chunks, ch)
		f.Calls = append(f.Calls, doc.Call{Caller: i, Name: vocabulary[c.Rnd.Intn(8)], Line: line + 2})
		f.Typed = append(f.Typed, doc.Typed{Entry: i, Name: vocabulary[c.Rnd.Intn(8)], Type: vocabulary[c.Rnd.Intn(8)]})
		line += 3
	}
	f.Lines = line - 1
	f.Imports = []string{"fmt", vocabulary[c.Rnd.Intn(8)]}
	text.Messages("cannot "+c.Words(6), func(m text.Message) { f.Messages = append(f.Messages, m) })
	f.Body = []byte(body.String())
	c.Files[path] = f
}

// Paths lists the paths that Fill and Commit use.
func (c *Corpus) Paths() []string {
	var out []string
	for i := range 30 {
		ext := ".go"
		if i%3 == 2 {
			ext = ".md"
		}
		if i%7 == 0 {
			ext = "_test.go"
		}
		out = append(out, fmt.Sprintf("dir%d/%s%d%s", i%4, vocabulary[i%len(vocabulary)], i, ext))
	}
	return out
}

// Fill writes about two thirds of the paths.
func (c *Corpus) Fill() {
	for _, p := range c.Paths() {
		if c.Rnd.Intn(3) > 0 {
			c.Write(p)
		}
	}
}

// Commit adds a random commit and returns it.
func (c *Corpus) Commit() doc.Revision {
	v := doc.Revision{
		SHA: fmt.Sprintf("%020x%020x", c.Rnd.Int63(), c.Rnd.Int63()), Author: "Ann", Email: "ann@example.org",
		Time: time.Unix(1700000000+int64(len(c.Commits)), 0), Subject: c.Words(8),
		Body: strings.Repeat(c.Words(10)+"\n", c.Rnd.Intn(70)),
	}
	ps := c.Paths()
	for range c.Rnd.Intn(4) {
		v.Files = append(v.Files, ps[c.Rnd.Intn(len(ps))])
	}
	if len(v.Files) > 1 && v.Files[0] != v.Files[1] && c.Rnd.Intn(2) == 0 {
		v.Moves = []doc.Move{{From: v.Files[0], To: v.Files[1]}}
	}
	c.Commits = append(c.Commits, v)
	return v
}

// Options are the build options of every corpus.
var Options = build.Options{Root: "/src", Extractor: 1, Embedder: Hashed{}}

// Generation is the state that Build publishes.
var Generation = doc.Generation{Head: "abc", Branch: "main", ScrapedAt: time.Unix(1700000000, 0)}

// Build writes the corpus to a fresh store in dir, with several workers, and publishes it.
func (c *Corpus) Build(t testing.TB, dir string) {
	t.Helper()
	w, err := build.New(context.Background(), dir, Options)
	Check(t, err)
	ks := []*build.Worker{w.Worker(), w.Worker(), w.Worker()}
	for _, p := range c.Paths() {
		if f := c.Files[p]; f != nil {
			Check(t, ks[c.Rnd.Intn(len(ks))].Put(f))
		}
	}
	for _, v := range c.Commits {
		Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(Generation)
	Check(t, err)
}

// Check ends the test if err is not nil.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Pin opens the store in dir and returns a reader of its main view. Both are closed when the test
// ends.
func Pin(t testing.TB, dir string) *store.Reader {
	t.Helper()
	s, err := store.Open(dir)
	Check(t, err)
	p, err := s.Pin(context.Background(), 1)
	Check(t, err)
	t.Cleanup(func() { p.Close(); Check(t, s.Close()) })
	return p.Readers[0]
}

// Dump returns the text of WriteDump for the main view of the store in dir.
func Dump(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	s, err := store.Open(dir)
	Check(t, err)
	p, err := s.Pin(context.Background(), 1)
	Check(t, err)
	Check(t, WriteDump(context.Background(), p.Readers[0], &b))
	p.Close()
	Check(t, s.Close())
	return b.String()
}

// PinAll writes exactly the corpus's files and commits, with any names, to a fresh store and
// returns a reader.
func (c *Corpus) PinAll(t *testing.T) *store.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{})
	Check(t, err)
	k := w.Worker()
	for _, f := range c.Files {
		Check(t, k.Put(f))
	}
	for _, v := range c.Commits {
		Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(Generation)
	Check(t, err)
	return Pin(t, dir)
}

var byExtension = map[string]string{
	"go": "Go", "py": "Python", "ts": "TypeScript", "rs": "Rust", "java": "Java",
	"php": "PHP", "rb": "Ruby", "c": "C", "h": "C", "js": "JavaScript",
}

// FileOf returns a small file whose kind and language depend on its extension. For code, content
// must be "imports; symbols; calls", each with spaces between names.
func FileOf(path, content string) *doc.File {
	ext := path[strings.LastIndexByte(path, '.')+1:]
	f := &doc.File{Path: path, Language: byExtension[ext], Kind: doc.Code, Hash: path, Lines: 10, Body: []byte(content)}
	if f.Language == "" {
		f.Class = doc.OtherText
	}
	if ext == "md" {
		f.Kind, f.Language = doc.Pattern, "Markdown"
		f.Entries = []doc.Entry{
			{
				Name: "badges", Sort: doc.Section, First: 1, Line: 1, Last: 1, Title: "Badges", Summary: "[x]: y",
				Parent: -1,
			},
			{Name: "top", Sort: doc.Section, First: 2, Line: 2, Last: 2, Title: "Top", Summary: content, Parent: -1},
		}
		for i := range f.Entries {
			f.Chunks = append(f.Chunks, doc.Chunk{Entry: i, First: i + 1, Last: i + 1, Body: content})
		}
		return f
	}
	if strings.Contains(path, "_test") {
		f.Class = doc.TestName | doc.TestCode
	}
	f.Chunks = []doc.Chunk{{Entry: -1, First: 1, Last: 1, Body: content}}
	parts := append(strings.Split(content, ";"), "", "")
	f.Imports = strings.Fields(parts[0])
	for _, s := range strings.Fields(parts[1]) {
		f.Entries = append(f.Entries, doc.Entry{Name: s, Sort: doc.Function, First: 1, Line: 1, Last: 1, Parent: -1})
	}
	for _, c := range strings.Fields(parts[2]) {
		f.Calls = append(f.Calls, doc.Call{Caller: -1, Name: c, Line: 1})
	}
	return f
}
