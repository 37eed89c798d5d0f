package agentcmd

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A tomlEdit is one table of a TOML file, added to its end.
type tomlEdit struct {
	table []string // the keys of its header, unquoted
	with  object   // strings and lists of strings
}

func (e tomlEdit) header() string { return "[" + strings.Join(e.table, ".") + "]" }

func (e tomlEdit) name() string { return strings.Join(e.table, ".") }

func (e tomlEdit) entryText() string { return e.block("\n") }

func (e tomlEdit) block(eol string) string {
	var b strings.Builder
	b.WriteString(e.header() + eol)
	for _, f := range e.with {
		// A JSON string of plain words is also a TOML string, and a list is a list.
		b.WriteString(f.key + " = " + style{flat: true, gap: " "}.formatValue(f.value, "") + eol)
	}
	return b.String()
}

// parseTables parses a file.
func parseTables(file []byte) (map[string]any, error) {
	out := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(file, byteOrderMark(file)), &out)
	return out, err
}

// valueAt returns the value at a path, and the table that holds it. Both are nil if the path does
// not exist.
func valueAt(tree map[string]any, path []string) (holder map[string]any, value any) {
	holder = tree
	for i, key := range path {
		value = holder[key]
		if i == len(path)-1 {
			break
		}
		next, ok := value.(map[string]any)
		if !ok {
			return nil, nil
		}
		holder = next
	}
	return holder, value
}

// tableState returns the state of the table in a parsed file.
func tableState(tree map[string]any, path []string, with object) State {
	_, have := valueAt(tree, path)
	switch {
	case have == nil:
		return Missing
	case coversValue(have, plainValue(with)):
		return Intact
	}
	return Edited
}

func (e tomlEdit) putInto(file []byte) ([]byte, State, error) {
	tree, err := parseTables(file)
	if err != nil {
		return nil, "", err
	}
	if state := tableState(tree, e.table, e.with); state != Missing {
		return file, state, nil
	}
	after := joinBytes(file, []byte(separatorFor(file)+e.block(eolOf(file))))
	return after, Missing, differOnly(parseTables, file, after, e.table)
}

// differOnly returns an error unless two files have the same content, apart from a path that the
// first lacks.
func differOnly(parse func([]byte) (map[string]any, error), without, with []byte, path []string) error {
	less, err := parse(without)
	if err != nil {
		return err
	}
	more, err := parse(with)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnsafe, err)
	}
	if _, have := valueAt(more, path); have == nil {
		return errUnsafe
	}
	holder, _ := valueAt(more, path)
	delete(holder, path[len(path)-1])
	for n := len(path) - 1; n > 0; n-- { // its containers may be new too
		holder, value := valueAt(more, path[:n])
		if table, ok := value.(map[string]any); !ok || len(table) > 0 {
			break
		}
		past, had := valueAt(less, path[:n])
		if had != nil {
			break
		}
		delete(holder, path[n-1])
		if _, there := past[path[n-1]]; there { // present but empty
			holder[path[n-1]] = nil
		}
	}
	if !reflect.DeepEqual(less, more) {
		return errUnsafe
	}
	return nil
}

func (e tomlEdit) cutFrom(file, _ []byte) ([]byte, State, error) {
	tree, err := parseTables(file)
	if err != nil {
		return file, "", err
	}
	state := tableState(tree, e.table, e.with)
	if state != Intact {
		return file, state, nil
	}
	from, to := e.extent(file)
	if from < 0 {
		return file, "", fmt.Errorf("%q is not written as a table with this header", e.name())
	}
	after := spliceBytes(file, findSeparator(file, from, to == len(file)), to, "")
	return after, state, differOnly(parseTables, after, file, e.table)
}

// extent returns the start and the end of the table. It ends before the blank lines and comments
// that precede the next header. from is -1 if the header is not found.
func (e tomlEdit) extent(file []byte) (from, to int) {
	from, open := -1, ""
	for begin := len(byteOrderMark(file)); begin < len(file); {
		end := lineEnd(file, begin)
		line := strings.TrimSpace(string(file[begin:end]))
		inside := open != ""
		open = openString(line, open)
		switch {
		case inside:
			if from >= 0 {
				to = end
			}
		case from < 0:
			if head, rest, _ := strings.Cut(line, "]"); head+"]" == e.header() &&
				(strings.TrimSpace(rest) == "" || strings.HasPrefix(strings.TrimSpace(rest), "#")) {
				from, to = begin, end
			}
		case strings.HasPrefix(line, "["):
			return from, to
		case line != "" && line[0] != '#':
			to = end
		}
		begin = end
	}
	return from, to
}

// lineEnd returns the start of the line after at.
func lineEnd(file []byte, at int) int {
	if n := bytes.IndexByte(file[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(file)
}

// openString returns the delimiter of the multi-line string that is open after a line of TOML, or
// "".
func openString(line, open string) string {
	for line != "" {
		if open != "" {
			n := strings.Index(line, open)
			if open == `"""` {
				n = indexUnescaped(line, open)
			}
			if n < 0 {
				return open
			}
			line, open = line[n+3:], ""
			line = strings.TrimLeft(line, `"'`) // the text may end with up to two quotes
			continue
		}
		n := strings.IndexAny(line, `"'#`)
		if n < 0 || line[n] == '#' {
			return ""
		}
		quote := line[n : n+1]
		if triple := strings.Repeat(quote, 3); strings.HasPrefix(line[n:], triple) {
			line, open = line[n+3:], triple
			continue
		}
		line = line[n+1:]
		stop := strings.Index(line, quote)
		if quote == `"` {
			stop = indexUnescaped(line, quote)
		}
		if stop < 0 {
			return "" // invalid TOML: the parser has reported it
		}
		line = line[stop+1:]
	}
	return open
}

// indexUnescaped returns the index of a delimiter without a backslash before it, or -1.
func indexUnescaped(line, delimiter string) int {
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if strings.HasPrefix(line[i:], delimiter) {
			return i
		}
	}
	return -1
}
