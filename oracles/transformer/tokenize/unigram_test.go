package tokenize

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// unigramFile returns a tokenizer.json with a Unigram model of pieces with their scores.
func unigramFile(t testing.TB, options string, pieces ...any) string {
	t.Helper()
	var vocab [][]any
	for i := 0; i < len(pieces); i += 2 {
		vocab = append(vocab, pieces[i:i+2])
	}
	list, err := json.Marshal(vocab)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"model": {"type": "Unigram", "unk_id": 0, %s "vocab": %s}}`, options, list)
}

// The cases are those of SentencePiece, as the tokenizers library has them.
func TestUnigram(t *testing.T) {
	simple := unigramFile(t, "", "<unk>", 0, "a", 0, "b", 0, "c", 0, "d", 0, "cd", 1, "ab", 2, "abc", 5, "abcd", 10)
	scored := unigramFile(t, "", "<unk>", 0, "ab", 0, "cd", -0.1, "abc", -0.2, "a", -0.3, "b", -0.4, "c", -0.5, "ABC", -0.5,
		"abcdabcd", 20, "q", 20.5, "r", 20.5, "qr", -0.5)
	bytes := unigramFile(t, `"byte_fallback": true,`, "<unk>", 0, "<0xC3>", -0.01, "<0xA9>", -0.03)
	for _, test := range []struct{ file, text, pieces string }{
		{simple, "abcd", "abcd"},
		{simple, "abcdacdxx", "abcd a cd <unk>"},
		{scored, "abc", "abc"},
		{scored, "AB", "<unk>"}, // both characters
		{scored, "abcd", "ab cd"},
		{scored, "abcc", "abc c"},
		{scored, "xabcabaabcdd", "<unk> abc ab a ab cd <unk>"},
		{scored, "xyz東京", "<unk>"},
		{scored, "ABC", "ABC"},
		{scored, "abABCcd", "ab ABC cd"},
		{scored, "ababcdabcdcd", "ab abcdabcd cd"},
		{scored, "abqrcd", "ab q r cd"},
		{bytes, "é", "<0xC3> <0xA9>"},
		{bytes, "?é", "<unk>"}, // one unknown stretch, of which a byte has no token
		{bytes, "éé", "<0xC3> <0xA9> <0xC3> <0xA9>"},
	} {
		tok := loadFrom(t, map[string]string{"tokenizer.json": test.file})
		var o struct{ Model struct{ Vocab [][]any } }
		if err := json.Unmarshal([]byte(test.file), &o); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, id := range tok.Encode(test.text, 0) {
			got = append(got, o.Model.Vocab[id][0].(string))
		}
		if strings.Join(got, " ") != test.pieces || tok.Kind() != "Unigram" {
			t.Errorf("%q is %q, want %q", test.text, got, test.pieces)
		}
	}
}

// xlmFile returns a tokenizer.json of the form that XLM-R and multilingual-e5 have.
func xlmFile(t testing.TB) string {
	charsmap := charsmapOf(map[string]string{"\t": " ", "\n": " ", "ﬁ": "fi", "ａ": "a", "e\u0301": "é", "\u3000": " ", "\u200b": " "})
	return fmt.Sprintf(`{"version": "1.0", "truncation": null, "padding": null,
		"added_tokens": [
			{"id": 0, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 1, "content": "<pad>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 2, "content": "</s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 3, "content": "<unk>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 11, "content": "<mask>", "single_word": false, "lstrip": true, "rstrip": false, "normalized": false, "special": true}],
		"normalizer": {"type": "Sequence", "normalizers": [{"type": "Precompiled", "precompiled_charsmap": %q},
			{"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
		"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true}]},
		"post_processor": {"type": "TemplateProcessing",
			"single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
			"pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
			"special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}, "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
		"decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true},
		"model": {"type": "Unigram", "unk_id": 3, "vocab": [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0],
			["▁", -2.0], ["▁a", -3.0], ["fi", -4.0], ["▁fi", -4.5], ["é", -5.0], ["b", -6.0], ["a", -3.5], ["<mask>", 0.0]]}}`, charsmap)
}

func TestMultilingualModels(t *testing.T) {
	tok := loadFrom(t, map[string]string{"tokenizer.json": xlmFile(t), "tokenizer_config.json": `{"model_max_length": 512, "pad_token": "<pad>"}`})
	for text, want := range map[string][]int64{
		"":                        {0, 2},
		"a":                       {0, 5, 2},
		"ａ  \t\u3000ﬁ":            {0, 5, 7, 2},
		"ae\u0301":                {0, 5, 8, 2},
		"b a\nb":                  {0, 4, 9, 5, 4, 9, 2},
		"a   <mask> a":            {0, 5, 11, 5, 2},
		"Q":                       {0, 4, 3, 2},
		"a</s>a":                  {0, 5, 2, 5, 2},
		"a\u200b\u200ba\u3000":    {0, 5, 5, 2},
		strings.Repeat("a ", 600): nil,
	} {
		got := tok.Encode(text, 0)
		if want == nil && (len(got) != 512 || got[510] != 5 || got[511] != 2) || want != nil && !slices.Equal(got, want) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	if tok.PadID() != 1 || tok.MaxTokens() != 512 {
		t.Errorf("padding %d, %d tokens", tok.PadID(), tok.MaxTokens())
	}
}
