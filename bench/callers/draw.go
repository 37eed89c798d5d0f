package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"patina/code/xref"
	"patina/store/doc"
)

// drawCertain draws symbols at random and prints one certain call of each, for a reader to judge,
// until it has n. It also prints up to zeros symbols, drawn on the way, for which no call is found.
func drawCertain(
	ctx context.Context, x *index, root string, symbols []xref.Definition, n, zeros int, draw *rand.Rand,
) error {
	drawn, none := 0, 0
	for _, d := range symbols {
		if drawn >= n && none >= zeros {
			break
		}
		calls, err := x.calls(ctx, d)
		if err != nil {
			return err
		}
		id := fmt.Sprintf("%s (line %d)", doc.SymbolID(d.Path, d.Entry.Name), d.Entry.Line)
		var certain []site
		for _, c := range calls {
			if c.certain {
				certain = append(certain, c)
			}
		}
		switch {
		case len(certain) > 0 && drawn < n:
			drawn++
			c := certain[draw.IntN(len(certain))]
			fmt.Printf("%d\t%s\n\tin %s:%d, one of %d certain: %s\n",
				drawn, id, doc.SymbolID(c.path, c.entry), c.line, len(certain), lineOf(root, c))
		case len(calls) == 0 && none < zeros:
			none++
			fmt.Printf("none\t%s\n", id)
		}
	}
	return nil
}

// lineOf reads the line of a call. It returns "" if the line no longer exists.
func lineOf(root string, s site) string {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.path)))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if s.line < 1 || s.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[s.line-1])
}
