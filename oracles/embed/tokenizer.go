package embed

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

const (
	maxWord   = 24 // bytes; longer words are data
	maxDigits = 5  // in a number
	hashWord  = 8  // bytes from which a hexadecimal word is a hash
	hashRun   = 24 // bytes from which unbroken letters and digits may be base64
)

// Classes of bytes. The splitter decodes runes from 0x80 on.
const (
	other byte = iota
	lower
	upper
	digit
	wide // part of a rune outside ASCII; must be the last class
)

var classes = func() (c [256]byte) {
	for b := range c {
		switch {
		case b >= utf8.RuneSelf:
			c[b] = wide
		case 'a' <= b && b <= 'z':
			c[b] = lower
		case 'A' <= b && b <= 'Z':
			c[b] = upper
		case '0' <= b && b <= '9':
			c[b] = digit
		}
	}
	return c
}()

// Words yields the words of text in lower case. Each word is only valid until the next one, because
// it is overwritten.
//
// A word is a run of letters and digits, cut before a capital after a small letter or digit, and
// before the last capital of an acronym (HTTPServer: http, server). Digits stay with the letters
// before them (sha256). In scripts without spaces each rune is a word. Words over 24 bytes, numbers
// over 5 digits, hashes and base64 are left out.
func Words(text string) iter.Seq[[]byte] {
	return func(yield func(word []byte) bool) {
		s := splitter{text: text}
		for s.nextWord() && yield(s.word[:s.n]) {
		}
	}
}

// A splitter finds a text's words one by one and writes them into the same 24 bytes.
type splitter struct {
	text     string
	at, stop int           // the rest of the current run
	word     [maxWord]byte // zero from n on
	n        int
	mixed    bool // the run holds runes outside ASCII
}

// nextWord finds the next word. It returns false at the end of the text.
func (s *splitter) nextWord() bool {
	for {
		for s.at < s.stop {
			var ok bool
			if s.mixed {
				ok = s.cutRunes()
			} else {
				ok = s.cutWord()
			}
			if ok {
				return true
			}
		}
		if !s.nextRun() {
			return false
		}
	}
}

// nextRun finds the next run of letters and digits. It returns false at the end of the text.
func (s *splitter) nextRun() bool {
	rest := s.text[s.stop:]
	from := 0
	for from < len(rest) && classes[rest[from]] == other {
		from++
	}
	if from == len(rest) {
		return false
	}
	to, seen := from, byte(0)
	for ; to < len(rest); to++ {
		class := classes[rest[to]]
		if class == other {
			break
		}
		seen = max(seen, class)
	}
	s.at, s.mixed = s.stop+from, seen == wide
	s.stop += to
	if to-from >= hashRun && !s.mixed && isScrambled(rest[from:to]) {
		s.at = s.stop
	}
	return true
}

// cutWord takes a word off an ASCII run, and reports whether it is a word to keep.
func (s *splitter) cutWord() bool {
	run := s.text[s.at:s.stop]
	s.word = [maxWord]byte{}
	before := classes[run[0]]
	digits := before == digit
	s.word[0] = lowerASCII(run[0], before)
	n := 1
	for ; n < len(run); n++ {
		b := run[n]
		class := classes[b]
		if class == upper && before != upper {
			break
		}
		if class == lower && before == upper && n >= 2 && classes[run[n-2]] == upper {
			n--
			if n < maxWord {
				s.word[n] = 0
			}
			break
		}
		if class == digit {
			digits = true
		}
		if n < maxWord {
			s.word[n] = lowerASCII(b, class)
		}
		before = class
	}
	s.at += n
	s.n = n
	return n <= maxWord && (!digits || !isData(s.word[:n]))
}

// lowerASCII returns an ASCII byte in lower case. class must be its class.
func lowerASCII(b, class byte) byte {
	if class == upper {
		return b | 0x20
	}
	return b
}

// cutRunes is cutWord for runs with runes outside ASCII, some of which may be neither letters nor
// digits.
func (s *splitter) cutRunes() bool {
	s.word, s.n = [maxWord]byte{}, 0
	var before, beforeThat byte
	digits, fits := false, true
	lastAt, lastN := s.at, 0 // where the last rune began, in text and word
	for s.at < s.stop {
		r, size := utf8.DecodeRuneInString(s.text[s.at:s.stop])
		class := classOf(r, size)
		alone := class == wide
		if class == other || alone && s.n > 0 || class == upper && s.n > 0 && before != upper {
			if class == other {
				s.at += size
			}
			break
		}
		if class == lower && before == upper && beforeThat == upper {
			s.at = lastAt
			clear(s.word[lastN:])
			s.n = lastN
			break
		}
		digits = digits || class == digit
		lastAt, lastN = s.at, s.n
		s.at += size
		small := unicode.ToLower(r)
		if fits = fits && s.n+utf8.RuneLen(small) <= maxWord; fits {
			s.n += utf8.EncodeRune(s.word[s.n:], small)
		}
		beforeThat, before = before, class
		if alone {
			break
		}
	}
	return s.n > 0 && fits && (!digits || !isData(s.word[:s.n]))
}

// classOf returns a rune's class: wide for scripts without spaces between words. Marks are lower,
// so that they stay with their letters.
func classOf(r rune, size int) byte {
	switch {
	case r == utf8.RuneError && size <= 1:
		return other
	case r < utf8.RuneSelf:
		return classes[r]
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar):
		return wide
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r), unicode.IsMark(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// isData reports whether a word is a number of more than five digits, or a hash: hexadecimal with
// at least two digits, or with four or more changes between letters and digits.
func isData(word []byte) bool {
	digits, hex, changes := 0, 0, 0
	for i, b := range word {
		isDigit := classes[b] == digit
		if isDigit {
			digits++
		}
		if isDigit || 'a' <= b && b <= 'f' {
			hex++
		}
		if i > 0 && isDigit != (classes[word[i-1]] == digit) {
			changes++
		}
	}
	if digits == len(word) {
		return digits > maxDigits
	}
	return len(word) >= hashWord && (hex == len(word) && digits >= 2 || changes >= 4)
}

// isScrambled reports whether a run is base64 rather than a long identifier: whether words would be
// cut, or letters and digits meet, at more than a third of its places. Random base64 has half, and
// identifiers of three-letter words a third.
func isScrambled(run string) bool {
	changes := 0
	for i := 1; i < len(run); i++ {
		a, b := classes[run[i-1]], classes[run[i]]
		switch {
		case a == lower && b == upper, (a == digit) != (b == digit):
			changes++
		case b == lower && a == upper && i >= 2 && classes[run[i-2]] == upper:
			changes++
		}
	}
	return changes*3 > len(run)
}
