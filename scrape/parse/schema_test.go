package parse

import (
	"fmt"
	"strings"
	"testing"
)

func TestIsSchema(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"a.json":        {`{"$schema": "http://json-schema.org/draft-07/schema#"}`, true},
		"b.json":        {`{"$schema": "https://json-schema.org/draft/2020-12/schema"}`, true},
		"c.json":        {`{"$schema": "https://example.org/config.json", "properties": {}}`, false},
		"d.schema.json": {`{"properties": {}}`, true},
		"schema.json":   {`{"tables": []}`, false},
	} {
		if got := isSchema(name, []byte(c.text)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The number of entries of a schema must be limited, and a broken one must have those before its
// end.
func TestSchemaIsBounded(t *testing.T) {
	var many strings.Builder
	for i := range 3 * maxSettings {
		fmt.Fprintf(&many, "\"key%d\": {\n\"description\": \"It is number %d.\"},\n", i, i)
	}
	for text, most := range map[string]int{
		`{"properties": {` + many.String() + `}}`:             maxSettings,
		`{"properties": {"a": {"description": "Half`:          1,
		strings.Repeat(`{"properties":`+"\n"+`{"a":`, 10_000): maxSchemaDeep,
	} {
		f, _ := Parse(Input{Path: "x.schema.json", Text: []byte(text)})
		checkFile(t, f)
		if len(f.Entries) > most {
			t.Errorf("%.40s: %d entries", text, len(f.Entries))
		}
	}
}

func FuzzSchema(f *testing.F) {
	f.Add(`{"properties": {"a": {"description": "x", "properties": {"b": true}}}, "$defs": {"c": [{}]}}`)
	f.Add(`}]{"properties":{"`)
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := Parse(Input{Path: "x.schema.json", Text: []byte(text)})
		checkFile(t, got)
	})
}
