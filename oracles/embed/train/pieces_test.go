package train

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"patina/oracles/embed"
)

// slowPieces is byte pair encoding by its definition: count all pairs, join the best, begin again.
func slowPieces(counts map[string]int, size int) []string {
	pieces := alphabet()
	words := map[string][]string{}
	for w, n := range counts {
		if n < rareWord {
			continue
		}
		for i, r := range w {
			p := string(r)
			if i > 0 {
				p = embed.Continued + p
			}
			words[w] = append(words[w], p)
		}
	}
	for len(pieces) < size {
		pairs := map[[2]string]int{}
		for w, ps := range words {
			for i := range len(ps) - 1 {
				pairs[[2]string{ps[i], ps[i+1]}] += counts[w]
			}
		}
		var best [2]string
		for p, n := range pairs {
			if n > pairs[best] || n == pairs[best] && joined(p) < joined(best) {
				best = p
			}
		}
		if pairs[best] < 2 {
			return pieces
		}
		if !slices.Contains(pieces, joined(best)) {
			pieces = append(pieces, joined(best))
		}
		for w, ps := range words {
			var out []string
			for i := 0; i < len(ps); i++ {
				if i+1 < len(ps) && ps[i] == best[0] && ps[i+1] == best[1] {
					out = append(out, joined(best))
					i++
				} else {
					out = append(out, ps[i])
				}
			}
			words[w] = out
		}
	}
	return pieces
}

func joined(p [2]string) string { return p[0] + strings.TrimPrefix(p[1], embed.Continued) }

func alphabet() []string {
	pieces := []string{embed.Unknown}
	for _, c := range "0123456789abcdefghijklmnopqrstuvwxyz" {
		pieces = append(pieces, string(c), embed.Continued+string(c))
	}
	return pieces
}

func TestVocabulary(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	for round := range 20 {
		counts := map[string]int{}
		for range 60 {
			n := 1 + random.IntN(8)
			var w strings.Builder
			for range n {
				w.WriteByte("abcde"[random.IntN(5)])
			}
			// Prime counts make equal sums rare, because ties between pairs with one text go by
			// their first piece.
			counts[w.String()] += []int{3, 101, 211, 307, 401, 503, 601, 701}[random.IntN(8)] + 1009*random.IntN(50)
		}
		size := 73 + random.IntN(60)
		v, err := vocabulary(counts, size)
		if err != nil {
			t.Fatal(err)
		}
		want := slowPieces(counts, size)
		for i, p := range want {
			if i >= v.Len() || v.Piece(uint16(i)) != p {
				t.Fatalf("round %d: piece %d of %d is not %q", round, i, v.Len(), p)
			}
		}
		if v.Len() != len(want) {
			t.Errorf("round %d: %d pieces, want %d", round, v.Len(), len(want))
		}
	}
}

func TestRareWordsAndLetters(t *testing.T) {
	v, err := vocabulary(map[string]int{"ab": 5, "cd": 4, "é": 299, "ñ": 300, "\xff": 900}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for id := len(alphabet()); id < v.Len(); id++ {
		got = append(got, v.Piece(uint16(id)))
	}
	if fmt.Sprint(got) != "[ñ ab]" {
		t.Errorf("pieces beyond letters: %q", got)
	}
}
