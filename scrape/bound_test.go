package scrape_test

import (
	"slices"
	"strings"
	"testing"
)

const bound = `
-- go.mod --
module example.org/app
-- queue/queue.go --
package queue

func New() int { return 0 }
-- main.go --
package main

import q "example.org/app/queue"

func main() { q.New() }

func run(build func()) { build() }

func build() {}
-- py/shop/__init__.py --
from .money import total, refund as back
-- py/shop/money.py --
def total(items): ...

def refund(): ...
-- py/app.py --
from shop import total as add_up
import shop.money as m
from json import loads

def run():
    add_up([])
    m.refund()
    loads("")

def outer():
    def handler(): ...
    def inner(handler):
        handler()
    handler()

def handler(): ...
-- py/other.py --
def loads(): ...
-- ts/clock.ts --
export function now() {}
export default class Clock { static make() {} }
-- ts/index.ts --
export * from "./clock"
export { now as later } from "./clock"
-- ts/view.ts --
import { now as current } from "."
import Clock from "./clock"
export function show() { current(); Clock.make(); Number.make(); }
-- ts/package.json --
{ "name": "@app/ts" }
-- web/page.ts --
import { now } from "@app/ts"
now()
-- rs/src/lib.rs --
pub mod a;
pub use a::shape;
-- rs/src/a.rs --
pub fn shape() {}
pub struct Pen;
impl Pen { pub fn draw() {} }
-- rs/src/b.rs --
use crate::shape as form;
use crate::a::Pen as P;
fn run() { form(); P::draw(); crate::a::shape(); }
-- j/src/main/java/org/x/A.java --
package org.x;
public class A { public static void of() {} }
-- j/src/main/java/org/y/B.java --
package org.y;
import static org.x.A.of;
import org.x.*;
class B { void f() { of(); new A(); } }
`

// Imported names must lead to their definitions, through files that re-export them.
func TestAssayFollowsNames(t *testing.T) {
	r := project(t, bound)
	for _, c := range []struct {
		question, pattern string
		want              []string
	}{
		{"callers", "queue.New", []string{"main.go::main q.New queue/queue.go::New"}},
		{"callers", "build", nil},
		{"callers", "total", []string{"py/app.py::run add_up py/shop/money.py::total"}},
		{"callers", "refund", []string{"py/app.py::run m.refund py/shop/money.py::refund"}},
		{"callers", "py/other.py::loads", nil},
		{"callees", "py/app.py::outer", []string{"handler", "handler py/app.py::handler"}},
		{"callers", "now", []string{"ts/view.ts::show current ts/clock.ts::now", "web/page.ts now ts/clock.ts::now"}},
		{"callers", "make", []string{"ts/view.ts::show Clock.make ts/clock.ts::Clock.make"}},
		{"callers", "shape", []string{
			"rs/src/b.rs::run crate::a::shape rs/src/a.rs::shape", "rs/src/b.rs::run form rs/src/a.rs::shape",
		}},
		{"callers", "draw", []string{"rs/src/b.rs::run P::draw rs/src/a.rs::Pen.draw"}},
		{"callers", "A.of", []string{"j/src/main/java/org/y/B.java::B.f of j/src/main/java/org/x/A.java::A.of"}},
		{
			"callers", "j/src/main/java/org/x/A.java::A",
			[]string{"j/src/main/java/org/y/B.java::B.f A j/src/main/java/org/x/A.java::A"},
		},
		{"importers", "ts/clock.ts", []string{
			"ts/index.ts ./clock ts/clock.ts", "ts/view.ts ./clock ts/clock.ts", "? ts/view.ts . ts/clock.ts",
			"? web/page.ts @app/ts ts/clock.ts",
		}},
	} {
		if got := lines(ask(t, r, c.question, c.pattern)); !slices.Equal(got, c.want) {
			t.Errorf("%s of %q\n got %s\nwant %s", c.question, c.pattern, strings.Join(got, "\n     "),
				strings.Join(c.want, "\n     "))
		}
	}
}
