package deliver

import (
	"fmt"

	"patina/store"
	"patina/store/belief"
)

// A belief is named by its id, and stated.
func init() {
	printers[store.Belief] = printer{
		name:    beliefName,
		excerpt: stated,
		above:   stated,
		json:    beliefInJSON,
	}
}

func beliefName(d store.Description) string {
	if d.Belief == nil {
		return place(d, d.Symbol)
	}
	return place(d, d.Belief.ID)
}

// stated returns the statement with how it stands: how firmly it is held, how many links its
// evidence has and how many of them lead to something, and how many beliefs and sessions name it. A
// decision record says no such thing, but when it was made.
func stated(d store.Description) []string {
	n := d.Belief
	if n == nil {
		return nil
	}
	s := fmt.Sprintf("%q ", clip(n.Statement, maxLine))
	if n.Source == belief.Decision {
		s += "(decision record"
		if n.Extracted != "" {
			s += " of " + clip(n.Extracted, 20)
		}
		return []string{s + ")"}
	}
	return []string{s + fmt.Sprintf("(entrenchment: %g, evidence: %d/%d, use: %d+%d)", n.Entrenchment, n.Linked, n.Resolved, n.Beliefs, n.Sessions)}
}

// A jsonBelief is what a result says of a belief.
type jsonBelief struct {
	ID           string  `json:"id"`
	Statement    string  `json:"statement"`
	Status       string  `json:"status"`
	Source       string  `json:"source"`
	Entrenchment float64 `json:"entrenchment"`
	Standing     float64 `json:"standing"`
	Evidence     int     `json:"evidence"`
	Resolved     int     `json:"resolved"`
	Beliefs      int     `json:"cited_by_beliefs"`
	Sessions     int     `json:"cited_by_sessions"`
}

// beliefScore names how beliefs are ranked among themselves: by meaning and by words.
const beliefScore = "hybrid_belief"

func beliefInJSON(r *jsonResult, d store.Description) {
	partOfFile(r, d)
	n := d.Belief
	if n == nil {
		return
	}
	r.Belief = &jsonBelief{
		n.ID, n.Statement, n.Status, string(n.Source), n.Entrenchment, n.Standing, n.Linked, n.Resolved, n.Beliefs, n.Sessions,
	}
}
