package recall

import (
	"fmt"
	"strings"
	"testing"
)

func TestDefinitions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"We use a write-ahead log (WAL) for it", "[{WAL write ahead log}]"},
		{"WAL (write-ahead log) is on", "[{WAL write ahead log}]"},
		{"WAL stands for write-ahead log.", "[{WAL write ahead log}]"},
		{"The out of memory (OOM) killer", "[{OOM out of memory}]"},
		{"end-to-end test (E2E)", "[]"}, // its initials have no digit
		{"the Department of Defense (DOD), the ministry of war (MW)", "[{DOD Department of Defense} {MW ministry of war}]"},
		{"authentication (auth) is hard", "[{auth authentication}]"},
		{"the cache (see below) and f(x)", "[]"},
		{"close (it)", "[]"},
		{"large pool size (8)", "[]"},
		{"(WAL)", "[]"},
		{"(", "[]"},
		{"= x = ", "[]"},
		{"abc = alpha beta gamma", "[]"}, // no capitals
	} {
		if got := fmt.Sprint(Definitions(c.text)); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestTerms(t *testing.T) {
	own := []Definition{{"CDC", "change data capture"}}
	for question, want := range map[string]string{
		"retries of uploads":       "[{retri []} {upload []}]",
		"auth":                     "[{auth [[authent] [author] [authoris]]}]",
		"authentication":           "[{authent [[auth]]}]",
		"write-ahead log":          "[{write [[wal]]} {ahead [[wal]]} {log [[wal]]}]",
		"log ahead":                "[{log []} {ahead []}]",
		"cdc":                      "[{cdc [[chang datum captur]]}]",
		"the change of data":       "[{chang []} {datum []}]",
		"out of memory":            "[{out [[oom]]} {memori [[oom]]}]",
		"a change data capture":    "[{chang [[cdc]]} {datum [[cdc]]} {captur [[cdc]]}]",
		"":                         "[]",
		strings.Repeat("wal ", 99): "[{wal [[write ahead log]]}]",
	} {
		if got := fmt.Sprint(Terms(question, own)); got != want {
			t.Errorf("%.40q: %s, want %s", question, got, want)
		}
	}
	if _, ok := Guess("SQLite is in WAL mode", "write ahead log"); !ok {
		t.Error("an acronym in capitals is not seen")
	}
	if _, ok := Guess("a wal is a wal", "write ahead log"); ok {
		t.Error("a word is taken for an acronym")
	}
}

func FuzzDefinitions(f *testing.F) {
	f.Add("write-ahead log (WAL) = x", "WAL")
	f.Add("É (É) stands for (((", "ß éé")
	f.Fuzz(func(t *testing.T, s, question string) {
		own := Definitions(s)
		for _, term := range Terms(question, own) {
			for _, form := range term.Forms {
				if len(form) == 0 {
					t.Fatalf("%q in %q has an empty form", term.Word, question)
				}
			}
		}
		_, phrases := Abbreviations(question)
		for _, p := range phrases {
			Guess(s, p)
		}
		NewIndex([]Item{{Text: s}}).Candidates(question)
	})
}
