package api

import "patina/fusion/period"

// FromWords is what was read from the words of a question instead of searching for them. It narrows
// commits and sessions, and never code. The zero value: nothing.
type FromWords struct {
	period.Span
	Words   []string // the phrases, as written
	Author  string   // a name of the history
	Others  int      // further authors of that name
	Commits int      // that pass, if they were counted
	Counted bool     // a time or an author narrows them
	Newest  bool     // relevant commits are ordered by their age
	Listing bool     // no word is left but those for commits: the newest are listed
}

// Some reports whether anything was read.
func (r FromWords) Some() bool { return len(r.Words) > 0 || r.Newest }
