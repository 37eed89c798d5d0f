package brief

import (
	"strings"
)

// ownerFiles hold owners, by the first that exists.
var ownerFiles = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// OwnersIn reads the lines of a CODEOWNERS file that name an owner. The last matching line counts
// in such a file, but those for all files come first here: they are what a newcomer asks for.
func OwnersIn(name, source string) (all []Owner) {
	var rest []Owner
	eachLine(source, func(n int, line string) {
		line, _, _ = strings.Cut(line, " #")
		words := strings.Fields(line)
		if len(words) < 2 || strings.HasPrefix(words[0], "#") || strings.HasPrefix(words[0], "[") {
			return
		}
		for _, w := range words[1:] {
			if !strings.Contains(w, "@") {
				return
			}
		}
		o := Owner{words[0], Quote{strings.Join(words[1:], " "), name, n}}
		if o.Pattern == "*" || o.Pattern == "/*" || o.Pattern == "**" {
			all = append(all, o)
		} else {
			rest = append(rest, o)
		}
	})
	all = append(all, rest...)
	return all[:min(len(all), maxOwners)]
}
