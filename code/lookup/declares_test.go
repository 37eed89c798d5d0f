package lookup

import (
	"testing"

	"patina/code/xref"
	"patina/store/doc"
)

func TestDeclares(t *testing.T) {
	for path, want := range map[string]bool{"a.h": true, "b/x.hpp": true, "a.c": false, "h": false} {
		if got := onlyDeclares(xref.Definition{Path: path}); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
	if !onlyDeclares(xref.Definition{Path: "x.d.ts", Class: doc.Declaration}) {
		t.Error("a file of types defines")
	}
}
