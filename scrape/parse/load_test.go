package parse

import (
	"reflect"
	"strings"
	"sync"
	"testing"
)

// A text must be read in the same way however busy the machine is, also one that is given up, or
// nearly.
func TestReadingDoesNotDependOnLoad(t *testing.T) {
	for name, unit := range map[string]string{
		"a.js": `"'`, "a.go": "case a: ", "a.lua": "[", "a.kt": "fun f() { if (a < b) { g(a) } }\n", "a.hs": `\ `,
		"a.cpp": "class A { ", "a.rb": "def a; <<~A\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, length := range []int{2_000, 20_000} {
				text := []byte(strings.Repeat(unit, length/len(unit)))
				first, trouble := Parse(Input{Path: name, Text: text})
				var group sync.WaitGroup
				for range 4 {
					group.Go(func() {
						again, other := Parse(Input{Path: name, Text: text})
						if other != trouble || !reflect.DeepEqual(again, first) {
							t.Errorf("%d bytes of %.10q: %q and %q, %d and %d entries",
								length, text, trouble, other, len(first.Entries), len(again.Entries))
						}
					})
				}
				group.Wait()
			}
		})
	}
}
