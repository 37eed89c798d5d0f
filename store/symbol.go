package store

import (
	"context"
	"database/sql"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/store/text"
)

// A name is one symbol as a question writes it: "http.HandlerFunc", "Engine::query", "f()".
type name struct {
	scope string // what stands before the last separator; empty for a bare name
	last  string
}

var (
	symbolForm = text.Lazy(`^[&*]*([\pL_$][\pL\pN_$]*(?:(?:\.|::|#|->)[\pL_$][\pL\pN_$]*)*)(?:\(.*\))?$`)
	separator  = text.Lazy(`\.|::|#|->`)
)

// maxName is the longest text that is tried as a name, a path or an id.
const maxName = 4096

// parseName reads a text that is one symbol.
func parseName(s string) (name, bool) {
	if len(s) > maxName {
		return name{}, false
	}
	s = strings.TrimSpace(s)
	if written, _, _ := strings.Cut(s, "("); strings.ContainsAny(written, " \t\n") {
		return name{}, false // most questions are several words, and need no expression compiled
	}
	m := symbolForm().FindStringSubmatch(s)
	if m == nil {
		return name{}, false
	}
	parts := separator().Split(m[1], -1)
	n := name{last: parts[len(parts)-1]}
	if len(parts) > 1 {
		n.scope = parts[len(parts)-2]
	}
	return n, true
}

// askingWords are those of a sentence that asks where or what one symbol is, in lower case.
var askingWords = words(`where what which who how is are was does do the a an of for in me show find locate live code defined declared definition
	declaration class struct function func method type interface trait enum constant variable symbol module`)

// asked reads the one symbol that a question asks for: the question is nothing else ("http.HandlerFunc"), or a sentence that asks
// where or what it is ("where is HandlerFunc defined?"). A plain word is a symbol in a sentence only if that says "defined".
func asked(question string) (name, bool) {
	if n, ok := parseName(question); ok || len(question) > maxName {
		return n, ok
	}
	written, defined := "", false
	for w := range strings.FieldsSeq(question) {
		w = strings.Trim(w, "?!,;:.'\"`")
		switch lower := strings.ToLower(w); {
		case w == "":
		case askingWords[lower]:
			defined = defined || strings.HasPrefix(lower, "defin") || strings.HasPrefix(lower, "declar")
		case written != "":
			return name{}, false
		default:
			written = w
		}
	}
	n, ok := parseName(written)
	return n, ok && (defined || isSpelledAsCode(written))
}

// isSpelledAsCode tells whether a word is written as words of sentences are not: with a capital or a mark inside it.
func isSpelledAsCode(word string) bool {
	_, size := utf8.DecodeRuneInString(word)
	return strings.ContainsFunc(word[size:], func(r rune) bool { return unicode.IsUpper(r) || strings.ContainsRune("_.:#$(", r) })
}

// A definition is one place where a symbol is defined.
type definition struct {
	file    int64
	path    string
	class   Class
	lang    string
	ordinal int
	entry   Entry
	parent  *Entry // the entry that it lies in; nil at the top level
	inScope bool   // the scope that the question names is its type, its package folder or its file
	local   bool   // what it lies in lies in a function
	derived
}

// insideFunction tells whether an entry is a function, or lies in one.
func insideFunction(es []Entry, at int) bool {
	for range es { // bounded: parents come from the file
		if at < 0 || at >= len(es) {
			return false
		}
		if es[at].Sort == Function || es[at].Sort == Method {
			return true
		}
		at = es[at].Parent
	}
	return false
}

// derived is what judging calls needs of a definition again and again.
type derived struct{ family, folder, name, owner, lowerOwner string }

func (d *definition) derive() {
	owner := ownerOf(d.entry)
	d.derived = derived{family(d.lang), folderOf(d.path), lastName(d.entry.Name), owner, strings.ToLower(owner)}
}

// maxDefinitions bounds how many definitions of one name are looked at: a name that more places define says nothing.
const maxDefinitions = 2000

// countSymbols counts the definitions of a name in a view, up to a limit.
const countSymbols = `SELECT COUNT(*) FROM (SELECT 1 FROM symbol s JOIN seen v ON v.view = ? AND v.key = s.file WHERE s.name = ? LIMIT ?)`

