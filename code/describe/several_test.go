package describe_test

import (
	"slices"
	"testing"

	"patina/code/lookup"
	"patina/store/storetest"
	"patina/store/text"
)

// A question that spells two symbols as code names both. A single one is an ordinary word.
func TestSeveralNames(t *testing.T) {
	r := storetest.Tree{"a/a.go": ";openFile closeFile;", "b/b.go": ";readAll readAll;", "c/c.go": ";twice;", "d/d.go": ";twice;"}.Build(t)
	for question, want := range map[string][]string{
		"how do openFile and closeFile differ":  {"a/a.go::openFile", "a/a.go::closeFile"},
		"does readAll come before openFile?":    {"b/b.go::readAll", "a/a.go::openFile"},
		"what does openFile do":                 nil,
		"is openFile like twice or unknownName": nil,
	} {
		found, err := lookup.Exact(t.Context(), r, text.ParseQuestion(question))
		storetest.Check(t, err)
		var got []string
		for _, d := range found {
			got = append(got, d.DocID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q names %q, want %q", question, got, want)
		}
	}
}
