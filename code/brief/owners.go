package brief

import (
	"slices"
	"strings"

	"patina/internal/glob"
)

// ownerFiles are the names of CODEOWNERS files. The first that exists counts.
var ownerFiles = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// OwnersIn reads the lines of a CODEOWNERS file that name an owner. In such a file the last
// matching line counts, but here lines for all files come first, because a newcomer asks for those.
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

// OwnersOf returns the lines that own the paths: for each path the last line that matches, as a
// CODEOWNERS file requires. The owners of the first paths come first.
func OwnersOf(all []Owner, paths []string) (found []Owner) {
	inFile := slices.Clone(all)
	slices.SortFunc(inFile, func(a, b Owner) int { return b.Line - a.Line })
	for _, p := range paths {
		i := slices.IndexFunc(inFile, func(o Owner) bool { return o.owns(p) })
		if i >= 0 && !slices.Contains(found, inFile[i]) {
			found = append(found, inFile[i])
		}
	}
	return found
}

// owns reports whether the pattern matches a path. A pattern with a slash before its end is
// relative to the root. A pattern that names a folder matches everything in it.
func (o Owner) owns(p string) bool {
	pattern, folder := strings.CutSuffix(o.Pattern, "/")
	rooted := strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	if pattern == "" || pattern == "*" || pattern == "**" {
		return !rooted || strings.HasPrefix(pattern, "**") || !strings.Contains(p, "/")
	}
	if !rooted {
		pattern = "**/" + pattern
	}
	below := !strings.HasSuffix(pattern, "*") && glob.Match(pattern+"/**/*", p)
	return below || !folder && glob.Match(pattern, p)
}
