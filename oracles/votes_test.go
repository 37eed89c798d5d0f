package oracles_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"patina/oracles"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// A vote halves in the four years before the newest commit. A commit from the future has no more
// than one of today.
func TestVotesAge(t *testing.T) {
	newest := time.Unix(1_700_000_000, 0)
	raw := bestVotes(t, "parse header", []doc.Revision{
		{Subject: "parse header", Files: []string{"old.go"}, Time: newest.Add(-4 * 8766 * time.Hour)},
		{Subject: "parse header", Files: []string{"ahead.go"}, Time: newest.AddDate(70, 0, 0)},
		{Subject: "parse header", Files: []string{"new.go"}, Time: newest},
	})
	if raw["new.go"] <= 0 || raw["ahead.go"] != raw["new.go"] || math.Abs(raw["old.go"]/raw["new.go"]-0.5) > 1e-9 {
		t.Errorf("votes %v, want the old one's half the new one's, the future one's the same", raw)
	}
}

// One close subject outweighs several distant ones.
func TestCloseSubjectsOutvoteDistantOnes(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	list := []doc.Revision{{Subject: "retry broken uploads", Files: []string{"close.go"}, Time: at}}
	for range 2 {
		list = append(list, doc.Revision{Subject: "retry something else", Files: []string{"far.go"}, Time: at})
	}
	for i := range 20 {
		subject := fmt.Sprintf("other matter %d", i)
		list = append(list, doc.Revision{Subject: subject, Files: []string{"other.go"}, Time: at})
	}
	raw := bestVotes(t, "retry broken uploads", list)
	if raw["far.go"] <= 0 || raw["close.go"] < 4*raw["far.go"] {
		t.Errorf("votes %v, want four times as many for the close one", raw)
	}
}

// A commit whose subject has no word of the question does not vote, whatever is beside it in the
// index.
func TestCommitsWithoutAWordDoNotVote(t *testing.T) {
	raw := bestVotes(t, "parse header", []doc.Revision{
		{Subject: "other matter", Files: []string{"other.go"}},
		{Subject: "parse header", Files: []string{"near.go"}},
	})
	if _, listed := raw["other.go"]; listed || raw["near.go"] <= 0 {
		t.Errorf("votes %v, want those for near.go alone", raw)
	}
}

// An update adds the commits of a merged branch after those already read; a fresh index reads them
// in order. The votes must be the same to the last digit.
func TestVotesDoNotDependOnTheOrderOfReading(t *testing.T) {
	day := func(n int) time.Time { return time.Unix(1_700_000_000, 0).AddDate(0, 0, n) }
	head := doc.Revision{SHA: strings.Repeat("f", 40), Subject: "merge", Merge: true, Time: day(100)}
	var history, updated []doc.Revision
	for i := range 40 {
		v := doc.Revision{
			SHA: fmt.Sprintf("%040x", i+1), Subject: "parse header", Files: []string{"a.go", "b.go"}[:1+i%2],
			Time: day(i),
		}
		history = append(history, v)
		if i%3 != 1 {
			updated = append(updated, v)
		}
	}
	for i := 1; i < 40; i += 3 {
		updated = append(updated, history[i])
	}
	want := votesFrom(t, "parse header", append(history, head), head.SHA)
	if got := votesFrom(t, "parse header", append(updated, head), head.SHA); !maps.Equal(got, want) {
		t.Errorf("votes %v, want %v", got, want)
	}
}

// bestVotes returns the votes for each file after a history, the oldest commit first.
func bestVotes(t *testing.T, question string, history []doc.Revision) map[string]float64 {
	t.Helper()
	for i := range history {
		history[i].SHA = fmt.Sprintf("%040x", i+1)
	}
	return votesFrom(t, question, history, "")
}

// votesFrom is bestVotes for commits with ids, in the order in which they are read. head may be
// empty.
func votesFrom(t *testing.T, question string, history []doc.Revision, head string) map[string]float64 {
	t.Helper()
	dir := t.TempDir()
	w, err := build.New(t.Context(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k, put := w.Worker(), map[string]bool{}
	for _, v := range history {
		for _, path := range v.Files {
			if !put[path] {
				storetest.Check(t, k.Put(storetest.FileOf(path, ";F;")))
			}
			put[path] = true
		}
	}
	for _, v := range history {
		storetest.Check(t, w.AddRevision(v))
	}
	g := storetest.Generation
	g.Head = head
	_, err = w.Publish(g)
	storetest.Check(t, err)
	found, err := oracles.Votes(t.Context(), storetest.Pin(t, dir), text.ParseQuestion(question), doc.Filter{}, 100)
	storetest.Check(t, err)
	raw := map[string]float64{}
	for _, v := range found {
		raw[v.Path] = v.Raw
	}
	return raw
}

// Only the title of a pasted issue votes, because a subject is a title. Without a title, all of the
// issue does.
func TestTitleOfAnIssueVotes(t *testing.T) {
	history := []doc.Revision{
		{Subject: "upload broken after retry", Files: []string{"title.go"}},
		{Subject: "screenshot of the browser console", Files: []string{"body.go"}},
	}
	const body = "```\nbrowser console screenshot\n```\n"
	if raw := bestVotes(t, "Upload broken after retry\n\n"+body, history); raw["title.go"] <= 0 || raw["body.go"] != 0 {
		t.Errorf("votes %v, want those of the title alone", raw)
	}
	if raw := bestVotes(t, body, history); raw["body.go"] <= 0 {
		t.Errorf("votes %v without a title, want those of the text", raw)
	}
}
