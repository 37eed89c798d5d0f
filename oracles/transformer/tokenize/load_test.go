package tokenize

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// smallFile is a tokenizer.json with parts that a test may replace.
const smallFile = `{"added_tokens": [], "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
	"model": {"type": "WordPiece", "unk_token": "u", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": {"u": 0, "a": 1}}}`

// What a file asks for and this package does not know is an error that names it.
func TestUnknownParts(t *testing.T) {
	part := func(name, value string) string {
		return strings.Replace(smallFile, `"`+name+`": null`, `"`+name+`": `+value, 1)
	}
	model := func(value string) string {
		return smallFile[:strings.Index(smallFile, `"model"`)] + `"model": ` + value + "}"
	}
	for _, test := range []struct{ file, named string }{
		{part("normalizer", `{"type": "Uppercase"}`), `the normalizer "Uppercase"`},
		{part("normalizer", `{"type": "BertNormalizer", "strip_umlauts": true}`), "strip_umlauts"},
		{part("normalizer", `{"type": "NFC", "form": "x"}`), "form"},
		{part("normalizer", `{"lowercase": true}`), "normalizer has no type"},
		{part("normalizer", `{"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": [{"type": "Uppercase"}]}]}`), `"Uppercase"`},
		{part("normalizer", `{"type": "Replace", "pattern": {"Regex": "(a+)+b"}, "content": ""}`), `"(a+)+b"`},
		{part("normalizer", `{"type": "Replace", "pattern": {"Regex": "^a"}, "content": ""}`), `"^a"`},
		{part("normalizer", `{"type": "Replace", "pattern": {"Regex": "a(?=b)"}, "content": ""}`), `"a(?=b)"`},
		{part("normalizer", `{"type": "Replace", "pattern": {"Regex": "[^\\S]"}, "content": ""}`), `\\S`},
		{part("normalizer", `{"type": "Replace", "pattern": {"Regex": "a*"}, "content": ""}`), `"a*"`},
		{part("normalizer", `{"type": "Replace", "pattern": {"String": ""}, "content": ""}`), "pattern"},
		{part("normalizer", `{"type": "Replace", "pattern": {"String": "a"}, "content": "`+strings.Repeat("a", 65)+`"}`), "64 bytes"},
		{part("pre_tokenizer", `{"type": "UnicodeScripts"}`), `the pre-tokenizer "UnicodeScripts"`},
		{part("pre_tokenizer", `{"type": "Split", "pattern": {"String": "a"}, "behavior": "Dropped", "invert": false}`), `"Dropped"`},
		{part("pre_tokenizer", `{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "last"}`), `"last"`},
		{part("pre_tokenizer", `{"type": "Metaspace", "replacement": ""}`), "one character"},
		{part("post_processor", `{"type": "XLNetProcessing"}`), `the post-processor "XLNetProcessing"`},
		{part("post_processor", `{"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}], "pair": [], "special_tokens": {}}`), `"[CLS]"`},
		{part("post_processor", `{"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 1}}], "pair": [], "special_tokens": {}}`), "type"},
		{part("post_processor", `{"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}`), "once"},
		{part("post_processor", `{"type": "BertProcessing", "sep": ["[SEP]"], "cls": ["[CLS]", 1]}`), "special token"},
		{model(`{"type": "WordLevel", "vocab": {"a": 1}}`), `the model "WordLevel"`},
		{model(`{"type": "WordPiece", "unk_token": "x", "vocab": {"a": 1}}`), `"x"`},
		{model(`{"type": "WordPiece", "unk_token": "a", "vocab": {"a": 1}, "extra": 1}`), "extra"},
		{model(`{"type": "WordPiece", "unk_token": "a", "vocab": {}}`), `empty`},
		{model(`{"type": "WordPiece", "unk_token": "a", "vocab": {"a": -1}}`), `-1`},
		{model(`{"type": "WordPiece", "unk_token": "a", "vocab": {"a": 4294967296}}`), `4294967296`},
		{model(`{"type": "WordPiece", "unk_token": "a", "vocab": {"a": 1.5}}`), `1.5`},
		{model(`{"type": "WordPiece", "unk_token": "a", "vocab": {"a": 1, "` + strings.Repeat("b", 300) + `": 2}}`), `300 bytes`},
		{model(`{"type": "BPE", "vocab": {"a": 1}, "merges": ["a b"]}`), `"a" "b"`},
		{model(`{"type": "BPE", "vocab": {"a": 1}, "merges": ["a"]}`), `form`},
		{model(`{"type": "BPE", "vocab": {"a": 1}, "merges": [], "dropout": 0.1}`), `dropout`},
		{model(`{"type": "BPE", "vocab": {"a": 1}, "merges": [], "end_of_word_suffix": "</w>"}`), `suffixes`},
		{model(`{"type": "BPE", "vocab": {"a": 1}, "merges": [], "unk_token": "b"}`), `"b"`},
		{model(`{"type": "Unigram", "vocab": [["a", 0.0]]}`), `unk_id`},
		{model(`{"type": "Unigram", "unk_id": 1, "vocab": [["a", 0.0]]}`), `unk_id`},
		{model(`{"type": "Unigram", "unk_id": 0, "vocab": [["a", 1e400]]}`), `1e400`},
		{model(`{"type": "Unigram", "unk_id": 0, "vocab": [["a"]]}`), `form`},
		{model("null"), `the model ""`},
		{`{"added_tokens": [{"id": -1, "content": "x"}], ` + smallFile[len(`{"added_tokens": [], `):], `"x"`},
		{`{"truncation": {"direction": "Left", "max_length": 8}, ` + smallFile[1:], `"Left"`},
		{"{", "unexpected end"},
	} {
		_, err := Load(folderOf(t, map[string]string{"tokenizer.json": test.file}))
		if err == nil || !strings.Contains(err.Error(), test.named) || !strings.Contains(err.Error(), "tokenizer.json") {
			t.Errorf("%.120s: %v, which should name %s", test.file, err, test.named)
		}
	}
	if _, err := Load(folderOf(t, map[string]string{"tokenizer.json": smallFile})); err != nil {
		t.Error(err)
	}
}

