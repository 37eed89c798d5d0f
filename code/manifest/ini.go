package manifest

import "strings"

// A setting is a value of an INI file. A value of several lines is one setting for each.
type setting struct {
	section, key, value string
	line                int
}

// eachSetting calls f with the values of an INI file. Lists are indented, one value a line.
func eachSetting(text string, f func(setting)) {
	section, key := "", ""
	eachLine(text, func(n int, line string) {
		value := strings.TrimSpace(line)
		switch {
		case value == "" || value[0] == '#' || value[0] == ';':
			return
		case value[0] == '[':
			section, key = strings.Trim(value, "[] "), ""
			return
		case line[0] != ' ' && line[0] != '\t':
			key, value, _ = strings.Cut(line, "=")
			key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		}
		if value != "" {
			f(setting{section, key, value, n})
		}
	})
}
