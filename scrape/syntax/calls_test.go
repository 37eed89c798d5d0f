package syntax

import (
	"slices"
	"testing"
)

// The names of calls must include an object that is made where it is used, and the scope before a
// function with type parameters.
func TestCalled(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"Java", `class T { void f() {
			new Gson().toJson(1); (new A<C>(x)).g(); new T() { int i; }.h(); make().k();
		} }`, []string{"Gson", "Gson.toJson", "A", "A.g", "T", "_.h", "make", "_.k"}},
		{
			"TypeScript", `new Pool<T>(2).drain(); (new a.B()).c(); make().d()`,
			[]string{"Pool", "Pool.drain", "a.B", "a.B.c", "make", "_.d"},
		},
		{
			"C++", `void f() { std::get<0>(t); a::b::make<T>(1); x.get<T>(); A::of(); }`,
			[]string{"std::get", "a::b::make", "_.get", "A::of"},
		},
	} {
		out, err := Read(c.language, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, call := range out.Calls {
			got = append(got, call.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s\n got %q\nwant %q", c.language, c.text, got, c.want)
		}
	}
}

// Macros in the place of fields must hide nothing after them, and a macro in a class is not the
// constructor of another class.
func TestMacrosAmongFields(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"C", "struct a {\n  LIB_FIELDS\n  /* private */\n  LIB_MORE_FIELDS\n};\nLIB_EXTERN int f(a_t* a);\n" +
			"struct b {\n  int i;\n  LIB_FIELDS\n};\nint g(void);\n", []string{"a", "f", "b", "g"}},
		{"C", "enum e {\n  ONE_A,\n  ONE_B\n};\nint h(void);\n", []string{"e", "h"}},
		{
			"C++", "class Params {\n  Params(int a);\n  EXPECT_EQ(other, nullptr);\n  int k();\n};\n",
			[]string{"Params", "Params.Params", "Params.k"},
		},
	} {
		out, err := Read(c.language, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range out.Symbols {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %q\n got %q\nwant %q", c.language, c.text, got, c.want)
		}
	}
}
