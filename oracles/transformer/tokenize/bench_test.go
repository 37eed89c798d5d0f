package tokenize

import (
	"os"
	"strings"
	"testing"
)

// BenchmarkEncode encodes texts of 40 lines of a source file.
func BenchmarkEncode(b *testing.B) {
	source, err := os.ReadFile("tokenizer.go")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.SplitAfter(string(source), "\n")
	var texts []string
	for len(lines) >= 40 {
		texts, lines = append(texts, strings.Join(lines[:40], "")), lines[40:]
	}
	const byteLevel = `{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true}`
	for _, kind := range []struct{ name, file string }{
		{"WordPiece", uncasedFile(b)}, {"BPE", gpt2File(b, byteLevel, "null")}, {"Unigram", xlmFile(b)},
	} {
		tok := loadFrom(b, map[string]string{"tokenizer.json": kind.file})
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			ids, size, n := 0, 0, 0
			for b.Loop() {
				text := texts[n%len(texts)]
				ids, size, n = ids+len(tok.Encode(text, 512)), size+len(text), n+1
			}
			b.SetBytes(int64(size / n))
			b.ReportMetric(float64(ids)/float64(n), "ids/op")
		})
	}
}

// BenchmarkLoad reads the tokenizer of a model.
func BenchmarkLoad(b *testing.B) {
	const byteLevel = `{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true}`
	for name, files := range map[string]map[string]string{
		"WordPiece": {"tokenizer.json": uncasedFile(b)},
		"vocab.txt": {"vocab.txt": uncased(b)},
		"BPE":       {"tokenizer.json": gpt2File(b, byteLevel, "null")},
	} {
		dir := folderOf(b, files)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(dir); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
