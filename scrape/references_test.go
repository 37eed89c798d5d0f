package scrape_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const uses = `
-- src/queue.h --
#define LIMIT 10
#define FULL(q) ((q)->size >= LIMIT)
typedef struct queue {
	int size;
} queue;
typedef struct stack {
	int size;
} stack;
int grow(queue *q, int by);
-- src/queue.c --
#include "queue.h"
#include <math.h>
/* LIMIT is no use, nor is "LIMIT". */
int grow(queue *q, int by) {
	if (q->size + by > LIMIT) return 0;
	q->size += by;
	return 1;
}
static int hidden(stack *s) {
	int LIMIT = 3;
	s->size = LIMIT;
	return s->size;
}
-- src/other.c --
#include "queue.h"
int twice(queue *q) { return grow(q, 1) && grow(q, 1); }
-- test/math.h --
int stray;
-- go.mod --
module example.org/app
-- clock/clock.go --
package clock

const Tick = 5

type Clock struct{ Now int }

func (c *Clock) Wind() { c.Now++ }
-- main.go --
package main

import "example.org/app/clock"

func main() {
	c := clock.Clock{Now: clock.Tick}
	c.Wind()
	println(c.Now)
}
-- lib/mix.clj --
(defn mix [a] (shake a))
`

// References are reads and writes by the scope of the file. A variable of the function, a comment
// and a string are no references.
func TestReferences(t *testing.T) {
	r := project(t, uses)
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"LIMIT", []string{
			"src/queue.h::FULL read LIMIT 2", "src/queue.c::grow read LIMIT 5",
		}},
		{"queue.size", []string{
			"src/queue.c::grow read q->size 5", "src/queue.c::grow write q->size 6",
			"? src/queue.h::FULL read _.size 2",
		}},
		{"stack.size", []string{
			"src/queue.c::hidden write s->size 11", "src/queue.c::hidden read s->size 12",
			"? src/queue.h::FULL read _.size 2",
		}},
		{"grow", []string{"src/other.c::twice call grow 2"}},
		{"Tick", []string{"main.go::main read clock.Tick 6"}},
		{"Clock.Now", []string{
			"clock/clock.go::Clock.Wind write c.Now 7", "main.go::main write Now 6", "main.go::main read c.Now 8",
		}},
		{"Clock", []string{"clock/clock.go::Clock.Wind type Clock 7", "main.go::main type clock.Clock 6"}},
		{"nosuch", nil},
	} {
		var got []string
		for _, x := range ask(t, r, "references", c.pattern).Facts {
			s := fmt.Sprint(x.DocID, " ", x.As, " ", x.Written, " ", x.Line)
			if x.Candidate {
				s = "? " + s
			}
			got = append(got, s)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("references of %s\n got %s\nwant %s", c.pattern, strings.Join(got, "\n     "),
				strings.Join(c.want, "\n     "))
		}
	}
}

// Fields of Kotlin are in the head of a class. Those of TypeScript and PHP may be among the
// parameters of a constructor.
func TestReferencesOfPromotedFields(t *testing.T) {
	r := project(t, `
-- src/Box.kt --
class Box(val depth: Int, wide: Int) {
    var height = 1
    fun volume() = this.depth * height
}
fun measure(box: Box): Int { val height = 2; return box.depth + height }
-- web/box.ts --
export class Crate {
  constructor(private readonly weight: number) {}
  load() { return this.weight }
}
-- lib/Sack.php --
<?php
class Sack {
  function __construct(private int $load) {}
  function weigh() { return $this->load; }
}
`)
	for pattern, want := range map[string][]string{
		"Box.depth":    {"src/Box.kt::Box.volume read this.depth 3", "src/Box.kt::measure read box.depth 5"},
		"Box.height":   {"src/Box.kt::Box.volume read height 3"},
		"Crate.weight": {"web/box.ts::Crate.load read this.weight 3"},
		"Sack.load":    {"lib/Sack.php::Sack.weigh read this->load 4"},
	} {
		var got []string
		for _, x := range ask(t, r, "references", pattern).Facts {
			s := fmt.Sprint(x.DocID, " ", x.As, " ", x.Written, " ", x.Line)
			if x.Candidate {
				s = "? " + s
			}
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			t.Errorf("references of %s\n got %s\nwant %s", pattern, strings.Join(got, "\n     "),
				strings.Join(want, "\n     "))
		}
	}
}

