package scrape_test

import (
	"reflect"
	"strings"
	"testing"

	"patina/code/describe"
	"patina/store/doc"
	"patina/store/text"
)

const modulesOfGo = `
-- go.mod --
module example.org/app
-- top.go --
package app

// Beginning is at the root of the module.
func Beginning() {}
-- queue/queue.go --
package queue

// Pushing adds a job.
func Pushing(job string) {}
-- queue/deep/README.md --
# No source
-- tools/go.mod --
module example.org/app/tools
-- tools/lint/lint.go --
package lint

// Linting reads a file.
func Linting() {}
-- vendor/example.org/other/other.go --
package other

// Othering is vendored.
func Othering() {}
-- main/main.go --
package main

import (
	"fmt"

	app "example.org/app"
	"example.org/app/queue"
	"example.org/app/queue/deep"
	"example.org/app/tools/lint"
	"example.org/other"
)

func main() {
	app.Beginning()
	queue.Pushing("a")
	lint.Linting()
	other.Othering()
	deep.Linting()
	fmt.Println()
}
-- script.py --
def f():
    Pushing("b")
`

// The first question to a store looks folders up. Later ones have a list of all files. Both must
// see the same callers.
func TestCallersByLookUpAndByList(t *testing.T) {
	for _, id := range []string{
		"top.go::Beginning", "queue/queue.go::Pushing", "tools/lint/lint.go::Linting",
		"vendor/example.org/other/other.go::Othering",
	} {
		r := project(t, modulesOfGo) // as in a new process
		_, symbol, _ := strings.Cut(id, "::")
		var seen [2][]doc.Link
		for i := range seen {
			ds, err := describe.Describe(t.Context(), r, []describe.Want{{
				DocID: id, Kind: doc.Code, Question: text.ParseQuestion(symbol), Usage: true,
			}})
			check(t, err)
			seen[i] = ds[0].Links
		}
		if !reflect.DeepEqual(seen[0], seen[1]) || len(seen[0]) == 0 || seen[0][0].Target != "main/main.go::main" ||
			seen[0][0].Note != "1" {
			t.Errorf("%s: %+v by look-up, %+v by list", id, seen[0], seen[1])
		}
	}
}
