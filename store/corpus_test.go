package store_test

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"patina/store"
	"patina/store/storetest"
	"patina/store/text"
)

// A corpus is what a scrape would have read: random files and commits with few words, so that everything collides.
type corpus struct {
	rnd     *rand.Rand
	files   map[string]*store.File
	commits []store.Revision
}

var vocabulary = strings.Fields(`alpha beta gamma delta http server client ReadFile parseQuestion snake_case index store
	fusion lexical oracle café 東京 größe x1 utf8 HTTPServer the of and commit merge rank retry timeout queue worker`)

func newCorpus(seed int64) *corpus {
	return &corpus{rnd: rand.New(rand.NewSource(seed)), files: make(map[string]*store.File)}
}

func (c *corpus) words(n int) string {
	var ws []string
	for range c.rnd.Intn(n) + 1 {
		ws = append(ws, vocabulary[c.rnd.Intn(len(vocabulary))])
	}
	return strings.Join(ws, " ")
}

// write makes or changes a file.
func (c *corpus) write(path string) {
	f := &store.File{Path: path, Language: "Go", Kind: store.Code, Hash: fmt.Sprint(c.rnd.Int63()), Stat: store.Stat{Size: c.rnd.Int63n(1000), Inode: 1 << 63}}
	if strings.HasSuffix(path, ".md") {
		f.Kind, f.Language = store.Pattern, "Markdown"
	}
	if strings.Contains(path, "_test") {
		f.Class = store.TestName | store.TestCode
	}
	var body strings.Builder
	line := 1
	for i := range c.rnd.Intn(5) + 1 {
		ch := store.Chunk{Entry: i, First: line, Last: line + 2, Names: c.words(3), Doc: c.words(5), Body: c.words(20)}
		e := store.Entry{Name: fmt.Sprintf("Sym%d", i), Sort: store.Function, First: line, Line: line + 1, Last: line + 2, Title: "func " + ch.Names, Summary: ch.Doc, Parent: -1}
		if f.Kind == store.Pattern {
			e.Name, e.Sort = fmt.Sprintf("section-%d", i), store.Section
		}
		fmt.Fprintf(&body, "%s\n%s\n%s\n", ch.Names, ch.Doc, ch.Body)
		f.Entries, f.Chunks = append(f.Entries, e), append(f.Chunks, ch)
		f.Calls = append(f.Calls, store.Call{Caller: i, Name: vocabulary[c.rnd.Intn(8)], Line: line + 2})
		line += 3
	}
	f.Lines = line - 1
	f.Imports = []string{"fmt", vocabulary[c.rnd.Intn(8)]}
	text.Messages("cannot "+c.words(6), func(m text.Message) { f.Messages = append(f.Messages, m) })
	f.Body = []byte(body.String())
	c.files[path] = f
}

func (c *corpus) paths() []string {
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

func (c *corpus) fill() {
	for _, p := range c.paths() {
		if c.rnd.Intn(3) > 0 {
			c.write(p)
		}
	}
}

func (c *corpus) commit() store.Revision {
	v := store.Revision{
		SHA: fmt.Sprintf("%020x%020x", c.rnd.Int63(), c.rnd.Int63()), Author: "Ann", Email: "ann@example.org",
		Time: time.Unix(1700000000+int64(len(c.commits)), 0), Subject: c.words(8), Body: strings.Repeat(c.words(10)+"\n", c.rnd.Intn(70)),
	}
	ps := c.paths()
	for range c.rnd.Intn(4) {
		v.Files = append(v.Files, ps[c.rnd.Intn(len(ps))])
	}
	if len(v.Files) > 1 && v.Files[0] != v.Files[1] && c.rnd.Intn(2) == 0 {
		v.Moves = []store.Move{{From: v.Files[0], To: v.Files[1]}}
	}
	c.commits = append(c.commits, v)
	return v
}

var options = store.BuildOptions{Root: "/src", Extractor: 1, Embedder: storetest.Hashed{}}

var generation = store.Generation{Head: "abc", Branch: "main", ScrapedAt: time.Unix(1700000000, 0)}

// build writes the corpus to a fresh store with several workers.
func (c *corpus) build(t testing.TB, dir string) {
	t.Helper()
	w, err := store.Build(context.Background(), dir, options)
	check(t, err)
	ks := []*store.Worker{w.Worker(), w.Worker(), w.Worker()}
	for _, p := range c.paths() {
		if f := c.files[p]; f != nil {
			check(t, ks[c.rnd.Intn(len(ks))].Put(f))
		}
	}
	for _, v := range c.commits {
		check(t, w.AddRevision(v))
	}
	_, err = w.Publish(generation)
	check(t, err)
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pin opens a store and reads one generation of it until the test ends.
func pin(t testing.TB, dir string) *store.Reader {
	t.Helper()
	s, err := store.Open(dir)
	check(t, err)
	p, err := s.Pin(context.Background(), 1)
	check(t, err)
	t.Cleanup(func() { p.Close(); check(t, s.Close()) })
	return p.Readers[0]
}

func dump(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	s, err := store.Open(dir)
	check(t, err)
	p, err := s.Pin(context.Background(), 1)
	check(t, err)
	check(t, p.Readers[0].Dump(context.Background(), &b))
	p.Close()
	check(t, s.Close())
	return b.String()
}
