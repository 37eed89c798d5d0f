package history

import (
	"os"
	"path/filepath"
	"strings"
)

// A config is a repository's own settings: "section.key" or "section.subsection.key" → the last value given. Sections
// and keys are lower-case. Settings that lie in included files are not seen; git's own (core.bare, extensions.…) never
// do, since git writes them itself.
type config map[string]string

// config reads the settings of the repository and, where it has them, those of this working tree alone.
func (t Tree) config() config {
	c := config{}
	c.read(filepath.Join(t.CommonDir, "config"))
	if c.is("extensions.worktreeconfig") {
		c.read(filepath.Join(t.GitDir, "config.worktree"))
	}
	return c
}

// read adds the settings of a file. A file that cannot be read adds none, as a snapshot of a repository may lack it.
func (c config) read(name string) {
	data, err := os.ReadFile(name)
	if err == nil {
		c.parse(string(data))
	}
}

// is tells whether a setting is there and true.
func (c config) is(name string) bool {
	switch strings.ToLower(c[name]) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// parse adds the settings of a text in git's format; what it does not understand it passes over.
func (c config) parse(text string) {
	section := ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\r\n\ufeff")
		switch {
		case text == "":
		case text[0] == '[':
			section, text = cutSection(text[1:])
		case text[0] == '#' || text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		default:
			end := strings.IndexAny(text, "=\n")
			if end < 0 {
				end = len(text)
			}
			key, value := strings.ToLower(strings.TrimSpace(text[:end])), "true"
			if text = text[end:]; strings.HasPrefix(text, "=") {
				value, text = cutValue(text[1:])
			}
			if key, _, _ = strings.Cut(key, " "); section != "" {
				c[section+"."+key] = value
			}
		}
	}
}

// cutSection reads `core]` or `remote "origin"]`, what follows the opening bracket. Subsections keep their case.
// A header that does not end in its line names no section.
func cutSection(text string) (section, rest string) {
	line, _, _ := strings.Cut(text, "\n")
	end := strings.IndexAny(line, `]"`)
	if end < 0 {
		return "", text[len(line):]
	}
	name := strings.ToLower(strings.TrimSpace(line[:end]))
	if line[end] == ']' {
		return name, text[end+1:]
	}
	var sub strings.Builder
	for i := end + 1; i < len(line); i++ {
		switch {
		case line[i] == '"':
			after := strings.IndexByte(line[i:], ']')
			if after < 0 {
				return "", text[len(line):]
			}
			return name + "." + sub.String(), text[i+after+1:]
		case line[i] == '\\' && i+1 < len(line):
			i++
		}
		sub.WriteByte(line[i])
	}
	return "", text[len(line):]
}

// cutValue reads a value: quotes and escapes are undone, a comment ends it, a backslash at the end of a line goes on.
func cutValue(text string) (value, rest string) {
	var b strings.Builder
	quoted := false
	keep := 0 // length of the value up to the last byte that is no trailing blank
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '\n' || !quoted && (ch == '#' || ch == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:keep], rest
		case ch == '"':
			quoted = !quoted
			keep = b.Len()
		case ch == '\\' && i+1 < len(text):
			i++
			writeEscaped(&b, text[i])
			keep = b.Len()
		case !quoted && (ch == ' ' || ch == '\t' || ch == '\r'):
			if b.Len() > 0 {
				b.WriteByte(ch)
			}
		default:
			b.WriteByte(ch)
			keep = b.Len()
		}
	}
	return b.String()[:keep], ""
}

func writeEscaped(b *strings.Builder, ch byte) {
	switch ch {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case '\n': // the value goes on in the next line
	default:
		b.WriteByte(ch)
	}
}
