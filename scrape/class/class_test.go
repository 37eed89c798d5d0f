package class

import (
	"slices"
	"testing"

	"patina/code/lang"
	"patina/store/doc"
)

func TestPathClass(t *testing.T) {
	for name, want := range map[string]doc.Class{
		"a/b.go":                       0,
		"latest.go":                    0,
		"contest.py":                   0,
		"testing.go":                   0,
		"protest/a.go":                 0,
		"tests/a.py":                   doc.TestFolder,
		"a/__tests__/b.js":             doc.TestFolder,
		"a/TestData/b.txt":             doc.TestFolder,
		"a_test.go":                    doc.TestName,
		"test_a.py":                    doc.TestName,
		"conftest.py":                  doc.TestName,
		"regress/input-keys.sh":        doc.TestFolder,
		"tools/selftests/vm.c":         doc.Example | doc.TestFolder,
		"lib/selftest/run.c":           doc.TestFolder,
		"t/t0001-init.sh":              doc.TestFolder,
		"t/lib/Helper.pm":              doc.TestFolder,
		"mod/t/basic.t":                doc.TestFolder,
		"src/t/tables.go":              0,
		"regression/cases.txt":         doc.TestFolder,
		"a/regression/run.sh":          doc.TestFolder,
		"regression/linear.py":         0,
		"ml/regression/ridge.rs":       0,
		"egress/a.go":                  0,
		"integration-tests/a.go":       doc.TestFolder,
		"unit_tests/a.cc":              doc.TestFolder,
		"test-data/a.txt":              doc.TestFolder,
		"ab-test/a.go":                 0,
		"UnitTests/a.cc":               doc.TestFolder,
		"src/IntegrationTests/a.cs":    doc.TestFolder,
		"Foo.Json.Tests/Helper.cs":     doc.TestFolder,
		"Foo.Test/Helper.cs":           doc.TestFolder,
		"Foo.Test.Core/a.cs":           0,
		"Polly.Specs/Helper.cs":        doc.TestFolder,
		"Polly.Specs/a.md":             0,
		"api-specs/a.py":               0,
		"src/androidTest/java/A.java":  doc.TestFolder,
		"src/jvmTest/A.kt":             doc.TestFolder,
		"src/testFixtures/A.java":      doc.TestFolder,
		"testData/a.txt":               doc.TestFolder,
		"integration_test/a.dart":      doc.TestFolder,
		"SpeedTest/a.go":               0,
		"Contests/a.go":                0,
		"Testing/a.cs":                 doc.TestFolder,
		"latest/a.go":                  0,
		"x_unittest.cc":                doc.TestName,
		"src/tests.rs":                 doc.TestName,
		"src/test.rs":                  0,
		"3rdparty/a.c":                 doc.Vendored,
		"pip/_vendor/a.py":             doc.Vendored,
		"dist/a.js":                    doc.Built,
		"test-runner/a.go":             0,
		"contests/a.go":                0,
		"spec/consensus/blocks.md":     0,
		"specs/wire.proto":             0,
		"spec/support/env.rb":          doc.TestFolder,
		"tests/README.md":              doc.TestFolder,
		"spec/a_spec.rb":               doc.TestFolder | doc.TestName,
		"UserServiceTest.java":         doc.TestName,
		"UserTests.cs":                 doc.TestName,
		"a.test.tsx":                   doc.TestName,
		"a.spec.ts":                    doc.TestName,
		"_examples/a.go":               doc.Example,
		"docs/a.go":                    doc.Example,
		"benchmarks/x.rs":              doc.Example,
		"documents/a.go":               0,
		"compat/a.go":                  doc.Compat,
		"src/_compat.py":               doc.Compat,
		"vendor/x/y.go":                doc.Vendored,
		"third_party/y.c":              doc.Vendored,
		"a.pb.go":                      doc.Generated,
		"gen/a.go":                     doc.Generated,
		"zz_generated.deepcopy.go":     doc.Generated,
		"a.d.ts":                       doc.Declaration,
		"a.pyi":                        doc.Declaration,
		"p/__init__.py":                doc.ReExport,
		"src/lib.rs":                   doc.ReExport,
		"internal/impl/a.go":           doc.Internal,
		"Cargo.lock":                   doc.PathOnly,
		"sub/go.sum":                   doc.PathOnly,
		"LICENSE":                      doc.PathOnly,
		"LICENSE-MIT":                  doc.PathOnly,
		"licence.md":                   doc.PathOnly,
		"license.go":                   0,
		"internal/testdata/vendor/x.c": doc.Internal | doc.TestFolder | doc.Vendored,
		"a/__snapshots__/b.ts.snap":    doc.TestFolder,
		"snapshots/b.go":               0,
		"testdata/golden/a.txt":        doc.TestFolder,
		"js/app.min.js":                doc.Generated,
		"js/app.bundle.js":             doc.Generated,
		"js/admin.js":                  0,
		"locales/fr.json":              doc.Translation,
		"locales/pt-BR/common.json":    doc.Translation,
		"locales/en.json":              0,
		"locales/index.ts":             doc.ReExport,
		"po/x.po":                      doc.Translation,
		"docs/zh/guide.md":             doc.Example | doc.Translation,
		"docs/en/guide.md":             doc.Example,
		"docs/it.go":                   doc.Example,
		"README.zh-CN.md":              doc.Translation,
		"README_ja.md":                 doc.Translation,
		"guide.fr.md":                  doc.Translation,
		"README.md":                    0,
		"readme-first.md":              0,
		"is-it.md":                     0,
		"src/lang/id.go":               0,
		"org/lang/tr/x.java":           0,
	} {
		if got := OfPath(name); got != want {
			t.Errorf("pathClass(%q) = %b, want %b", name, got, want)
		}
	}
}

