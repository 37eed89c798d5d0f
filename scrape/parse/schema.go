package parse

import (
	"bytes"
	"path"
	"strings"

	"patina/internal/lazyregexp"
	"patina/scrape/chunk"
	"patina/store/doc"
	"patina/store/text"
)

const (
	maxSchemaDeep = 64 // objects and lists in one another
	schemaHead    = 4 << 10
)

// schemaMaps are the keys of a JSON Schema whose objects name properties and definitions.
var schemaMaps = text.Set("properties patternProperties definitions $defs")

var schemaMark = lazyregexp.New(`"\$schema"\s*:\s*"https?://json-schema\.org/`)

// isSchema reports whether a file is a JSON Schema, by its dialect or its name.
func isSchema(name string, b []byte) bool {
	base := strings.ToLower(path.Base(name))
	return strings.HasSuffix(base, ".schema.json") ||
		base == "schema.json" && bytes.Contains(b, []byte(`"properties"`)) ||
		schemaMark().Match(b[:min(len(b), schemaHead)])
}

// readSchema returns the properties and definitions of a JSON Schema, each with its description. A
// property of a property is "server.port", one of a definition "Server.port".
func readSchema(src *chunk.Source) []setting {
	s := schemaReader{src: src}
	b := src.Text
	for i := 0; i < len(b) && len(s.list) <= 2*maxSettings && len(s.open) <= maxSchemaDeep; i++ {
		switch c := b[i]; c {
		case '"':
			end := stringEnd(b, i)
			s.readString(string(b[min(i+1, end):end]), i)
			i = end
		case ':':
			s.value = true
		case ',':
			s.value = false
		case '{', '[':
			s.beginValue(c == '{')
		case '}', ']':
			s.endContainer(i)
		}
	}
	return s.list
}

// A schemaReader reads the text of a JSON Schema.
type schemaReader struct {
	src   *chunk.Source
	list  []setting
	open  []schemaLevel
	key   string // the last one read
	value bool   // after its colon
	made  int    // number of properties before the key
}

// A schemaLevel is an open object or list.
type schemaLevel struct {
	named bool // its keys are names of properties
	keys  bool // it is an object
	at    int  // the innermost property around it in the list, or -1
	own   bool // it is the schema of that property
}

// readString reads a string: a key, or the value of one.
func (s *schemaReader) readString(text string, at int) {
	top := len(s.open) - 1
	if top < 0 || !s.open[top].keys {
		return
	}
	level := s.open[top]
	if s.value {
		if level.own && (s.key == "description" || s.key == "title" && s.list[level.at].doc == "") {
			s.list[level.at].doc = unescape(text)
		}
		return
	}
	s.made = len(s.list)
	if s.key = text; !level.named || !jsonName().MatchString(text) {
		return
	}
	x := setting{name: text, line: s.src.LineAt(at)}
	if n := len(s.list); n > 0 && s.list[n-1].line == x.line {
		return // one key a line, because the text has no lines of its own
	}
	if level.at >= 0 {
		x.name, x.depth = s.list[level.at].name+"."+text, s.list[level.at].depth+1
	}
	x.name, x.last = chunk.Truncate(x.name, 160), x.line
	s.list = append(s.list, x)
}

// beginValue opens the value of a key, or an item of a list.
func (s *schemaReader) beginValue(object bool) {
	level := schemaLevel{keys: object, at: -1}
	if n := len(s.open); n > 0 {
		above := s.open[n-1]
		level.at = above.at
		switch {
		case above.named && s.value && s.made < len(s.list):
			level.at, level.own = len(s.list)-1, true
		case !above.named:
			level.named = object && above.keys && schemaMaps.Has(s.key)
		}
	}
	s.open = append(s.open, level)
	s.key, s.value, s.made = "", false, len(s.list)
}

// endContainer closes an object or a list.
func (s *schemaReader) endContainer(at int) {
	n := len(s.open)
	if n == 0 {
		return
	}
	if level := s.open[n-1]; level.own {
		s.list[level.at].last = s.src.LineAt(at)
	}
	s.open, s.key, s.value = s.open[:n-1], "", false
}

// unescape replaces the escapes of white space and quotes in a string of JSON.
func unescape(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\t`, " ", `\"`, `"`, `\\`, `\`, `\/`, "/").Replace(s)
}

// schemaSettings returns the entries of a JSON Schema, or nil for any other file. If there are too
// many, it leaves out the deepest.
func schemaSettings(f *doc.File, src *chunk.Source) []setting {
	if f.Language != "JSON" || !isSchema(f.Path, src.Text) {
		return nil
	}
	return withinLimit(readSchema(src), maxSettings)
}