// definitions finds where a name is defined, in any case, in files that the view sees.
func (r *Reader) definitions(ctx context.Context, snap *snapshot, n name) ([]definition, error) {
	rows, err := r.query(ctx, `SELECT s.file, s.ordinal, f.path, f.class, f.language, f.entries FROM symbol s JOIN file f ON f.key = s.file
		JOIN seen v ON v.view = ? AND v.key = s.file WHERE s.name = ? LIMIT ?`, snap.view, n.last, maxDefinitions)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var ds []definition
	for rows.Next() {
		var d definition
		var blob sql.RawBytes // which is decoded at once
		if err := rows.Scan(&d.file, &d.ordinal, &d.path, &d.class, &d.lang, &blob); err != nil {
			return nil, damaged(err)
		}
		if !snap.members.has(d.file) {
			continue
		}
		es, err := decodeEntries(blob)
		if err != nil {
			return nil, err
		}
		if d.ordinal < 0 || d.ordinal >= len(es) {
			return nil, ErrDamaged
		}
		d.entry = es[d.ordinal]
		if p := d.entry.Parent; p >= 0 && p < len(es) {
			d.parent, d.local = &es[p], insideFunction(es, es[p].Parent)
		}
		d.inScope = n.scope != "" && scoped(n.scope, d)
		ds = append(ds, d)
	}
	if slices.ContainsFunc(ds, func(d definition) bool { return d.inScope }) {
		ds = slices.DeleteFunc(ds, func(d definition) bool { return !d.inScope })
	}
	return ds, damaged(rows.Err())
}

// definedNames returns those of some names that something defines, in at most so many places.
func (r *Reader) definedNames(ctx context.Context, snap *snapshot, names []string, most int) (defined []string, err error) {
	count, err := r.prepareStatement(ctx, countSymbols)
	if err != nil {
		return nil, err
	}
	defer func() { _ = count.Close() }()
	for _, n := range names {
		var found int
		if err := count.QueryRowContext(ctx, snap.view, n, most+1).Scan(&found); err != nil {
			return nil, err
		}
		if found > 0 && found <= most {
			defined = append(defined, n)
		}
	}
	return defined, nil
}

// scoped tells whether a scope is the definition's type, its folder or its file's stem.
func scoped(scope string, d definition) bool {
	owner, _, ok := strings.Cut(bareName(d.entry.Name), ".")
	return ok && strings.EqualFold(owner, scope) ||
		strings.EqualFold(path.Base(path.Dir(d.path)), scope) ||
		strings.EqualFold(text.FileNameOf(d.path).Stem, scope)
}

// bareName is an entry's name without the mark that makes it unique in its file.
func bareName(s string) string {
	s, _, _ = strings.Cut(s, "#")
	return s
}

// lastName is the part of an entry's name that a question uses: "Query" of "Engine.Query".
func lastName(s string) string {
	s = bareName(s)
	return s[strings.LastIndexByte(s, '.')+1:]
}

// definitionScore is X of one definition (docs/ranking.md, "File names and symbols").
func definitionScore(n name, d definition) float64 {
	x := 0.5
	switch d.entry.Sort {
	case Type:
		x = 1
	case Function, Method:
		x = 0.85
	}
	if lastName(d.entry.Name) != n.last {
		x *= 0.6
	}
	if d.entry.Last-d.entry.Line < 2 {
		x *= 0.8
	}
	stem, want := text.FileNameOf(d.path).Stem, strings.ToLower(n.last)
	switch {
	case stem == want:
		x *= 1.3
	case stem != "" && strings.HasPrefix(want, stem):
		x *= 1.15
	}
	return x
}

// writtenPath reads a question that is the path of a file, or the end of one.
func writtenPath(question string) (string, bool) {
	p := strings.TrimPrefix(strings.TrimSpace(question), "./")
	return p, len(p) <= maxName && path.Ext(p) != "" && !strings.ContainsAny(p, " \t\n")
}

// questionFiles finds the files that the whole question names by the end of their path, extension included.
func (r *Reader) questionFiles(ctx context.Context, snap *snapshot, raw string) (map[int64]string, error) {
	p, ok := writtenPath(raw)
	if !ok {
		return nil, nil
	}
	found, err := r.filesEnding(ctx, snap, p)
	return found, damaged(err)
}

// definingFiles gives X by file if the question asks for one symbol or is the name of files ("server.go"), else nothing.
func (r *Reader) definingFiles(ctx context.Context, snap *snapshot, q text.Question) (map[int64]float64, error) {
	if files, err := r.questionFiles(ctx, snap, q.Raw); err != nil || len(files) > 0 {
		x := make(map[int64]float64, len(files))
		for k := range files {
			x[k] = 1
		}
		return x, err
	}
	n, ok := asked(q.Raw)
	if !ok {
		return nil, nil
	}
	ds, err := r.definitions(ctx, snap, n)
	if err != nil {
		return nil, err
	}
	x := make(map[int64]float64)
	for _, d := range ds {
		x[d.file] = max(x[d.file], definitionScore(n, d))
	}
	return x, nil
}
