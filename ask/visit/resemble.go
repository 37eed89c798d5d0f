package visit

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// resembles reports whether two names of projects may be taken for each other by who reads them: an
// answer tells by its tags whose words it shows. Case, accents and invisible runes do not count.
// Letters that look alike are the same (a part of Unicode's confusables, UTS 39).
func resembles(a, b string) bool { return skeleton(a) == skeleton(b) }

func skeleton(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		if r == 'I' { // looks like l, and lower case would make it i
			r = 'l'
		}
		r = unicode.ToLower(r)
		if same, ok := lookalikes[r]; ok {
			r = same
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("rn", "m", "vv", "w").Replace(b.String())
}

// lookalikes are the letters and digits that look like a Latin letter, in lower case.
var lookalikes = pairs(
	"0o", "1l", "|l", "ıi", "ɑa", "ɡg", "ɩi", "ꞁl", "ǀl", "ℓl", "ꮪs", "·.", "—-", "–-", "‐-", "‑-", "−-", "ー-", "＿_",
	// Greek
	"αa", "βb", "γy", "εe", "ηn", "ιi", "κk", "μu", "νv", "οo", "ρp", "σo", "ςc", "τt", "υu", "χx", "ωw", "ϲc", "ϳj",
	// Cyrillic
	"аa", "вb", "сc", "ԁd", "еe", "ѕs", "һh", "іi", "јj", "кk", "ӏl", "мm", "нh", "оo", "рp", "ԛq", "тt", "уy", "ѵv", "ԝw", "хx", "ьb", "гr", "пn",
	// Armenian, Cherokee in lower case, Georgian
	"օo", "ոn", "սu", "հh", "զq", "ցg", "յj", "լl", "ꭺa", "ꮯc", "ꭼe", "ꮋh", "ꮍy", "ꮃw", "ꮲp", "ꮢr", "ꮤw", "ყy",
)

// pairs makes a table of texts whose first rune looks like the last.
func pairs(texts ...string) map[rune]rune {
	out := map[rune]rune{}
	for _, t := range texts {
		runes := []rune(t)
		out[runes[0]] = runes[len(runes)-1]
	}
	return out
}
