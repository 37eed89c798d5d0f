package oracles_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/oracles"
	"patina/oracles/embed"
	"patina/oracles/oracletest"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

const project = `
-- queue/queue.go --
// Package queue keeps jobs until a worker is free.
package queue

// Push adds a job at the end.
func Push(job string) {}

// Pop takes the oldest job, waiting for one if there is none.
func Pop() string { return "" }
-- queue/queue_test.go --
// Tests of the queue of jobs.
package queue

import "testing"

func TestPush(t *testing.T) { Push("job") }
-- worker/worker.go --
// Package worker runs jobs from the queue.
package worker

// Run handles jobs until it is told to stop.
func Run() {}
-- README.md --
# Jobs

A queue of jobs and its workers.

## Install

Run make.
`

// held is a belief about the project.
const held = `
-- layer/surface/beliefs/one-queue.md --
---
type: belief
id: one-queue
---

# one-queue

All jobs wait in one queue.
`

func TestConformance(t *testing.T) {
	for _, o := range oracles.Default() {
		t.Run(o.Name(), func(t *testing.T) { oracletest.Run(t, o, project+held, "how does the queue of jobs work") })
	}
}

func ask(t *testing.T, dir string, o oracles.Channel, q string) ([]oracles.List, error) {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	question := oracles.Question{Text: q, Parsed: text.ParseQuestion(q), Limit: 50}
	return o.Query(context.Background(), p.Readers[0], question)
}

// shared counts the kinds without a channel of their own.
func shared() int {
	return len(slices.DeleteFunc(doc.Kinds(), func(k doc.Kind) bool { return k.Traits().Channel != "" }))
}

func TestLexicalAnswersEveryKind(t *testing.T) {
	dir := oracletest.Project(t, project, true)
	lists, err := ask(t, dir, oracles.Lexical{}, "install the queue")
	if err != nil {
		t.Fatal(err)
	}
	want := map[doc.Kind]string{doc.Code: "queue/queue.go", doc.Commit: "commit:", doc.Pattern: "pattern:README.md#"}
	for _, l := range lists {
		if prefix, ok := want[l.Kind]; ok != (len(l.Hits) > 0) || ok && !strings.HasPrefix(l.Hits[0].DocID, prefix) {
			t.Errorf("%s: %v", l.Kind, l.Hits)
		}
	}
	if len(lists) != shared() {
		t.Errorf("%d lists", len(lists))
	}
}

// A file is found by the words of the commit that touched it, though it does not hold them.
func TestTemporalConnectsByHistory(t *testing.T) {
	dir := oracletest.Project(t, project, true)
	lists, err := ask(t, dir, oracles.Temporal{}, "worker/worker.go runs jobs")
	if err != nil || len(lists) != 1 || lists[0].Hits[0].Path != "worker/worker.go" {
		t.Errorf("%v, %v", lists, err)
	}
}

func TestTemporalSaysWhyItCannotAnswer(t *testing.T) {
	_, err := ask(t, oracletest.Project(t, project, false), oracles.Temporal{}, "jobs")
	if !errors.Is(err, oracles.ErrUnavailable) || !strings.Contains(err.Error(), "no git history") {
		t.Errorf("error %v", err)
	}
}

func TestSemanticAnswersEveryKind(t *testing.T) {
	dir := oracletest.Project(t, project, true)
	const question = "a queue of jobs and its workers, keeps jobs until a worker is free"
	lists, err := ask(t, dir, oracles.NewSemantic(), question)
	if err != nil || len(lists) != shared() {
		t.Fatalf("%d lists, %v", len(lists), err)
	}
	for _, l := range lists {
		if len(l.Hits) == 0 && l.Kind != doc.Session {
			t.Errorf("nothing of kind %s", l.Kind)
		}
	}
	if h := lists[0].Hits[0]; h.Path != "queue/queue.go" || len(h.Chunks) == 0 {
		t.Errorf("first is %+v", h)
	}
}

// Every list says how many words of the question the model knows. Stop words do not count.
func TestSemanticTellsTheWordsThatItKnows(t *testing.T) {
	dir := oracletest.Project(t, project, true)
	lists, err := ask(t, dir, oracles.NewSemantic(), "why does the queue of jobs yodel")
	if err != nil || len(lists) == 0 {
		t.Fatalf("%d lists, %v", len(lists), err)
	}
	for _, l := range lists {
		if l.Words != 3 || l.Known != 2 {
			t.Errorf("%s: %d of %d words known, want 2 of 3", l.Kind, l.Known, l.Words)
		}
	}
}

