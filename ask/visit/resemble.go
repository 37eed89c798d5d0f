package visit

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// resembles reports whether a reader may mistake one project name for another. Answers tag text
// with the name of its project, so names must be distinguishable. Case, accents and invisible runes
// are ignored, and letters that look alike are equal (a part of Unicode's confusables, UTS 39).
func resembles(a, b string) bool { return skeleton(a) == skeleton(b) }

func skeleton(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		if r == 'I' { // it looks like l, but its lower case is i
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

// lookalikes maps letters and digits to the Latin letter that they look like, in lower case.
var lookalikes = pairs(
	"0o", "1l", "|l", "ıi", "ɑa", "ɡg", "ɩi", "ꞁl", "ǀl", "ℓl", "ꮪs", "·.", "—-", "–-", "‐-", "‑-", "−-", "ー-", "＿_",
	// Greek
	"αa", "βb", "γy", "εe", "ηn", "ιi", "κk", "μu", "νv", "οo", "ρp", "σo", "ςc", "τt", "υu", "χx", "ωw", "ϲc", "ϳj",
	// Cyrillic
	"аa", "вb", "сc", "ԁd", "еe", "ѕs", "һh", "іi", "јj", "кk", "ӏl", "мm", "нh", "оo", "рp", "ԛq", "тt", "уy", "ѵv",
	"ԝw", "хx", "ьb", "гr", "пn",
	// Armenian, Cherokee in lower case, Georgian
	"օo", "ոn", "սu", "հh", "զq", "ցg", "յj", "լl", "ꭺa", "ꮯc", "ꭼe", "ꮋh", "ꮍy", "ꮃw", "ꮲp", "ꮢr", "ꮤw", "ყy",
)

// pairs returns a map from the first rune of each text to its last rune.
func pairs(texts ...string) map[rune]rune {
	out := map[rune]rune{}
	for _, t := range texts {
		runes := []rune(t)
		out[runes[0]] = runes[len(runes)-1]
	}
	return out
}
