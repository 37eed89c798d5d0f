package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// The bindings of each form of import, as "name = name in the module @ import".
func TestBindings(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"Go", "package p\nimport (\n\t\"a\"\n\tb \"x/c\"\n\t. \"d\"\n\t_ \"e\"\n)", "b = @x/c, * = *@d"},
		{
			"Python", "import a.b, c as d\nfrom .m import x, y as z\nfrom . import k\nfrom n import *",
			"a.b = @a.b, d = @c, x = x@.m, z = y@.m, k = @.k, * = *@n",
		},
		{"Python", "def f():\n    from .. import a as b", "b = @..a"},
		{
			"JavaScript", `import d, { a as b, "c-d" as e } from "m"; import * as ns from 'n'; import "side"`,
			"d = default@m, b = a@m, e = c-d@m, ns = @n",
		},
		{"JavaScript", `const x = require("m"), { a, b: c } = require("./n"); var y = require("o").z; const w = ` +
			`await import("p"); f(require("q"))`, "x = @m, a = a@./n, c = b@./n, y = z@o, w = @p"},
		{
			"JavaScript", `export { a as b, c } from "m"; export * from "n"; export * as o from "p"; export { q as ` +
				`r, s }`, "b = a@m, c = c@m, * = *@n, o = @p, r = q@",
		},
		{"JavaScript", `exports = module.exports = make; exports.a = b; exports.c = require("d"); exports.e = ` +
			`function () {}; x.exports = y`, "default = make@, a = b@, c = @d"},
		{"JavaScript", `export default function f() {}`, "default = f@"},
		{"JavaScript", `export default f`, "default = f@"},
		{
			"TypeScript", `import type { T as U } from "m"; import fs = require("fs"); export default class A {}`,
			"U = T@m, fs = @fs, default = A@",
		},
		{
			"Rust", "use a::b as c; use d::{self, e::f, g as h, i::*}; pub use crate::j;",
			"c = @a::b, d = @d, f = @d::e::f, h = @d::g, * = *@d::i::*, j = @crate::j",
		},
		{"Rust", "use super::a; mod tests { use super::*; use super::super::b; use self::c; use crate::d; mod e { " +
			"use super::f; use super::super::g; } }", "a = @super::a, * = *@self::*, b = @super::b, c = " +
			"@self::tests::c, d = @crate::d, f = @self::tests::f, g = @self::g"},
		{"Java", "package x.y;", "package = x.y@"},
		{"Kotlin", "package x.y", "package = x.y@"},
		{"Scala", "package x\npackage y.z\nimport a.{B, C => D}", "package = x@, package = y.z@, B = @a.B, D = @a.C"},
		{"Java", "import a.b.C; import static a.D.f; import e.*;", "C = @a.b.C, f = @a.D.f, * = *@e.*"},
		{
			"PHP", `<?php use A\B; use C\D as E; use F\{G, H as I}; use function J\k;`,
			`B = @A\B, E = @C\D, G = @F\G, I = @F\H, k = @J\k`,
		},
		{"Solidity", "import \"./A.sol\"; import {B, C as D} from \"./E.sol\"; import * as F from \"g/F.sol\"; " +
			"import \"./H.sol\" as I;", "* = *@./A.sol, B = B@./E.sol, D = C@./E.sol, F = @g/F.sol, I = @./H.sol"},
		{"Swift", "import A; @testable import B.C; import struct D.E", "* = *@A, * = *@B.C, E = @D.E"},
		{"C#", "using A.B; using C = D.E; using static F.G;", "* = *@A.B, C = @D.E, * = *@F.G"},
		{
			"C++",
			"namespace fs = std::filesystem; using a::b; using namespace c; using D = e::F<int>; using G = int*;",
			"fs = std::filesystem@, b = a::b@, * = c@, D = e::F@",
		},
	} {
		out, err := Read(c.language, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range out.Bindings {
			got = append(got, fmt.Sprintf("%s = %s@%s", b.Name, b.Of, b.Import))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.language, c.text, s, c.want)
		}
	}
}
