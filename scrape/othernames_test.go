package scrape_test

import (
	"slices"
	"strings"
	"testing"
)

const otherNames = `
-- go.mod --
module example.org/app
-- ts/run.ts --
export function run() { return 1 }
export default function solo() { return 5 }
-- ts/alias.ts --
import { run } from './run';
export const go = run;
export const api = { start: run, stop() { return 1 } };
export { run as begin };
export default run;
const local = run;
export function yesSameFile() { return local(); }
-- ts/index.ts --
export { default as Maker } from './run';
export { run as visible } from './run';
-- ts/use.ts --
import first, { go, api, begin } from './alias';
import { Maker, visible } from '.';
export function yesGo() { return go(); }
export function yesApi() { return api.start(); }
export function yesBegin() { return begin(); }
export function yesDefault() { return first(); }
export function yesVisible() { return visible(); }
export function noLocal(go) { return go(); }
export function soloYes() { return Maker(); }
-- ts/elsewhere.ts --
import { go } from 'go';
export function noGo() { return go(); }
-- py/work.py --
def work(): return 1
again = work
def yes_again(): return again()
-- py/pkg/__init__.py --
from .inner import work_in as do_work
-- py/pkg/inner.py --
def work_in(): return 1
-- py/use.py --
from pkg import do_work
from work import again
def in_yes(): return do_work()
def yes_imported(): return again()
-- gopkg/work.go --
package gopkg

func Work() {}

var Run = Work

func yesRun() { Run() }
-- gouse/use.go --
package gouse

import "example.org/app/gopkg"

func yesFar() { gopkg.Run() }
-- Cargo.toml --
[package]
name = "app"
-- src/lib.rs --
pub mod m;
pub mod user;
pub use m::inner as outer;
-- src/m.rs --
pub fn inner() {}
-- src/user.rs --
use crate::outer;
pub fn yes_outer() { outer(); }
`

func TestCallersByOtherNames(t *testing.T) {
	r := project(t, otherNames)
	for _, c := range []struct{ name, want string }{
		{"ts/run.ts::run", "yesApi yesBegin yesDefault yesGo yesSameFile yesVisible"},
		{"ts/run.ts::solo", "soloYes"},
		{"py/work.py::work", "yes_again yes_imported"},
		{"py/pkg/inner.py::work_in", "in_yes"},
		{"gopkg/work.go::Work", "yesFar yesRun"},
		{"src/m.rs::inner", "yes_outer"},
	} {
		found := make(map[string]bool)
		for _, f := range ask(t, r, "callers", c.name).Facts {
			if found[f.Symbol] = true; strings.HasPrefix(f.Symbol, "no") {
				t.Errorf("%s: %s is a caller: %s", c.name, f.Symbol, f.Reason)
			}
			if !strings.HasPrefix(f.Reason, "under another name") && !f.Candidate && f.Reason != "imported" {
				t.Errorf("%s by %s: %s", c.name, f.Symbol, f.Reason)
			}
		}
		for want := range strings.FieldsSeq(c.want) {
			if !found[want] {
				t.Errorf("%s: %s is no caller", c.name, want)
			}
		}
	}
}

const lazyImports = `
-- app/__init__.py --
from app import lazy
_import_structure = {"size": ["measured"]}
-- app/lazy.py --
class LazyImport:
    def __init__(self, name): self.name = name
-- app/size.py --
def width(): return 1
def measured(): return 2
def depth(): return 3
-- app/use.py --
from typing import TYPE_CHECKING
from app.lazy import LazyImport
if TYPE_CHECKING:
    from app import size
else:
    size = LazyImport("app.size")
_sizes = LazyImport("app.size")

def yes_module(): return _sizes.width()

def yes_lazy(): return size.width()

def yes_now():
    import importlib
    m = importlib.import_module("app.size")
    return m.width()
-- tool.py --
from app import measured
def yes_structure(): return measured()
def lost(x): return x.y.depth()
`

// Calls through a module that is imported at its first use must reach its functions, and no answer
// may say that a defined function is not defined.
func TestCallersThroughLazyImports(t *testing.T) {
	r := project(t, lazyImports)
	for name, want := range map[string]string{"width": "yes_lazy yes_module yes_now", "measured": "yes_structure"} {
		var found []string
		for _, f := range ask(t, r, "callers", name).Facts {
			found = append(found, f.Symbol)
		}
		slices.Sort(found)
		if got := strings.Join(found, " "); got != want {
			t.Errorf("callers of %s: %q, want %q", name, got, want)
		}
	}
	for _, question := range []string{"callers", "references"} {
		out := ask(t, r, question, "gone.depth")
		for _, f := range out.Facts {
			if f.Reason == "not defined in the index" {
				t.Errorf("%s: %+v", question, f)
			}
		}
		for _, n := range out.Notes {
			if question == "callers" && !strings.Contains(n, "app/size.py::depth") {
				t.Errorf("%s: %s", question, n)
			}
		}
	}
}

// The function that a call reaches under another name is listed next to the call.
func TestCalleesByOtherNames(t *testing.T) {
	r := project(t, otherNames)
	for _, c := range []struct{ caller, want string }{
		{"yesGo", "ts/run.ts::run"},
		{"yesApi", "ts/run.ts::run"},
		{"yesBegin", "ts/run.ts::run"},
		{"yesDefault", "ts/run.ts::run"},
		{"yesVisible", "ts/run.ts::run"},
		{"yesSameFile", "ts/run.ts::run"},
		{"soloYes", "ts/run.ts::solo"},
		{"yes_again", "py/work.py::work"},
		{"yes_imported", "py/work.py::work"},
		{"in_yes", "py/pkg/inner.py::work_in"},
		{"yesRun", "gopkg/work.go::Work"},
		{"yesFar", "gopkg/work.go::Work"},
		{"yes_outer", "src/m.rs::inner"},
		{"noGo", ""},
	} {
		facts := ask(t, r, "callees", c.caller).Facts
		if len(facts) != 1 || !strings.HasSuffix(facts[0].DocID, c.want) || c.want == "" && facts[0].DocID != "" {
			t.Errorf("callees %s: %+v, want %q", c.caller, facts, c.want)
		}
	}
}
