package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bertOptions are the options of the normalizer "BertNormalizer".
type bertOptions struct {
	Type         string `json:"type"`
	CleanText    bool   `json:"clean_text"`
	Chinese      bool   `json:"handle_chinese_chars"`
	StripAccents *bool  `json:"strip_accents"` // nil: as Lowercase
	Lowercase    bool   `json:"lowercase"`
}

// normalizer returns the normalizer of BERT: control characters go, every space is U+0020, Chinese
// characters are words of their own, and accents and capitals go, each if asked for.
func (o bertOptions) normalizer() normalizer {
	accents := o.stripsAccents()
	return func(s string) string {
		if isPrintableASCII(s) {
			if o.Lowercase {
				return strings.ToLower(s)
			}
			return s
		}
		if o.CleanText {
			s = strings.Map(cleanRune, s)
		}
		if o.Chinese {
			s = spaceChinese(s)
		}
		if accents {
			s = dropRunes(norm.NFD.String(s), unicode.Mn)
		}
		if o.Lowercase {
			s = lower(s)
		}
		return s
	}
}

func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cleanRune drops control characters, and makes U+0020 of each space.
func cleanRune(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ' '
	case r == 0xFFFD, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// spaceChinese puts spaces around Chinese characters.
func spaceChinese(s string) string {
	if strings.IndexFunc(s, isChinese) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isChinese(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isChinese reports whether a character is in one of the blocks that BERT takes for Chinese.
func isChinese(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2B81F, r >= 0x2B920 && r <= 0x2CEAF,
		r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}

// splitBert cuts at spaces, and makes a word of each character of punctuation.
func splitBert(words []word) []word {
	var out []word
	for _, w := range words {
		out = appendBertWords(out, w)
	}
	return out
}

func appendBertWords(out []word, w word) []word {
	start := 0
	flush := func(end int) {
		if start < end {
			out = append(out, word{w.text[start:end], w.atStart && start == 0})
		}
	}
	for i, r := range w.text {
		switch {
		case unicode.IsSpace(r):
			flush(i)
			start = i + utf8.RuneLen(r)
		case isPunctuation(r):
			flush(i)
			start = i
			flush(i + utf8.RuneLen(r))
			start = i + utf8.RuneLen(r)
		}
	}
	flush(len(w.text))
	return out
}

// isPunctuation reports whether a character counts as punctuation: also each symbol of ASCII does.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r)
}
