package train

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed refused.txt
var refusedList string

// refused maps squeezed names to their lines in the list. For "owner/name" it holds the name,
// because forks and packages share it.
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

// Refused reports whether a source must not be trained on, and returns the line in the list. It
// matches a repository's name in any case, with or without punctuation, under any owner. That
// includes addresses ("https://github.com/spf13/cobra.git"), paths
// ("github.com/spf13/cobra/doc@v1.2.3") and packages ("@colinhacks/zod", "date_fns"). When in
// doubt, it refuses.
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
		// A local mirror is named owner+name.
		if owner, repository, found := strings.Cut(part, "+"); found && owner != "" {
			if line, ok := refused[squeeze(repository)]; ok {
				return line, true
			}
		}
	}
	return "", false
}

// squeeze returns the letters and digits of a name, and "+" and "#", in lower case.
func squeeze(name string) string { return notInName.ReplaceAllString(strings.ToLower(name), "") }
