package parse

import (
	"path"
	"strings"
	"unicode"

	"patina/scrape/markup"
	"patina/scrape/syntax"
	"patina/store/doc"
)

// nameComponent names the component of a file after the file, and exports it by default.
func nameComponent(file string, out *syntax.Outline) {
	name := componentName(file)
	for i := range out.Symbols {
		if s := &out.Symbols[i]; s.Name == doc.DefaultName && s.Title == "component" {
			s.Name, s.Title = name, "component "+name
			out.Bindings = append(out.Bindings, doc.Binding{Name: doc.DefaultName, Of: name})
			return
		}
	}
}

// componentName returns the name of a component by its file: Table of Table.vue, MyTable of
// my-table.vue, id of [id].astro. An index file has the name of its folder. The name is never
// empty.
func componentName(file string) string {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if folder := path.Base(path.Dir(file)); stem == "index" && folder != "." {
		stem = folder
	}
	words := strings.FieldsFunc(stem, func(c rune) bool {
		return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if len(words) == 0 {
		return "page"
	}
	if len(words) == 1 {
		return words[0]
	}
	return markup.Pascal(strings.Join(words, "-"))
}
