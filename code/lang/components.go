package lang

// Components and pages hold programs of other languages, which scrape/markup finds.
func init() {
	add(&Language{Name: "Astro", Code: true, Files: ".astro", Comments: htmlComments, Template: "TSX", FieldsReadElsewhere: true})
	add(&Language{Name: "HTML", Files: ".html .htm .xhtml", Comments: htmlComments, Template: "JavaScript", NotImported: true, Document: true, IsPage: true})
	add(&Language{Name: "Svelte", Code: true, Files: ".svelte", Comments: htmlComments, Template: "TypeScript", FieldsReadElsewhere: true})
	add(&Language{Name: "Vue", Code: true, Files: ".vue", Comments: htmlComments, Template: "TypeScript", FieldsReadElsewhere: true})
}
