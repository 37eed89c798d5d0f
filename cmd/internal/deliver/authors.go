package deliver

import (
	"strings"

	"patina/actors"
)

// ofOthers marks what a repository says whose authors are not known to be the user.
const ofOthers = "of this repository's authors"

// authorMark returns the mark for what a repository says, in front of more words about it. It is
// empty for the user's own.
func authorMark(others bool) string {
	if !others {
		return ""
	}
	return ofOthers + ", "
}

// titleOf returns a title with the mark, unless the repository is the user's own.
func titleOf(title string, index actors.IndexState) string {
	if index.Generation.Own {
		return title
	}
	return title + ", " + ofOthers
}

// quoteText makes one harmless line in double quotes of a text, of at most limit bytes within them.
// Quotes in it are escaped, and so are backslashes before them and at the end: it ends where it
// seems to end.
func quoteText(s string, limit int) string {
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, r := range clip(s, limit) {
		if r == '"' {
			b.WriteString(strings.Repeat(`\`, slashes+1))
		}
		if slashes++; r != '\\' {
			slashes = 0
		}
		b.WriteRune(r)
	}
	return b.String() + strings.Repeat(`\`, slashes) + `"`
}
