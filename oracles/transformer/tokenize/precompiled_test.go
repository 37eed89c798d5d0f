package tokenize

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// charsmapOf compiles replacements as SentencePiece does: the children of a node lie in a block of
// 256 units, each at the place of its byte.
func charsmapOf(replacements map[string]string) string {
	units := make([]uint32, 256)
	var texts strings.Builder
	blocks := map[string]uint32{} // by prefix, the start of its children
	label := func(at uint32, b byte) { units[at] |= uint32(b) }
	block := func(prefix string, at uint32) uint32 {
		start, ok := blocks[prefix]
		if !ok {
			start = uint32(len(units))
			units = append(units, make([]uint32, 256)...)
			blocks[prefix] = start
			units[at] |= (start ^ at) << 10
		}
		return start
	}
	for _, key := range slices.Sorted(maps.Keys(replacements)) {
		at := uint32(0)
		for i := range len(key) {
			at = block(key[:i], at) ^ uint32(key[i])
			label(at, key[i])
		}
		leaf := block(key, at)
		units[at] |= 1 << 8
		units[leaf] = 1<<31 | uint32(texts.Len())
		texts.WriteString(replacements[key] + "\x00")
	}
	data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		data = binary.LittleEndian.AppendUint32(data, u)
	}
	return base64.StdEncoding.EncodeToString(append(data, texts.String()...))
}

func precompiledOf(t testing.TB, charsmap string) (normalizer, error) {
	t.Helper()
	raw, err := json.Marshal(map[string]string{"type": "Precompiled", "precompiled_charsmap": charsmap})
	if err != nil {
		t.Fatal(err)
	}
	return parsePrecompiled(raw)
}

func TestPrecompiled(t *testing.T) {
	normalize, err := precompiledOf(t, charsmapOf(map[string]string{
		"™": "TM", "\x1e": "", "ﬁ": "fi", "e\u0301": "é", "\r": " ", "\n": " ", "ab": "X", "abc": "Y", "か\u3099": "が", "か": "K",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                      "",
		"™\x1eg":                "TMg",
		"ﬁne":                   "fine",
		"re\u0301":              "ré",
		"re\u0301\u0302":        "ré", // looked up as a whole, which begins with a key
		"e\u0301\u0302\u0302":   "e\u0301\u0302\u0302",
		"a\r\nb":                "a b", // one character
		"abc":                   "abc", // a key is looked up within one character only
		"か\u3099":               "K\u3099",
		"\x00\x1e\x00":          "\x00\x00",
		strings.Repeat("ﬁ", 10): strings.Repeat("fi", 10),
	} {
		if got := normalize(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A table that leads out of itself finds nothing.
func TestDamagedTable(t *testing.T) {
	units := func(texts string, units ...uint32) string {
		data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
		for _, u := range units {
			data = binary.LittleEndian.AppendUint32(data, u)
		}
		return base64.StdEncoding.EncodeToString(append(data, texts...))
	}
	to := uint32('a'^'b') << 10
	for name, charsmap := range map[string]string{
		"no units":             units("abc"),
		"one unit":             units("", 0),
		"an offset outside":    units("", 0xFFFFFE00),
		"a value outside":      units("x\x00", append(make([]uint32, 97), to|1<<8|'a', 1<<31|50)...),
		"a text without end":   units(strings.Repeat("x", 500), append(make([]uint32, 97), to|1<<8|'a', 1<<31)...),
		"a leaf outside":       units("", append(make([]uint32, 97), 1<<8|'a'|0x1FFFF<<10)...),
		"a node that is small": units("", append(make([]uint32, 97), 'a')...),
	} {
		normalize, err := precompiledOf(t, charsmap)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := normalize("abc"); got != "abc" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, charsmap := range []string{"!", "AAA", base64.StdEncoding.EncodeToString([]byte{255, 255, 255, 255, 0})} {
		if _, err := precompiledOf(t, charsmap); err == nil {
			t.Errorf("%q is a table", charsmap)
		}
	}
	if normalize, err := precompiledOf(t, ""); normalize != nil || err != nil {
		t.Error("an empty table does something")
	}
}
