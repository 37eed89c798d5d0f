package prose

import "strings"

// frontMatter reads the block of "---" or "+++" that opens some lines, and returns its length. A
// block without end is none.
func frontMatter(lines []string) (fields []Field, length int) {
	if len(lines) == 0 {
		return nil, 0
	}
	open := strings.TrimRight(lines[0], " \t")
	if open != "---" && open != "+++" {
		return nil, 0
	}
	for n := 1; n < len(lines); n++ {
		line := strings.TrimRight(lines[n], " \t")
		if line == open || open == "---" && line == "..." {
			return Fields(lines[1:n], 2), n + 1
		}
	}
	return nil, 0
}

// Fields reads the top level of a YAML or TOML mapping, as far as names and plain values go. The
// items of a list are fields of the list's name. The first line has the given number.
func Fields(lines []string, first int) []Field {
	var fields []Field
	name := ""
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "" || bare[0] == '#':
		case strings.HasPrefix(bare, "- "):
			if name != "" {
				fields = append(fields, Field{name, scalar(bare[2:]), first + i})
			}
		case line[0] == ' ' || line[0] == '\t':
			// Deeper keys belong to their own mapping. A folded value goes on here.
			if last := len(fields) - 1; last >= 0 && fields[last].Name == name && folded(fields[last].Value) {
				fields[last] = Field{name, scalar(bare), first + i}
			}
		default:
			name = ""
			if n, value, ok := cutField(bare); ok {
				name = n
				if value = scalar(value); value != "" {
					fields = append(fields, Field{name, value, first + i})
				}
			}
		}
	}
	return fields
}

// folded reports whether a value stands on the lines below.
func folded(value string) bool {
	return value == ">" || value == "|" || value == ">-" || value == "|-"
}

// cutField cuts "name: value" or "name = value".
func cutField(line string) (name, value string, ok bool) {
	at := strings.IndexAny(line, ":=")
	if at <= 0 || at > maxName {
		return "", "", false
	}
	return FieldName(line[:at]), line[at+1:], true
}

// maxName bounds a field's name in bytes.
const maxName = 40

// FieldName is a name as fields have it: in lower case, its words joined by "-".
func FieldName(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '_' || r == '-' || r == '*' || r == '`' || r == '"' || r == '\''
	})
	return strings.Join(words, "-")
}

// scalar is a plain value without quotes and comment.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
		if end := strings.LastIndexByte(value, value[0]); end > 0 {
			return strings.TrimSpace(value[1:end])
		}
	}
	if at := strings.Index(value, " #"); at >= 0 {
		value = value[:at]
	}
	return strings.TrimSpace(value)
}

// List is the members of a value such as "[a, b]" or "a, b".
func List(value string) []string {
	var members []string
	for m := range strings.SplitSeq(strings.Trim(strings.TrimSpace(value), "[]"), ",") {
		if m = strings.Trim(strings.TrimSpace(m), `"'`); m != "" {
			members = append(members, m)
		}
	}
	return members
}

// Value is the first value of a field in the front matter that has one of the names.
func (d *Document) Value(names ...string) (Field, bool) {
	for _, name := range names {
		for _, f := range d.Front {
			if f.Name == name {
				return f, true
			}
		}
	}
	return Field{}, false
}
