package decision

import (
	"path"
	"strings"
)

// A Belief is a decision in the form in which beliefs are kept: what a project holds to be true.
// A record says nothing of facets or entrenchment.
type Belief struct {
	ID         string // unique among the records given
	Statement  string
	Status     Status
	Said       string // the record's own words for its status, or ""
	Title      string
	Date       string // of the decision, YYYY-MM-DD, or as written
	Path       string
	Line       int // of the statement
	End        int
	Supersedes []Link // records that it takes the place of
	AttackedBy []Link // records that took its place
}

// A Link leads to another record's belief, or to a name that no record has.
type Link struct {
	Target   string // an id; as written if Resolved is false
	Resolved bool
	Path     string // the record that says so
	Line     int
}

// Beliefs are the decisions of some records, in their order. A record that states nothing is left
// out. Records of one name in several folders are told apart by their paths.
func Beliefs(records []*Record) []Belief {
	times := map[string]int{}
	for _, r := range records {
		times[r.ID]++
	}
	ids := map[string]string{}
	for _, r := range records {
		if ids[r.Path] = r.ID; times[r.ID] > 1 {
			ids[r.Path] = slug(strings.TrimSuffix(r.Path, path.Ext(r.Path)))
		}
	}
	at := map[string]int{}
	var beliefs []Belief
	for _, r := range records {
		if !r.Stated() {
			continue
		}
		at[r.Path] = len(beliefs)
		beliefs = append(beliefs, Belief{
			ID: ids[r.Path], Statement: r.Statement.Text, Status: r.Status, Said: r.Said, Title: r.Title, Date: r.Date,
			Path: r.Path, Line: r.Statement.First, End: r.Statement.Last,
		})
	}
	for _, e := range Edges(records) {
		link := func(to string) Link {
			if to == "" {
				return Link{Target: e.Named, Path: e.Path, Line: e.Line}
			}
			return Link{Target: ids[to], Resolved: true, Path: e.Path, Line: e.Line}
		}
		if i, ok := at[e.Old]; ok {
			beliefs[i].AttackedBy = append(beliefs[i].AttackedBy, link(e.New))
		}
		if i, ok := at[e.New]; ok {
			beliefs[i].Supersedes = append(beliefs[i].Supersedes, link(e.Old))
		}
	}
	return beliefs
}
