package xref

import (
	"path"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
	"patina/store/text"
)

// A Definition is one place where a symbol is defined. It must be made by NewDefinition.
type Definition struct {
	File    int64 // its key
	Path    string
	Class   doc.Class
	Ordinal int // among the entries of the file
	Entry   doc.Entry

	parent     *doc.Entry // the entry that contains it; nil at the top level
	hidden     bool       // parent is inside a function
	family     string
	rules      *lang.Scope // of the family
	folder     string
	name       string // of Entry, the last part
	owner      string
	outer      string // the type around owner
	lowerOwner string
}

// NewDefinition returns the definition of an entry. ordinal must be its index in f.Entries.
func NewDefinition(f imports.File, ordinal int) Definition {
	e := f.Entries[ordinal]
	d := Definition{
		File: f.Key, Path: f.Path, Class: f.Class, Ordinal: ordinal, Entry: e,
		family: imports.Family(f.Language), rules: lang.Named(f.Language).Names(), folder: imports.FolderOf(f.Path),
		name: doc.LastName(e.Name), owner: ownerOf(e),
	}
	d.lowerOwner = strings.ToLower(d.owner)
	if p := e.Parent; p >= 0 && p < len(f.Entries) {
		d.parent, d.hidden = &f.Entries[p], insideFunction(f.Entries, f.Entries[p].Parent)
		if q := d.parent.Parent; q >= 0 && q < len(f.Entries) {
			d.outer = doc.LastName(f.Entries[q].Name)
		}
	}
	return d
}

// Detached returns a copy that does not share memory with the entries.
func (d Definition) Detached() Definition {
	d.Entry = d.Entry.Clone()
	d.name, d.owner = doc.LastName(d.Entry.Name), ownerOf(d.Entry)
	d.lowerOwner, d.outer = strings.ToLower(d.owner), strings.Clone(d.outer)
	if d.parent != nil {
		parent := d.parent.Clone()
		d.parent = &parent
	}
	return d
}

// Family returns the family of the definition's language.
func (d *Definition) Family() string { return d.family }

// Owner returns the type of a method or another member, or "" at the top level.
func (d *Definition) Owner() string { return d.owner }

// In reports whether a scope names the definition's type, folder or file. It ignores case, and
// marks in the name of the file.
func (d *Definition) In(scope string) bool {
	owner, _, ok := strings.Cut(doc.BareName(d.Entry.Name), ".")
	return ok && strings.EqualFold(owner, scope) ||
		strings.EqualFold(path.Base(path.Dir(d.Path)), scope) ||
		strings.EqualFold(text.FileNameOf(d.Path).Stem, scope)
}

// Encloses reports whether an entry of the same file is the definition or is inside it.
func (d *Definition) Encloses(entries []doc.Entry, at int) bool {
	for range entries { // bounded: parents come from the file
		if at < 0 || at >= len(entries) {
			return false
		}
		if at == d.Ordinal {
			return true
		}
		at = entries[at].Parent
	}
	return false
}

// isLocal reports whether the definition is in a function.
func (d *Definition) isLocal() bool { return d.parent != nil && isFunction(*d.parent) }

// ofObject reports whether the definition is a method in an object literal of JavaScript, f() {}.
// Any code that gets the object may call it.
func (d *Definition) ofObject() bool {
	if d.rules.Modules != lang.ScriptModules || d.owner != "" || !isFunction(d.Entry) {
		return false
	}
	head := d.Entry.Title
	for _, mark := range []string{"async ", "*"} {
		head = strings.TrimLeft(strings.TrimPrefix(head, mark), " ")
	}
	rest, ok := strings.CutPrefix(head, d.name)
	return ok && strings.HasPrefix(rest, "(") || ok && strings.HasPrefix(rest, "<")
}

// isNamed reports whether names lead to the definition inside its file: its own name, after that of
// its type. The name of the type may be missing if the file is named like it.
func (d *Definition) isNamed(names []string) bool {
	if d.rules.FileIsClass {
		names = append([]string{imports.StemOf(d.Path)}, names...)
	}
	if !d.isLocal() && d.isExported(names) {
		return true
	}
	if d.isLocal() || d.name == d.owner || len(names) == 0 || names[len(names)-1] != d.name {
		return false
	}
	if d.owner == "" {
		return len(names) == 1 || d.rules.Modules == lang.CrateModules // modules inside a file
	}
	return len(names) > 1 && names[len(names)-2] == d.owner
}

func ownerOf(e doc.Entry) string {
	name := doc.BareName(e.Name)
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return Unqualified(name[:i])
}

func isFunction(e doc.Entry) bool { return e.Sort == doc.Function || e.Sort == doc.Method }

// insideFunction reports whether an entry is a function or is inside one.
func insideFunction(entries []doc.Entry, at int) bool {
	for range entries { // bounded: parents come from the file
		if at < 0 || at >= len(entries) {
			return false
		}
		if isFunction(entries[at]) {
			return true
		}
		at = entries[at].Parent
	}
	return false
}

// isExported reports whether a name after an imported module means the definition. If a file names
// its module, the name adds nothing to the import.
func (d *Definition) isExported(names []string) bool {
	return d.rules.NamesModules && len(names) == 1 && names[0] == d.name && d.Entry.Sort != doc.Type
}
