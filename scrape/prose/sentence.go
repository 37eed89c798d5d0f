package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/internal/lazyregexp"
)

// A Sentence is a part of a block, on one line and without inline marks but back-ticks.
type Sentence struct {
	Text  string
	First int
	Last  int
}

// maxSentences is the most sentences of one block.
const maxSentences = 200

// Sentences returns the sentences of a block, or nil if it has no text.
func (b Block) Sentences() []Sentence {
	var found []Sentence
	line := b.First
	for rest := b.Text; rest != "" && len(found) < maxSentences; {
		end := sentenceEnd(rest)
		raw := rest[:end]
		rest = rest[end:]
		lead := raw[:len(raw)-len(strings.TrimLeft(raw, " \t\n"))]
		line += strings.Count(lead, "\n")
		bare := strings.TrimSpace(raw)
		last := line + strings.Count(bare, "\n")
		if text := Plain(bare); text != "" {
			found = append(found, Sentence{text, line, min(last, b.Last)})
		}
		line += strings.Count(raw[len(lead):], "\n")
	}
	return found
}

// sentenceEnd returns the place after the first sentence of a text. A full stop in code, after an
// abbreviation or before a small letter does not end it.
func sentenceEnd(s string) int {
	code := 0 // number of back-ticks that close the open code span
	for i := 0; i < len(s); i++ {
		if s[i] == '`' {
			run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
			switch {
			case code == 0 && strings.Contains(s[i+run:], strings.Repeat("`", run)):
				code = run
			case code == run:
				code = 0
			}
			i += run - 1
			continue
		}
		if code > 0 {
			continue
		}
		if strings.HasPrefix(s[i:], "。") {
			return i + len("。")
		}
		if s[i] != '.' && s[i] != '!' && s[i] != '?' {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte("*_\"')]", s[end]) >= 0 {
			end++
		}
		if end == len(s) {
			return end
		}
		if (s[end] == ' ' || s[end] == '\n') && !abbreviated(s[:i+1]) && starts(s[end:]) {
			return end
		}
	}
	return len(s)
}

// abbreviations end in a full stop that does not end a sentence.
var abbreviations = map[string]bool{
	"e.g.": true, "i.e.": true, "etc.": true, "vs.": true, "cf.": true, "approx.": true, "resp.": true,
	"no.": true, "fig.": true, "sec.": true, "incl.": true, "excl.": true, "eg.": true, "ie.": true,
	"dr.": true, "mr.": true, "ms.": true, "st.": true, "prof.": true, "inc.": true, "ltd.": true, "corp.": true,
	"al.": true, "ca.": true, "max.": true, "min.": true, "ver.": true, "vol.": true, "est.": true, "dept.": true,
	"bzw.": true, "usw.": true, "ggf.": true, "vgl.": true, "inkl.": true, "evtl.": true, "nr.": true, "p.ej.": true,
	"ej.": true, "pág.": true,
}

// abbreviated reports whether a text ends in an abbreviation ("e.g.", "U.S."), an initial ("J.") or
// the number of a list's item.
func abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " \n(\t")+1:]
	word = strings.TrimLeft(word, "*_\"'")
	if abbreviations[strings.ToLower(word)] {
		return true
	}
	if inner := strings.TrimSuffix(word, "."); len(inner) > 2 && strings.Contains(inner, ".") &&
		abbreviation().MatchString(inner) {
		return true
	}
	if len(word) == 2 && word[0] >= 'A' && word[0] <= 'Z' && word[0] != 'I' {
		return true
	}
	return len(word) == 2 && (word[0] >= 'A' && word[0] <= 'Z' || word[0] >= '0' && word[0] <= '9') && len(s) == 2
}

// abbreviation matches letters with dots between them: "w.r.t", "a.k.a".
var abbreviation = lazyregexp.New(`^(?:\pL\.)+\pL$`)

// starts reports whether a sentence may start after some blanks. It must not start with a small
// letter.
func starts(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \n\t*_\"'(["))
	return !unicode.IsLower(r)
}
