package xref_test

import (
	"strings"
	"testing"

	"patina/code/xref"
)

// A definition must have its type, and the scopes by which a question may name it.
func TestDefinition(t *testing.T) {
	f := tiny{path: "src/query_engine.cpp", defines: []string{
		"function main", ">function inner", "type Engine", ">method Engine.run", ">type Engine.Part",
		">>method Engine.Part.run#2",
	}}.file(t, 7)
	for i, c := range []struct{ owner, in, notIn string }{
		{"", "SRC", "main"},
		{"", "QueryEngine", "query"},
		{"", "src", "Engine"},
		{"Engine", "engine", "run"},
		{"Engine", "Engine", "Part"},
		{"Part", "src", "Part"},
	} {
		d := xref.NewDefinition(*f, i)
		if d.Owner() != c.owner || !d.In(c.in) || d.In(c.notIn) {
			t.Errorf("%s: owner %q, in %q %v, in %q %v", d.Entry.Name, d.Owner(),
				c.in, d.In(c.in), c.notIn, d.In(c.notIn))
		}
	}
	engine := xref.NewDefinition(*f, 2)
	for at, want := range []bool{false, false, true, true, true, true} {
		if got := engine.Encloses(f.Entries, at); got != want {
			t.Errorf("entry %d inside of Engine: %v", at, got)
		}
	}
	if got, want := f.Caller(1), "src/query_engine.cpp::inner"; got != want || f.Caller(-1) != f.Path {
		t.Errorf("callers %q and %q", got, f.Caller(-1))
	}
}

func TestNames(t *testing.T) {
	for written, want := range map[string][2]string{
		"F": {"", "F"}, "x.F": {"x", "F"}, "a.b.F": {"a.b", "F"}, "x::F": {"x", "F"},
		"x->F": {"x", "F"}, `X\F`: {"X", "F"}, "x?.F": {"x", "F"}, "x!.F": {"x", "F"}, "": {"", ""},
	} {
		if got := [2]string{xref.Qualifier(written), xref.Unqualified(written)}; got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
	for question, want := range map[string]xref.Name{
		"HandlerFunc": {Last: "HandlerFunc"}, "http.HandlerFunc": {"http", "HandlerFunc"},
		"a::Engine::query": {"Engine", "query"}, "f()": {Last: "f"}, "*T#run(a, b)": {"T", "run"},
		"q->next": {"q", "next"}, "two words": {}, "a/b": {}, "1st": {}, "": {},
		strings.Repeat("x", xref.MaxName+1): {},
	} {
		if got, ok := xref.ParseName(question); got != want || ok != (want != xref.Name{}) {
			t.Errorf("%.40q: %+v, %v, want %+v", question, got, ok, want)
		}
	}
}
