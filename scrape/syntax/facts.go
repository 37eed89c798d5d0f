package syntax

import "patina/scrape/markup"

// Facts say what the parser of a language finds. What it does not find is not known, which is not
// the same as none.
type Facts struct {
	Symbols bool // functions, types, constants
	Calls   bool // call sites, with the function around them
	Imports bool // names of modules or files, as written
	// Names that imports bring into a file, and aliases. Without them, a call of an imported name
	// is only a candidate.
	Bindings bool
}

// FactsOf returns what the parser of a language finds. For a language without a parser that is
// nothing at all: its names, if it has any, were found by their keywords.
func FactsOf(language string) (f Facts) {
	if markup.Knows(language) {
		language = "TypeScript"
	}
	g, ok := grammars[language]
	if !ok {
		return f
	}
	g.once.Do(g.compile)
	f.Imports = len(g.importers) > 0
	for i := range g.compiled.rules {
		g.compiled.rules[i].adds(&f)
	}
	for i := range g.others {
		g.others[i].adds(&f)
	}
	return f
}

// adds enters what a rule finds.
func (u *rule) adds(f *Facts) {
	switch u.is {
	case function, typ, constant, variable:
		f.Symbols = true
	case call:
		f.Calls = true
	case imports:
		f.Imports = true
	}
	if u.binds != nil {
		f.Bindings, f.Imports = true, true
	}
}
