package xref

import (
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// A Symbol is a definition and its prototypes: in C and C++ a header declares a function that a
// source defines, and both are one symbol. A prototype without a body in the index is a symbol
// itself.
type Symbol struct {
	*Definition
	Declared []*Definition
}

// Symbols joins definitions of one name with their prototypes. Of several bodies, a prototype
// belongs to those in its own file, otherwise to the one in the file of its name beside it,
// otherwise to the nearest by folders, which may be several. The body of a static function only has
// prototypes in its own file.
func Symbols(defs []Definition) []Symbol {
	out := make([]Symbol, 0, len(defs))
	prototypes := 0
	for i := range defs {
		if defs[i].Entry.Declares {
			prototypes++
			continue
		}
		out = append(out, Symbol{Definition: &defs[i]})
	}
	if prototypes == 0 {
		return out
	}
	// A method whose file has its prototype, too, has nothing to do with a class of the same name
	// in another file.
	declared := make(map[[2]string]bool)
	for i := range defs {
		if defs[i].Entry.Declares && defs[i].owner != "" {
			declared[placeOf(&defs[i])] = true
		}
	}
	bodies := len(out)
	for i := range defs {
		p := &defs[i]
		if !p.Entry.Declares {
			continue
		}
		best, at := 0, []int(nil)
		for j := range out[:bodies] {
			switch near := gradeAnnouncement(p, out[j].Definition); {
			case near == 0 || near < best || p.Path != out[j].Path && declared[placeOf(out[j].Definition)]:
			case near > best:
				best, at = near, []int{j}
			default:
				at = append(at, j)
			}
		}
		for _, j := range at {
			out[j].Declared = append(out[j].Declared, p)
		}
		if len(at) == 0 {
			out = append(out, Symbol{Definition: p})
		}
	}
	return out
}

// placeOf returns the file and the name of a method.
func placeOf(d *Definition) [2]string { return [2]string{d.Path, doc.BareName(d.Entry.Name)} }

// gradeAnnouncement returns how near the body of a function is to a prototype, or 0 if it is the
// body of another function.
func gradeAnnouncement(prototype, d *Definition) int {
	const sameFolders = 1 << 20 // more than any path has folders
	same := prototype.Path == d.Path
	switch {
	case d.family != prototype.family || !isFunction(d.Entry) || d.isMacro() ||
		doc.BareName(d.Entry.Name) != doc.BareName(prototype.Entry.Name):
		return 0
	case same:
		return 2 * sameFolders
	case d.isPrivate() || prototype.isStatic():
		return 0
	case imports.WithoutExtension(prototype.Path) == imports.WithoutExtension(d.Path):
		return sameFolders
	}
	return 1 + imports.CommonFolders(prototype.Path, d.Path)
}

// isStatic reports whether the definition is a static function of C, which only its own file and
// files that include it can name.
func (d *Definition) isStatic() bool {
	if d.rules.Modules != lang.HeaderIncludes || d.owner != "" || !isFunction(d.Entry) {
		return false
	}
	for word := range strings.FieldsSeq(d.Entry.Title) {
		if word == "static" {
			return true
		}
		if strings.Contains(word, "(") {
			break
		}
	}
	return false
}

// isMacro reports whether the definition is a macro of C.
func (d *Definition) isMacro() bool {
	return d.rules.Modules == lang.HeaderIncludes && strings.HasPrefix(d.Entry.Title, "#")
}

// renames reports whether the definition is a macro of C without parameters that gives a function
// another name, as headers for one platform do.
func (d *Definition) renames() bool {
	if !d.isMacro() || d.Entry.Sort != doc.Constant {
		return false
	}
	words := strings.Fields(d.Entry.Title)
	n := len(words)
	isOther := func(r rune) bool { return !isWord(r) }
	return n > 2 && words[n-2] == d.name && !strings.ContainsFunc(words[n-1], isOther) &&
		(words[n-1][0] < '0' || words[n-1][0] > '9')
}

// isPrivate reports whether the definition is a static function or a macro in a source. In a
// header, every file that includes it has it.
func (d *Definition) isPrivate() bool {
	return (d.isStatic() || d.isMacro()) && !imports.IsHeader(d.Path)
}
