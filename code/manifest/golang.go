package manifest

import (
	"strings"
)

// A GoMod is the content of a go.mod.
type GoMod struct {
	Module  string
	Needs   []Need      // direct ones, of any scope
	Retract []Retracted // retracted versions
}

// A Retracted is a version or a range of versions, and the reason for its retraction.
type Retracted struct {
	Version, Reason string
	Line            int
}

// ReadGoMod reads a go.mod.
func ReadGoMod(text string) (m GoMod) {
	block := ""
	eachLine(text, func(n int, line string) {
		said, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(said)
		switch {
		case len(words) == 0:
			return
		case words[0] == ")":
			block = ""
			return
		case len(words) > 1 && words[1] == "(":
			block = words[0]
			return
		case block != "":
			words = append([]string{block}, words...)
		}
		if len(words) < 2 {
			return
		}
		name := strings.Trim(words[1], "\"`")
		switch words[0] {
		case "module":
			if m.Module == "" {
				m.Module = name
			}
		case "require":
			if !strings.Contains(comment, "indirect") {
				m.Needs = append(m.Needs, Need{name, Unsaid, n})
			}
		case "retract":
			version := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(said), "retract "))
			m.Retract = append(m.Retract, Retracted{version, strings.TrimSpace(comment), n})
		}
	})
	return m
}
