package tokenize

import (
	"slices"
	"strings"
	"testing"
)

// normalizerOf returns the normalizer of a tokenizer.json with this part.
func normalizerOf(t *testing.T, raw string) normalizer {
	t.Helper()
	n, err := parseNormalizer([]byte(raw), 0)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return n
}

// preTokenizerOf returns the pre-tokenizer of a tokenizer.json with this part.
func preTokenizerOf(t *testing.T, raw string) preTokenizer {
	t.Helper()
	p, err := parsePreTokenizer([]byte(raw), 0)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return p
}

// Most cases are those of the tokenizers library.
func TestNormalizers(t *testing.T) {
	for _, test := range []struct{ raw, text, want string }{
		{`{"type": "NFC"}`, "e\u0301ﬁ", "éﬁ"},
		{`{"type": "NFD"}`, "é", "e\u0301"},
		{`{"type": "NFKC"}`, "\ufb01", "fi"},
		{`{"type": "NFKD"}`, "é\ufb01", "e\u0301fi"},
		{`{"type": "Nmt"}`, "a\x01\tb\u200bc\u008fd\ufeff", "a b cd "},
		{`{"type": "Lowercase"}`, "HeLLO ΣAΣ İ", "hello σaσ i\u0307"},
		{`{"type": "Strip", "strip_left": true, "strip_right": true}`, "  a b \n", "a b"},
		{`{"type": "Strip", "strip_left": false, "strip_right": true}`, "  a b \n", "  a b"},
		{`{"type": "Prepend", "prepend": "▁"}`, "Hello", "▁Hello"},
		{`{"type": "Prepend", "prepend": "▁"}`, "", ""},
		{`{"type": "Replace", "pattern": {"String": "''"}, "content": "\""}`, "This is a ''test''", `This is a "test"`},
		{`{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}`, "This     is \u3000\t a         test", "This is a test"},
		{`{"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}`, "a b  c   d", "a b▁c▁d"},
		{`{"type": "Replace", "pattern": {"String": "."}, "content": "!"}`, "a.b", "a!b"},
		{`{"type": "ByteLevel"}`, "é \n", "Ã©ĠĊ"},
		{`{"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]}`, "ậ…", "a..."},
		{`{"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]}`, "ำน\u0e49ำ3ลำ", "านา3ลา"},
		{`{"type": "StripAccents"}`, "e\u0304\u0304\u0304o", "eo"},
		{`{"type": "Sequence", "normalizers": []}`, "A", "A"},
	} {
		if got := normalizerOf(t, test.raw)(test.text); got != test.want {
			t.Errorf("%s: %q is %q, want %q", test.raw, test.text, got, test.want)
		}
	}
	if normalizerOf(t, "null") != nil {
		t.Error("null is a normalizer")
	}
}

// Most cases are those of the tokenizers library.
func TestPreTokenizers(t *testing.T) {
	const (
		friend = "Hello my friend, how is your day going?"
		doing  = "How are you doing?"
	)
	split := func(behavior string) string {
		return `{"type": "Split", "pattern": {"Regex": "\\w+|[^\\w\\s]+"}, "behavior": "` + behavior + `", "invert": true}`
	}
	dash := func(behavior string) string {
		return `{"type": "Split", "pattern": {"String": "-"}, "behavior": "` + behavior + `", "invert": false}`
	}
	for _, test := range []struct{ raw, text, want string }{
		{`{"type": "BertPreTokenizer"}`, "Hey friend!     How are you?!?", "Hey|friend|!|How|are|you|?|!|?"},
		{`{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true}`, friend, "Hello|Ġmy|Ġfriend|,|Ġhow|Ġis|Ġyour|Ġday|Ġgoing|?"},
		{`{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true}`, friend, "ĠHello|Ġmy|Ġfriend|,|Ġhow|Ġis|Ġyour|Ġday|Ġgoing|?"},
		{`{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": false}`, friend, "ĠHelloĠmyĠfriend,ĠhowĠisĠyourĠdayĠgoing?"},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "Hello there\nHello there", "Hello|Ġthere|Ċ|Hello|Ġthere"},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "Hello there      dear", "Hello|Ġthere|ĠĠĠĠĠ|Ġdear"},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "i⭢j", "i|âŃ¢|j"},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "don't I'LL 'x 12a  ", "don|'t|ĠI|'|LL|Ġ'|x|Ġ12|a|ĠĠ"},
		{`{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}`, "Hey   friend!", "▁Hey|▁|▁|▁friend!"},
		{`{"type": "Metaspace", "replacement": "▁", "add_prefix_space": true, "str_rep": "▁"}`, " Hey", "▁Hey"},
		{`{"type": "Metaspace", "replacement": "_", "add_prefix_space": false, "prepend_scheme": "never"}`, "Hey you", "Hey|_you"},
		{`{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}`, "Hey you", "▁Hey▁you"},
		{`{"type": "Whitespace"}`, "How are you-doing_x?", "How|are|you|-|doing_x|?"},
		{`{"type": "Whitespace"}`, "\n", ""},
		{`{"type": "WhitespaceSplit"}`, " Hey\u3000man! ", "Hey|man!"},
		{`{"type": "Punctuation", "behavior": "Isolated"}`, "Hey friend!     How are you?!?", "Hey friend|!|     How are you|?|!|?"},
		{`{"type": "Punctuation"}`, "a«b$", "a|«|b|$"},
		{`{"type": "Digits", "individual_digits": false}`, "Hey 123 friend!", "Hey |123| friend!"},
		{`{"type": "Digits", "individual_digits": true}`, "Hey 12 friend!", "Hey |1|2| friend!"},
		{`{"type": "CharDelimiterSplit", "delimiter": "x"}`, "axxb", "a|b"},
		{split("Removed"), doing, "How|are|you|doing|?"},
		{split("Isolated"), doing, "How| |are| |you| |doing|?"},
		{split("MergedWithPrevious"), doing, "How |are |you |doing|?"},
		{split("MergedWithNext"), doing, "How| are| you| doing|?"},
		{split("Contiguous"), doing, "How| |are| |you| |doing?"},
		{dash("Removed"), "the-final--countdown", "the|final|countdown"},
		{dash("Isolated"), "the-final--countdown", "the|-|final|-|-|countdown"},
		{dash("MergedWithPrevious"), "the-final--countdown", "the-|final-|-|countdown"},
		{dash("MergedWithNext"), "the-final--countdown", "the|-final|-|-countdown"},
		{dash("Contiguous"), "the-final--countdown", "the|-|final|--|countdown"},
		{`{"type": "Split", "pattern": {"Regex": "\\d"}, "behavior": "Removed", "invert": false}`, "a1b٢c", "a|b|c"},
		{
			`{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"}]}`,
			"a b", "▁a|b",
		},
	} {
		got := strings.Join(wordsOf(nil, preTokenizerOf(t, test.raw), test.text), "|")
		if got != test.want {
			t.Errorf("%s: %q is %q, want %q", test.raw, test.text, got, test.want)
		}
	}
}

