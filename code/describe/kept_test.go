package describe_test

import (
	"reflect"
	"testing"

	"patina/code/describe"
	"patina/store/doc"
	"patina/store/storetest"
)

// Links must be the same when they are found and when they are kept. Changing the links of an
// answer must change no other answer.
func TestKeptLinksAreThoseFound(t *testing.T) {
	r := storetest.Tree{"go.mod": "module m\n", "a/a.go": ";Open Close;", "x.go": "m/a;use;a.Open"}.Build(t)
	wants := []describe.Want{{DocID: "a/a.go::Open", Usage: true}, {DocID: "a/a.go::Close", Usage: true}, {DocID: "a/a.go"}, {DocID: "x.go", Usage: true}}
	first, err := describe.Describe(t.Context(), r, wants)
	storetest.Check(t, err)
	if l := first[0].Links; len(l) != 1 || l[0].Relation != "callers" || l[0].Target != "x.go" {
		t.Errorf("Open is linked to %v, want its caller", l)
	}
	for _, i := range []int{1, 2} {
		if l := first[i].Links; len(l) != 0 {
			t.Errorf("%s is linked to %v", wants[i].DocID, l)
		}
	}
	want := doc.Link{Relation: "imports", Target: "a", Note: "1 of 1"}
	if l := first[3].Links; len(l) != 1 || l[0] != want {
		t.Errorf("x.go is linked to %v, want %v", l, want)
	}
	for range 2 {
		again, err := describe.Describe(t.Context(), r, wants)
		storetest.Check(t, err)
		for i, d := range again {
			if !reflect.DeepEqual(d, first[i]) {
				t.Errorf("described as %+v, at first as %+v", d, first[i])
			}
			if len(d.Links) > 0 {
				again[i].Links[0].Note = "changed"
			}
			_ = append(d.Links, doc.Link{Relation: "added"})
		}
	}
}

// A file is linked to the import that its calls use most. Imports of the project's own files are
// preferred.
func TestImportsOfTheProjectComeFirst(t *testing.T) {
	r := storetest.Tree{
		"go.mod": "module m\n", "a/a.go": ";Open;", "b/b.go": ";Close;", "vendor/v/v.go": ";Z;",
		"own.go": "fmt m/b m/a;use;fmt.Print fmt.Print fmt.Print a.Open a.Open b.Close",
		"out.go": "fmt os;use2;os.Open",
	}.Build(t)
	for path, want := range map[string]doc.Link{
		"own.go": {Relation: "imports", Target: "a", Note: "2 of 3"},
		"out.go": {Relation: "imports", Target: "os", Note: "2"},
	} {
		d, err := describe.Describe(t.Context(), r, []describe.Want{{DocID: path, Usage: true}})
		storetest.Check(t, err)
		if l := d[0].Links; len(l) != 1 || l[0] != want {
			t.Errorf("%s is linked to %v, want %v", path, l, want)
		}
	}
}
