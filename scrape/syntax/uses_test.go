package syntax

import (
	"slices"
	"testing"
)

// Fields must be found where they are defined, although not every grammar names the parts of a
// definition.
func TestUsesOfFields(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           []As
	}{
		{"Kotlin", "class A(val size: Int, x: Int = size) {\n  fun f() = size\n}\n", []As{Defines, Reads, Reads}},
		{"Kotlin", "class A {\n  var size = 1\n  fun f() { this.size = 2 }\n}\n", []As{Defines, Writes}},
		{"Kotlin", "fun f(size: Int) = size\n", []As{Defines, Reads}},
		{"Kotlin", "fun f() {\n  val size = 1\n  g(size)\n}\n", []As{Defines, Reads}},
		{"Scala", "class A(val size: Int) {\n  def f = size\n}\n", []As{Defines, Reads}},
		{"Scala", "class A {\n  val size = 1\n  def f = size\n}\n", []As{Defines, Reads}},
		{"Swift", "class A {\n  var size: Int = 1\n  func f() -> Int { return size }\n}\n", []As{Defines, Reads}},
		{"TypeScript", "class A {\n  size: number = 1\n  f() { return this.size }\n}\n", []As{Defines, Reads}},
		{
			"TypeScript", "class A {\n  constructor(private readonly size: number) {}\n  f() { return this.size }\n}\n",
			[]As{Defines, Reads},
		},
		{"TypeScript", "interface A {\n  size: number\n}\nconst f = (a: A) => a.size\n", []As{Defines, Reads}},
		{"Java", "record A(int size) {\n  int f() { return size; }\n}\n", []As{Defines, Reads}},
		{
			"C#", "class A {\n  int size = 1;\n  public int Size { get; set; }\n  int f() { return size; }\n}\n",
			[]As{Defines, Reads},
		},
		{"C", "struct A {\n  int size;\n};\nint f(struct A *a) { return a->size; }\n", []As{Defines, Reads}},
		{
			"PHP", "<?php\nclass A {\n  private $size = 1;\n  function f() { return $this->size; }\n}\n",
			[]As{Defines, Reads},
		},
		{"PHP", "<?php\nclass A {\n  function __construct(private int $size) {}\n" +
			"  function f() { return $this->size; }\n}\n", []As{Defines, Reads}},
		{"Rust", "struct A { size: u8 }\nimpl A { fn f(&self) -> u8 { self.size } }\n", []As{Defines, Reads}},
		{"Zig", "const A = struct {\n  size: u8,\n  fn f(a: A) u8 { return a.size; }\n};\n", []As{Defines, Reads}},
		{"Haskell", "data A = A { size :: Int }\nf a = size a\n", []As{Defines, Reads}},
	} {
		uses, _, err := Uses(c.language, []byte(c.text), "size")
		var got []As
		for _, u := range uses {
			got = append(got, u.As)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v:\n%s", c.language, got, err, c.want, c.text)
		}
	}
}
