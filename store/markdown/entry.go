package markdown

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"patina/internal/lazyregexp"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// An Entry is a key with its value: a text, a list or a mapping. A member of a list has no key.
type Entry struct {
	Key     string  // in lower case
	Text    string  // of a scalar, without quotes; empty for null
	Members []Entry // of a list, otherwise nil
	Entries []Entry // of a mapping, otherwise nil
	Line    int     // in the document, from 1
}

// MergeMark is the What of a Fault about a line with which git marks a conflict.
const MergeMark = "a mark of a merge"

// A Fault reports that a part of the block is not valid.
type Fault struct {
	Line int // in the document, from 1
	What string
}

const (
	maxEntries = 2000 // in one block, at all depths: aliases may repeat entries
	maxDepth   = 16
)

// Entries reads the block. If it is not valid, each entry at the left margin is read by itself. An
// entry that is not valid gets the text after its colon as its value, and a Fault. Both results may
// be nil.
func (b FrontMatter) Entries() ([]Entry, []Fault) {
	if b.TOML {
		return b.readTOML()
	}
	return readYAML(b.Text, b.Line)
}

// Lookup returns the first entry with one of the keys, which are tried in order and must be in
// lower case. It returns false if there is no such entry.
func Lookup(entries []Entry, keys ...string) (Entry, bool) {
	for _, key := range keys {
		for _, e := range entries {
			if e.Key == key {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Texts returns the entry's text, or the texts of its members, without empty ones.
func (e Entry) Texts() []string {
	var texts []string
	for _, m := range append([]Entry{e}, e.Members...) {
		if m.Text != "" {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// ReadYAML reads a whole YAML file by the rules of FrontMatter.Entries.
func ReadYAML(text string) ([]Entry, []Fault) { return readYAML(text, 1) }

// readYAML reads a mapping whose first line has the given number in the document.
func readYAML(text string, line int) ([]Entry, []Fault) {
	r := reader{line: line}
	if entries, err := r.mapping(text); err == nil {
		return entries, r.faults
	}
	r = reader{line: line}
	var entries []Entry
	for _, part := range marginParts(text) {
		single := reader{line: line + part.line}
		found, err := single.mapping(part.text)
		if err != nil {
			found = scalarEntry(part, line)
			r.faults = append(r.faults, Fault{line + part.line, faultOf(part, err)})
		}
		entries = append(entries, found...)
	}
	r.findRepeated(entries)
	return entries, r.faults
}

// A reader converts YAML nodes to entries.
type reader struct {
	line   int // number of the text's first line in the document
	count  int
	faults []Fault
}

// mapping reads the entries of a text. It returns nil for an empty text, and errNoMapping if the
// text is something else.
func (r *reader) mapping(text string) ([]Entry, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, errNoMapping
	}
	e := r.entry("", root, 0)
	r.findRepeated(e.Entries)
	return e.Entries, nil
}

var errNoMapping = errors.New("no key and value")

// findRepeated adds a fault for each key that is repeated at the left margin. The last value
// counts.
func (r *reader) findRepeated(entries []Entry) {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.Key] {
			r.faults = append(r.faults, Fault{e.Line, fmt.Sprintf("%q is given twice", e.Key)})
		}
		seen[e.Key] = true
	}
}

// entry converts a node to an entry. An alias becomes a copy of the node that it names.
func (r *reader) entry(key string, n *yaml.Node, depth int) Entry {
	e := Entry{Key: strings.ToLower(strings.TrimSpace(key)), Line: r.line + n.Line - 1}
	r.count++
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || depth > maxDepth || r.count > maxEntries {
		return e
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag != "!!null" {
			e.Text = strings.TrimSpace(n.Value)
		}
	case yaml.SequenceNode:
		for _, m := range n.Content {
			e.Members = append(e.Members, r.entry("", m, depth+1))
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			value := r.entry(n.Content[i].Value, n.Content[i+1], depth+1)
			value.Line = r.line + n.Content[i].Line - 1
			e.Entries = append(e.Entries, value)
		}
	}
	return e
}

// A part is an entry at the left margin, with the lines that belong to it.
type part struct {
	text string
	line int // from 0
}

// marginParts cuts a text before each line that begins an entry at the left margin.
func marginParts(text string) []part {
	var parts []part
	n := 0
	for line := range strings.Lines(text) {
		first := line[0]
		begins := first > ' ' && first != '#' && first != '-' && first != ']' && first != '}'
		if begins || len(parts) == 0 {
			parts = append(parts, part{line: n})
		}
		parts[len(parts)-1].text += line
		n++
	}
	return parts
}

// scalarEntry reads "key: text" by its colon only. It returns nil if there is no key.
func scalarEntry(p part, line int) []Entry {
	first, _, _ := strings.Cut(p.text, "\n")
	key, value, ok := strings.Cut(first, ":")
	if !ok || strings.TrimSpace(key) == "" {
		return nil
	}
	value = strings.TrimSpace(strings.Trim(strings.TrimSpace(value), "[]{}"))
	if n := len(value); n >= 2 && (value[0] == '\'' || value[0] == '"') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return []Entry{{Key: strings.ToLower(strings.TrimSpace(key)), Text: value, Line: line + p.line}}
}

// yamlPlace matches the position with which the library begins its messages.
var yamlPlace = lazyregexp.New(`^yaml: (?:line \d+: )?`)

// faultOf describes the fault in a part in one sentence.
func faultOf(p part, err error) string {
	if strings.HasPrefix(p.text, "<<<<<<<") || strings.HasPrefix(p.text, ">>>>>>>") ||
		strings.HasPrefix(p.text, "=======") {
		return MergeMark
	}
	return "not valid YAML: " + yamlPlace().ReplaceAllString(err.Error(), "")
}

// readTOML reads a block of TOML. If it is not valid, the result is no entries and one fault.
func (b FrontMatter) readTOML() ([]Entry, []Fault) {
	var table map[string]any
	if err := toml.Unmarshal([]byte(b.Text), &table); err != nil {
		return nil, []Fault{{b.Line, "not valid TOML: " + strings.TrimPrefix(err.Error(), "toml: ")}}
	}
	return b.tableEntries(table, 0), nil
}

// tableEntries returns the entries of a table, sorted by key.
func (b FrontMatter) tableEntries(table map[string]any, depth int) []Entry {
	var entries []Entry
	for _, key := range slices.Sorted(maps.Keys(table)) {
		e := b.tomlEntry(table[key], depth)
		e.Key, e.Line = strings.ToLower(key), b.lineOf(key)
		entries = append(entries, e)
	}
	return entries
}

func (b FrontMatter) tomlEntry(value any, depth int) Entry {
	e := Entry{Line: b.Line}
	if depth > maxDepth {
		return e
	}
	switch v := value.(type) {
	case string:
		e.Text = strings.TrimSpace(v)
	case map[string]any:
		e.Entries = b.tableEntries(v, depth+1)
	case []any:
		for _, m := range v {
			e.Members = append(e.Members, b.tomlEntry(m, depth+1))
		}
	case float64:
		e.Text = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		e.Text = fmt.Sprint(v)
	}
	return e
}

// lineOf returns the first line of the block that assigns a key or opens a table of that name,
// otherwise the block's first line.
func (b FrontMatter) lineOf(key string) int {
	n := b.Line
	for line := range strings.Lines(b.Text) {
		name, _, _ := strings.Cut(strings.TrimLeft(line, " \t["), "=")
		if strings.Trim(name, " \t\r\n\"']") == key {
			return n
		}
		n++
	}
	return b.Line
}
