// This file reads Jupyter notebooks as programs: code as it is, prose as comments, and no
// outputs, metadata or pictures.
//
// A line of a cell stands on the line that it has in the file, as notebooks are written: one string
// a line. Where several share a line they follow each other. Texts are foreign; one that is no
// notebook is reported as such. Everything here may be called concurrently.

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

// UsualKernel is the language of a notebook that does not say its own.
const UsualKernel = "python"

// A Script is a notebook as a program.
type Script struct {
	Language string // as the notebook writes it: "python", "R"; "" if it does not say
	Text     []byte
}

// Read reads a notebook. comment returns the mark that begins comment lines of a language.
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

// A cell is what is kept of one.
type cell struct {
	line   int
	kind   string
	source []piece
}

// A parser reads the tokens of a notebook.
type parser struct {
	raw      []byte
	dec      *json.Decoder
	counted  int // bytes whose lines are counted
	lines    int // line breaks among them
	cells    []cell
	hasCells bool
	language string
}

var errForm = errors.New("not in the form of a notebook")

// lineOfToken is the line of the token that was read last.
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

// metadata reads the language of the kernel. What language_info says goes before the kernel's own.
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

// source reads a string, or a list of them.
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

// object reads the fields of an object.
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

// skip reads a value of any kind. Its depth costs no stack.
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

// A writer puts the lines of cells together.
type writer struct {
	out    bytes.Buffer
	line   int // lines that are written
	mark   string
	python bool
}

// writeLine writes a line, not before the line of the file that it has.
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

// linesOf joins strings to lines. One that has no line break at its end goes on in the next.
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

// pythonMagics are the commands of IPython behind which Python stands.
var pythonMagics = text.Set("%time %timeit %prun %%time %%timeit %%capture %%prun %%memit %memit")

// otherProgram reports whether a cell is for another program: %%bash, %%html.
func otherProgram(source []piece) bool {
	if len(source) == 0 {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(source[0].text), "\n")
	word, _, _ := strings.Cut(first, " ")
	return strings.HasPrefix(word, "%%") && !pythonMagics[word]
}

// command makes a comment of a line that IPython reads itself: %matplotlib, !ls, f?. Of a statement
// behind %time the statement stays.
func (w *writer) command(s string) string {
	trimmed := strings.TrimSpace(s)
	word, rest, _ := strings.Cut(trimmed, " ")
	indent := s[:len(s)-len(strings.TrimLeft(s, " \t"))]
	switch {
	case trimmed == "":
		return s
	case pythonMagics[word] && !strings.HasPrefix(word, "%%") && rest != "" && rest[0] != '-':
		return indent + rest
	case trimmed[0] == '%' || trimmed[0] == '!':
		return indent + w.mark + " " + trimmed
	case trimmed[0] == '?' || strings.HasSuffix(trimmed, "?") && !strings.ContainsAny(trimmed, "#\"'"):
		return indent + w.mark + " " + trimmed
	}
	return s
}
