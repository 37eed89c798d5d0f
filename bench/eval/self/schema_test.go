package self

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// docs/evaluation.md must explain every name in a report's JSON.
func TestSchemaIsDocumented(t *testing.T) {
	b, err := os.ReadFile("../../../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), Schema) {
		t.Errorf("the document does not name the schema %s", Schema)
	}
	names, seen := map[string]bool{}, map[reflect.Type]bool{}
	fields(reflect.TypeFor[Report](), names, seen)
	if len(names) < 30 {
		t.Errorf("only %d names", len(names))
	}
	for name := range names {
		if name != "schema" && !strings.Contains(string(b), "`"+name+"`") {
			t.Errorf("the document does not explain %q", name)
		}
	}
}

// fields collects the JSON names of a type's fields, and those of its parts.
func fields(t reflect.Type, names map[string]bool, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		fields(t.Elem(), names, seen)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				names[name] = true
			}
			fields(f.Type, names, seen)
		}
	}
}
