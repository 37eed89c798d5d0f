package prose

import (
	"strings"

	"patina/store/markdown"
)

// Fields returns the values at the top level of a mapping. The members of a list become fields with
// the list's name. Deeper mappings are left out.
func Fields(entries []markdown.Entry) []Field {
	var fields []Field
	for _, e := range entries {
		for _, m := range append([]markdown.Entry{e}, e.Members...) {
			if m.Text != "" {
				fields = append(fields, Field{FieldName(e.Key), m.Text, m.Line})
			}
		}
	}
	return fields
}

// FieldName returns a name in the form of Field.Name: in lower case, its words joined by "-".
func FieldName(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '_' || r == '-' || r == '*' || r == '`' || r == '"' || r == '\''
	})
	return strings.Join(words, "-")
}

// List returns the members of a value such as "[a, b]" or "a, b". It returns nil if there are no
// members.
func List(value string) []string {
	var members []string
	for m := range strings.SplitSeq(strings.Trim(strings.TrimSpace(value), "[]"), ",") {
		if m = strings.Trim(strings.TrimSpace(m), `"'`); m != "" {
			members = append(members, m)
		}
	}
	return members
}

// Values returns the values of the first of some names that the front matter has, the members of a
// list one by one. It returns nil if the front matter has no such name.
func (d *Document) Values(names ...string) []string {
	for _, name := range names {
		var values []string
		for _, f := range d.Front {
			if f.Name == name {
				values = append(values, f.Value)
			}
		}
		if len(values) > 0 {
			return values
		}
	}
	return nil
}
