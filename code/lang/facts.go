package lang

// Facts say which facts the parser of a language finds. Facts that it does not find are unknown,
// which must not be taken for zero.
type Facts struct {
	Symbols bool // functions, types, constants
	Calls   bool // call sites, with the function around them
	Imports bool // names of modules or files, as written
	// Bindings are names that imports bring into a file, and aliases. Without them, a call of an
	// imported name is only a candidate.
	Bindings bool
}

// Facts returns the facts that the parser of a language finds. For a language without a parser all
// are false: its names, if it has any, were found by their keywords.
func (l *Language) Facts() (f Facts) {
	g := l.Parser()
	if g == nil {
		return f
	}
	f.Imports = g.Importers != nil
	for _, u := range g.Rules {
		u.adds(&f)
	}
	for i := range g.Others {
		g.Others[i].adds(&f)
	}
	return f
}

// adds adds the facts that a rule finds.
func (u *Rule) adds(f *Facts) {
	switch u.Is {
	case Function, Type, Constant, Variable:
		f.Symbols = true
	case Call:
		f.Calls = true
	case Import:
		f.Imports = true
	}
	if u.Binds != nil {
		f.Bindings, f.Imports = true, true
	}
}
