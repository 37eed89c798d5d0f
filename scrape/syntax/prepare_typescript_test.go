package syntax

import (
	"strings"
	"testing"

	"patina/code/lang"
)

// Call signatures that begin with type parameters must not hide the code after them, whatever the
// member before them ends with.
func TestCallSignatures(t *testing.T) {
	for _, before := range []string{
		"(name: string): Decorator", "(x: number): Map<string, number>", "(x: A): B[]", "run: 'all'",
		"(x: A): { a: number }", "(x: A): B // as it is", "(x: A): B\n  /** Runs it. */", "(x: A): B\n  // runs it",
	} {
		source := "interface Action {\n  " + before +
			"\n  <T extends Function>(run: T): T\n  <T = () => void>(other: T): T\n  bound: Bound\n}\n" +
			"export function after(a: Action) { return create(a) }\n"
		o, err := Read("TypeScript", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if o.Broken {
			t.Errorf("%q has errors", before)
		}
		var names []string
		for _, s := range o.Symbols {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); !strings.Contains(got, "Action") || !strings.HasSuffix(got, "after") {
			t.Errorf("%q: %s", before, got)
		}
		if n := len(o.Calls); n == 0 || o.Calls[n-1].Name != "create" {
			t.Errorf("%q: %+v", before, o.Calls)
		}
	}
}

// A line that continues an expression must stay unchanged.
func TestNoCallSignatures(t *testing.T) {
	for _, source := range []string{
		"const a = \n  <any>(x)", "f(\n  <any>(x),\n  <T>(y: T) => y)",
		"const curried = <A>(a: A) =>\n  <B>(b: B) => a", "function f() { return\n  <any>(x) }",
		"const b = c +\n  <any>(x)", "if (a\n  < b && c > (d)) {}", "x = [\n  <any>(y)]", "a\n<T>(x)",
		"type F =\n  <T>(x: T) => T", "x = a ?\n  <any>(y) :\n  <any>(z)",
	} {
		if got := string(lang.Named("TypeScript").Grammar.Prepare([]byte(source))); got != source {
			t.Errorf("%q became %q", source, got)
		}
	}
}
