package deliver

import "patina/actors/api"

// OfOthers marks the words of a repository whose authors are not known to be the user.
const OfOthers = "of this repository's authors"

// AuthorMark returns the mark for a repository's words, with a comma, to put before a description.
// It is empty if the user wrote them.
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
