package prose

import (
	"fmt"
	"strings"
	"testing"
)

func TestOpenGoals(t *testing.T) {
	const record = `---
title: Locks
---
# Session: locks

## Goals
- [x] Read the lock
- [ ] Take the **lock** once
  - [ ] in the writer, too
- [ ] [the link](x.md)

## Previous Session Context
- [ ] Not this one

## Activity Log
- wrote tests
` + "```\n- [ ] in code\n```" + `
### Next steps:
1. Mend the reader
2. ~~done~~
- [X] Ticked
Then run all
of the tests.

<!-- a comment -->
None.
#### Later
* Take the lock once

### Notes
Nothing.
- [ ] Ask Ann
`
	var got []string
	for _, g := range OpenGoals(record) {
		got = append(got, fmt.Sprintf("%d %s", g.Line, g.Text))
	}
	want := []string{
		"21 Mend the reader", "24 Then run all of the tests.", "8 Take the lock once", "9 in the writer, too", "10 the link",
		"34 Ask Ann",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each goal is a line of the record, whatever the bytes are.
func FuzzOpenGoals(f *testing.F) {
	f.Add("# x\n## Next\n- [ ] a\n1. b\nc\n")
	f.Add("- [ ]\n- [ ] \n[ ] x")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, g := range OpenGoals(text) {
			if g.Line < 1 || g.Line > lines || g.Text == "" || len(g.Text) > maxValue || strings.Contains(g.Text, "\n") {
				t.Fatalf("%+v of %d lines", g, lines)
			}
		}
	})
}
