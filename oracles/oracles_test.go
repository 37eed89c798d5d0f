package oracles_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"patina/oracles"
	"patina/oracles/oracletest"
	"patina/store"
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

func TestConformance(t *testing.T) {
	for _, o := range oracles.Default() {
		t.Run(o.Name(), func(t *testing.T) { oracletest.Run(t, o, project, "how does the queue of jobs work") })
	}
}

func ask(t *testing.T, dir string, o oracles.Oracle, q string) ([]oracles.List, error) {
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
	return o.Query(context.Background(), p.Readers[0], oracles.Question{Text: q, Parsed: text.ParseQuestion(q), Limit: 50})
}

func TestLexicalAnswersEveryKind(t *testing.T) {
	dir := oracletest.Project(t, project, true)
	lists, err := ask(t, dir, oracles.Lexical{}, "install the queue")
	if err != nil {
		t.Fatal(err)
	}
	want := map[store.Kind]string{store.Code: "queue/queue.go", store.Commit: "commit:", store.Pattern: "pattern:README.md#"}
	for _, l := range lists {
		if len(l.Hits) == 0 || !strings.HasPrefix(l.Hits[0].DocID, want[l.Kind]) {
			t.Errorf("%s: %v", l.Kind, l.Hits)
		}
	}
	if len(lists) != len(want) {
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
