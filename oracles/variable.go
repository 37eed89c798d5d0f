package oracles

import (
	"cmp"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/code/xref"
	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/literal"
	"patina/store/text"
)

// variableForm matches the name of an environment variable: two or more words in capitals.
var variableForm = lazyregexp.New(`(?:^|[\s"'` + "`" + `(\[=$%{])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b`)

// readsVariable matches the ways to read an environment variable in the languages parsed.
var readsVariable = lazyregexp.New(`(?i)environ|getenv|lookupenv|env::var|env!\(|process\.env|import\.meta\.env|` +
	`\bENV\s*[\[.]|env\.fetch|env\.get|envvar|getenvironmentvariable|\benv\s*\(|\benv:`)

// maxVariable bounds the texts read for one environment variable, because the words of its name may
// be common by themselves.
const maxVariable = 200

// variableNamed returns the environment variable that a question names. alone reports whether it is
// the whole question, and ok whether there is one. A long text names no variable.
func variableNamed(q text.Question) (name string, alone, ok bool) {
	if q.Long {
		return "", false, false
	}
	m := variableForm().FindStringSubmatch(q.Raw)
	if m == nil || len(m[1]) > xref.MaxName {
		return "", false, false
	}
	return m[1], strings.Trim(strings.TrimSpace(q.Raw), "`'\"${}%?") == m[1], true
}

// variable finds the files in which an environment variable is defined or used. In each tier the
// files that read it come first, then those that set it, then the others. It finds nothing if code
// defines the name itself, because then it is found as a symbol. If the question is a sentence, the
// name is a topic, so only sources that read it count, and only if they are few.
func (s *literals) variable() (found []literalHit, more []Places, err error) {
	name, alone, ok := variableNamed(s.question)
	if !ok {
		return nil, nil, nil
	}
	ds, err := lookup.Definitions(s.ctx, s.reader, s.scoring.snap, xref.Name{Last: name})
	if err != nil || len(ds) > 0 {
		return nil, nil, err
	}
	holders, _, err := s.holding(literal.Verbatim(name).Runs())
	if err != nil {
		return nil, nil, err
	}
	place := func(body string) (literal.Match, bool) { return placeOfVariable(body, name) }
	hits, err := s.verify(holders, maxVariable, place, nil)
	if err != nil || len(hits) == 0 {
		return nil, nil, err
	}
	slices.SortStableFunc(hits, func(a, b literalHit) int {
		return cmp.Or(int(a.tier-b.tier), a.match.Compare(b.match), cmp.Compare(b.d, a.d),
			strings.Compare(a.file.Path, b.file.Path))
	})
	reads := 0
	for _, h := range hits {
		if h.tier == aSource && h.match.Whole {
			reads++
		}
	}
	switch {
	case alone:
		kept := 1
		for kept < min(len(hits), maxPinned) && hits[kept].tier == hits[0].tier {
			kept++
		}
		found = hits[:kept]
	case reads <= maxPinned:
		found = hits[:reads]
	}
	if n := len(hits) - len(found); len(found) > 0 && n > 0 {
		more = []Places{{Text: name, Files: n}}
	}
	return found, more, nil
}

// asksForVariable matches the ways to ask whether a variable is set without reading it.
var asksForVariable = lazyregexp.New(`\bin\s+(?:os\.)?environ|(?i)environ\.(?:has|contains)`)

// placeOfVariable returns the best line with a variable. Whole marks a line that reads it, Exact
// one that does more than ask whether it is set, and Quoted one that sets it.
func placeOfVariable(body, name string) (best literal.Match, ok bool) {
	n := 0
	for line := range strings.Lines(body) {
		n++
		at := wholeWord(line, name)
		if at < 0 {
			continue
		}
		sets := setsVariable(line[at+len(name):])
		m := literal.Match{
			Line: n, Whole: !sets && readsVariable().MatchString(line) && !isProse(line),
			Exact: !asksForVariable().MatchString(line), Quoted: sets,
		}
		if !ok || m.Compare(best) < 0 {
			best, ok = m, true
		}
	}
	return best, ok
}

// wholeWord returns the index of a name that is not a part of a longer one, or -1.
func wholeWord(line, name string) int {
	for from := 0; ; {
		at := strings.Index(line[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(name)
		before := at > 0 && isNameByte(line[at-1])
		if !before && (end == len(line) || !isNameByte(line[end])) {
			return at
		}
		from = end
	}
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

var givesValue = lazyregexp.New(`^["'\])]*\s*(?::|=)[^=]`)

// setsVariable reports whether the text after a name gives it a value.
func setsVariable(rest string) bool { return givesValue().MatchString(rest) }

// isProse reports whether a line is a comment or a sentence about a variable, and so reads nothing.
func isProse(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range [...]string{"//", "#", "/*", "* ", "--", ";", ":", "-"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return strings.Contains(line, ":envvar:")
}

// Places says in how many more files a text occurs, besides those found.
type Places struct {
	Text  string
	Files int
}

// Cited holds the texts that a question quotes, pastes or names.
type Cited struct {
	Found  []doc.Ranked
	Absent []string // quoted parts that do not occur in the index
	More   []Places // other files that hold a text letter for letter
}
