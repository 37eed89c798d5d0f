package deliver

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/layout/layouttest"
)

// The tables of all projects keep one ceiling, from 120 tokens on, and no project is left out in
// silence.
func TestFactsTablesKeepOneCeiling(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		a := FactsAnswer{Facts: someFacts("callers", r.Intn(60))}
		for range 1 + r.Intn(6) {
			x := FactsElsewhere{Project: layouttest.Nasty(r), Visit: Visit{Via: layouttest.Nasty(r), Repo: layouttest.Nasty(r)}}
			if r.Intn(4) == 0 {
				x.Missed = "late " + layouttest.Nasty(r)
			} else {
				x.FactsAnswer = FactsAnswer{Facts: someFacts("callers", r.Intn(60))}
			}
			a.Elsewhere = append(a.Elsewhere, x)
		}
		for _, budget := range []int{0, 120, 300, 900, 5000} {
			var b bytes.Buffer
			if err := FactsTables(&b, a, Options{Dialect: dialect.CLI{}, Budget: budget}); err != nil {
				t.Fatal(err)
			}
			most := budget * layout.TokenBytes
			if budget == 0 {
				most = layout.PageBytes
			}
			if b.Len() > most {
				t.Fatalf("seed %d: %d bytes in %d tokens:\n%s", seed, b.Len(), budget, b.String())
			}
			if err := layouttest.Harmless(b.String()); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if heads := strings.Count("\n"+b.String(), "\n["); heads < len(a.Elsewhere) &&
				!strings.Contains(b.String(), "related projects with facts: ") {
				t.Fatalf("seed %d: %d of %d projects in\n%s", seed, heads, len(a.Elsewhere), b.String())
			}
		}
	}
}
