// Package settings reads ferry.toml and the settings of the machine.
package settings

import (
	"os"
	"strings"
)

// Read returns the settings of a file, by name.
func Read(file string) (map[string]string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, "="); ok {
			out[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return out, nil
}
