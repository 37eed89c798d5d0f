package parse

import (
	"os"
	"testing"

	"patina/scrape/content"
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
		text, ok := content.Decode(raw)
		if !ok {
			return
		}
		file, trouble := Parse(Input{Path: name, Text: text})
		if trouble == ParserPanic {
			t.Errorf("the reader of %s panicked", name)
		}
		checkFile(t, file)
	})
}

func FuzzGo(f *testing.F) {
	fuzzExtract(f, "x.go", "service.go.txt", "broken.go.txt", "generated.go.txt", "cache.go.txt")
}

// The languages that tree-sitter reads have one target each, because a mix of them would fuzz only
// the first.
func FuzzBash(f *testing.F)       { fuzzExtract(f, "x.sh", "cache.sh") }
func FuzzC(f *testing.F)          { fuzzExtract(f, "x.c", "cache.c") }
func FuzzCPP(f *testing.F)        { fuzzExtract(f, "x.cpp", "cache.cpp") }
func FuzzCSharp(f *testing.F)     { fuzzExtract(f, "x.cs", "Cache.cs") }
func FuzzElixir(f *testing.F)     { fuzzExtract(f, "x.ex", "cache.ex") }
func FuzzHaskell(f *testing.F)    { fuzzExtract(f, "x.hs", "Cache.hs") }
func FuzzJava(f *testing.F)       { fuzzExtract(f, "x.java", "Cache.java") }
func FuzzJavaScript(f *testing.F) { fuzzExtract(f, "x.js", "cache.js") }
func FuzzKotlin(f *testing.F)     { fuzzExtract(f, "x.kt", "Cache.kt") }
func FuzzLua(f *testing.F)        { fuzzExtract(f, "x.lua", "cache.lua") }
func FuzzPHP(f *testing.F)        { fuzzExtract(f, "x.php", "Cache.php") }
func FuzzPython(f *testing.F)     { fuzzExtract(f, "x.py", "cache.py") }
func FuzzRuby(f *testing.F)       { fuzzExtract(f, "x.rb", "cache.rb") }
func FuzzRust(f *testing.F)       { fuzzExtract(f, "x.rs", "cache.rs") }
func FuzzScala(f *testing.F)      { fuzzExtract(f, "x.scala", "Cache.scala", "Mode.sc") }
func FuzzSwift(f *testing.F)      { fuzzExtract(f, "x.swift", "Cache.swift") }
func FuzzTSX(f *testing.F)        { fuzzExtract(f, "x.tsx", "view.tsx") }
func FuzzTypeScript(f *testing.F) { fuzzExtract(f, "x.ts", "cache.ts") }

func FuzzZig(f *testing.F) { fuzzExtract(f, "x.zig", "cache.zig") }

func FuzzMarkdown(f *testing.F) { fuzzExtract(f, "x.md", "guide.md", "plain.md") }
func FuzzRules(f *testing.F)    { fuzzExtract(f, "AGENTS.md", "guide.md", "plain.md") }
func FuzzReST(f *testing.F)     { fuzzExtract(f, "x.rst", "guide.rst") }
func FuzzSplit(f *testing.F)    { fuzzExtract(f, "x.dart", "cache.ts", "Cache.java", "tool.txt") }
func FuzzText(f *testing.F)     { fuzzExtract(f, "x", "tool.txt", "generated.go.txt") }

// The readers of configuration, one target each.
func FuzzConf(f *testing.F) { fuzzExtract(f, "x.conf", "server.conf", "site.conf", "app.ini") }
func FuzzINI(f *testing.F)  { fuzzExtract(f, "x.ini", "app.ini", "app.properties", "env.sample") }
func FuzzTOML(f *testing.F) { fuzzExtract(f, "x.toml", "app.toml") }
func FuzzYAML(f *testing.F) { fuzzExtract(f, "x.yaml", "app.yaml") }
func FuzzJSON(f *testing.F) { fuzzExtract(f, "x.json5", "app.json") }