func TestFolders(t *testing.T) {
	if _, err := Load(t.TempDir()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "vocab.txt") {
		t.Errorf("an empty folder: %v", err)
	}
	for _, test := range []struct{ config, named string }{
		{`{"tokenizer_class": "T5Tokenizer"}`, `"T5Tokenizer"`},
		{`{"do_basic_tokenize": false}`, "do_basic_tokenize"},
		{`{"never_split": ["x"]}`, "never_split"},
		{`{"cls_token": "<s>"}`, `"<s>"`},
		{`{`, "tokenizer_config.json"},
	} {
		_, err := Load(folderOf(t, map[string]string{"vocab.txt": tiny, "tokenizer_config.json": test.config}))
		if err == nil || !strings.Contains(err.Error(), test.named) {
			t.Errorf("%s: %v", test.config, err)
		}
	}
	dir := folderOf(t, map[string]string{"blob": tiny})
	if err := os.Symlink(filepath.Join(dir, "blob"), filepath.Join(dir, "vocab.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err != nil {
		t.Errorf("a link: %v", err)
	}
	large := filepath.Join(t.TempDir(), "tokenizer.json")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, largestFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(filepath.Dir(large)); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a large file: %v", err)
	}
}

// The class of a MPNet model has other special tokens, which the configuration names.
func TestConfiguration(t *testing.T) {
	const vocab = "<s>\n<pad>\n</s>\n[UNK]\nA\na\n<mask>\n"
	tok := loadFrom(t, map[string]string{"vocab.txt": vocab, "tokenizer_config.json": `{"tokenizer_class": "MPNetTokenizer", "do_lower_case": true,
		"cls_token": {"content": "<s>", "lstrip": false}, "sep_token": "</s>", "pad_token": "<pad>", "mask_token": "<mask>", "model_max_length": 1000000000000000019884624838656}`})
	if got := tok.Encode("A<mask>", 0); !slices.Equal(got, []int64{0, 5, 6, 2}) || tok.PadID() != 1 || tok.MaxTokens() != 0 {
		t.Errorf("%v, padding %d, %d tokens", got, tok.PadID(), tok.MaxTokens())
	}
	cased := loadFrom(t, map[string]string{"vocab.txt": "[UNK]\n[CLS]\n[SEP]\nA\na\n", "tokenizer_config.json": `{"do_lower_case": false}`})
	if got := cased.Encode("A a", 0); !slices.Equal(got, []int64{1, 3, 4, 2}) {
		t.Errorf("cased: %v", got)
	}
	// The configuration counts more than the normalizer of a tokenizer.json, as in the library.
	file := strings.Replace(smallFile, `"normalizer": null`, `"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": false}`, 1)
	for config, want := range map[string]int64{`{}`: 0, `{"do_lower_case": true}`: 1} {
		if got := loadFrom(t, map[string]string{"tokenizer.json": file, "tokenizer_config.json": config}).Encode("Á", 0); !slices.Equal(got, []int64{want}) {
			t.Errorf("%s: %v", config, got)
		}
	}
}

