package scrape

import (
	"os"
	"testing"
)

func fuzzExtract(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		if text, err := os.ReadFile("testdata/golden/" + s); err == nil {
			f.Add(text)
		}
	}
	f.Add([]byte(""))
	f.Add([]byte("\n\n"))
	f.Add([]byte("\xff\xfea\x00\n\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, ok := decode(raw)
		if !ok {
			return
		}
		file, trouble := extract(found{path: name}, content{text: text}, 0)
		if trouble == parserPanic {
			t.Errorf("the reader of %s panicked", name)
		}
		checkFile(t, file)
	})
}

func FuzzGo(f *testing.F) {
	fuzzExtract(f, "x.go", "service.go.txt", "broken.go.txt", "generated.go.txt")
}
func FuzzMarkdown(f *testing.F) { fuzzExtract(f, "x.md", "guide.md", "plain.md") }
func FuzzOutline(f *testing.F)  { fuzzExtract(f, "x.js", "cache.js", "cache.ts", "cache.py") }
func FuzzText(f *testing.F)     { fuzzExtract(f, "x.lua", "tool.txt", "generated.go.txt") }
