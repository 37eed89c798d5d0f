package api

import "patina/fusion/period"

// FromWords are the parts of a question that were interpreted instead of searched for. They narrow
// commits and sessions, but never code. The zero value means that nothing was interpreted.
type FromWords struct {
	period.Span
	Words   []string // the interpreted phrases, as written
	Author  string   // name of an author in the history
	Others  int      // number of further authors of that name
	Commits int      // number of commits that pass, if Counted
	Counted bool     // whether commits were counted, because a time or an author was found
	Newest  bool     // whether relevant commits are ordered by age
	Listing bool     // whether no other words are left, so that the newest are listed
}

// Some reports whether anything was interpreted.
func (r FromWords) Some() bool { return len(r.Words) > 0 || r.Newest }
