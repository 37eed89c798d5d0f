package syntax

import (
	"slices"
	"strings"

	"patina/code/lang"
	"patina/scrape/markup"
	"patina/store/doc"
)

// readMarkup returns the outline of a component or a page: that of its scripts, and the calls of
// its template. The component is a symbol named doc.DefaultName, because only its file gives it a
// name.
func readMarkup(language string, text []byte) (*Outline, error) {
	parts := markup.Read(language, text)
	out := &Outline{}
	for _, p := range parts.Scripts {
		o, err := readProgram(p)
		if err != nil {
			return nil, err
		}
		out.appendOutline(o)
	}
	component := -1
	if c := parts.Component; c.End > 0 {
		component = len(out.Symbols)
		out.Symbols = append(out.Symbols, Symbol{
			Range: Range(c), Name: doc.DefaultName, Sort: doc.Type, At: c.Start, Title: "component", Parent: -1,
		})
	}
	for _, c := range parts.Calls {
		if len(c.Name) <= lang.NameBytes {
			out.Calls = append(out.Calls, Call{Name: c.Name, At: c.At, Symbol: component})
		}
	}
	if parts.Template != nil {
		o, err := readProgram(parts.Template)
		if err != nil {
			return nil, err
		}
		for _, c := range o.Calls {
			c.Symbol = component
			out.Calls = append(out.Calls, c)
		}
	}
	for _, c := range parts.Comments {
		out.Comments = append(out.Comments, Range(c))
	}
	for _, name := range parts.Imports {
		if !slices.Contains(out.Imports, name) {
			out.Imports = append(out.Imports, name)
		}
	}
	slices.SortFunc(out.Comments, func(a, b Range) int { return a.Start - b.Start })
	slices.SortStableFunc(out.Calls, func(a, b Call) int { return a.At - b.At })
	out.sort()
	return out, nil
}

// readProgram returns the outline of a program, with places in the page.
func readProgram(p *markup.Program) (*Outline, error) {
	known, err := repeatedOutlines.read(p.Language, p.Text)
	if err != nil {
		return nil, err
	}
	out := *known
	place := func(r Range) Range {
		end := p.Place(r.End)
		if r.End > r.Start { // a range must end before the bytes between two parts
			end = p.Place(r.End-1) + 1
		}
		return Range{p.Place(r.Start), end}
	}
	out.Symbols = slices.Clone(known.Symbols)
	for i := range out.Symbols {
		s := &out.Symbols[i]
		s.Range, s.At = place(s.Range), p.Place(s.At)
	}
	out.Labels = slices.Clone(known.Labels)
	for i := range out.Labels {
		out.Labels[i].At = p.Place(out.Labels[i].At)
	}
	out.Calls = slices.Clone(known.Calls)
	for i := range out.Calls {
		out.Calls[i].At = p.Place(out.Calls[i].At)
	}
	out.Typed = slices.Clone(known.Typed)
	for i := range out.Typed {
		out.Typed[i].At = p.Place(out.Typed[i].At)
	}
	out.Comments = slices.Clone(known.Comments)
	for i, r := range out.Comments {
		out.Comments[i] = place(r)
	}
	out.Errors = slices.Clone(known.Errors)
	for i, r := range out.Errors {
		out.Errors[i] = place(r)
	}
	return &out, nil
}

// appendOutline appends another outline, and renumbers its symbols.
func (o *Outline) appendOutline(other *Outline) {
	n := len(o.Symbols)
	moved := func(i int) int {
		if i < 0 {
			return i
		}
		return i + n
	}
	for _, s := range other.Symbols {
		s.Parent = moved(s.Parent)
		o.Symbols = append(o.Symbols, s)
	}
	for _, c := range other.Calls {
		c.Symbol = moved(c.Symbol)
		o.Calls = append(o.Calls, c)
	}
	for _, t := range other.Typed {
		t.Symbol = moved(t.Symbol)
		o.Typed = append(o.Typed, t)
	}
	for _, name := range other.Imports {
		if !slices.Contains(o.Imports, name) {
			o.Imports = append(o.Imports, name)
		}
	}
	o.Bindings = append(o.Bindings, other.Bindings...)
	o.Labels = append(o.Labels, other.Labels...)
	o.Comments = append(o.Comments, other.Comments...)
	o.Errors = append(o.Errors, other.Errors...)
	o.Broken = o.Broken || other.Broken
}

// usesInMarkup returns the uses of a name in a component or a page.
func usesInMarkup(language string, text []byte, name string) (uses []Use, typed []Typed, err error) {
	parts := markup.Read(language, text)
	for _, p := range parts.Programs() {
		u, t, err := Uses(p.Language, p.Text, name)
		if err != nil {
			return nil, nil, err
		}
		for i := range u {
			u[i].At = p.Place(u[i].At)
		}
		uses, typed = append(uses, u...), append(typed, t...)
	}
	for _, c := range parts.Calls {
		if c.Name == name || strings.HasSuffix(c.Name, "."+name) {
			uses = append(uses, Use{At: c.At, Name: c.Name, As: Calls})
		}
	}
	slices.SortStableFunc(uses, func(a, b Use) int { return a.At - b.At })
	return uses, typed, nil
}
