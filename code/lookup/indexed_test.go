package lookup_test

import (
	"context"
	"slices"
	"testing"

	"patina/code/lookup"
	"patina/store/doc"
	"patina/store/storetest"
)

func TestSymbolsAndLines(t *testing.T) {
	r := storetest.Tree{"a.go": ";f T.m;", "b.md": "text"}.Build(t)
	ss, err := lookup.Symbols(context.Background(), r, []lookup.Symbol{{Path: "a.go", Name: "T.m"}, {Path: "a.go", Name: "gone"}, {Path: "gone.go", Name: "f"}, {Path: "a.go", Name: "f"}})
	storetest.Check(t, err)
	if want := []lookup.Symbol{{"a.go", "T.m", doc.Function, 1}, {"a.go", "f", doc.Function, 1}}; !slices.Equal(ss, want) {
		t.Errorf("symbols: %v", ss)
	}
	for _, test := range []struct {
		path string
		n    int
		want string
	}{{"a.go", 1, ";f T.m;"}, {"a.go", 2, ""}, {"gone.go", 1, ""}} {
		got, err := lookup.Line(context.Background(), r, test.path, test.n)
		if storetest.Check(t, err); got != test.want {
			t.Errorf("line %d of %s: %q", test.n, test.path, got)
		}
	}
}
