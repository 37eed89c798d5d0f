package xref

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A tomlText is a scalar of TOML with the keys above it, or one in a list of such.
type tomlText struct {
	key   []string
	item  int // counts the tables of a list ([[bin]]), and is 0 elsewhere
	value string
}

// is reports whether a text stands under this key.
func (t tomlText) is(key ...string) bool { return slices.Equal(t.key, key) }

// tomlTexts lists the scalars of a text, up to the first mistake.
func tomlTexts(text string) (all []tomlText) {
	var p unstable.Parser
	p.Reset([]byte(text))
	item := 0
	var put func(key []string, v *unstable.Node, depth int)
	put = func(key []string, v *unstable.Node, depth int) {
		switch {
		case depth > maxNested:
		case v.Kind == unstable.InlineTable:
			for it := v.Children(); it.Next(); {
				put(tomlKey(key, it.Node()), it.Node().Value(), depth+1)
			}
		case v.Kind == unstable.Array:
			for it := v.Children(); it.Next(); {
				if it.Node().Kind == unstable.InlineTable {
					item++
				}
				put(key, it.Node(), depth+1)
			}
		default:
			all = append(all, tomlText{key, item, string(v.Data)})
		}
	}
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = tomlKey(nil, e)
			item++
		case unstable.KeyValue:
			put(tomlKey(table, e), e.Value(), 0)
		}
	}
	return all
}

// tomlKey adds the parts of a key. A deep one is cut: none that is read has more parts.
func tomlKey(table []string, e *unstable.Node) []string {
	key := slices.Clone(table)
	for it := e.Key(); it.Next() && len(key) < maxNested; {
		key = append(key, strings.Clone(string(it.Node().Data)))
	}
	return key
}
