package class

import (
	"slices"
	"testing"

	"patina/code/lang"
	"patina/store"
)

func TestPathClass(t *testing.T) {
	for name, want := range map[string]store.Class{
		"a/b.go":                       0,
		"latest.go":                    0,
		"contest.py":                   0,
		"testing.go":                   0,
		"protest/a.go":                 0,
		"tests/a.py":                   store.TestFolder,
		"a/__tests__/b.js":             store.TestFolder,
		"a/TestData/b.txt":             store.TestFolder,
		"a_test.go":                    store.TestName,
		"test_a.py":                    store.TestName,
		"conftest.py":                  store.TestName,
		"regress/input-keys.sh":        store.TestFolder,
		"tools/selftests/vm.c":         store.Example | store.TestFolder,
		"lib/selftest/run.c":           store.TestFolder,
		"t/t0001-init.sh":              store.TestFolder,
		"t/lib/Helper.pm":              store.TestFolder,
		"mod/t/basic.t":                store.TestFolder,
		"src/t/tables.go":              0,
		"regression/cases.txt":         store.TestFolder,
		"a/regression/run.sh":          store.TestFolder,
		"regression/linear.py":         0,
		"ml/regression/ridge.rs":       0,
		"egress/a.go":                  0,
		"integration-tests/a.go":       store.TestFolder,
		"unit_tests/a.cc":              store.TestFolder,
		"test-data/a.txt":              store.TestFolder,
		"ab-test/a.go":                 0,
		"test-runner/a.go":             0,
		"contests/a.go":                0,
		"spec/consensus/blocks.md":     0,
		"specs/wire.proto":             0,
		"spec/support/env.rb":          store.TestFolder,
		"tests/README.md":              store.TestFolder,
		"spec/a_spec.rb":               store.TestFolder | store.TestName,
		"UserServiceTest.java":         store.TestName,
		"UserTests.cs":                 store.TestName,
		"a.test.tsx":                   store.TestName,
		"a.spec.ts":                    store.TestName,
		"_examples/a.go":               store.Example,
		"docs/a.go":                    store.Example,
		"benchmarks/x.rs":              store.Example,
		"documents/a.go":               0,
		"compat/a.go":                  store.Compat,
		"src/_compat.py":               store.Compat,
		"vendor/x/y.go":                store.Vendored,
		"third_party/y.c":              store.Vendored,
		"a.pb.go":                      store.Generated,
		"gen/a.go":                     store.Generated,
		"zz_generated.deepcopy.go":     store.Generated,
		"a.d.ts":                       store.Declaration,
		"a.pyi":                        store.Declaration,
		"p/__init__.py":                store.ReExport,
		"src/lib.rs":                   store.ReExport,
		"internal/impl/a.go":           store.Internal,
		"Cargo.lock":                   store.PathOnly,
		"sub/go.sum":                   store.PathOnly,
		"LICENSE":                      store.PathOnly,
		"LICENSE-MIT":                  store.PathOnly,
		"licence.md":                   store.PathOnly,
		"license.go":                   0,
		"internal/testdata/vendor/x.c": store.Internal | store.TestFolder | store.Vendored,
		"a/__snapshots__/b.ts.snap":    store.TestFolder,
		"snapshots/b.go":               0,
		"testdata/golden/a.txt":        store.TestFolder,
		"js/app.min.js":                store.Generated,
		"js/app.bundle.js":             store.Generated,
		"js/admin.js":                  0,
		"locales/fr.json":              store.Translation,
		"locales/pt-BR/common.json":    store.Translation,
		"locales/en.json":              0,
		"locales/index.ts":             store.ReExport,
		"po/x.po":                      store.Translation,
		"docs/zh/guide.md":             store.Example | store.Translation,
		"docs/en/guide.md":             store.Example,
		"docs/it.go":                   store.Example,
		"README.zh-CN.md":              store.Translation,
		"README_ja.md":                 store.Translation,
		"guide.fr.md":                  store.Translation,
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
	s := NeighboursOf(slices.Values([]string{"api/v1/a.go", "api/v2/a.go", "v3/x.go", "lib/a.h", "lib/a.c", "lib/b.h", "b.c", "v10/x.go"}))
	for p, want := range map[string]store.Class{
		"api/v1/a.go": store.Compat, "api/v2/a.go": 0, "v3/x.go": store.Compat, "v10/x.go": 0, "lib/a.h": store.Header, "lib/b.h": 0,
	} {
		if got := s.Of(p); got != want {
			t.Errorf("bits(%q) = %b, want %b", p, got, want)
		}
	}
}

func TestMirrorsAndPlatforms(t *testing.T) {
	s := NeighboursOf(slices.Values([]string{
		"p/a.py", "p/b.py", "p/c.py", "p/v1/a.py", "p/v1/b.py", "p/v1/c.py", "p/v1/old.py", "p/v1/sub/x.py",
		"q/a.py", "q/v1/a.py", "q/v1/b.py", "q/v1/c.py", "src/unix/tty.c", "src/win/tty.c", "src/win/deep/x.c", "win/y.c",
	}))
	for p, want := range map[string]store.Class{
		"p/a.py": 0, "p/v1/a.py": store.Compat, "p/v1/sub/x.py": store.Compat, "q/v1/a.py": 0,
		"src/unix/tty.c": 0, "src/win/tty.c": store.Platform, "src/win/deep/x.c": store.Platform, "win/y.c": 0,
	} {
		if got := s.Of(p); got != want {
			t.Errorf("bits(%q) = %b, want %b", p, got, want)
		}
	}
}

func TestBuiltCopies(t *testing.T) {
	s := NeighboursOf(slices.Values([]string{
		"src/a.ts", "dist/a.js", "dist/esm/a.js", "lib/a.min.js", "lib/own.js", "p/src/x/b.js", "p/build/x/b.js", "p/build/rules.js",
		"build/x/b.js", "web/c.ts", "web/c.js", "web/d.d.ts", "web/d.js", "lib/src/e.js",
	}))
	for p, want := range map[string]bool{
		"src/a.ts": false, "dist/a.js": true, "dist/esm/a.js": true, "lib/a.min.js": true, "lib/own.js": false,
		"p/src/x/b.js": false, "p/build/x/b.js": true, "p/build/rules.js": false, "build/x/b.js": false,
		"web/c.ts": false, "web/c.js": true, "web/d.js": false, "lib/src/e.js": false,
	} {
		if got := s.Of(p)&store.Generated != 0; got != want {
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
