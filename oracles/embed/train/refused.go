package train

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed refused.txt
var refusedList string

// refused are the components of refused names, squeezed: of "owner/name" the name, which forks and packages share.
var refused = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(refusedList) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		m[squeeze(line[strings.LastIndexByte(line, '/')+1:])] = line
	}
	return m
}()

var (
	notInName = regexp.MustCompile(`[^a-z0-9+#]`)
	atVersion = regexp.MustCompile(`@[^/@]*$|\.git$`)
)

// Refused says whether a source must never be trained on, and which line of the list says so. It knows a repository by its
// name in any case and with or without its punctuation, whoever owns it, in addresses ("https://github.com/spf13/cobra.git"),
// paths ("github.com/spf13/cobra/doc@v1.2.3") and packages ("@colinhacks/zod", "date_fns"). Better one source too few.
func Refused(name string) (line string, ok bool) {
	name = strings.ToLower(strings.TrimRight(name, "/"))
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = atVersion.ReplaceAllString(name, "")
	}
	name = strings.TrimSuffix(name, ".git")
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '/' || r == ':' }) {
		if line, ok := refused[squeeze(part)]; ok {
			return line, true
		}
		if owner, repository, found := strings.Cut(part, "+"); found && owner != "" { // a local mirror: owner+name
			if line, ok := refused[squeeze(repository)]; ok {
				return line, true
			}
		}
	}
	return "", false
}

// squeeze leaves letters and digits.
func squeeze(name string) string { return notInName.ReplaceAllString(strings.ToLower(name), "") }
