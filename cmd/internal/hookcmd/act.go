package hookcmd

import "strings"

const searchHint = "patina has indexed this repository. A question finds more by scry (patina scry \"QUESTION\") than by a pattern; " +
	"callers and imports are facts (patina assay callers NAME)."

// answerTool returns the text for a tool that is about to run or has run. It returns "" if there is
// nothing to say.
func (a *app) answerTool(e Event) string {
	if e.Kind == BeforeTool && isSearch(e) {
		return searchHint
	}
	return ""
}

// isSearch reports whether a tool is about to search files for a pattern.
func isSearch(e Event) bool {
	if e.Tool == SearchTool {
		return true
	}
	for _, part := range strings.FieldsFunc(e.Command,
		func(r rune) bool { return r == ';' || r == '&' || r == '\n' }) {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "grep", "egrep", "fgrep", "rg", "ag", "ack":
			return true
		case "git":
			if len(words) > 1 && words[1] == "grep" {
				return true
			}
		}
	}
	return false
}
