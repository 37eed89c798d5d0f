// This file reads Jupyter notebooks as programs: code unchanged, prose as comments, and no outputs,
// metadata or pictures.
//
// A line of a cell is on the line that it has in the file, because notebooks are written with one
// string a line. If several share a line, they follow each other.

package markup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/text"
)

// UsualKernel is the language of a notebook that does not name its own.
const UsualKernel = "python"

// A Script is a notebook as a program.
type Script struct {
	Language string // as the notebook writes it: "python", "R"; "" if it does not say
	Text     []byte
}

// ReadNotebook reads a notebook, and returns nil and false if raw has another format. comment must
// not be nil. It returns the mark that begins comment lines of a language, which may be "".
func ReadNotebook(raw []byte, comment func(language string) string) (*Script, bool) {
	p := parser{raw: raw, dec: json.NewDecoder(bytes.NewReader(raw))}
	if err := p.notebook(); err != nil || !p.hasCells {
		return nil, false
	}
	out := writer{mark: comment(p.language), python: p.language == "" || strings.EqualFold(p.language, UsualKernel)}
	for i, c := range p.cells {
		out.cell(i+1, c)
	}
	return &Script{p.language, out.bytes()}, true
}

// A piece is one string of a cell's source.
type piece struct {
	line int // of the file, from 1
	text string
}

// A cell is the part of a cell that is kept.
type cell struct {
	line   int
	kind   string
	source []piece
}

// A parser reads the tokens of a notebook.
type parser struct {
	raw      []byte
	dec      *json.Decoder
	counted  int // bytes whose lines have been counted
	lines    int // line breaks among them
	cells    []cell
	hasCells bool
	language string
}

var errForm = errors.New("not in the form of a notebook")

// lineOfToken returns the line of the token that was read last.
func (p *parser) lineOfToken() int {
	at := min(int(p.dec.InputOffset()), len(p.raw))
	p.lines += bytes.Count(p.raw[p.counted:at], []byte{'\n'})
	p.counted = at
	return p.lines + 1
}

func (p *parser) notebook() error {
	return p.object(func(key string) error {
		switch key {
		case "cells":
			p.hasCells = true
			return p.array(p.cell)
		case "metadata":
			return p.object(p.metadata)
		}
		return p.skip()
	})
}

// metadata reads the language of the kernel. That of language_info wins over the kernel's own.
func (p *parser) metadata(key string) error {
	wanted := map[string]string{"kernelspec": "language", "language_info": "name"}[key]
	if wanted == "" {
		return p.skip()
	}
	return p.object(func(k string) error {
		if k != wanted {
			return p.skip()
		}
		t, err := p.dec.Token()
		if s, ok := t.(string); ok && (key == "language_info" || p.language == "") {
			p.language = s
		} else if _, nested := t.(json.Delim); nested {
			return errForm
		}
		return err
	})
}

func (p *parser) cell() error {
	t, err := p.dec.Token()
	if err != nil || t != json.Delim('{') {
		return errors.Join(err, errForm)
	}
	c := cell{line: p.lineOfToken()}
	err = p.fields(func(key string) error {
		switch key {
		case "cell_type":
			t, err := p.dec.Token()
			c.kind, _ = t.(string)
			return err
		case "source":
			var err error
			c.source, err = p.source()
			return err
		}
		return p.skip()
	})
	p.cells = append(p.cells, c)
	return err
}

// source reads a string, or a list of strings. It returns nil for any other simple value.
func (p *parser) source() (list []piece, err error) {
	t, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case string:
		return []piece{{p.lineOfToken(), t}}, nil
	case json.Delim:
		if t != '[' {
			return nil, errForm
		}
	default:
		return nil, nil
	}
	for p.dec.More() {
		t, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		s, ok := t.(string)
		if !ok {
			return nil, errForm
		}
		list = append(list, piece{p.lineOfToken(), s})
	}
	_, err = p.dec.Token()
	return list, err
}

// object reads the fields of an object. It returns an error if the value is no object.
func (p *parser) object(field func(key string) error) error {
	t, err := p.dec.Token()
	if err != nil || t != json.Delim('{') {
		return errors.Join(err, errForm)
	}
	return p.fields(field)
}

