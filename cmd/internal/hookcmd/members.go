package hookcmd

import "strings"

// members is a JSON object.
type members map[string]any

// textAt returns the first of the named members that is a text and not empty.
func (m members) textAt(names ...string) string {
	for _, name := range names {
		if s, ok := m[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// textsAt returns the texts in the first of the named members that is a list of texts, or the text
// that it is.
func (m members) textsAt(names ...string) (out []string) {
	for _, name := range names {
		switch v := m[name].(type) {
		case string:
			if v != "" {
				return []string{v}
			}
		case []any:
			for _, one := range v {
				if s, ok := one.(string); ok && s != "" {
					out = append(out, s)
				}
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

// objectAt returns the first of the named members that is an object.
func (m members) objectAt(names ...string) members {
	for _, name := range names {
		if v, ok := m[name].(map[string]any); ok {
			return v
		}
	}
	return nil
}

// objectsAt returns the objects in the first of the named members that is a list of some.
func (m members) objectsAt(names ...string) (out []members) {
	for _, name := range names {
		list, _ := m[name].([]any)
		for _, one := range list {
			if v, ok := one.(map[string]any); ok {
				out = append(out, v)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// joinTexts returns all texts of a value in the order of its lists, each on lines of its own. Of an
// object it takes the named members only. Values that lie deeper than a tool's result are left out.
func joinTexts(v any, names []string) string {
	var b strings.Builder
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		switch v := v.(type) {
		case string:
			if v != "" && b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(v)
		case []any:
			for _, one := range v {
				if depth < 4 {
					walk(one, depth+1)
				}
			}
		case map[string]any:
			for _, name := range names {
				if depth < 4 {
					walk(v[name], depth+1)
				}
			}
		}
	}
	walk(v, 0)
	return b.String()
}
