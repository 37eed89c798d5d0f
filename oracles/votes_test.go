package oracles_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"patina/oracles"
	"patina/store"
	"patina/store/storetest"
	"patina/store/text"
)

// A vote halves in four years before the newest commit. A commit from the future has no more than
// one of today.
func TestVotesAge(t *testing.T) {
	newest := time.Unix(1_700_000_000, 0)
	raw := votes(t, "parse header", []store.Revision{
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
	list := []store.Revision{{Subject: "retry broken uploads", Files: []string{"close.go"}, Time: at}}
	for range 2 {
		list = append(list, store.Revision{Subject: "retry something else", Files: []string{"far.go"}, Time: at})
	}
	for i := range 20 {
		list = append(list, store.Revision{Subject: fmt.Sprintf("other matter %d", i), Files: []string{"other.go"}, Time: at})
	}
	raw := votes(t, "retry broken uploads", list)
	if raw["far.go"] <= 0 || raw["close.go"] < 4*raw["far.go"] {
		t.Errorf("votes %v, want four times as many for the close one", raw)
	}
}

// A commit whose subject has no word of the question does not vote, whatever lies beside it in the
// index.
func TestCommitsWithoutAWordDoNotVote(t *testing.T) {
	raw := votes(t, "parse header", []store.Revision{
		{Subject: "other matter", Files: []string{"other.go"}},
		{Subject: "parse header", Files: []string{"near.go"}},
	})
	if _, listed := raw["other.go"]; listed || raw["near.go"] <= 0 {
		t.Errorf("votes %v, want those for near.go alone", raw)
	}
}

// votes returns the votes for each file after a history, oldest commit first.
func votes(t *testing.T, question string, history []store.Revision) map[string]float64 {
	t.Helper()
	dir := t.TempDir()
	w, err := store.Build(t.Context(), dir, store.BuildOptions{Root: "/src", Extractor: 1})
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
	for i, v := range history {
		v.SHA = fmt.Sprintf("%040x", i+1)
		storetest.Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	found, err := oracles.Votes(t.Context(), storetest.Pin(t, dir), text.ParseQuestion(question), store.Filter{}, 100)
	storetest.Check(t, err)
	raw := map[string]float64{}
	for _, v := range found {
		raw[v.Path] = v.Raw
	}
	return raw
}

// Of a pasted issue the title alone votes: a subject is a title. Without one, all of it does.
func TestTitleOfAnIssueVotes(t *testing.T) {
	history := []store.Revision{
		{Subject: "upload broken after retry", Files: []string{"title.go"}},
		{Subject: "screenshot of the browser console", Files: []string{"body.go"}},
	}
	const body = "```\nbrowser console screenshot\n```\n"
	if raw := votes(t, "Upload broken after retry\n\n"+body, history); raw["title.go"] <= 0 || raw["body.go"] != 0 {
		t.Errorf("votes %v, want those of the title alone", raw)
	}
	if raw := votes(t, body, history); raw["body.go"] <= 0 {
		t.Errorf("votes %v without a title, want those of the text", raw)
	}
}
