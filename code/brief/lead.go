package brief

import (
	"path"
	"strings"

	"patina/code/manifest"
	"patina/internal/lazyregexp"
	"patina/scrape/prose"
)

// maxLead bounds the lines in which LeadOf looks for the purpose of a file.
const maxLead = 200

// LeadOf finds the sentence in which a file says what its package is for: the comment above Go's
// package clause, Rust's inner comment, Python's first docstring, the first paragraph of a README,
// or the description of a manifest. It returns false if there is no such sentence.
func LeadOf(name, source string) (Quote, bool) {
	base := path.Base(name)
	switch path.Ext(base) {
	case ".go":
		return goLead(name, source)
	case ".rs":
		return rustLead(name, source)
	case ".py":
		return pythonLead(name, source)
	case ".java":
		return starredLead(name, source, "package ")
	case ".json", ".toml":
		return readDescription(name, source)
	}
	if isReadme(base) {
		return readmeLead(name, source)
	}
	return Quote{}, false
}

// firstSentence returns the first sentence in the lines of a comment. first is the number of the
// first line.
func firstSentence(name string, first int, lines []string) (Quote, bool) {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines, first = lines[1:], first+1
	}
	d := prose.Read(prose.Markdown, []byte(strings.Join(lines, "\n")))
	for _, b := range d.Blocks {
		if b.Kind != prose.Paragraph {
			continue
		}
		for _, s := range b.Sentences() {
			if saysSomething(s.Text) {
				return Quote{s.Text, name, first + s.First - 1}, true
			}
		}
	}
	return Quote{}, false
}

// minWords is the least number of words of a purpose.
const minWords = 3

// saysSomething reports whether a sentence is about its subject rather than a licence, a badge or a
// directive.
func saysSomething(s string) bool {
	low := strings.ToLower(s)
	for _, word := range []string{"copyright", "license", "licence", "spdx", "all rights reserved", "eslint-", "http://", "todo"} {
		if strings.Contains(low, word) {
			return false
		}
	}
	return len(strings.Fields(s)) >= minWords && strings.ContainsAny(low, "abcdefghijklmnopqrstuvwxyz")
}

// readmeLead returns the first sentence of a README's purpose, if it is about the README's folder.
func readmeLead(name, source string) (Quote, bool) {
	q, _, ok := PurposeOf(name, source)
	if ok {
		q.Text = prose.Block{Text: q.Text, First: q.Line, Last: q.Line}.Sentences()[0].Text
	}
	return q, ok && (path.Dir(name) == "." || isAbout(path.Base(path.Dir(name)), q.Text))
}

// maxSubject is the number of words at the beginning of a sentence in which its subject must be
// named.
const maxSubject = 5

// subjects matches the beginning of a sentence about the folder that contains it.
var subjects = lazyregexp.New(`(?i)^(?:this|the|an?|it|here|provides?|contains?|implements?|defines?|holds?)\b`)

// states matches the verbs of a definition.
var states = lazyregexp.New(`(?i)\b(?:is|are|provides?|implements?|contains?|offers|lets|allows|enables|handles|` +
	`manages)\b`)

// isAbout reports whether a sentence is about the folder: it begins as such sentences do, or it
// defines a subject with a word of the folder's name.
func isAbout(folder, sentence string) bool {
	if subjects().MatchString(sentence) {
		return true
	}
	names := stemsOf(folder)
	words := strings.Fields(sentence)
	for stem := range stemsOf(strings.Join(words[:min(len(words), maxSubject)], " ")) {
		if names[stem] && states().MatchString(sentence) {
			return true
		}
	}
	return false
}

var marker = lazyregexp.New(`^//\s*\+\w+[:=]`)

// goLead reads the comment directly above the package clause.
func goLead(name, source string) (Quote, bool) {
	var lines []string
	first, done := 0, false
	var found Quote
	ok, block := false, false
	eachLine(source, func(n int, line string) {
		if done || n > maxLead*10 {
			return
		}
		bare := strings.TrimSpace(line)
		switch {
		case block:
			before, _, closed := strings.Cut(line, "*/")
			lines, block = append(lines, strings.TrimPrefix(before, " * ")), !closed
		case strings.HasPrefix(bare, "//go:") || strings.HasPrefix(bare, "// +build"):
			lines = nil
		case marker().MatchString(bare): // for a generator of code
		case strings.HasPrefix(bare, "//"):
			if len(lines) == 0 {
				first = n
			}
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(bare, "//"), " "))
		case strings.HasPrefix(bare, "/*"):
			text, _, closed := strings.Cut(bare[2:], "*/")
			first, lines, block = n, []string{strings.TrimSpace(text)}, !closed
		case strings.HasPrefix(bare, "package "):
			done = true
			found, ok = firstSentence(name, first, lines)
		default:
			lines = nil
		}
	})
	return found, ok
}

// rustLead reads the inner comment at the beginning of a file.
func rustLead(name, source string) (Quote, bool) {
	var lines []string
	first := 0
	eachLine(source, func(n int, line string) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//!")
		if !ok || n > maxLead {
			return
		}
		if first == 0 {
			first = n
		}
		for len(lines) < n-first { // attributes in between
			lines = append(lines, "")
		}
		lines = append(lines, strings.TrimPrefix(text, " "))
	})
	return firstSentence(name, first, lines)
}

// pythonLead reads the docstring of a module.
func pythonLead(name, source string) (Quote, bool) {
	var lines []string
	first, open, done := 0, "", false
	eachLine(source, func(n int, line string) {
		bare := strings.TrimSpace(line)
		switch {
		case done || n > maxLead:
		case open != "":
			before, _, closed := strings.Cut(bare, open)
			lines, done = append(lines, before), closed
		case bare == "" || bare[0] == '#':
		default:
			bare = strings.TrimLeft(bare, "rRuU")
			for _, quote := range []string{`"""`, "'''"} {
				if rest, ok := strings.CutPrefix(bare, quote); ok {
					before, _, closed := strings.Cut(rest, quote)
					first, open, lines, done = n, quote, []string{before}, closed
				}
			}
			done = done || open == ""
		}
	})
	return firstSentence(name, first, lines)
}

// inlineTag matches a tag of Javadoc, such as {@code x}.
var inlineTag = lazyregexp.New(`\{@\w+\s+([^{}]*)\}`)

// starredLead reads the comment "/** … */" above the first line that begins with above.
func starredLead(name, source, above string) (Quote, bool) {
	var lines []string
	first, block, done := 0, false, false
	eachLine(source, func(n int, line string) {
		bare := strings.TrimSpace(line)
		switch {
		case done || n > maxLead:
			done = true
		case block:
			before, _, closed := strings.Cut(bare, "*/")
			before = strings.TrimPrefix(strings.TrimPrefix(before, "*"), " ")
			lines, block = append(lines, inlineTag().ReplaceAllString(before, "$1")), !closed
		case strings.HasPrefix(bare, "/**"):
			text, _, closed := strings.Cut(bare[3:], "*/")
			first, lines, block = n, []string{strings.TrimSpace(text)}, !closed
		case strings.HasPrefix(bare, above):
			done = true
		}
	})
	return firstSentence(name, first, lines)
}

// readDescription reads the description of a manifest.
func readDescription(name, source string) (q Quote, ok bool) {
	said := manifest.Description(path.Base(name), source)
	return Quote{said.Text, name, said.Line}, saysSomething(said.Text)
}
