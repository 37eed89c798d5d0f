package syntax

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// The work of a parse is counted. The same text must have the same result and the same work,
// however busy the machine is.
func TestWorkIsCounted(t *testing.T) {
	for language := range grammars() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, text := range [][]byte{
				example(t, language), bytes.Repeat([]byte(`"'`), 1_500), []byte(strings.Repeat("case a: ", 250)),
				[]byte(strings.Repeat("()=>f(", 500)),
			} {
				first, refused := workOf(language, text)
				var group sync.WaitGroup
				for range 4 {
					group.Go(func() {
						if again, r := workOf(language, text); again != first || r != refused {
							t.Errorf("%.20q took %d units and then %d, refused %t and then %t",
								text, first, again, refused, r)
						}
					})
				}
				group.Wait()
			}
		})
	}
}

// workOf returns the work of a parse, and whether the text was refused.
func workOf(language string, text []byte) (work uint64, refused bool) {
	tree, err := parseText(grammars()[language], text)
	if err != nil {
		return 0, true
	}
	defer tree.free()
	return tree.work, false
}

// The limit must be far above the work of real texts, and below that of hostile ones.
func TestWorkIsBounded(t *testing.T) {
	for language := range grammars() {
		text := bytes.Repeat(example(t, language), 100)
		if work, refused := workOf(language, text); refused || work > uint64(workFree+workPerByte*len(text))/2 {
			t.Errorf("%s: %d units for %d bytes of its example, refused %t", language, work, len(text), refused)
		}
	}
	for language, unit := range map[string]string{"JavaScript": `"'`, "Go": "case a: ", "Haskell": `\`, "Lua": "["} {
		if work, refused := workOf(language, []byte(strings.Repeat(unit, 100_000/len(unit)))); !refused {
			t.Errorf("%s: %q took %d units and was not refused", language, unit, work)
		}
	}
}
