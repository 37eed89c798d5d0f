// Package class classifies a file apart from its language: a test, an example, generated, vendored.
//
// Four things decide, each in a file: the path (path.go), the paths of other files (neighbours.go),
// the first lines (content.go) and .gitattributes (attributes.go). The last one wins. The ranking
// decides how much a class counts.
package class

import (
	"path"
	"strings"

	"patina/code/lang"
	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

// folderBits are the names of folders that classify the files below. A name is a whole part of a
// path, without case and without underscores around it (__tests__, _examples).
var folderBits = bitsByWord(map[doc.Class]string{
	doc.TestFolder: `test tests spec specs testing testdata testutil testutils fixture fixtures mock mocks e2e golden
		goldens regress selftest selftests unittest unittests`,
	doc.Example: `example examples sample samples demo demos doc docs tutorial tutorials bench benchmark benchmarks
		perf playground script scripts tool tools site website fuzz`,
	doc.Compat: "compat legacy deprecated old polyfill polyfills shim shims",
	doc.Vendored: `vendor vendors vendored third_party third-party thirdparty 3rdparty 3rd-party 3rd_party node_modules
		bower_components`,
	doc.Generated: "generated gen",
	doc.Internal:  "internal private impl detail",
	doc.Built:     "dist build out esm cjs umd",
})

// stemBits are the same for a file's name up to its first dot: compat.py, _compat.py.
var stemBits = bitsByWord(map[doc.Class]string{
	doc.Compat: "compat legacy deprecated old polyfill polyfills shim shims",
})

func bitsByWord(words map[doc.Class]string) map[string]doc.Class {
	m := map[string]doc.Class{}
	for bit, list := range words {
		for _, w := range strings.Fields(list) {
			m[w] |= bit
		}
	}
	return m
}

var (
	testNameCamel = lazyregexp.New(`(^|[a-z0-9])Tests?$`)
	dottedTest    = lazyregexp.New(`(?i)\.(test|spec)\.`)
	generatedName = lazyregexp.New(`(?i)\.pb\.(go|cc|h)$|_pb2(_grpc)?\.pyi?$|_generated\.|\.gen\.|\.generated\.` +
		`|\.g\.(dart|cs)$|[.-]min\.(js|cjs|mjs|css)$|\.bundle\.(js|cjs|mjs)$`)
	licence = lazyregexp.New(`(?i)^(un)?licen[cs]e([-_.].*)?$|^(copying|copyright|patents|notice)([-_.].*)?$`)
)

// OfPath returns the class that follows from a path. The path must be relative to the root, because
// folders above it do not count.
func OfPath(name string) doc.Class {
	folders := strings.Split(name, "/")
	base := folders[len(folders)-1]
	var c doc.Class
	for i, named := range folders[:len(folders)-1] {
		f := strings.ToLower(named)
		if bits := folderBits[strings.Trim(f, "_")]; !isSpec.Has(f) || !isWriting(base) {
			c |= bits
		}
		if f == "__snapshots__" || isTestFolder(f, base, i == 0) || hasTestWords(named, base) {
			c |= doc.TestFolder
		}
	}
	if strings.HasSuffix(base, ".snap") {
		c |= doc.TestFolder
	}
	if isTranslation(name) {
		c |= doc.Translation
	}
	first, _, _ := strings.Cut(base, ".")
	c |= stemBits[strings.ToLower(strings.Trim(first, "_"))]
	lower := strings.ToLower(base)
	if isTestName(base) {
		c |= doc.TestName
	}
	if lang.ReExports(lower) {
		c |= doc.ReExport
	}
	if lang.Declares(lower) {
		c |= doc.Declaration
	}
	if generatedName().MatchString(base) {
		c |= doc.Generated
	}
	if isPathOnly(name) {
		c |= doc.PathOnly
	}
	return c
}

// isSpec are the folders of tests that may also contain a specification.
var isSpec = text.Set("spec specs")

// isWriting reports whether a file is a document or a description for programs.
func isWriting(base string) bool {
	switch strings.ToLower(path.Ext(base)) {
	case ".md", ".rst", ".adoc", ".tex", ".proto":
		return true
	}
	return false
}

// isTestFolder knows the folders whose names mean tests only in some places: t/ at the root or with
// a Perl test, and regression/ at the root without a program.
func isTestFolder(folder, base string, top bool) bool {
	switch folder {
	case "t":
		return top || path.Ext(base) == ".t"
	case "regression", "regressions":
		return top && !lang.Of(base, nil).Code || path.Ext(base) == ".sh"
	}
	return false
}

// hasTestWords reports whether the words of a folder's name, in any style, say that it has tests:
// integration-tests, UnitTests, Foo.Tests, androidTest, test-data, testFixtures.
func hasTestWords(folder, base string) bool {
	if lower := strings.ToLower(folder); !strings.Contains(lower, "test") && !strings.Contains(lower, "spec") {
		return false // the usual case
	}
	words := strings.FieldsFunc(wordStart().ReplaceAllString(folder, "$1 $2"), func(r rune) bool {
		return r == '-' || r == '_' || r == '.' || r == ' '
	})
	if len(words) < 2 {
		return false
	}
	first, last := strings.ToLower(words[0]), strings.ToLower(words[len(words)-1])
	isLower := strings.ToLower(folder) == folder
	switch last {
	case "tests":
		return true
	case "test":
		isSourceSet := !isLower && words[0] == first && len(words) == 2 // jvmTest
		return testSorts.Has(first) || isSourceSet || strings.HasSuffix(folder, ".Test")
	case "spec", "specs":
		return !isLower && !isWriting(base)
	}
	return first == "test" && testThings.Has(last)
}

// wordStart matches where a word begins inside of UnitTests or testFixtures.
var wordStart = lazyregexp.New(`([a-z0-9])([A-Z])`)

// testSorts are the words before "test" in the name of a folder of tests.
var testSorts = text.Set("unit integration functional acceptance system regression smoke component contract")

// testThings are the words after "test" in the name of a folder that serves tests.
var testThings = text.Set("data fixtures fixture utils util helpers support resources files cases suite")

// isTestName knows test_x, x_test, x_unittest, x_spec, conftest, tests, XTest, XTests, x.test.ts
// and x.spec.ts.
func isTestName(base string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	lower := strings.ToLower(stem)
	return strings.HasPrefix(lower, "test_") || strings.HasSuffix(lower, "_test") ||
		strings.HasSuffix(lower, "_unittest") || strings.HasSuffix(lower, "_tests") || strings.HasSuffix(lower, "_spec") ||
		lower == "conftest" || lower == "tests" || testNameCamel().MatchString(stem) || dottedTest().MatchString(base)
}

// isPathOnly reports whether a file is a lock file or a licence. Code such as license.go is no
// licence.
func isPathOnly(name string) bool {
	base := strings.ToLower(path.Base(name))
	return text.IsLockFile(base) || licence().MatchString(base) && !lang.Of(name, nil).Code
}
