package manifest

import "strings"

// A setting is a value of an INI file. Each line of a value is a setting of its own.
type setting struct {
	section, key, value string
	line                int
}

// eachSetting calls f with the values of an INI file. Further lines of a value must be indented.
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
