package train

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Where comments say "random" the code beneath says "rand", and the table says so. Words and terms
// that occur together by chance have no line, and the same examples make the same table.
func TestTranslations(t *testing.T) {
	c := &Corpus{}
	for i := range 2000 {
		e := example{
			kind: symbol, name: fmt.Sprintf("f%d", i),
			about: fmt.Sprintf("Makes the thing%d quickly. A tiger of the second sentence.", i%47),
			body:  fmt.Sprintf("common word%d value%d", i%43, i%37),
		}
		if i%10 == 0 {
			e.about = fmt.Sprintf("Makes a random thing%d. And a tiger.", i%47)
			e.body += " rand() random"
		}
		c.examples = append(c.examples, e)
	}
	table := c.Translations()
	lines := strings.Split(strings.TrimSpace(string(table)), "\n")
	found := ""
	for _, l := range lines {
		fields := strings.Fields(l)
		if len(fields)%2 != 1 || len(fields) > 1+2*mostAlternative {
			t.Errorf("line %q", l)
		}
		if fields[0] == "random" {
			found = l
		}
		if fields[0] == "tiger" || strings.Contains(l, " common ") {
			t.Errorf("chance has a line: %q", l)
		}
	}
	if !strings.HasPrefix(found, "random rand ") {
		t.Errorf("the line of random is %q, of %q", found, lines)
	}
	if !bytes.Equal(table, c.Translations()) {
		t.Error("the same examples make two tables")
	}
	if got := new(Corpus).Translations(); len(got) != 0 {
		t.Errorf("no examples make %q", got)
	}
}
