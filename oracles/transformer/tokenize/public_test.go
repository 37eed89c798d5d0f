package tokenize

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicFile returns a file that third_party/vocabularies.mk brings. Without it the test fails, but
// with -short it is skipped.
func publicFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "third_party", "build", "vocabularies", name))
	if err != nil && testing.Short() {
		t.Skip("make third_party/build/vocabularies/ready brings the file: ", err)
	}
	if err != nil {
		t.Fatal("make third_party/build/vocabularies/ready brings the file: ", err)
	}
	return data
}

// uncased returns the vocab.txt of bert-base-uncased, which the models of MiniLM, E5 and bge have.
// The package spells the start of a word with a sign instead of the rest with two.
func uncased(t testing.TB) string {
	t.Helper()
	var tokens []string
	if err := json.Unmarshal(publicFile(t, "bert.json"), &tokens); err != nil {
		t.Fatal(err)
	}
	for i, token := range tokens {
		switch rest, begins := strings.CutPrefix(token, "▁"); {
		case i == 1:
			tokens[i] = "[unused0]"
		case begins:
			tokens[i] = rest
		case i > 998:
			tokens[i] = "##" + token
		}
	}
	return strings.Join(tokens, "\n") + "\n"
}

// uncasedFile returns the tokenizer.json of such a model.
func uncasedFile(t testing.TB) string {
	t.Helper()
	ids := map[string]int{}
	for i, token := range strings.Split(strings.TrimSuffix(uncased(t), "\n"), "\n") {
		ids[token] = i
	}
	vocab, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"version": "1.0", "truncation": {"direction": "Right", "max_length": 128, "strategy": "LongestFirst", "stride": 0},
		"padding": {"strategy": {"Fixed": 128}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
		"added_tokens": [
			{"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 100, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 101, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 102, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
			{"id": 103, "content": "[MASK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
		"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
		"pre_tokenizer": {"type": "BertPreTokenizer"},
		"post_processor": {"type": "TemplateProcessing",
			"single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
			"pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
				{"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
			"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [101], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [102], "tokens": ["[SEP]"]}}},
		"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": %s}}`, vocab)
}

// The ids are those of the documentation and the course of the transformers library. The last four
// are what the tokenizers library gives (npm package @anush008/tokenizers 0.6.0).
var uncasedIDs = []struct {
	text string
	ids  []int64
}{
	{"hello world", []int64{101, 7592, 2088, 102}},
	{"Hello, my dog is cute", []int64{101, 7592, 1010, 2026, 3899, 2003, 10140, 102}},
	{
		"I've been waiting for a HuggingFace course my whole life.",
		[]int64{101, 1045, 1005, 2310, 2042, 3403, 2005, 1037, 17662, 12172, 2607, 2026, 2878, 2166, 1012, 102},
	},
	{"I hate this so much!", []int64{101, 1045, 5223, 2023, 2061, 2172, 999, 102}},
	{"Hello!", []int64{101, 7592, 999, 102}},
	{"Cool.", []int64{101, 4658, 1012, 102}},
	{"Nice!", []int64{101, 3835, 999, 102}},
	{"naïve café İstanbul ǅ ß ſ", []int64{101, 15743, 7668, 9960, 100, 1096, 100, 102}},
	{"日本語テスト 漢字ひらがな", []int64{101, 1864, 1876, 1950, 1713, 30233, 30240, 1904, 100, 1673, 30211, 30177, 30193, 102}},
	{"한국어 테스트", []int64{101, 1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 1467, 30009, 29997, 30017, 30003, 30017, 102}},
	{"e\u0301\u0302 x\r\ny\u0085z\u200bq\u00a0w\u2028k", []int64{101, 1041, 1060, 1061, 2480, 4160, 1059, 1047, 102}},
}

func TestUncasedModels(t *testing.T) {
	byFile := loadFrom(t, map[string]string{"tokenizer.json": uncasedFile(t)})
	byVocabulary := loadFrom(t, map[string]string{"vocab.txt": uncased(t)})
	for _, test := range uncasedIDs {
		for name, tok := range map[string]*Tokenizer{"tokenizer.json": byFile, "vocab.txt": byVocabulary} {
			if got := tok.Encode(test.text, 0); !slices.Equal(got, test.ids) {
				t.Errorf("%s: %q is %v, want %v", name, test.text, got, test.ids)
			}
		}
	}
	if byFile.MaxTokens() != 128 || byVocabulary.MaxTokens() != 0 {
		t.Errorf("%d and %d tokens", byFile.MaxTokens(), byVocabulary.MaxTokens())
	}
}

// gpt2File returns the tokenizer.json of GPT-2, with the pre-tokenizer and the post-processor of
// the models that have its pieces.
func gpt2File(t testing.TB, preTokenizer, postProcessor string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(publicFile(t, "gpt2.bpe"))), "\n")
	merges, err := json.Marshal(lines[1:]) // the first one is the version
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"version": "1.0", "truncation": null, "padding": null,
		"added_tokens": [{"id": 50256, "content": "<|endoftext|>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": true, "special": true}],
		"normalizer": null, "pre_tokenizer": %s, "post_processor": %s, "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true},
		"model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": false, "byte_fallback": false,
			"vocab": %s, "merges": %s}}`, preTokenizer, postProcessor, publicFile(t, "gpt2.json"), merges)
}

// The ids are those of tiktoken's tests and of the documentation of the transformers library. The
// last two are what the tokenizers library gives.
func TestByteLevelModels(t *testing.T) {
	tok := loadFrom(t, map[string]string{"tokenizer.json": gpt2File(t, `{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true}`, "null")})
	for _, test := range []struct {
		text string
		ids  []int64
	}{
		{"hello world", []int64{31373, 995}},
		{"Hello world", []int64{15496, 995}},
		{"Hello, my dog is cute", []int64{15496, 11, 616, 3290, 318, 13779}},
		{"hello <|endoftext|>", []int64{31373, 220, 50256}},
		{"0", []int64{15}},
		{"00", []int64{405}},
		{"000", []int64{830}},
		{"0000", []int64{2388}},
		{"00000", []int64{20483}},
		{"000000", []int64{10535}},
		{"0000000", []int64{24598}},
		{"00000000", []int64{8269}},
		{"000000000", []int64{10535, 830}},
		{"0000000000", []int64{8269, 405}},
		{"00000000000", []int64{8269, 830}},
		{"000000000000", []int64{8269, 2388}},
		{"0000000000000", []int64{8269, 20483}},
		{"00000000000000", []int64{8269, 10535}},
		{"000000000000000", []int64{8269, 24598}},
		{"0000000000000000", []int64{25645}},
		{"00000000000000000", []int64{8269, 10535, 830}},
		{"|---|---|---|---|", []int64{91, 6329, 91, 6329, 91, 6329, 91, 6329, 91}},
		{strings.Repeat("-", 55) + "\r", []int64{3880, 19351, 6329, 201}},
	} {
		if got := tok.Encode(test.text, 0); !slices.Equal(got, test.ids) {
			t.Errorf("%q is %v, want %v", test.text, got, test.ids)
		}
	}
	if tok.Kind() != "BPE" || tok.MaxTokens() != 0 {
		t.Errorf("kind %q, %d tokens", tok.Kind(), tok.MaxTokens())
	}
}
