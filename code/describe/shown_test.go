package describe

import (
	"testing"

	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

func TestTheEntryThatAQuestionNames(t *testing.T) {
	p := store.Parts{
		File: store.FileRow{Kind: doc.Code, Path: "util.rs"},
		Entries: []doc.Entry{
			{Name: "parse_line", Sort: doc.Variable},
			{Name: "parse_line#2", Sort: doc.Function, Line: 3, Last: 9},
			{Name: "Reader.readAll", Sort: doc.Method, Line: 12, Last: 20},
			{Name: "cache", Sort: doc.Function},
		},
	}
	for question, want := range map[string]int{
		"what does parse_line do and why is it needed": 1,
		"why does readAll() stop early":                2,
		"how does Reader.readAll end":                  2,
		"how is the cache emptied":                     -1,
		"where is no_such_name called from":            -1,
	} {
		if got := askedEntry(p, text.ParseQuestion(question)); got != want {
			t.Errorf("%q: entry %d, want %d", question, got, want)
		}
	}
}
