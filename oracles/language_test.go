package oracles_test

import (
	"slices"
	"testing"

	"patina/oracles"
	"patina/store/storetest"
	"patina/store/text"
)

func TestTheOwnLanguageIsNoTerm(t *testing.T) {
	c := storetest.NewCorpus(3)
	for _, path := range []string{"a.go", "b.go", "c.go", "d.go", "e.go", "f.go", "g.go", "h.go", "i.go"} {
		c.Write(path)
		c.Files[path].Language = "Go"
	}
	r := c.PinAll(t)
	for _, x := range []struct {
		question string
		terms    []string
	}{
		{"go read a file", []string{"read", "file"}},
		{"read a file in Go quickly", []string{"read", "file", "quickli"}},
		{"read a file with go", []string{"read", "file"}},
		{"which go version reads a file", []string{"go", "version", "read", "file"}},
		{"python read a file", []string{"python", "read", "file"}},
		{"go", []string{"go"}},
		{"", nil},
	} {
		q := text.ParseQuestion(x.question)
		storetest.Check(t, oracles.WithoutLanguage(t.Context(), r, &q))
		if !slices.Equal(q.Terms, x.terms) {
			t.Errorf("%q has the terms %q, want %q", x.question, q.Terms, x.terms)
		}
	}
}

// Where the code is in several languages, their names say which is meant.
func TestOneLanguageOfSeveralIsATerm(t *testing.T) {
	c := storetest.NewCorpus(3)
	for path, language := range map[string]string{"a.go": "Go", "b.go": "Go", "c.py": "Python"} {
		c.Write(path)
		c.Files[path].Language = language
	}
	q := text.ParseQuestion("go read a file")
	storetest.Check(t, oracles.WithoutLanguage(t.Context(), c.PinAll(t), &q))
	if !slices.Equal(q.Terms, []string{"go", "read", "file"}) {
		t.Errorf("terms %q", q.Terms)
	}
}
