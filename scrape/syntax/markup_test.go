package syntax

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// A page must have the outline of its scripts with blanks for all text around them. Neither reading
// it again nor changing an outline may change the result.
func TestPageIsItsScripts(t *testing.T) {
	scripts := []string{
		"import { a } from './a'\n", "const b = a(1)\n", "// Told.\nfunction f(x) {\n return g(x) }",
		"class C {\n m() { return f(2) } }\n",
		"let s = `x\n  y`\n", "var o = { start() { f(3) } }", "function open() {\n", "}\n",
	}
	markup := []string{
		"<p>f(9)</p>\n", "\n", "<!-- g(1) -->\n", "<div class=\"f(8)\" id='x'>a</div> <br/>\n",
		strings.Repeat("<b>long</b>\n", 200),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var page, masked strings.Builder
		add := func(s string, isScript bool) {
			page.WriteString(s)
			if !isScript {
				s = strings.Map(func(c rune) rune {
					if c == '\n' {
						return c
					}
					return ' '
				}, s)
			}
			masked.WriteString(s)
		}
		for range random.IntN(6) {
			add(markup[random.IntN(len(markup))]+"\n<script>", false)
			add(scripts[random.IntN(len(scripts))], true)
			add("</script>\n", false)
		}
		want, err := Read("JavaScript", []byte(masked.String()))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := Read("HTML", []byte(page.String()))
			if err != nil {
				t.Fatal(err)
			}
			if g, w := placesOf(got), placesOf(want); !reflect.DeepEqual(g, w) {
				t.Fatalf("%s\n%q, want\n%q", page.String(), g, w)
			}
			for i := range got.Symbols {
				got.Symbols[i].At, got.Symbols[i].Name = -1, ""
			}
			for i := range got.Calls {
				got.Calls[i] = Call{}
			}
		}
	}
}

// placesOf lists symbols, calls and imports of an outline.
func placesOf(o *Outline) (list []string) {
	for _, s := range o.Symbols {
		list = append(list, fmt.Sprintln("symbol", s.Name, s.Sort, s.Start, s.End, s.At, s.Title, s.Parent))
	}
	for _, c := range o.Calls {
		list = append(list, fmt.Sprintln("call", c.Name, c.At, c.Symbol))
	}
	return append(list, o.Imports...)
}

// The stored outlines must be those of the texts that were read last.
func TestOutlineCache(t *testing.T) {
	var c outlineCache
	for i := range 3 * mostOutlines {
		text := fmt.Appendf(nil, "f%d()", i)
		first, err := c.read("JavaScript", text)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := c.read("JavaScript", text); again != first {
			t.Fatalf("%s was read again", text)
		}
		if other, _ := c.read("TypeScript", text); other == first {
			t.Fatalf("%s is one text in two languages", text)
		}
		if len(c.kept) != len(c.order) || len(c.kept) > mostOutlines {
			t.Fatalf("%d outlines, %d in order", len(c.kept), len(c.order))
		}
	}
	long := []byte("f()" + strings.Repeat(" ", longestKept))
	first, _ := c.read("JavaScript", long)
	if again, _ := c.read("JavaScript", long); again == first {
		t.Error("a long text is kept")
	}
}
