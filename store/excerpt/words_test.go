package excerpt

import (
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/store/text"
)

// plainTerms returns the result that terms must have: it stems every run.
func plainTerms(w *Words, s string) (set uint64) {
	text.Runs(s, func(run string) {
		text.Words(run, func(stem string) {
			if i, ok := w.index[stem]; ok {
				set |= 1 << i
			}
		})
	})
	return set
}

// endings are endings that a rule of the stemmer handles, and some that no rule does.
var endings = strings.Fields(`s es ies sses ed eed ing ating ated bling bled izing ized y ies ational tional enci anci izer bli
	alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical
	ful ness al ance ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e ll t yes ying ability 2s x`)

// No word may be skipped because of its beginning, with any ending and in any place.
func TestTermsAreThoseOfEveryWord(t *testing.T) {
	starts := strings.Fields(`a b d i o y ab at be by di fl go ha ho ky ly my op re sk tr ty us abl bat cry die fil fly get hop
		key lie map rel say sky spy tie toy try use abil bibl commun conflat cris docu enabl fail file filt happ mobil oper
		possibl program read relat sens siz tann troubl univers vale vill`)
	var words []string
	for _, start := range starts {
		words = append(words, start)
		for _, end := range endings {
			words = append(words, start+end)
		}
	}
	for _, word := range words {
		stem := text.Stem(word)
		if len(stem) < 3 && !strings.HasPrefix(word, stem) {
			continue // "aying" has the stem "ai", but nobody writes such a word
		}
		w := NewWords(map[string]float64{stem: 1})
		capital := strings.ToUpper(word[:1]) + word[1:]
		for _, s := range []string{
			word, " " + word + " ", "x_" + word, "http2" + word, "the" + capital,
			strings.ToUpper(word), "«" + word + "»", word + "é",
		} {
			if got, want := w.terms(s), plainTerms(w, s); got != want {
				t.Fatalf("%q of the stem %q: %b, want %b", s, stem, got, want)
			}
		}
	}
}

// In code and in noise, the terms are those of every run.
func TestTermsOfTexts(t *testing.T) {
	lines := strings.Split(noise(20_000), "\n")
	for _, folder := range []string{"fmt", "net/http", "unicode/utf8"} {
		files, _ := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", folder, "*.go"))
		for _, f := range files {
			if b, err := os.ReadFile(f); err == nil {
				lines = append(lines, strings.Split(string(b), "\n")...)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	stems := map[string]float64{}
	for len(stems) < maxTerms {
		text.Runs(lines[random.IntN(len(lines))], func(run string) {
			text.Words(run, func(stem string) {
				if random.IntN(4) == 0 {
					stems[stem] = 1
				}
			})
		})
	}
	w := NewWords(stems)
	for _, line := range lines {
		if got, want := w.terms(line), plainTerms(w, line); got != want {
			t.Fatalf("%q: %b, want %b", line, got, want)
		}
	}
}

// noise returns text of letters, capitals, digits, marks and other scripts.
func noise(n int) string {
	random := rand.New(rand.NewPCG(3, 4))
	pieces := strings.Split("a b e g i t r y ing ed get Set A T 2 7 _ . - é ü 缓 存 \u0301 \xff \x00", " ")
	pieces = append(pieces, " ", "\n")
	var b strings.Builder
	for range n {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}
