package agentcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A yamlEdit is one entry of a map at the top of a YAML file in block style.
type yamlEdit struct {
	top, key string
	with     object // scalars and lists of strings
}

func (e yamlEdit) name() string { return e.top + "." + e.key }

func (e yamlEdit) entryText() string { return e.top + ":\n" + e.block("  ", "\n") }

// block returns the entry, with its key at an indentation.
func (e yamlEdit) block(indent, eol string) string {
	var b strings.Builder
	b.WriteString(indent + e.key + ":" + eol)
	for _, f := range e.with {
		b.WriteString(indent + indent + f.key + ": ")
		if name, ok := f.value.(string); ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" && name != "" {
			b.WriteString(name)
		} else { // a JSON value is also a YAML value
			b.WriteString(style{flat: true, gap: " "}.formatValue(f.value, ""))
		}
		b.WriteString(eol)
	}
	return b.String()
}

// parseMaps parses a file. It returns an error for more than one document.
func parseMaps(file []byte) (map[string]any, error) {
	d := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(file, byteOrderMark(file))))
	out := map[string]any{}
	switch err := d.Decode(&out); {
	case errors.Is(err, io.EOF):
		return out, nil
	case err != nil:
		return nil, err
	}
	var more any
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("it holds more than one document")
	}
	return out, nil
}

func (e yamlEdit) putInto(file []byte) ([]byte, State, error) {
	tree, err := parseMaps(file)
	if err != nil {
		return nil, "", err
	}
	path := []string{e.top, e.key}
	if state := tableState(tree, path, e.with); state != Missing {
		return file, state, nil
	}
	eol := eolOf(file)
	line, end := e.topLine(file)
	var after []byte
	switch _, there := tree[e.top]; {
	case line < 0 && there:
		return nil, "", fmt.Errorf("%w: %q is not written in block style", errUnsafe, e.top)
	case line < 0:
		after = joinBytes(file, []byte(separatorFor(file)+e.top+":"+eol+e.block("  ", eol)))
	default:
		indent := childIndent(file[end:])
		block := e.block(indent, eol)
		if !bytes.HasSuffix(file[:end], []byte("\n")) {
			block = eol + strings.TrimSuffix(block, eol)
		}
		after = spliceBytes(file, end, end, block)
	}
	return after, Missing, differOnly(parseMaps, file, after, path)
}

// topLine returns the start and the end of the line with only the map's key. from is -1 if there is
// no such line.
func (e yamlEdit) topLine(file []byte) (from, end int) {
	for from := len(byteOrderMark(file)); from < len(file); from = end {
		end = lineEnd(file, from)
		rest, ok := strings.CutPrefix(string(file[from:end]), e.top+":")
		if rest = strings.TrimRight(rest, " \t\r\n"); ok &&
			(rest == "" || strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") && rest[0] != '#') {
			return from, end
		}
	}
	return -1, 0
}

// childIndent returns the indentation of the first entry after a key.
func childIndent(rest []byte) string {
	for len(rest) > 0 {
		line := rest[:lineEnd(rest, 0)]
		text := strings.TrimLeft(string(line), " ")
		if indent := len(line) - len(text); strings.TrimSpace(text) != "" && text[0] != '#' {
			if indent == 0 {
				break
			}
			return string(line[:indent])
		}
		rest = rest[len(line):]
	}
	return "  "
}

func (e yamlEdit) cutFrom(file, origin []byte) ([]byte, State, error) {
	tree, err := parseMaps(file)
	if err != nil {
		return file, "", err
	}
	path := []string{e.top, e.key}
	state := tableState(tree, path, e.with)
	if state != Intact {
		return file, state, nil
	}
	top, begin := e.topLine(file)
	from, to := -1, 0
	if top >= 0 {
		from, to = e.extent(file, begin)
	}
	if from < 0 {
		return file, "", fmt.Errorf("%q is not written in block style", e.name())
	}
	if to == len(file) && from == begin && !bytes.HasSuffix(file, []byte("\n")) {
		from = lineBreakBefore(file, from, 0) // the key's line had no line break
	}
	after := spliceBytes(file, from, to, "")
	if all, _ := tree[e.top].(map[string]any); len(all) == 1 && !e.toppedIn(origin) && from == begin {
		after = spliceBytes(file, findSeparator(file, top, to == len(file)), to, "")
	}
	return after, state, differOnly(parseMaps, after, file, path)
}

// toppedIn reports whether the original had the map's key.
func (e yamlEdit) toppedIn(origin []byte) bool {
	line, _ := e.topLine(origin)
	return line >= 0
}

// extent returns the start and the end of the entry, within the lines after the map's key. from is
// -1 if it is not found.
func (e yamlEdit) extent(file []byte, begin int) (from, to int) {
	indent := childIndent(file[begin:])
	from = -1
	for at := begin; at < len(file); {
		end := lineEnd(file, at)
		line := strings.TrimRight(string(file[at:end]), " \t\r\n")
		deep := len(line) - len(strings.TrimLeft(line, " "))
		switch blank := line == "" || line[deep] == '#'; {
		case from < 0 && line == indent+e.key+":":
			from, to = at, end
		case from < 0, blank:
		case deep > len(indent):
			to = end
		default:
			return from, to
		}
		at = end
	}
	return from, to
}
