package class

import (
	"bytes"

	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
	"patina/scrape/language"
	"patina/store/text"
)

// testSigns are the starts of lines that test code has, by language. Go is judged by its functions.
var testSigns = map[string][]string{
	"Rust":       {"#[test]", "#[cfg(test)]", "#[tokio::test"},
	"Python":     {"def test_", "async def test_", "import pytest", "import unittest"},
	"JavaScript": jsTestSigns, "TypeScript": jsTestSigns, "TSX": jsTestSigns, "CoffeeScript": jsTestSigns,
	"Java": {"@Test"}, "Kotlin": {"@Test"}, "Groovy": {"@Test"}, "Scala": {"@Test", "test(\""}, "Dart": {"test('", "group('"},
	"Ruby":  {"describe ", "RSpec.describe", "it '", "it \"", "def test_", "test \""},
	"PHP":   {"public function test", "#[Test]", "it('", "test('"},
	"C#":    {"[Fact", "[Test", "[Theory"},
	"Swift": {"func test", "@Test"}, "Elixir": {"test \"", "describe \""}, "Zig": {"test \"", "test {"},
	"C++": {"TEST(", "TEST_F(", "TEST_P(", "TEST_CASE("}, "C": {"TEST(", "START_TEST("},
	"Julia": {"@testset", "@test "}, "R": {"test_that("}, "Shell": {"@test "}, "Perl": {"use Test::"}, "Lua": {"describe("},
}

var jsTestSigns = []string{"describe(", "describe.", "it(", "it.", "test(", "test."}

// HoldsTests reports whether some line starts like test code.
func HoldsTests(lang string, text []byte) bool {
	signs := testSigns[lang]
	return len(signs) > 0 && language.SomeLineStarts(text, signs...)
}

// dataBytes is the size from which a file of records is data. Settings that somebody wrote are
// smaller.
const dataBytes = 64 << 10

// recordLanguages are the languages of files that hold records.
var recordLanguages = text.Set("CSV JSON JSON5 XML")

// IsData reports whether a file is a large one of records: JSON, CSV and the like.
func IsData(lang string, text []byte) bool {
	return len(text) >= dataBytes && recordLanguages[lang]
}

const (
	markedBytes = 2 << 10 // bytes searched for the marker of a generator
	noticeLines = 12      // lines searched for a looser notice
)

// Both patterns want the marker at the start of a comment line: a text about generated code is not
// generated.
var (
	generatorMarker = lazyregexp.New(`(?mi)^[\s/#*;%"'(<!-]*(?:code generated .*do not edit|(?:this file is )?(?:automatically )?@generated\b)`)
	looseNotice     = lazyregexp.New(`(?i)\bthis (?:code|file) (?:is|was) (?:automatically |auto-?)?generated\b|` +
		`\b(?:automatically|auto)[- ]?generated\b|\b(?:do not|never) edit\b`)
)

// Generated reports whether the content says that it was generated. A file is marked by its
// generator; then only its names are indexed. Or a comment in its first lines has a looser notice;
// then it is only demoted. comments marks the lines that are comments; it is called if they matter.
func Generated(src *chunk.Source, comments func() []bool) (marked, noticed bool) {
	head := src.Text[:min(len(src.Text), markedBytes)]
	lower := bytes.ToLower(head)
	if !bytes.Contains(lower, []byte("generated")) && !bytes.Contains(lower, []byte(" edit")) {
		return false, false
	}
	if generatorMarker().Match(head) {
		return true, true
	}
	for i := 1; i <= min(src.Lines(), noticeLines); i++ {
		if line := src.Line(i); len(line) <= markedBytes && looseNotice().Match(line) && comments()[i-1] {
			return false, true
		}
	}
	return false, false
}