// The expressions of newer models: digits by themselves or in threes, line ends with what is before
// them.
func TestSuccessorsOfGPT2(t *testing.T) {
	const text = "I'LL take 1234 apples;\n\n  and'x  \n\tgo 'ſ"
	for expression, want := range map[string]string{
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`:      "I|'LL| take| |1|2|3|4| apples|;\n\n| | and|'x|  \n|\tgo| '|ſ",
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: "I|'LL| take| |123|4| apples|;\n\n| | and|'x|  \n|\tgo| '|ſ",
	} {
		find, err := pattern{Regex: &expression}.matcher()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for from, to := range find(text) {
			got = append(got, text[from:to])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q", strings.Join(got, "|"))
		}
	}
}

func TestAddedTokens(t *testing.T) {
	const model = `"model": {"type": "WordPiece", "unk_token": "u", "vocab": {"u": 0, "a": 1, "b": 2}}, "pre_tokenizer": {"type": "WhitespaceSplit"}, `
	for _, test := range []struct {
		added string
		text  string
		want  []int64
	}{
		{`{"id": 7, "content": "<m>"}`, "a<m> b<m>", []int64{1, 7, 2, 7}},
		// The longest token counts, and before that the leftmost.
		{`{"id": 7, "content": "<m>"}, {"id": 8, "content": "<m>x"}`, "a<m>xb", []int64{1, 8, 2}},
		{`{"id": 7, "content": "ab"}, {"id": 8, "content": "bab"}`, "babab", []int64{8, 7}},
		{`{"id": 7, "content": "yes", "single_word": true}`, "yes ayes yesa a-yes", []int64{7, 0, 0, 0, 7}},
		// A token that is normalized is found as the normalizer spells it.
		{`{"id": 7, "content": "A", "normalized": true}`, "a A", []int64{7, 7}},
		{`{"id": 7, "content": "A", "normalized": false}`, "a A", []int64{1, 7}},
		{`{"id": 7, "content": "yes", "special": true}`, "YES yes", []int64{0, 7}},
		{`{"id": 7, "content": ""}`, "a", []int64{1}},
	} {
		tok := loadFrom(t, map[string]string{"tokenizer.json": "{" + model + `"normalizer": {"type": "Lowercase"}, "added_tokens": [` + test.added + "]}"})
		if got := tok.Encode(test.text, 0); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q is %v, want %v", test.added, test.text, got, test.want)
		}
	}
	// What a token takes of the spaces around it is seen by a model that has a token for a space.
	const spaced = `"model": {"type": "BPE", "vocab": {"a": 1, " ": 2}, "merges": []}, `
	for added, want := range map[string][]int64{
		`{"id": 7, "content": "<m>"}`:                                 {1, 2, 2, 7, 2, 2, 1},
		`{"id": 7, "content": "<m>", "lstrip": true}`:                 {1, 7, 2, 2, 1},
		`{"id": 7, "content": "<m>", "rstrip": true}`:                 {1, 2, 2, 7, 1},
		`{"id": 7, "content": "<m>", "lstrip": true, "rstrip": true}`: {1, 7, 1},
	} {
		tok := loadFrom(t, map[string]string{"tokenizer.json": "{" + spaced + `"added_tokens": [` + added + "]}"})
		if got := tok.Encode("a  <m>  a", 0); !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", added, got, want)
		}
	}
}
