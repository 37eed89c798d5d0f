package graphtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// WriteModel writes a model into a folder: model.onnx, and vocab.txt with the words in its place of
// id, from 5 on, behind [PAD], [UNK], [CLS], [SEP] and [MASK].
func WriteModel(t testing.TB, dir string, c Config, words ...string) *Transformer {
	t.Helper()
	model := New(c)
	if err := model.Write(filepath.Join(dir, "model.onnx")); err != nil {
		t.Fatal(err)
	}
	WriteVocabulary(t, dir, words...)
	return model
}

// WriteVocabulary writes vocab.txt.
func WriteVocabulary(t testing.TB, dir string, words ...string) {
	t.Helper()
	all := append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, words...)
	if err := os.WriteFile(filepath.Join(dir, "vocab.txt"), []byte(strings.Join(all, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// libraryVariable names the file of libonnxruntime, as for patina.
const libraryVariable = "PATINA_ONNXRUNTIME"

// Library returns the file of libonnxruntime that tests use: that of PATINA_ONNXRUNTIME, else the
// one that "make test" brings into third_party/build/onnxruntime. Without one the test fails, but
// with -short it is skipped.
func Library(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(libraryVariable); path != "" {
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		found, _ := filepath.Glob(filepath.Join(dir, "third_party", "build", "onnxruntime", "libonnxruntime.*"))
		if len(found) > 0 {
			return found[0]
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if testing.Short() {
		t.Skip("no libonnxruntime: make third_party/build/onnxruntime/ready brings it")
	}
	t.Fatalf("no libonnxruntime: \"make third_party/build/onnxruntime/ready\" brings it, or set %s", libraryVariable)
	return ""
}
