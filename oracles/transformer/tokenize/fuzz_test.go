package tokenize

import (
	"slices"
	"strings"
	"testing"
)

// FuzzLoad reads hostile files. What can be read must encode any text.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(smallFile), []byte(`{"do_lower_case": true, "pad_token": {"content": "u"}}`))
	f.Add([]byte(tiny), []byte(`{"model_max_length": 8}`))
	for _, files := range sampleFiles(f) {
		f.Add([]byte(files["tokenizer.json"]+files["vocab.txt"]), []byte("{}"))
	}
	for _, step := range []string{
		`{"type": "Digits", "individual_digits": true}`, `{"type": "Split", "pattern": {"Regex": "\\s+"}, "behavior": "MergedWithNext", "invert": true}`,
		`{"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}]}`,
	} {
		f.Add([]byte(strings.Replace(smallFile, `"pre_tokenizer": null`, `"pre_tokenizer": `+step, 1)), []byte("{}"))
	}
	f.Add([]byte(`{"model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["\u003cunk>", -1e300], ["a", 1e300], ["", 0]]}}`), []byte("{}"))
	f.Add([]byte(`{"model": {"type": "BPE", "ignore_merges": true, "vocab": {"a": 0, "b": 0, "ab": 0}, "merges": [["a", "b"]]}}`), []byte("{}"))
	f.Fuzz(func(t *testing.T, file, config []byte) {
		name := "vocab.txt"
		if strings.HasPrefix(string(file), "{") {
			name = "tokenizer.json"
		}
		tok, err := Load(folderOf(t, map[string]string{name: string(file), "tokenizer_config.json": string(config)}))
		if err != nil {
			return
		}
		for _, text := range []string{"", "Hello, WORLD ab\xff\x00 <mask>é 12", strings.Repeat("a", 3000), strings.Repeat("ab ", 900)} {
			ids := tok.Encode(text, 64)
			checkIDs(t, tok, ids, 64)
			if !slices.Equal(ids, tok.Encode(text, 64)) {
				t.Fatalf("%q is not always the same", text)
			}
		}
		if tok.PadID() < 0 || tok.MaxTokens() < 0 || len(tok.Hash()) != 64 {
			t.Fatalf("padding %d, %d tokens, hash %q", tok.PadID(), tok.MaxTokens(), tok.Hash())
		}
	})
}

// FuzzEncode encodes any bytes, by each kind of model.
func FuzzEncode(f *testing.F) {
	var all []*Tokenizer
	for _, files := range sampleFiles(f) {
		all = append(all, loadFrom(f, files))
	}
	for _, test := range uncasedIDs {
		f.Add(test.text, 0)
	}
	f.Add("a   <mask>\xff[SEP]\x00 'll\r\n\u0301", 5)
	f.Fuzz(func(t *testing.T, text string, most int) {
		for _, tok := range all {
			whole := tok.Encode(text, 1<<30)
			checkIDs(t, tok, whole, 0)
			ids := tok.Encode(text, most)
			checkIDs(t, tok, ids, most)
			if n := len(ids) - len(tok.after); !slices.Equal(ids[:n], whole[:n]) {
				t.Fatalf("%v is not the beginning of %v", ids, whole)
			}
			if !slices.Equal(whole, tok.Encode(strings.ToValidUTF8(text, "\ufffd"), 1<<30)) {
				t.Fatal("bytes that are no UTF-8 are not U+FFFD")
			}
		}
	})
}
