package recall

import (
	"slices"
	"testing"
)

// A long message's fillers do not count, and each word of a short question does.
func TestFillers(t *testing.T) {
	of := func(question string) (out []string) {
		words := Question(question)
		for i, filler := range Fillers(words) {
			if filler {
				out = append(out, words[i])
			}
		}
		return out
	}
	for question, want := range map[string][]string{
		"":                            nil,
		"what is next":                nil,
		"how do we start the next go": nil,
		"please tell me more":         nil,
		"Hello! Please give me the unpaid invoices of the ledger, thanks":                   nil,
		"Hello! Please give me the unpaid invoices of the ledger by courier, thanks":        {"hello", "pleas", "give", "thank"},
		"Which thing started the retries of uploads? Tomorrow the archive must be complete": {"thing", "start", "tomorrow"},
	} {
		if got := of(question); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
