package tokenize

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
)

// The places of an expression are those that Go's package finds, which has the same meaning for
// expressions without places and classes.
func TestExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, expression := range []string{"a", "ab", "a+", "[ab]+", "a{2}", "a{2,}", "[ab]{2,3}", "[^a]+", "[^a]{2,}", "aa|b", "a[bc]", "(?i:b)", "é+", "[é ]+", "b??a", "a+?", "a{2,3}?"} {
		find, err := pattern{Regex: &expression}.matcher()
		if err != nil {
			if expression == "b??a" || expression == "a+?" || expression == "a{2,3}?" {
				continue // not known
			}
			t.Fatal(err)
		}
		re := regexp.MustCompile(expression)
		for range 300 {
			text := make([]rune, random.IntN(12))
			for i := range text {
				text[i] = []rune("aabbcBé ")[random.IntN(8)]
			}
			got, want := [][]int{}, re.FindAllStringIndex(string(text), -1)
			for from, to := range find(string(text)) {
				got = append(got, []int{from, to})
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q in %q: %v, want %v", expression, string(text), got, want)
			}
		}
	}
}

// Whoever looks for places may stop at the first.
func TestFirstPlace(t *testing.T) {
	for _, expression := range []string{"ab", "a|b", " {2,}", `\s+`, `\w+|[^\w\s]+`} {
		find, err := pattern{Regex: &expression}.matcher()
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for from, to := range find("ab  ab  ab") {
			got = append(got, from, to)
			break
		}
		if len(got) != 2 || slices.Max(got) > 4 {
			t.Errorf("%q: %v", expression, got)
		}
	}
}
