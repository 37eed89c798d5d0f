package tokenize

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bpeFile returns a tokenizer.json with a BPE model of this vocabulary and these merges.
func bpeFile(t *testing.T, tokens string, options string, merges ...string) string {
	t.Helper()
	ids := map[string]int{}
	for i, token := range strings.Fields(tokens) {
		ids[token] = i
	}
	vocab, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(append([]string{}, merges...))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"model": {"type": "BPE", %s "vocab": %s, "merges": %s}}`, options, vocab, list)
}

// The cases are those of the tokenizers library, as far as there are such.
func TestMerges(t *testing.T) {
	const letters = "u n r e l a t d re at ed un ated rel related unrelated"
	merges := []string{"r e", "a t", "e d", "u n", "at ed", "re l", "rel ated", "un related"}
	for _, test := range []struct {
		file string
		text string
		want []int64
	}{
		{bpeFile(t, letters, "", merges...), "unrelated", []int64{15}},
		{bpeFile(t, letters, "", merges[:6]...), "unrelated", []int64{11, 13, 12}},
		{bpeFile(t, letters, ""), "unrelated", []int64{0, 1, 2, 3, 4, 5, 6, 3, 7}},
		// Without unk_token it is as if x were not there.
		{bpeFile(t, letters, "", merges...), "unxrelated", []int64{15}},
		{bpeFile(t, letters, `"ignore_merges": true,`), "related", []int64{14}},
		{bpeFile(t, letters, `"dropout": 0.0,`, merges...), "unrelated", []int64{15}},
		{bpeFile(t, "h e l o he hel hell hello", "", "h e", "he l", "hel l", "hell o"), "hello", []int64{7}},
		{bpeFile(t, "h e l o", ""), "hello", []int64{0, 1, 2, 2, 3}},
		{bpeFile(t, "<unk> a b", `"unk_token": "<unk>",`), "accb", []int64{1, 0, 0, 2}},
		{bpeFile(t, "<unk> a b", `"unk_token": "<unk>", "fuse_unk": true,`), "accb", []int64{1, 0, 2}},
		{bpeFile(t, "<unk> <0x61> <0x62>", `"unk_token": "<unk>", "byte_fallback": true,`), "abc", []int64{1, 2, 0}},
		{bpeFile(t, "<unk> <0xC3> <0xA9>", `"unk_token": "<unk>", "byte_fallback": true,`), "é", []int64{1, 2}},
		// The leftmost of equal pairs merges first: "aaa" is "aa a".
		{bpeFile(t, "a aa aaaa", "", "a a", "aa aa"), "aaaaaaa", []int64{2, 1, 0}},
	} {
		if got := loadFrom(t, map[string]string{"tokenizer.json": test.file}).Encode(test.text, 0); !slices.Equal(got, test.want) {
			t.Errorf("%q by %s is %v, want %v", test.text, test.file, got, test.want)
		}
	}
}

// Newer files have each merge as a list.
func TestMergesAsLists(t *testing.T) {
	const file = `{"model": {"type": "BPE", "vocab": {"a\u0062": 2, "a": 0, "\"": 3, "b": 1}, "merges": [["a", "b"]] }}`
	if got := loadFrom(t, map[string]string{"tokenizer.json": file}).Encode(`ab"b`, 0); !slices.Equal(got, []int64{2, 3, 1}) {
		t.Errorf("got %v", got)
	}
}

func mergeNaively(b *bytePair, ids []int32) []int32 {
	for {
		best, at := merge{}, -1
		for i := 0; i+1 < len(ids); i++ {
			if m, ok := b.merges[pair{ids[i], ids[i+1]}]; ok && (at < 0 || m.rank < best.rank) {
				best, at = m, i
			}
		}
		if at < 0 {
			return ids
		}
		ids = append(append(ids[:at:at], best.id), ids[at+2:]...)
	}
}

// The queue of merges gives what one merge after the other gives, by definition.
func TestMergesByDefinition(t *testing.T) {
	tok := loadFrom(t, map[string]string{"tokenizer.json": bpeFile(t, "a b aa ab ba bb aab abb aaab", "", "a b", "b a", "a a", "aa b", "b b", "ab b", "a aab")})
	b := tok.model.(*bytePair)
	for n := range 12 {
		for bits := range 1 << n {
			text := []byte(strings.Repeat("a", n))
			var ids []int32
			for i := range text {
				text[i] += byte(bits >> i & 1)
				ids = append(ids, b.ids[string(text[i])])
			}
			want := mergeNaively(b, ids)
			got := tok.Encode(string(text), 0)
			if !slices.EqualFunc(got, want, func(a int64, b int32) bool { return a == int64(b) }) {
				t.Fatalf("%q is %v, want %v", text, got, want)
			}
		}
	}
}
