package doc_test

import (
	"slices"
	"testing"

	"patina/store/doc"
)

// Each intent asks for the right kinds (docs/ranking.md, "One list of all kinds").
func TestPriors(t *testing.T) {
	for intent, asked := range map[string][]doc.Kind{
		"temporal":   {doc.Commit},
		"rationale":  {doc.Commit, doc.Belief, doc.Session, doc.Memory, doc.Persona},
		"mechanism":  {doc.Code},
		"task":       {doc.Code, doc.Belief, doc.Memory},
		"definition": {doc.Code, doc.Pattern, doc.Belief, doc.Memory, doc.Persona},
		"general":    {doc.Code, doc.Pattern, doc.Belief, doc.Memory, doc.Persona},
	} {
		for _, k := range doc.Kinds() {
			want := 0.9
			if slices.Contains(asked, k) {
				want = 1
			}
			if got := k.Prior(intent); got != want {
				t.Errorf("intent %s, kind %s: prior %v, want %v", intent, k, got, want)
			}
		}
	}
}

// Every kind is found by its name, plural and doc_ids, and no two kinds share one.
func TestKindsAreToldApart(t *testing.T) {
	for _, k := range doc.Kinds() {
		x := k.Traits()
		for _, name := range []string{string(k), x.Plural} {
			if got, ok := doc.KindNamed(name); !ok || got != k {
				t.Errorf("kind named %q is %q, want %q", name, got, k)
			}
		}
		if got := doc.KindOf(k.FileID("dir/file")); got != k {
			t.Errorf("kind of %q is %q, want %q", k.FileID("dir/file"), got, k)
		}
		if x.Shape < doc.OfRows && x.Separator == "" {
			t.Errorf("kind %s: parts of files without a separator in doc_ids", k)
		}
		if x.Pooled && x.Shape != doc.OfFiles {
			t.Errorf("kind %s is pooled: a card is a file's", k)
		}
	}
	if got, ok := doc.KindNamed("person"); ok {
		t.Errorf("kind named person is %q", got)
	}
}

func TestIdentity(t *testing.T) {
	symbol := doc.Ranked{DocID: "a.go::F", Path: "a.go"}
	section := doc.Ranked{DocID: "pattern:a.md#x", Path: "a.md"}
	for _, c := range []struct {
		kind         doc.Kind
		of           doc.Ranked
		id, path     string
		means, other string
	}{
		{doc.Code, symbol, "a.go", "a.go", "a.go::F", "a.go#F"},
		{doc.Pattern, section, "pattern:a.md#x", "", "pattern:a.md#x", "pattern:a.md"},
		{doc.Commit, doc.Ranked{DocID: "commit:12"}, "commit:12", "", "commit:12", "commit:123"},
	} {
		id := c.kind.Identity(c.of)
		if id != c.id || c.kind.PathOf(id) != c.path {
			t.Errorf("%s: identity %q of path %q, want %q of %q", c.kind, id, c.kind.PathOf(id), c.id, c.path)
		}
		if !c.kind.Means(id, c.means) || c.kind.Means(id, c.other) {
			t.Errorf("%s: %q means %v, %q means %v", id, c.means, c.kind.Means(id, c.means), c.other,
				c.kind.Means(id, c.other))
		}
	}
}
