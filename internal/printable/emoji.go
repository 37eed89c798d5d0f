package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	textSelector  = '\ufe0e' // asks for the text form of a character
	emojiSelector = '\ufe0f' // asks for its picture
	keycap        = '\u20e3'

	// maxJoined is the maximum number of pictures in one sequence. The longest sequence in use, two
	// people who kiss, has four.
	maxJoined = 8
)

// flags are the tag sequences in use: England, Scotland, Wales. No other tags are accepted, because
// tags spell ASCII and could hide a text.
var flags = []string{
	"\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
	"\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
	"\U0001F3F4\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F",
}

// emojiLen returns the length in bytes of the emoji sequence at the start of s, or 0 (Unicode
// Technical Standard 51, emoji_zwj_sequence). A joiner belongs to it only between two pictures.
func emojiLen(s string) int {
	for _, f := range flags {
		if strings.HasPrefix(s, f) {
			return len(f)
		}
	}
	if n := keycapLen(s); n > 0 {
		return n
	}
	n := pictureLen(s)
	for joined := 1; n > 0 && joined < maxJoined && strings.HasPrefix(s[n:], string(joiner)); joined++ {
		next := pictureLen(s[n+utf8.RuneLen(joiner):])
		if next == 0 {
			break
		}
		n += utf8.RuneLen(joiner) + next
	}
	return n
}

// keycapLen returns the length of a digit, # or * as a keycap at the start of s, or 0.
func keycapLen(s string) int {
	const end = string(emojiSelector) + string(keycap)
	if s != "" && strings.IndexByte("0123456789#*", s[0]) >= 0 && strings.HasPrefix(s[1:], end) {
		return 1 + len(end)
	}
	return 0
}

// pictureLen returns the length of one picture at the start of s, with its selector or skin colour,
// or 0.
func pictureLen(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if !unicode.Is(pictures, r) {
		return 0
	}
	switch next, width := utf8.DecodeRuneInString(s[n:]); {
	case next == textSelector, next == emojiSelector, next >= 0x1f3fb && next <= 0x1f3ff:
		n += width
	}
	return n
}

// pictures is the Unicode property Extended_Pictographic, which package unicode does not have. It
// is also complete for later versions, because it includes the characters reserved for them.
var pictures = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00a9, 0x00a9, 1},
		{0x00ae, 0x00ae, 1},
		{0x203c, 0x203c, 1},
		{0x2049, 0x2049, 1},
		{0x2122, 0x2122, 1},
		{0x2139, 0x2139, 1},
		{0x2194, 0x2199, 1},
		{0x21a9, 0x21aa, 1},
		{0x231a, 0x231b, 1},
		{0x2328, 0x2328, 1},
		{0x2388, 0x2388, 1},
		{0x23cf, 0x23cf, 1},
		{0x23e9, 0x23f3, 1},
		{0x23f8, 0x23fa, 1},
		{0x24c2, 0x24c2, 1},
		{0x25aa, 0x25ab, 1},
		{0x25b6, 0x25b6, 1},
		{0x25c0, 0x25c0, 1},
		{0x25fb, 0x25fe, 1},
		{0x2600, 0x2605, 1},
		{0x2607, 0x2612, 1},
		{0x2614, 0x2685, 1},
		{0x2690, 0x2705, 1},
		{0x2708, 0x2712, 1},
		{0x2714, 0x2714, 1},
		{0x2716, 0x2716, 1},
		{0x271d, 0x271d, 1},
		{0x2721, 0x2721, 1},
		{0x2728, 0x2728, 1},
		{0x2733, 0x2734, 1},
		{0x2744, 0x2744, 1},
		{0x2747, 0x2747, 1},
		{0x274c, 0x274c, 1},
		{0x274e, 0x274e, 1},
		{0x2753, 0x2755, 1},
		{0x2757, 0x2757, 1},
		{0x2763, 0x2767, 1},
		{0x2795, 0x2797, 1},
		{0x27a1, 0x27a1, 1},
		{0x27b0, 0x27b0, 1},
		{0x27bf, 0x27bf, 1},
		{0x2934, 0x2935, 1},
		{0x2b05, 0x2b07, 1},
		{0x2b1b, 0x2b1c, 1},
		{0x2b50, 0x2b50, 1},
		{0x2b55, 0x2b55, 1},
		{0x3030, 0x3030, 1},
		{0x303d, 0x303d, 1},
		{0x3297, 0x3297, 1},
		{0x3299, 0x3299, 1},
	},
	R32: []unicode.Range32{
		{0x1f000, 0x1f0ff, 1},
		{0x1f10d, 0x1f10f, 1},
		{0x1f12f, 0x1f12f, 1},
		{0x1f16c, 0x1f171, 1},
		{0x1f17e, 0x1f17f, 1},
		{0x1f18e, 0x1f18e, 1},
		{0x1f191, 0x1f19a, 1},
		{0x1f1ad, 0x1f1e5, 1},
		{0x1f201, 0x1f20f, 1},
		{0x1f21a, 0x1f21a, 1},
		{0x1f22f, 0x1f22f, 1},
		{0x1f232, 0x1f23a, 1},
		{0x1f23c, 0x1f23f, 1},
		{0x1f249, 0x1f3fa, 1},
		{0x1f400, 0x1f53d, 1},
		{0x1f546, 0x1f64f, 1},
		{0x1f680, 0x1f6ff, 1},
		{0x1f774, 0x1f77f, 1},
		{0x1f7d5, 0x1f7ff, 1},
		{0x1f80c, 0x1f80f, 1},
		{0x1f848, 0x1f84f, 1},
		{0x1f85a, 0x1f85f, 1},
		{0x1f888, 0x1f88f, 1},
		{0x1f8ae, 0x1f8ff, 1},
		{0x1f90c, 0x1f93a, 1},
		{0x1f93c, 0x1f945, 1},
		{0x1f947, 0x1faff, 1},
		{0x1fc00, 0x1fffd, 1},
	},
	LatinOffset: 2,
}
