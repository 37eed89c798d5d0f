package agentcmd

import (
	"encoding/json"
	"reflect"
	"strings"
)

// An object is a JSON object whose members keep their order.
type object []field

// A field is one member of an object. Its value is a string, a bool, an int, a []any or an object.
type field struct {
	key   string
	value any
}

// plainValue returns a value as a parser would return it.
func plainValue(v any) any {
	switch v := v.(type) {
	case object:
		out := map[string]any{}
		for _, f := range v {
			out[f.key] = plainValue(f.value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainValue(v[i])
		}
		return out
	case int:
		return float64(v)
	}
	return v
}

// coversValue reports whether a value in a file has the same meaning as ours. It may have further
// members if they are empty, because clients add such members when they save.
func coversValue(have, want any) bool {
	ours, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(unifyNumbers(have), want)
	}
	theirs, ok := have.(map[string]any)
	if !ok {
		return false
	}
	for key, value := range ours {
		if got, ok := theirs[key]; !ok || !coversValue(got, value) {
			return false
		}
	}
	for key, value := range theirs {
		if _, ok := ours[key]; !ok && !isEmpty(value) {
			return false
		}
	}
	return true
}

// unifyNumbers converts the numbers of several parsers to one type, also within lists.
func unifyNumbers(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = unifyNumbers(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			out[key] = unifyNumbers(value)
		}
		return out
	}
	return v
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// A style is the form of new JSON. It follows the file around it.
type style struct {
	eol  string // "\n" or "\r\n"
	unit string // one step of indentation
	flat bool   // all on one line
	gap  string // after commas and colons of a flat text
}

// formatValue returns the text of a value. indent is the indentation of its first line.
func (s style) formatValue(v any, indent string) string {
	var members []string
	open, last := "{", "}"
	switch v := v.(type) {
	case object:
		for _, f := range v {
			gap := " "
			if s.flat {
				gap = s.gap
			}
			members = append(members, quoteScalar(f.key)+":"+gap+s.formatValue(f.value, indent+s.unit))
		}
	case []any:
		open, last = "[", "]"
		line := style{flat: true, gap: s.listGap()}
		for _, e := range v {
			if _, ok := e.(object); ok && !s.flat {
				members = append(members, s.formatValue(e, indent+s.unit))
				continue
			}
			members = append(members, line.formatValue(e, ""))
		}
		if len(v) == 0 || !strings.HasPrefix(members[0], "{") {
			return "[" + strings.Join(members, ","+s.listGap()) + "]"
		}
	default:
		return quoteScalar(v)
	}
	if s.flat {
		return open + strings.Join(members, ","+s.gap) + last
	}
	inner := s.eol + indent + s.unit
	return open + inner + strings.Join(members, ","+inner) + s.eol + indent + last
}

func (s style) listGap() string {
	if s.flat {
		return s.gap
	}
	return " "
}

// quoteScalar returns a scalar in JSON.
func quoteScalar(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // v must be a string, a bool or an int
	}
	return string(out)
}
