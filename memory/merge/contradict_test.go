package merge

import "testing"

func TestContradict(t *testing.T) {
	for _, c := range []struct{ a, b, kind, there, here string }{
		{"Set GOFLAGS in CI", "Never set GOFLAGS in CI", Negation, "", "not set"},
		{"Always rebase before a merge", "never rebase before a merge.", Negation, "", "not rebase"},
		{"Ask before you delete", "Do not ask before deleting", Negation, "", "not ask"},
		{"Do not use time.Now() in tests; inject a clock.", "Use time.Now() in tests; do not inject a clock.", Negation, "not use", "not inject"},
		{"Deleting a workspace also deletes its keys", "Deleting a workspace doesn't delete its keys", Negation, "", "not delete"},
		{"pool size 8", "pool size 16", Number, "8", "16"},
		{"The pool size is 8 in production", "In production, the pool size is 16.", Number, "8", "16"},
		{"Retry three times", "retry 4 times", Number, "three", "4"},
		{"Keep 6 daily and 14 weekly copies", "Keep 14 daily and 6 weekly copies", Number, "6", "14"},
		{"Flush the log before the commit", "Flush the log after the commit", Opposite, "before", "after"},
		{"Enable the cache in tests", "Disable the cache in tests", Opposite, "Enable", "Disable"},
		{"The lexer feeds the parser", "The parser feeds the lexer", Order, "lexer … parser", "parser … lexer"},
		{"The user prefers tabs over spaces", "The user prefers spaces over tabs", Order, "tab … space", "space … tab"},
		{"Sessions are stored in Redis", "Sessions are stored in Memcached", Name, "Redis", "Memcached"},
		{"The banner of the site is blue", "The banner of the site is green", Word, "blue", "green"},
		{"Never edit vendored code", "Do not edit vendored code", "", "", ""},
		{"Run the lint and the tests", "Run the tests and the lint", "", "", ""},
		{"Use the shared client", "Use the shared client in tests", "", "", ""}, // narrower
		{"The cache expires hourly", "The queue is bounded at eight", "", "", ""},
		{"Use tabs", "Use spaces", "", "", ""}, // too short to have a subject
		{"", "", "", "", ""},
		{"not", "", "", "", ""},
		{"8", "9", Number, "8", "9"},
	} {
		d, ok := Contradict(c.a, c.b)
		if ok != (c.kind != "") || d != (Difference{c.kind, c.there, c.here}) {
			t.Errorf("%q, %q: %+v", c.a, c.b, d)
		}
		if back, _ := Contradict(c.b, c.a); back.Kind != c.kind || back.A != c.here || back.B != c.there {
			t.Errorf("%q, %q: back %+v", c.a, c.b, back)
		}
	}
}

func FuzzContradict(f *testing.F) {
	f.Add("never set X", "set X")
	f.Add("a can't 7 before", "b cannot 8 after")
	f.Fuzz(func(t *testing.T, a, b string) {
		if _, ok := Contradict(a, a); ok {
			t.Fatalf("%q contradicts itself", a)
		}
		_, ok := Contradict(a, b)
		if _, back := Contradict(b, a); ok != back {
			t.Fatalf("%q, %q: one way only", a, b)
		}
	})
}
