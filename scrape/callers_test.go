package scrape_test

import (
	"fmt"
	"strings"
	"testing"
)

const hiddenCallers = `
-- ts/deep.ts --
export function deepest() { return 1 }
-- ts/far.ts --
import { deepest } from './barrel';
export function yesFar() { return deepest(); }
-- ts/events.ts --
export default {
  listen(node) { return node },
  other() { return 1 },
};
-- ts/listens.ts --
import events from './events';
export function yesListens() { return events.listen(1); }
-- ts/shape.ts --
export class Shape { constructor(n) { this.n = n } }
-- ts/draws.ts --
import { Shape } from './shape';
export function yesDraws() { return new Shape(1); }
-- ui/row.js --
export const Row = ({ n }) => n;
-- ui/index.js --
import { Row } from './row';
const ThemedRow = themed(Row);
export { ThemedRow as Row };
-- ui/page.js --
import { Row } from '.';
export function maybePage() { return Row({ n: 1 }); }
-- org/x/Base.java --
package org.x;
abstract class Base {
  abstract int work(int n);
  int yesBase() { return work(1); }
}
-- org/x/Job.java --
package org.x;
class Job extends Base {
  Job(int n) {}
  int work(int n) { return n; }
}
class Other { int work(int n) { return n; } }
-- org/x/Runs.java --
package org.x;
class Runs {
  Base base;
  void yesRuns() { base.work(2); }
  Job yesMakes() { return new Job(3); }
}
-- py/base.py --
class Base:
    def check(self): return 1
    def yes_base(self): return self.check()
-- py/sub.py --
from base import Base
class Sub(Base):
    def __init__(self): self.n = 1
    def check(self): return 2
def yes_made(): return Sub()
-- rb/base.rb --
class Door
  def swing(n); n; end
  def yes_door; swing(1); end
end
-- rb/sub.rb --
class Gate < Door
  def swing(n); n + 1; end
end
module Tasks
  def after_task(n); n; end
end
-- rb/runner.rb --
module Runner
  def go_task; t = Rake::Task["x"]; t.fire_task(1); end
  def fire_task(n); n; end
end
-- rb/spec.rb --
describe "x" do
  after_task(1)
end
-- cpp/lamp.h --
namespace home {
class LAMP_API Lamp { public: Lamp(const char *name); int glow() const; void swap(Lamp &o); };
class Tall : public Lamp { public: Tall(); };
}
-- cpp/lamp.cpp --
#include "lamp.h"
#include <memory>
using namespace home;
void *yesNew() { return reinterpret_cast<void *>(new Lamp("a")); }
Tall::Tall() : Lamp("tall") {}
int maybeHeld() { std::unique_ptr<Lamp> p; return p->glow(); }
int noOwn() { std::unique_ptr<Lamp> p; p.glow(); return 1; }
void Lamp::swap(Lamp &o) {
  using std::swap;
  swap(*this, o);
}
-- swift/mode.swift --
enum Mode: String {
  case plain
  init?(text: String) { self.init(rawValue: text) }
}
func makes() { let m = Mode(rawValue: "plain") }
-- kt/expect.kt --
package kt
expect object Platform { fun clock(): Long }
fun yesClock() = Platform.clock()
-- kt/js/actual.kt --
package kt
actual object Platform { actual fun clock(): Long = 1 }
`

// Definitions whose calls name something else first must have callers. A name that begins with
// "may" is a candidate, one with "yes" is any caller, and no other name may be one.
func TestCallersThatHide(t *testing.T) {
	var barrel strings.Builder
	tree := hiddenCallers
	for i := range 150 {
		fmt.Fprintf(&barrel, "export * from './m%d';\n", i)
		tree += fmt.Sprintf("-- ts/m%d.ts --\nimport { deepest } from './barrel';\nexport const v%d = 1;\n", i, i)
	}
	r := project(t, tree+"-- ts/barrel.ts --\n"+barrel.String()+"export * from './deep';\n")
	for _, c := range []struct{ name, want string }{
		{"ts/deep.ts::deepest", "yesFar"},
		{"ts/events.ts::listen", "yesListens"},
		{"ts/events.ts::other", ""},
		{"ts/shape.ts::Shape.constructor", "yesDraws"},
		{"ui/row.js::Row", "maybePage"},
		{"org/x/Job.java::Job.work", "maybe:Base.yesBase maybe:Runs.yesRuns"},
		{"org/x/Job.java::Job.Job", "Runs.yesMakes"},
		{"org/x/Job.java::Other.work", ""},
		{"py/sub.py::Sub.check", "maybe:Base.yes_base"},
		{"py/sub.py::Sub.__init__", "yes_made"},
		{"rb/sub.rb::Gate.swing", "maybe:Door.yes_door"},
		{"rb/sub.rb::Tasks.after_task", "maybe:"},
		{"rb/runner.rb::Runner.fire_task", "maybe:Runner.go_task"},
		{"cpp/lamp.h::Lamp", "Tall.Tall yesNew"},
		{"cpp/lamp.h::Lamp.glow", "maybeHeld"},
		{"cpp/lamp.cpp::Lamp.swap", "maybe:Lamp.swap"},
		{"swift/mode.swift::Mode.init", "maybe:makes Mode.init"},
		{"kt/js/actual.kt::Platform.clock", "maybe:yesClock"},
	} {
		got := make(map[string]bool) // the caller → as a candidate
		for _, f := range ask(t, r, "callers", c.name).Facts {
			got[f.Symbol] = f.Candidate
		}
		for want := range strings.FieldsSeq(c.want) {
			symbol, maybe := strings.CutPrefix(want, "maybe:")
			candidate, ok := got[symbol]
			if maybe = maybe || strings.HasPrefix(symbol, "maybe"); !ok || candidate != maybe {
				t.Errorf("%s: %q is a caller: %v, a candidate: %v", c.name, symbol, ok, candidate)
			}
			delete(got, symbol)
		}
		if len(got) > 0 {
			t.Errorf("%s: callers that are none: %v", c.name, got)
		}
	}
}