// The hash changes with everything that decides ids, and with nothing else.
func TestHash(t *testing.T) {
	hash := func(files map[string]string) string { return loadFrom(t, files).Hash() }
	first := hash(map[string]string{"tokenizer.json": smallFile})
	if len(first) != 64 || first != hash(map[string]string{"tokenizer.json": smallFile}) {
		t.Errorf("the hash of one file: %s", first)
	}
	for _, same := range []string{
		`{"truncation": {"direction": "Right", "max_length": 8}, "padding": {"pad_id": 3}, "version": "2.0", ` + smallFile[1:],
		strings.Replace(smallFile, `"decoder": null`, `"decoder": {"type": "WordPiece"}`, 1),
	} {
		if hash(map[string]string{"tokenizer.json": same}) != first {
			t.Errorf("another hash: %.100s", same)
		}
	}
	seen := map[string]string{first: smallFile}
	for _, other := range []map[string]string{
		{"tokenizer.json": strings.Replace(smallFile, `"a": 1`, `"b": 1`, 1)},
		{"tokenizer.json": strings.Replace(smallFile, `"normalizer": null`, `"normalizer": {"type": "NFC"}`, 1)},
		{"tokenizer.json": strings.Replace(smallFile, `"pre_tokenizer": null`, `"pre_tokenizer": {"type": "WhitespaceSplit"}`, 1)},
		{"tokenizer.json": strings.Replace(smallFile, `"post_processor": null`, `"post_processor": {"type": "BertProcessing", "sep": ["u", 0], "cls": ["u", 0]}`, 1)},
		{"tokenizer.json": strings.Replace(smallFile, `"added_tokens": []`, `"added_tokens": [{"id": 3, "content": "x"}]`, 1)},
		{"vocab.txt": tiny},
		{"vocab.txt": tiny + "x\n"},
		{"vocab.txt": tiny, "tokenizer_config.json": `{"do_lower_case": false}`},
		{"vocab.txt": tiny, "tokenizer_config.json": `{"strip_accents": false}`},
		{"vocab.txt": tiny, "tokenizer_config.json": `{"tokenize_chinese_chars": false}`},
		{"vocab.txt": tiny, "tokenizer_config.json": `{"sep_token": "[PAD]"}`},
	} {
		h := hash(other)
		if was, ok := seen[h]; ok {
			t.Errorf("one hash for %.200s and %.200v", was, other)
		}
		seen[h] = other["tokenizer.json"] + other["tokenizer_config.json"]
	}
	if hash(map[string]string{"vocab.txt": tiny, "tokenizer_config.json": `{"model_max_length": 7, "strip_accents": true}`}) != hash(map[string]string{"vocab.txt": tiny}) {
		t.Error("what BERT does anyway changes the hash")
	}
}
