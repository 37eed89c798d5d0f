package tokenize

import (
	"slices"
	"strings"
	"testing"
)

// wordsOf returns the words that a normalizer and a preTokenizer make of a text.
func wordsOf(n normalizer, p preTokenizer, text string) []string {
	if n != nil {
		text = n(text)
	}
	var texts []string
	for _, w := range p([]word{{text, true}}) {
		texts = append(texts, w.text)
	}
	return texts
}

// The cases are those of BERT's own tokenization_test.py.
func TestBERT(t *testing.T) {
	const tokens = "[UNK] [CLS] [SEP] want ##want ##ed wa un runn ##ing ,"
	tok := loadFrom(t, map[string]string{"vocab.txt": strings.ReplaceAll(tokens, " ", "\n")})
	for text, want := range map[string][]int64{
		"UNwant\u00E9d,running": {1, 7, 4, 5, 10, 8, 9, 2},
		"":                      {1, 2},
		"unwanted running":      {1, 7, 4, 5, 8, 9, 2},
		"unwantedX running":     {1, 0, 8, 9, 2},
	} {
		if got := tok.Encode(text, 0); !slices.Equal(got, want) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	lower := bertOptions{CleanText: true, Chinese: true, Lowercase: true}.normalizer()
	cased := bertOptions{CleanText: true, Chinese: true}.normalizer()
	for _, test := range []struct {
		normalize normalizer
		text      string
		words     string
	}{
		{lower, "ah\u535A\u63A8zz", "ah \u535A \u63A8 zz"},
		{lower, " \tHeLLo!how  \n Are yoU?  ", "hello ! how are you ?"},
		{lower, "H\u00E9llo", "hello"},
		{cased, " \tHeLLo!how  \n Are yoU?  ", "HeLLo ! how Are yoU ?"},
		{cased, "H\u00E9llo", "H\u00E9llo"},
		{lower, "a\x05b\x00c\ufffdd\u200be", "abcde"}, // control characters
		{lower, "a\u00a0b\u2028c\rd", "a b c d"},
		{lower, "a-b$c`d.e", "a - b $ c ` d . e"},
		{lower, "\U0001F4A9", "\U0001F4A9"},
		{lower, "\u0378x", "\u0378x"}, // a code point without a character stays
	} {
		if got := strings.Join(wordsOf(test.normalize, splitBert, test.text), " "); got != test.words {
			t.Errorf("%q is %q, want %q", test.text, got, test.words)
		}
	}
}

func TestAccentsAreAnOptionOfTheirOwn(t *testing.T) {
	yes, no := true, false
	for _, test := range []struct {
		options bertOptions
		want    string
	}{
		{bertOptions{Lowercase: true}, "hello i"},
		{bertOptions{Lowercase: true, StripAccents: &no}, "héllo i\u0307"},
		{bertOptions{StripAccents: &yes}, "Hello I"},
		{bertOptions{}, "Héllo İ"},
	} {
		if got := test.options.normalizer()("Héllo İ"); got != test.want {
			t.Errorf("%+v gives %q, want %q", test.options, got, test.want)
		}
	}
}

// A word of more than 100 characters is one unknown token, however it is cut.
func TestLongWords(t *testing.T) {
	tok := loadFrom(t, map[string]string{"vocab.txt": "[UNK]\n[CLS]\n[SEP]\né\n##é\n", "tokenizer_config.json": `{"strip_accents": false}`})
	if got := tok.Encode(strings.Repeat("é", 100), 0); len(got) != 102 || got[1] != 3 || got[100] != 4 {
		t.Errorf("100 characters are %v", got)
	}
	if got := tok.Encode(strings.Repeat("é", 101), 0); !slices.Equal(got, []int64{1, 0, 2}) {
		t.Errorf("101 characters are %v", got)
	}
}