// Each zone of a long text has the same weight, so two zones, title and prose, outweigh a paste
// that repeats itself.
func TestSemanticReadsLongTextsByZones(t *testing.T) {
	dir := oracletest.Project(t, project, false)
	worker := "handles jobs until told to stop, package worker runs"
	queue := "takes the oldest job, waiting for one, adds a job at the end, Push Pop"
	for said, want := range map[string]string{worker: "worker/worker.go", queue: "queue/queue.go"} {
		pasted := queue
		if said == queue {
			pasted = worker
		}
		long := said + "\n" + said + "\n```\n" + strings.Repeat(pasted+"\n", 15) + "```\n"
		lists, err := ask(t, dir, oracles.NewSemantic(), long)
		if err != nil || lists[0].Hits[0].Path != want {
			t.Errorf("%s: %+v, %v", said, lists, err)
		}
	}
}

func TestSemanticSaysWhyItCannotAnswer(t *testing.T) {
	for why, o := range map[string]scrape.Options{
		"no vectors (patina scrape)": {},
		"of another model":           {Embedder: storetest.Hashed{}},
	} {
		o.Root, o.StoreDir = t.TempDir(), t.TempDir()
		if _, err := scrape.Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		_, err := ask(t, o.StoreDir, oracles.NewSemantic(), "jobs")
		if !errors.Is(err, oracles.ErrUnavailable) || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
}

// An adapted project has its own table, and every other project the built-in one. A channel must
// use the table of the index that it is asked about, also after a scrape has made another table.
func TestSemanticKeepsModelsApart(t *testing.T) {
	o := oracles.NewSemantic()
	adapted := oracletest.Project(t, project+many(), false)
	plain := t.TempDir()
	_, err := scrape.Run(t.Context(), scrape.Options{
		Root: filepath.Dir(adapted), StoreDir: plain, Embedder: embed.Base(), Load: embed.Load, NoAdapt: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := modelOf(t, adapted), modelOf(t, plain); a == b || b != embed.Base().Model() {
		t.Errorf("models %q, adapted, and %q, which should be %q", a, b, embed.Base().Model())
	}
	for _, dir := range []string{adapted, plain, adapted} {
		own, err := o.Open(oracles.Project{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []oracles.Channel{own, o} {
			lists, err := ask(t, dir, x, "takes the oldest job, waiting for one")
			if err != nil || lists[0].Hits[0].Path != "queue/queue.go" {
				t.Errorf("%+v, %v", lists, err)
			}
		}
	}
}

// many returns files with enough comments to adapt the table.
func many() string {
	var b strings.Builder
	for i, word := range strings.Fields("apple river stone cloud forest ocean desert valley island meadow") {
		const file = "-- %s/%s.go --\npackage %s\n\n// Grow%d makes the %s larger than it was before.\n" +
			"func Grow%d(size int) int { return size * %d }\n"
		fmt.Fprintf(&b, file, word, word, word, i, word, i, i)
	}
	return b.String()
}

func modelOf(t *testing.T, dir string) string {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	m, err := p.Readers[0].Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A part of a file's best cosine is due to the number of its chunks. Other kinds have no such part.
func TestSemanticTellsWhatIsChance(t *testing.T) {
	lists, err := ask(t, oracletest.Project(t, project, true), oracles.NewSemantic(), "a queue of jobs and its workers")
	if err != nil {
		t.Fatal(err)
	}
	chance := map[string]float64{}
	for _, l := range lists {
		for _, h := range l.Hits {
			if l.Kind == doc.Code {
				chance[h.Path] = h.Chance
			} else if h.Chance != 0 {
				t.Errorf("%s: %v of its cosine is chance", h.DocID, h.Chance)
			}
		}
	}
	three, two := chance["queue/queue.go"], chance["worker/worker.go"] // numbers of chunks
	if two <= 0 || math.Abs(three/two-math.Log(3)/math.Log(2)) > 1e-9 {
		t.Errorf("chance of three chunks %v, of two %v", three, two)
	}
}
