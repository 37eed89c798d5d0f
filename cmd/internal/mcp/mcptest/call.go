// Package mcptest parses the calls that answers print, so that tests can run them.
package mcptest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

var (
	callHead = regexp.MustCompile(`^(scry|context|assay|remember)\(`)
	callArg  = regexp.MustCompile(`^([a-z_]+)=("(?:[^"\\]|\\.)*"|-?\d+|true|false)`)
)

// A Call is a call of a tool.
type Call struct {
	Tool string
	Args map[string]any // strings, and numbers as json.Number
}

// Parse parses the call at the start of a text, such as scry(mode="why", doc_id="a.go"), and
// returns the text after it.
func Parse(text string) (c Call, rest string, err error) {
	head := callHead.FindStringSubmatch(text)
	if head == nil {
		return c, text, fmt.Errorf("no call: %.60q", text)
	}
	c = Call{Tool: head[1], Args: map[string]any{}}
	rest = text[len(head[0]):]
	for first := true; ; first = false {
		if after, ok := strings.CutPrefix(rest, ")"); ok {
			return c, after, nil
		}
		if !first {
			after, ok := strings.CutPrefix(rest, ", ")
			if !ok {
				return c, rest, fmt.Errorf("want a comma or a bracket: %.60q", rest)
			}
			rest = after
		}
		m := callArg.FindStringSubmatch(rest)
		if m == nil {
			return c, rest, fmt.Errorf("no argument: %.60q", rest)
		}
		d := json.NewDecoder(strings.NewReader(m[2]))
		d.UseNumber()
		var value any
		if err := d.Decode(&value); err != nil {
			return c, rest, fmt.Errorf("read %.60q: %w", m[0], err)
		}
		c.Args[m[1]] = value
		rest = rest[len(m[0]):]
	}
}

// Find returns all calls in a text, in order.
func Find(text string) (calls []Call) {
	for at := 0; at < len(text); {
		c, rest, err := Parse(text[at:])
		if err != nil || at > 0 && isWord(text[at-1]) {
			at++
			continue
		}
		calls = append(calls, c)
		at = len(text) - len(rest)
	}
	return calls
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
}
