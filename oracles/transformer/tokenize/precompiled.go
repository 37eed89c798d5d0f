package tokenize

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsmap replaces characters, by the table that SentencePiece compiles of its rules: a double
// array, whose values are places in a list of texts that end with a zero byte.
type charsmap struct {
	units []uint32
	texts string
}

// parsePrecompiled returns the normalizer "Precompiled".
func parsePrecompiled(raw json.RawMessage) (normalizer, error) {
	var o struct {
		Type string
		Map  *string `json:"precompiled_charsmap"`
	}
	if err := decodeStrictly(raw, &o); err != nil {
		return nil, err
	}
	if o.Map == nil || *o.Map == "" {
		return nil, nil
	}
	data, err := base64.StdEncoding.DecodeString(*o.Map)
	if err != nil {
		return nil, err
	}
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, errors.New("the normalizer \"Precompiled\" is cut off")
	}
	size := int(binary.LittleEndian.Uint32(data)) / 4
	c := charsmap{units: make([]uint32, size), texts: string(data[4+4*size:])}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(data[4+4*i:])
	}
	return c.normalize, nil
}

// normalize replaces the keys of the table. As in the library that files are made for, the shortest
// match counts, and a character with the marks upon it is looked up as a whole first.
func (c charsmap) normalize(s string) string {
	var b strings.Builder
	for at := 0; at < len(s) && b.Len() <= mostText; {
		n := clusterLength(s[at:])
		if n < 6 {
			if text, ok := c.lookUp(s[at : at+n]); ok {
				b.WriteString(text)
				at += n
				continue
			}
		}
		for end := at + n; at < end; {
			_, size := utf8.DecodeRuneInString(s[at:])
			if text, ok := c.lookUp(s[at : at+size]); ok {
				b.WriteString(text)
			} else {
				b.WriteString(s[at : at+size])
			}
			at += size
		}
	}
	return b.String()
}

// lookUp returns the replacement of the shortest key that a text begins with.
func (c charsmap) lookUp(text string) (string, bool) {
	if len(c.units) == 0 {
		return "", false
	}
	node := offsetOf(c.units[0])
	for i := range len(text) {
		if text[i] == 0 {
			return "", false
		}
		node ^= uint32(text[i])
		if int(node) >= len(c.units) {
			return "", false
		}
		unit := c.units[node]
		if unit&(1<<31|0xFF) != uint32(text[i]) {
			return "", false
		}
		node ^= offsetOf(unit)
		if unit>>8&1 == 1 {
			if int(node) >= len(c.units) {
				return "", false
			}
			from := int(c.units[node] & (1<<31 - 1))
			if from > len(c.texts) {
				return "", false
			}
			found, _, ok := strings.Cut(c.texts[from:min(len(c.texts), from+mostContent+1)], "\x00")
			return strings.ToValidUTF8(found, "\uFFFD"), ok
		}
	}
	return "", false
}

func offsetOf(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// clusterLength returns the length of the character that a text begins with and of the marks upon
// it. It is the length of the first grapheme as far as that has less than six bytes, which is where
// it counts.
func clusterLength(text string) int {
	first, n := utf8.DecodeRuneInString(text)
	if strings.HasPrefix(text, "\r\n") {
		return 2
	}
	if first < ' ' || unicode.In(first, unicode.Cc, unicode.Zl, unicode.Zp) {
		return n
	}
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if r < 0x300 || r != 0x200C && r != 0x200D && !unicode.Is(unicode.M, r) {
			break
		}
		n += size
	}
	return n
}
