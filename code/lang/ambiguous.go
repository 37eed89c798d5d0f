package lang

import (
	"bytes"
	"path"
	"strings"

	"patina/internal/lazyregexp"
)

// decideAmbiguous decides between languages that share an extension: MATLAB and Objective-C ".m", C
// and C++ ".h", text and reStructuredText ".txt". It returns l for any other file.
func decideAmbiguous(end string, l *Language, text []byte) *Language {
	switch {
	case end == ".m" && someLineStarts(text, "#import", "#include", "@interface", "@implementation", "@protocol"):
		return known()["Objective-C"]
	case end == ".txt" && someLineStarts(text, ".. code-block::", ".. contents::", ".. currentmodule::",
		".. module::", ".. note::", ".. toctree::"):
		return known()["reStructuredText"]
	case end == ".h" && isCPlusPlus(text):
		return known()["C++"]
	case end == ".ts" && isXML(text): // translations of Qt
		return known()["XML"]
	}
	return l
}

var (
	// Starts of lines, and words, of C++ that C does not have.
	cppStart = lazyregexp.New(`^(?:class\s+\w|(?:inline\s+)?namespace\b|template\s*<` +
		`|using\s+(?:namespace\s+)?[\w:]+\s*[;=<]|(?:public|private|protected)(?:\s+slots|\s+Q_SLOTS)?\s*:|virtual\s` +
		`|explicit\s|friend\s|constexpr\s|enum\s+(?:class|struct)\s|signals:|concept\s+\w+\s*=)`)
	cppWord = lazyregexp.New(`\bstd::\w|\b(?:struct|union)\s+(?:[A-Z_]+\s+)?\w+\s+final\b|\b(?:struct` +
		`|class)\s+\w+(?:\s+final)?\s*:\s*(?:public|private|protected|virtual)\b|\)\s*(?:const\s*)?(?:noexcept` +
		`|override)\b|\boperator\s*(?:[-+*/=<>!&|^%\[(]|bool\b|new\b|delete\b)|=\s*(?:delete|default)\s*;` +
		`|\b(?:static|dynamic|reinterpret|const)_cast<|\bnullptr\b|\b\w+::~?\w+\s*[(;,&>]|\bvirtual\s+\w` +
		`|\w+\s*<\s*\w+(?:\s*,\s*\w+)*\s*>\s+\w+\s*[;=(]`)
)

// isCPlusPlus reports whether a header is one of C++, because some line outside comments and
// strings has a word of C++.
func isCPlusPlus(text []byte) bool {
	inside := false // a comment
	for line := range bytes.Lines(text) {
		var code []byte
		code, inside = withoutComment(bytes.TrimLeft(line, " \t"), inside)
		if len(code) == 0 || code[0] == '#' {
			continue
		}
		if cppStart().Match(code) || cppWord().Match(code) {
			return true
		}
	}
	return false
}

// maxHeaderLine is the number of bytes of a line that are looked at.
const maxHeaderLine = 500

// withoutComment returns the code of a line, without strings. inside and still report whether the
// line begins and ends in a block comment.
func withoutComment(line []byte, inside bool) (code []byte, still bool) {
	line = line[:min(len(line), maxHeaderLine)]
	for len(line) > 0 {
		if inside {
			end := bytes.Index(line, []byte("*/"))
			if end < 0 {
				return code, true
			}
			line, inside = line[end+2:], false
			continue
		}
		at := bytes.IndexAny(line, "/\"")
		switch {
		case at < 0:
			return append(code, line...), false
		case line[at] == '"':
			code = append(code, line[:at]...)
			end := bytes.IndexByte(line[at+1:], '"')
			if end < 0 {
				return code, false
			}
			line = line[at+end+2:]
		case bytes.HasPrefix(line[at:], []byte("//")):
			return append(code, line[:at]...), false
		case bytes.HasPrefix(line[at:], []byte("/*")):
			code = append(code, line[:at]...)
			line, inside = line[at+2:], true
		default:
			code = append(code, line[:at+1]...)
			line = line[at+1:]
		}
	}
	return code, inside
}

// isXML reports whether a text begins like XML.
func isXML(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return bytes.HasPrefix(text, []byte("<?xml")) || bytes.HasPrefix(text, []byte("<!DOCTYPE"))
}

// someLineStarts reports whether a line starts with one of some signs, ignoring leading space.
func someLineStarts(text []byte, signs ...string) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \t")
		for _, s := range signs {
			if bytes.HasPrefix(line, []byte(s)) {
				return true
			}
		}
	}
	return false
}

// interpreterOf returns the command of a first line "#!" without its version, or "". It skips env
// and its flags.
func interpreterOf(text []byte) string {
	if !bytes.HasPrefix(text, []byte("#!")) {
		return ""
	}
	line, _, _ := bytes.Cut(text[2:min(len(text), 256)], []byte{'\n'})
	for _, word := range strings.Fields(string(line)) {
		command := strings.ToLower(path.Base(word))
		if command == "env" || strings.HasPrefix(command, "-") || strings.Contains(command, "=") {
			continue
		}
		return strings.TrimRight(command, "0123456789.")
	}
	return ""
}
