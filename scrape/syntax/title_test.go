package syntax

import "testing"

// A signature must be only the code, without comments between its parts.
func TestTitlesHaveNoComments(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"Python", "class A(B):  # type: ignore[misc]\n    # first\n    x = 1\n", "class A(B)"},
		{"Python", "def f(  # noqa\n    a,  # the first\n    b,\n):\n    return a\n", "def f( a, b, )"},
		{"Rust", "fn f(a: u8, /* unused */ b: u8) -> u8 { a }", "fn f(a: u8, b: u8) -> u8"},
		{"Java", "class A { void f(int a /* in */) {} }", "class A"},
		{"TypeScript", "function f(a: string /* x */): void {}", "function f(a: string ): void"},
		{"Python", "def f(a='#'):\n    pass\n", "def f(a='#')"},
	} {
		out, err := Read(c.language, []byte(c.text))
		if err != nil || len(out.Symbols) == 0 {
			t.Fatalf("%s: %d symbols, %v", c.text, len(out.Symbols), err)
		}
		if got := out.Symbols[0].Title; got != c.want {
			t.Errorf("%s %s\n got %q\nwant %q", c.language, c.text, got, c.want)
		}
	}
}
