package deliver

import "patina/actors/api"

// OfOthers marks what a repository says whose authors are not known to be the user.
const OfOthers = "of this repository's authors"

// AuthorMark returns the mark for what a repository says, in front of more words about it. It is
// empty for the user's own.
func AuthorMark(others bool) string {
	if !others {
		return ""
	}
	return OfOthers + ", "
}

// titleOf returns a title with the mark, unless the repository is the user's own.
func titleOf(title string, index api.IndexState) string {
	if index.Generation.Own {
		return title
	}
	return title + ", " + OfOthers
}