func (p *parser) fields(field func(key string) error) error {
	for p.dec.More() {
		t, err := p.dec.Token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return errForm
		}
		if err := field(key); err != nil {
			return err
		}
	}
	_, err := p.dec.Token()
	return err
}

func (p *parser) array(element func() error) error {
	t, err := p.dec.Token()
	if err != nil || t != json.Delim('[') {
		return errors.Join(err, errForm)
	}
	for p.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err = p.dec.Token()
	return err
}

// skip reads a value of any kind. It does not recurse, so that the depth costs no stack.
func (p *parser) skip() error {
	for depth := 0; ; {
		t, err := p.dec.Token()
		if err != nil {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// A writer joins the lines of cells.
type writer struct {
	out    bytes.Buffer
	line   int // number of lines written
	mark   string
	python bool
}

// writeLine writes a line, not before its line of the file.
func (w *writer) writeLine(line int, s string) {
	for w.line < line-1 {
		w.out.WriteByte('\n')
		w.line++
	}
	w.out.WriteString(strings.TrimRight(s, "\r"))
	w.out.WriteByte('\n')
	w.line++
}

func (w *writer) bytes() []byte { return w.out.Bytes() }

// pictures are the data of a picture in the text of a cell.
var pictures = lazyregexp.New(`data:[a-z]+/[a-zA-Z0-9.+-]+;base64,[A-Za-z0-9+/=]+`)

// cell writes a cell below a line with its number.
func (w *writer) cell(number int, c cell) {
	code := c.kind == "code"
	title := fmt.Sprintf("%s %%%% cell %d", w.mark, number)
	if !code {
		title = fmt.Sprintf("%s %%%% [%s] cell %d", w.mark, c.kind, number)
	}
	w.writeLine(c.line, title)
	foreign := code && w.python && otherProgram(c.source)
	for _, l := range linesOf(c.source) {
		s := pictures().ReplaceAllString(l.text, "data:")
		switch {
		case !code || foreign:
			s = strings.TrimRight(w.mark+" "+s, " ")
		case w.python:
			s = w.command(s)
		}
		w.writeLine(l.line, s)
	}
}

// linesOf joins strings to lines. A string without a line break at its end continues in the next
// one.
func linesOf(source []piece) (lines []piece) {
	open := false
	for _, p := range source {
		for i, s := range strings.Split(p.text, "\n") {
			if i == 0 && open {
				lines[len(lines)-1].text += s
				continue
			}
			lines = append(lines, piece{p.line, s})
		}
		open = true
		if n := len(lines); strings.HasSuffix(p.text, "\n") && lines[n-1].text == "" {
			lines, open = lines[:n-1], false
		}
	}
	return lines
}

// pythonMagics are the commands of IPython that are followed by Python.
var pythonMagics = text.Set("%time %timeit %prun %%time %%timeit %%capture %%prun %%memit %memit")

// otherProgram reports whether a cell is for another program: %%bash, %%html.
func otherProgram(source []piece) bool {
	if len(source) == 0 {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(source[0].text), "\n")
	word, _, _ := strings.Cut(first, " ")
	return strings.HasPrefix(word, "%%") && !pythonMagics.Has(word)
}

// command returns a comment for a line that IPython itself reads: %matplotlib, !ls, f?. It returns
// the statement after %time.
func (w *writer) command(s string) string {
	trimmed := strings.TrimSpace(s)
	word, rest, _ := strings.Cut(trimmed, " ")
	indent := s[:len(s)-len(strings.TrimLeft(s, " \t"))]
	switch {
	case trimmed == "":
		return s
	case pythonMagics.Has(word) && !strings.HasPrefix(word, "%%") && rest != "" && rest[0] != '-':
		return indent + rest
	case trimmed[0] == '%' || trimmed[0] == '!':
		return indent + w.mark + " " + trimmed
	case trimmed[0] == '?' || strings.HasSuffix(trimmed, "?") && !strings.ContainsAny(trimmed, "#\"'"):
		return indent + w.mark + " " + trimmed
	}
	return s
}
