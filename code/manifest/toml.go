package manifest

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A tomlText is a scalar of TOML, or one in a list.
type tomlText struct {
	keys     []string // including those of its tables
	item     int      // rises with each table and each inline table in a list
	value    string
	isString bool // otherwise a number, a boolean or a date
	listed   bool // it is in a list, or in a table of a list
	line     int  // of its key, or of a string in a list
}

// hasKeys reports whether a text has exactly these keys.
func (t tomlText) hasKeys(keys ...string) bool { return slices.Equal(t.keys, keys) }

// eachTOML calls f with each scalar of a text, up to the first mistake or until f returns false.
func eachTOML(text string, f func(tomlText) bool) {
	r := tomlReader{text: text, line: 1, f: f}
	var p unstable.Parser
	p.Reset([]byte(text))
	var table []string
	for p.NextExpression() && !r.ended {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, r.listed = r.keys(nil, e), e.Kind == unstable.ArrayTable
			r.item++
		case unstable.KeyValue:
			line := r.line
			if it := e.Key(); it.Next() {
				line = r.lineOf(it.Node())
			}
			r.value(r.keys(table, e), e.Value(), r.listed, line, 0)
		}
	}
}

// A tomlReader is the state of one text.
type tomlReader struct {
	text   string
	line   int // at the offset at
	at     int
	item   int
	listed bool // the table is in a list
	ended  bool
	f      func(tomlText) bool
}

// lineOf returns the line of a node. It must be called in the order of the text.
func (r *tomlReader) lineOf(n *unstable.Node) int {
	to := int(n.Raw.Offset)
	if to < r.at || to > len(r.text) {
		return r.line
	}
	r.line += strings.Count(r.text[r.at:to], "\n")
	r.at = to
	return r.line
}

func (r *tomlReader) value(keys []string, v *unstable.Node, listed bool, line, depth int) {
	if depth > maxDepth || r.ended {
		return
	}
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			r.value(r.keys(keys, it.Node()), it.Node().Value(), listed, line, depth+1)
		}
	case unstable.Array:
		for it := v.Children(); it.Next(); {
			at := line
			switch it.Node().Kind {
			case unstable.String:
				at = r.lineOf(it.Node())
			case unstable.InlineTable:
				r.item++
			}
			r.value(keys, it.Node(), true, at, depth+1)
		}
	default:
		r.ended = !r.f(tomlText{keys, r.item, string(v.Data), v.Kind == unstable.String, listed, line})
	}
}

// keys returns a table's keys followed by the parts of a key.
func (r *tomlReader) keys(table []string, e *unstable.Node) []string {
	keys := slices.Clip(table)
	for it := e.Key(); it.Next() && len(keys) < maxDepth; {
		keys = append(keys, string(it.Node().Data))
	}
	return keys
}

// tomlDescription returns the first description in one of the tables.
func tomlDescription(text string, tables ...string) (q Quote) {
	eachTOML(text, func(t tomlText) bool {
		last := len(t.keys) - 1
		if t.isString && t.keys[last] == "description" && slices.Contains(tables, strings.Join(t.keys[:last], ".")) {
			q = Quote{t.value, t.line}
		}
		return q.Text == ""
	})
	return q
}
