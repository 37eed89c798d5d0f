package lang

// Components and pages contain programs of other languages, which scrape/markup finds.
func addComponents(register func(*Language)) {
	register(&Language{
		Name: "Astro", Code: true, Files: ".astro", Comments: htmlComments, Template: "TSX", Family: "JavaScript",
	})
	register(&Language{
		Name: "HTML", Files: ".html .htm .xhtml", Comments: htmlComments, Template: "JavaScript", NotImported: true,
		Document: true, IsPage: true, Family: "JavaScript", GlobalNames: true,
	})
	register(&Language{
		Name: "Svelte", Ecosystem: "npm", Code: true, Files: ".svelte", Comments: htmlComments,
		Template: "TypeScript", Family: "JavaScript",
	})
	register(&Language{
		Name: "Vue", Ecosystem: "npm", GlobalNames: true, Code: true, Files: ".vue", Comments: htmlComments,
		Template: "TypeScript", Family: "JavaScript",
	})
}
