package parse

import (
	"bytes"
	"regexp"

	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
	"patina/store/doc"
)

// Generated files are indexed by their path and the names that they define at the top level,
// because their words would drown the others, and parsing them took a third of the whole time. One
// line scanner serves every language.

var (
	topLevel = lazyregexp.New(`^(?:(?:export|default|declare|pub(?:\([a-z ]+\))?|public|private|protected|internal` +
		`|static|async|abstract|final|sealed|partial|unsafe|inline|open|data)\s+)*(func|fun|fn|function|def|defp` +
		`|class|struct|enum|union|interface|trait|protocol|type|module|defmodule|namespace|object|record|message` +
		`|service|const|var|let|val)\s+(?:\(([^)]*)\)\s*)?([\pL_$][\pL\pN_$]*)`)
	groupStart = lazyregexp.New(`^(const|var|type) \($`)
	groupName  = lazyregexp.New(`^\t([\pL_][\pL\pN_]*)`)
	lastWord   = lazyregexp.New(`([\pL_][\pL\pN_]*)(?:\[[^\]]*\])?\s*$`)
)

var sortsByWord = map[string]doc.Sort{
	"func": doc.Function, "fun": doc.Function, "fn": doc.Function, "function": doc.Function, "def": doc.Function,
	"defp": doc.Function, "const": doc.Constant, "var": doc.Variable, "let": doc.Variable, "val": doc.Variable,
}

// nameScanBytes is the number of bytes of a line that are looked at.
const nameScanBytes = 300

// readNames fills in the top-level names of a generated file. There is an entry for each, and one
// chunk with all names.
func readNames(f *doc.File, src *chunk.Source) {
	namer, group := chunk.Namer{}, doc.Sort("")
	c := chunk.Cutter{Src: src}
	for n := 1; n <= src.Lines(); n++ {
		line := src.Line(n)
		line = line[:min(len(line), nameScanBytes)]
		if len(line) == 0 || line[0] == ' ' || line[0] == '/' || line[0] == '}' {
			continue
		}
		name, sort := "", group
		switch {
		case line[0] == ')':
			group = ""
		case line[0] == '\t':
			if group != "" {
				name = firstGroup(groupName(), line)
			}
		case groupStart().Match(line):
			group = sortOf(firstGroup(groupStart(), line))
		default:
			name, sort = definitionAt(line)
		}
		if name == "" || name == "_" {
			continue
		}
		if sort == doc.Function || sort == doc.Method {
			f.Functions++
		}
		c.Labels = append(c.Labels, chunk.Label{Line: n, Name: chunk.Words(name)})
		f.Entries = append(f.Entries, doc.Entry{
			Name: namer.Unique(name), Sort: sort, First: n, Line: n, Last: n,
			Title: chunk.Truncate(foldSpace(bytes.TrimRight(line, " \t{(")), signatureBytes), Parent: -1,
		})
	}
	chunk := chunk.WholeFile(src)
	chunk.Names = c.Names(-1, chunk.First, chunk.Last)
	f.Chunks = []doc.Chunk{chunk}
}

// definitionAt returns the name that a line at the left margin defines, or "". Methods of Go are
// "Type.Method".
func definitionAt(line []byte) (string, doc.Sort) {
	m := topLevel().FindSubmatch(line)
	if m == nil {
		return "", ""
	}
	name, sort := string(m[3]), sortOf(string(m[1]))
	if len(bytes.TrimSpace(m[2])) > 0 && sort == doc.Function {
		if scope := firstGroup(lastWord(), m[2]); scope != "" {
			return scope + "." + name, doc.Method
		}
	}
	return name, sort
}

func sortOf(word string) doc.Sort {
	if s, ok := sortsByWord[word]; ok {
		return s
	}
	return doc.Type
}

func firstGroup(r *regexp.Regexp, line []byte) string {
	if m := r.FindSubmatch(line); m != nil {
		return string(m[1])
	}
	return ""
}
