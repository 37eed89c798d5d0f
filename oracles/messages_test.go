package oracles_test

import (
	"context"
	"math"
	"testing"

	"patina/oracles"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

func messagesOf(literals ...string) (ms []text.Message) {
	for _, l := range literals {
		text.Messages(l, func(m text.Message) { ms = append(ms, m) })
	}
	return ms
}

// A quotation in a long text counts for the few files that print it, and not for tests.
func TestMessagesOfLongTexts(t *testing.T) {
	c := storetest.NewCorpus(11)
	prints := map[string][]string{
		"a.py": {"cannot open %s: the disk is full", "rows are lost here", "shared by two files"},
		"b.py": {
			"shared by two files", "one in four files", "a message of so many words that no more of it counts",
		},
		"c.py":      {"one in four files"},
		"d.py":      {"one in four files"},
		"e.py":      {"one in four files"},
		"a_test.py": {"rows are lost here"},
	}
	var paths []string
	for p, literals := range prints {
		c.Write(p)
		c.Files[p].Messages = messagesOf(literals...)
		paths = append(paths, p)
	}
	r := c.PinAll(t)
	for q, want := range map[string]map[string]float64{
		"it says: Cannot open x.txt: the disk is full!":           {"a.py": 2.0 / 4},
		"the disk was full":                                       {},
		"rows are lost here, and rows are lost here":              {"a.py": 2.0 / 4}, // once
		"shared by two files, and the disk is full":               {"a.py": (2 + 1.0) / 4, "b.py": 1.0 / 4},
		"one in four files":                                       {},
		"a message of so many words that no more of it counts at": {"b.py": 1},
	} {
		for _, form := range []string{"title\n```\n" + q + "\n```\n", q + "\n```\nzz\n```\n"} {
			ids := map[doc.Kind][]string{doc.Code: paths}
			ev, err := oracles.Evidence(context.Background(), r, text.ParseQuestion(form), ids)
			storetest.Check(t, err)
			for _, p := range paths {
				if got := ev[p].Messages; math.Abs(got-want[p]) > 1e-9 {
					t.Errorf("%q: M of %s is %v, want %v", form, p, got, want[p])
				}
			}
		}
	}
	// Messages do not count in the section about versions, nor for a short question.
	for _, q := range []string{"title\n```\nx\n```\n## Environment\nrows are lost here", "rows are lost here"} {
		ids := map[doc.Kind][]string{doc.Code: paths}
		ev, err := oracles.Evidence(context.Background(), r, text.ParseQuestion(q), ids)
		storetest.Check(t, err)
		if got := ev["a.py"].Messages; got != 0 {
			t.Errorf("%q: M is %v", q, got)
		}
	}
}

// A file that prints a message quoted in the text is among the hits, however many other files match
// more of its words.
func TestMessagesFind(t *testing.T) {
	c := storetest.NewCorpus(12)
	c.Fill()
	c.Write("best.py")
	c.Write("prints.py")
	c.Files["best.py"].Chunks[0].Names = "quorum quorum"
	c.Files["prints.py"].Chunks[0].Body = "quorum " + c.Words(20)
	c.Files["prints.py"].Messages = messagesOf("these are not in it")
	r := c.PinAll(t)
	for q, want := range map[string]int{"quorum\n```\nzz\n```\n": 1, "quorum\n```\nthese are not in it\n```\n": 2} {
		got, err := oracles.BM25(context.Background(), r, text.ParseQuestion(q), doc.Filter{}, 1)
		storetest.Check(t, err)
		if len(got[doc.Code]) != want || got[doc.Code][0].Path != "best.py" {
			t.Errorf("%q: found %+v, want %d", q, got[doc.Code], want)
		}
	}
}
