package prose

import (
	"strings"

	"patina/internal/lazyregexp"
)

// headBlocks is the number of blocks at the start in which the fields of a record are looked for.
const headBlocks = 60

// fieldLine reads a field of a record's head: "Status: x", "- **Status**: x", ":status: x",
// "Status:: x", "状态：x".
var fieldLine = lazyregexp.New(`^[\s>*_]*:?(\pL[\pL\pM0-9 _#()/-]{1,38}?)(?:\*\*|__|\*|_)?\s*(?:::?(?:\*\*|__|\*` +
	`|_)?(?:\s+(.*))?|：(?:\*\*|__|\*|_)?\s*(.*))$`)

// headFields returns the fields of a record: those of its front matter, then those above its second
// section.
func headFields(d *Document) []Field {
	fields := d.Front
	for i, b := range d.Blocks {
		if i == headBlocks || b.Kind == Heading && b.Level > 1 && i > 1 {
			break
		}
		switch b.Kind {
		case Heading:
		case Row:
			if name, value, ok := cells(b.Text); ok {
				fields = append(fields, Field{Name: FieldName(name), Value: value, Line: b.First})
			}
		default:
			fields = append(fields, lineFields(b)...)
		}
	}
	return fields
}

// lineFields returns the fields in the lines of one block. A value may continue on the lines below.
func lineFields(b Block) []Field {
	var fields []Field
	for i, line := range strings.Split(b.Text, "\n") {
		if m := fieldLine().FindStringSubmatch(line); m != nil {
			fields = append(fields, Field{
				Name: FieldName(m[1]), Value: strings.TrimSpace(m[2] + m[3]), Line: b.First + i,
			})
		} else if last := len(fields) - 1; last >= 0 {
			fields[last].Value = strings.TrimSpace(fields[last].Value + " " + line)
		}
	}
	return fields
}

// cells returns the first two cells of a table's row. ok is false if there are fewer, or if the
// first is empty.
func cells(row string) (name, value string, ok bool) {
	parts := strings.Split(strings.Trim(row, "| \t"), "|")
	if len(parts) < 2 || strings.Trim(parts[0], " -:=+") == "" {
		return "", "", false
	}
	return strings.TrimRight(Plain(parts[0]), ": "), strings.TrimSpace(parts[1]), true
}

// field returns the first field with a value that has the first of the names, else the second, and
// so on. A placeholder ("{…}", "<…>") is no value.
func field(fields []Field, names ...string) (Field, bool) {
	for _, name := range names {
		for _, f := range fields {
			if f.Name == name && f.Value != "" && !strings.HasPrefix(f.Value, "{") && !strings.HasPrefix(f.Value, "<") {
				return f, true
			}
		}
	}
	return Field{}, false
}