func TestSurroundings(t *testing.T) {
	s := NeighboursOf(slices.Values([]string{
		"api/v1/a.go", "api/v2/a.go", "v3/x.go", "lib/a.h", "lib/a.c", "lib/b.h", "b.c", "v10/x.go",
	}))
	for p, want := range map[string]doc.Class{
		"api/v1/a.go": doc.Compat, "api/v2/a.go": 0, "v3/x.go": doc.Compat, "v10/x.go": 0, "lib/a.h": doc.Header,
		"lib/b.h": 0,
	} {
		if got := s.Of(p); got != want {
			t.Errorf("bits(%q) = %b, want %b", p, got, want)
		}
	}
}

func TestMirrorsAndPlatforms(t *testing.T) {
	s := NeighboursOf(slices.Values([]string{
		"p/a.py", "p/b.py", "p/c.py", "p/v1/a.py", "p/v1/b.py", "p/v1/c.py", "p/v1/old.py", "p/v1/sub/x.py",
		"q/a.py", "q/v1/a.py", "q/v1/b.py", "q/v1/c.py", "src/unix/tty.c", "src/win/tty.c", "src/win/deep/x.c",
		"win/y.c",
	}))
	for p, want := range map[string]doc.Class{
		"p/a.py": 0, "p/v1/a.py": doc.Compat, "p/v1/sub/x.py": doc.Compat, "q/v1/a.py": 0,
		"src/unix/tty.c": 0, "src/win/tty.c": doc.Platform, "src/win/deep/x.c": doc.Platform, "win/y.c": 0,
	} {
		if got := s.Of(p); got != want {
			t.Errorf("bits(%q) = %b, want %b", p, got, want)
		}
	}
}

func TestBuiltCopies(t *testing.T) {
	s := NeighboursOf(slices.Values([]string{
		"src/a.ts", "dist/a.js", "dist/esm/a.js", "lib/a.min.js", "lib/own.js", "p/src/x/b.js", "p/build/x/b.js",
		"p/build/rules.js", "build/x/b.js", "web/c.ts", "web/c.js", "web/d.d.ts", "web/d.js", "lib/src/e.js",
	}))
	for p, want := range map[string]bool{
		"src/a.ts": false, "dist/a.js": true, "dist/esm/a.js": true, "lib/a.min.js": true, "lib/own.js": false,
		"p/src/x/b.js": false, "p/build/x/b.js": true, "p/build/rules.js": false, "build/x/b.js": false,
		"web/c.ts": false, "web/c.js": true, "web/d.js": false, "lib/src/e.js": false,
	} {
		if got := s.Of(p)&doc.Generated != 0; got != want {
			t.Errorf("%s: built %v, want %v", p, got, want)
		}
	}
}

func TestIsData(t *testing.T) {
	big := make([]byte, dataBytes)
	for _, test := range []struct {
		lang string
		text []byte
		want bool
	}{{"JSON", big, true}, {"CSV", big, true}, {"JSON", big[1:], false}, {"Go", big, false}, {"", big, false}} {
		if got := IsData(lang.Named(test.lang), test.text); got != test.want {
			t.Errorf("%s of %d bytes: %v", test.lang, len(test.text), got)
		}
	}
}
