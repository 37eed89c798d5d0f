package recall

import (
	"strings"
	"sync"

	"patina/store/text"
)

// Words returns the words of a text for comparison: in lower case, without stop words, each in its
// base form. Repeated words are repeated.
func Words(s string) []string {
	var out []string
	add := func(w string) {
		if text.IsStop(w) || stop.Has(w) {
			return
		}
		if base, ok := irregular()[w]; ok {
			w = base
		}
		out = append(out, text.Stem(w))
	}
	text.Runs(dropPossessives(s), func(run string) {
		low := strings.ToLower(run)
		add(low)
		text.Parts(run, func(part string) { // of "readFile" or "read_file"
			if part = strings.ToLower(part); part != low {
				add(part)
			}
		})
	})
	return out
}

// Question returns the distinct words of a question, at most 64.
func Question(s string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range Words(s) {
		if !seen[w] && len(out) < 64 {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// dropPossessives removes the possessive from words: "Ann's" becomes "Ann".
func dropPossessives(s string) string {
	if !strings.ContainsAny(s, "'’") {
		return s
	}
	return possessive.Replace(s)
}

var possessive = strings.NewReplacer("'s ", " ", "’s ", " ", "s' ", "s ", "s’ ", "s ", "'s?", " ", "’s?", " ", "'s.",
	" ", "’s.", " ", "'s,", " ", "’s,", " ")

// stop lists the stop words of conversations, beyond those of code and documents.
var stop = text.Set(`he she him his her hers them am im ive dont didnt doesnt isnt wasnt s t m re ve ll d
	oh yeah hey just really very too also get got getting one's ones any some all`)

// irregular maps irregular forms and number words to one form.
var irregular = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(irregularForms, ";") {
		forms := strings.Fields(line)
		for _, f := range forms[1:] {
			m[f] = forms[0]
		}
	}
	return m
})

// irregularForms lists base forms, each with the forms that Porter's rules do not reduce to it.
const irregularForms = `arise arose arisen;awake awoke awoken;beat beaten;become became;begin began begun;bend bent;
bet betted;bind bound;bite bit bitten;blow blew blown;break broke broken;breed bred;bring brought;build built;burn burnt;
buy bought;catch caught;choose chose chosen;come came;creep crept;deal dealt;dig dug;draw drew drawn;dream dreamt;
drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found;flee fled;
fly flew flown;forbid forbade forbidden;forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;
give gave given;go went gone goes;grind ground;grow grew grown;hang hung;hear heard;hide hid hidden;hold held;keep kept;
kneel knelt;know knew known;lay laid;lead led;lean leant;leap leapt;learn learnt;leave left;lend lent;lie lain;lose lost;
light lit;make made;mean meant;meet met;mistake mistook mistaken;overcome overcame;pay paid;prove proven;ride rode ridden;
ring rang rung;rise rose risen;run ran;say said;see saw seen;seek sought;sell sold;send sent;sew sewn;shake shook shaken;
shine shone;shoot shot;show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;slide slid;
speak spoke spoken;spell spelt;spend spent;spin spun;spring sprang sprung;stand stood;steal stole stolen;stick stuck;
sting stung;strike struck;swear swore sworn;sweep swept;swell swollen;swim swam swum;swing swung;take took taken;
teach taught;tear tore torn;tell told;think thought;throw threw thrown;undergo underwent undergone;
understand understood;undo undid undone;wake woke woken;wear wore worn;weave wove woven;weep wept;win won;wind wound;
withdraw withdrew withdrawn;write wrote written;rewrite rewrote rewritten;child children;man men;woman women;
person people;foot feet;tooth teeth;mouse mice;goose geese;life lives;wife wives;knife knives;leaf leaves;shelf shelves;
half halves;index indices indexes;criterion criteria;datum data;good better best;bad worse worst;
mom mum mother mommy;dad father daddy;
0 zero;1 one first once;2 two second twice;3 three third thrice;4 four fourth;5 five fifth;6 six sixth;7 seven seventh;8 eight eighth;
9 nine ninth;10 ten tenth;11 eleven;12 twelve;13 thirteen;14 fourteen;15 fifteen;16 sixteen;17 seventeen;18 eighteen;
19 nineteen;20 twenty;30 thirty;40 forty;50 fifty;60 sixty;70 seventy;80 eighty;90 ninety;100 hundred;1000 thousand`