// A struct of C also has the name of its typedef, and variables are declared with either.
func TestReferencesByTypedef(t *testing.T) {
	r := project(t, `
-- list.h --
typedef struct List_ {
   int items;
} List;
struct Tree_ { int items; };
typedef struct Tree_ Tree;
-- a.c --
#include "list.h"
int first(const List* a) { return a->items; }
int second(struct List_* b) { return b->items; }
int third(Tree* c) { return c->items; }
int fourth(List* this) { return this->items; }
struct Box { List* list; };
int fifth(struct Box* self) { return self->list->items; }
`)
	for pattern, want := range map[string][]string{
		"List.items":  {"a.c::first 2 false", "a.c::second 3 false", "a.c::fourth 5 false", "a.c::fifth 7 false"},
		"List_.items": {"a.c::first 2 false", "a.c::second 3 false", "a.c::fourth 5 false", "a.c::fifth 7 false"},
		"Tree.items":  {"a.c::third 4 false"},
	} {
		var got []string
		for _, x := range ask(t, r, "references", pattern).Facts {
			got = append(got, fmt.Sprint(x.DocID, " ", x.Line, " ", x.Candidate))
		}
		if !slices.Equal(got, want) {
			t.Errorf("references of %s: %q, want %q", pattern, got, want)
		}
	}
}

// A header and its source define one function. A system's header is not one of the project's.
func TestPrototypesAndHeaders(t *testing.T) {
	r := project(t, uses)
	for _, pattern := range []string{"grow", "src/queue.h::grow", "src/queue.c::grow"} {
		f := ask(t, r, "callers", pattern)
		if got := lines(f); !slices.Equal(got, []string{"src/other.c::twice grow src/queue.c::grow"}) ||
			!slices.Equal(f.Meant, []string{"src/queue.c::grow"}) {
			t.Errorf("callers of %s: %v, which means %v", pattern, got, f.Meant)
		}
	}
	if got := lines(ask(t, r, "imports", "src/queue.c")); !slices.Equal(got,
		[]string{"src/queue.c queue.h src/queue.h", "src/queue.c <math.h>"}) {
		t.Errorf("imports %v", got)
	}
}

// An import that is no file of the index must be found by its whole name, a header with or without
// its brackets. Another name with the same end counts only if nobody imports the whole name.
func TestImportersOfWhatIsOutside(t *testing.T) {
	r := project(t, `
-- a.c --
#include <stdio.h>
#include <sys/stat.h>
-- web/a.ts --
import { x } from 'react'
-- web/b.ts --
import { y } from '@testing/react'
import { z } from '@testing/vue'
`)
	for pattern, want := range map[string][]string{
		"stdio.h":        {"a.c <stdio.h>"},
		"<stdio.h>":      {"a.c <stdio.h>"},
		"sys/*.h":        {"a.c <sys/stat.h>"},
		"stat.h":         {"? a.c <sys/stat.h>"},
		"react":          {"web/a.ts react"},
		"@testing/react": {"web/b.ts @testing/react"},
		"vue":            {"? web/b.ts @testing/vue"},
	} {
		if got := lines(ask(t, r, "importers", pattern)); !slices.Equal(got, want) {
			t.Errorf("importers of %s: %v, want %v", pattern, got, want)
		}
	}
}

// If the parser of a language does not give an answer, the answer is unknown and not empty.
func TestNotKnown(t *testing.T) {
	r := project(t, uses)
	for _, c := range []struct {
		question, pattern string
		want              []string
	}{
		{"imports", "lib/mix.clj", []string{"Clojure"}},
		{"importers", "lib/mix.clj", []string{"Clojure"}},
		{"callees", "lib/mix.clj", []string{"Clojure"}},
		{"references", "shake", []string{"Clojure"}},
		{"callers", "shake", []string{"Clojure"}},
		{"callers", "grow", nil},
		{"imports", "src/other.c", nil},
		{"inventory", "lib/mix.clj", nil},
	} {
		f := ask(t, r, c.question, c.pattern)
		if !slices.Equal(f.Unknown, c.want) {
			t.Errorf("%s of %s: not known for %v, want %v; %d facts",
				c.question, c.pattern, f.Unknown, c.want, len(f.Facts))
		}
	}
}
