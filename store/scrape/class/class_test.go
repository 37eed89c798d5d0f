package class

import (
	"slices"
	"testing"

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
