package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"patina/internal/safeio"
)

// A config maps "section.key" or "section.subsection.key" to the last value in a repository's
// settings. Sections and keys are lower-case. Included files are not read, because git itself never
// writes its own settings (core.bare, extensions.…) into them.
type config map[string]string

// settings reads the repository's settings, and those of this working tree if
// extensions.worktreeConfig is set.
func (t Tree) settings() (config, error) {
	c := config{}
	err := c.readSettings(filepath.Join(t.CommonDir, "config"))
	if err == nil && c.is("extensions.worktreeconfig") {
		err = c.readSettings(filepath.Join(t.GitDir, "config.worktree"))
	}
	return c, err
}

// config returns the settings without an error. Find has reported the error already.
func (t Tree) config() config {
	c, _ := t.settings()
	return c
}

// readSettings adds a file's settings. A missing or unreadable file adds nothing, because a
// snapshot of a repository may lack it. It returns an error if the file is irregular or too large.
func (c config) readSettings(name string) error {
	data, err := readSmall(name, maxConfig)
	switch {
	case err == nil:
		c.parse(string(data))
	case errors.Is(err, safeio.ErrIrregular), errors.Is(err, safeio.ErrTooLarge):
		return fmt.Errorf("read settings of the repository: %w", err)
	}
	return nil
}

// is reports whether a setting is present and true.
func (c config) is(name string) bool {
	switch strings.ToLower(c[name]) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// parse adds the settings of a text in git's format. It skips anything it does not understand.
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

// cutSection reads a header after its opening bracket: `core]` or `remote "origin"]`. Subsections
// keep their case. A header must end in its line, else section is "".
func cutSection(text string) (section, rest string) {
	end := strings.IndexAny(text, "]\"\n") // many sections may share one line
	if end < 0 {
		return "", ""
	}
	name := strings.ToLower(strings.TrimSpace(text[:end]))
	switch text[end] {
	case ']':
		return name, text[end+1:]
	case '\n':
		return "", text[end:]
	}
	var sub strings.Builder
	for i := end + 1; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == '"':
			after := strings.IndexAny(text[i:], "]\n")
			if after < 0 {
				return "", ""
			}
			if text[i+after] == '\n' {
				return "", text[i+after:]
			}
			return name + "." + sub.String(), text[i+after+1:]
		case text[i] == '\\' && i+1 < len(text) && text[i+1] != '\n':
			i++
		}
		sub.WriteByte(text[i])
	}
	_, rest, _ = strings.Cut(text, "\n")
	return "", rest
}

// cutValue reads a value. It undoes quotes and escapes. A comment ends the value, and a backslash
// at the end of a line continues it.
func cutValue(text string) (value, rest string) {
	var b strings.Builder
	quoted := false
	keep := 0 // length without trailing blanks
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
	case '\n': // the value continues on the next line
	default:
		b.WriteByte(ch)
	}
}
