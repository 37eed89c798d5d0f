package parse

import (
	"fmt"
	"strings"
	"testing"
)

// Data in the syntax of configuration must have plain chunks. The deepest keys are left out first.
func TestManySettings(t *testing.T) {
	var flat, deep strings.Builder
	for i := range 2 * maxSettings {
		fmt.Fprintf(&flat, "key%d: 1\n", i)
	}
	for i := range 20 {
		fmt.Fprintf(&deep, "%q: {\n", fmt.Sprint("section", i))
		for k := range 2 * longSection {
			fmt.Fprintf(&deep, "%q: 1,\n", fmt.Sprint("key", k))
		}
		deep.WriteString("},\n")
	}
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"flat.yaml": {flat.String(), 0},
		"deep.json": {"{" + deep.String() + `"end": 1}`, 21},
		"one.json":  {`{"a": 1, "b": {"c": 2}}`, 1},
		"log.jsonl": {`{"a": 1}`, 0},
		"list.yaml": {"- a: 1\n  b: 2\n", 0},
		"open.json": {`{"a": "x` + "\n" + `"b": [1, {"c": `, 2},
		"tabs.yaml": {"a:\n\tb: 1\nc: 2\n", 2},
	} {
		f, trouble := Parse(Input{Path: name, Text: []byte(c.text)})
		checkFile(t, f)
		if len(f.Entries) != c.want || trouble != Fine {
			t.Errorf("%s: %d entries, want %d, %s", name, len(f.Entries), c.want, trouble)
		}
	}
}
