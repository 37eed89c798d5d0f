package tokenize

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// loadFrom returns the tokenizer of a folder with these files.
func loadFrom(t testing.TB, files map[string]string) *Tokenizer {
	t.Helper()
	tok, err := Load(folderOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// folderOf returns a folder with these files.
func folderOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tiny is a small vocabulary of BERT's form.
const tiny = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nworld\nun\n##want\n##ed\nwant\n,\nrun\n##ning\n"

func TestVocabularyFile(t *testing.T) {
	tok := loadFrom(t, map[string]string{"vocab.txt": tiny, "tokenizer_config.json": `{"model_max_length": 512}`})
	for _, test := range []struct {
		text string
		max  int
		want []int64
	}{
		{"", 0, []int64{2, 3}},
		{"hello world", 0, []int64{2, 5, 6, 3}},
		{"Hello,  WORLD", 0, []int64{2, 5, 11, 6, 3}},
		{"unwanted running", 0, []int64{2, 7, 8, 9, 12, 13, 3}},
		{"unwanted running", 5, []int64{2, 7, 8, 9, 3}},
		{"unwanted running", 2, []int64{2, 3}},
		{"unwanted running", 1, []int64{2, 3}},
		{"unwantedX", 0, []int64{2, 1, 3}},
		{"hello[MASK]world", 0, []int64{2, 5, 4, 6, 3}},
	} {
		if got := tok.Encode(test.text, test.max); !slices.Equal(got, test.want) {
			t.Errorf("Encode(%q, %d) = %v, want %v", test.text, test.max, got, test.want)
		}
	}
	if tok.Kind() != "WordPiece" || tok.PadID() != 0 || tok.MaxTokens() != 512 {
		t.Errorf("kind %q, padding %d, %d tokens", tok.Kind(), tok.PadID(), tok.MaxTokens())
	}
}
