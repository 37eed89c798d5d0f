package excerpt

import (
	"slices"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

const (
	// slightLines is the greatest number of lines of a part that may have nothing to read.
	slightLines = 2
	// workLines is the least number of lines of a function that replaces such a part, and workShare
	// the least share of the part's score that it must have.
	workLines = 3
	workShare = 0.4
)

// preferWork moves the first function that answers to the front of list, if the best part has
// nothing to read: a destructor of a line or two, a constant, or the head of a file. If tests is
// false and the best part is a test in a file of other code, preferWork moves the first other
// symbol instead. list must be sorted, best first, and must not be empty.
func (t *Text) preferWork(list []Part, tests bool) {
	better := t.works
	switch {
	case t.slight(&list[0]):
	case !tests && !t.Test && t.tests(&list[0]):
		better = func(p *Part) bool { return max(p.Entry, p.In) >= 0 && !t.tests(p) && !t.slight(p) }
	default:
		return
	}
	at := slices.IndexFunc(list, func(p Part) bool {
		return p.says && p.score >= workShare*list[0].score && better(&p)
	})
	if at > 0 {
		p := list[at]
		copy(list[1:at+1], list[:at])
		list[0] = p
	}
}

// works reports whether a part is a function of some lines, or a window in one.
func (t *Text) works(p *Part) bool {
	i := max(p.Entry, p.In)
	if i < 0 || p.Last-p.First+1 < workLines {
		return false
	}
	sort := t.Entries[i].Sort
	return sort == doc.Function || sort == doc.Method
}

// slight reports whether a part has nothing to read.
func (t *Text) slight(p *Part) bool {
	if p.Entry < 0 {
		return p.In < 0 && t.isHead(p)
	}
	e := t.Entries[p.Entry]
	if p.Last-max(p.First, e.Line)+1 > slightLines {
		return false
	}
	switch e.Sort {
	case doc.Function, doc.Method:
		return isDestructor(doc.LastName(e.Name))
	case doc.Type, doc.Section, doc.Setting:
		return false
	}
	return true
}

// destructors are the names, in several languages, of functions that release an object.
var destructors = text.Set(`__del__ deinit dispose finalize drop`)

func isDestructor(name string) bool {
	return strings.HasPrefix(name, "~") || destructors.Has(strings.ToLower(name))
}

var importForm = lazyregexp.New(`^\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:]+|using\s|` +
	`require\b|(?:const|let|var)\s.*\brequire\(|` +
	`export\s.*\bfrom\b|@import\b|package\s)`)

// licenceForm matches a line of the header with which many files begin.
var licenceForm = lazyregexp.New(`(?i)\b(?:copyright|licen[cs]ed?|SPDX-License-Identifier)\b`)

// isHead reports whether a part has no more than the head of a file: lines that import, with
// comments or without, or comments of which each names a licence. A comment that stands by itself
// may describe the file, so it is to be read.
func (t *Text) isHead(p *Part) bool {
	imports, licence, prose := false, false, false
	inComment, named := false, false // named: the comment at n names a licence
	for n := p.First; n <= p.Last+1; n++ {
		line := ""
		if n <= p.Last {
			line = t.Lines.At(n)
		}
		isImport := importForm().MatchString(line)
		comment := isComment(line) || inComment && strings.HasPrefix(strings.TrimSpace(line), "*")
		if inComment && (isImport || !comment) {
			licence, prose = licence || named, prose || !named
			inComment, named = false, false
		}
		switch {
		case isBlank(line):
		case isImport:
			imports = true
		case comment:
			inComment, named = true, named || licenceForm().MatchString(line)
		default:
			return false
		}
	}
	return imports || licence && !prose
}

// testName matches the last name of a test, and testMark a line that marks the next function as
// one.
var (
	testName = lazyregexp.New(`^(?:test_|[tT]est[A-Z0-9])`)
	testMark = lazyregexp.New(`^\s*(?:#\[|@|\[)(?:\w+::)?(?:[tT]est|Fact|Theory|rstest)\b`)
)

// tests reports whether a part is test code: its symbol is named or marked as a test, or it is in
// Rust's module of tests.
func (t *Text) tests(p *Part) bool {
	if i := max(p.Entry, p.In); i >= 0 {
		e := t.Entries[i]
		if e.Sort != doc.Type && testName().MatchString(doc.LastName(e.Name)) {
			return true
		}
		for n := e.First; n < e.Line && n <= t.Lines.Len(); n++ {
			if testMark().MatchString(t.Lines.At(n)) {
				return true
			}
		}
	}
	from := t.Lines.TestsFrom()
	return from > 0 && p.First > from
}
