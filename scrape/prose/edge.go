package prose

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A Supersession says that one record replaces another. A record that is not among the given ones
// has the path "".
type Supersession struct {
	Old, New string // paths
	Named    string // the other record, as written
	Path     string // the record that says so
	Line     int
}

// Supersessions resolves the references between records: by id, else by number. Records must not be
// nil. A record in the same folder is preferred. A number that several records in other folders
// share is not resolved. If both records say the same, only the old one's reference is returned.
// The result is sorted by Path and Line.
func Supersessions(records []*Decision) []Supersession {
	ids, numbers := map[string][]*Decision{}, map[string][]*Decision{}
	for _, r := range records {
		ids[r.ID] = append(ids[r.ID], r)
		if r.Number != "" {
			numbers[r.Number] = append(numbers[r.Number], r)
		}
	}
	find := func(from *Decision, ref Reference) string {
		for _, all := range [][]*Decision{ids[ref.ID], numbers[ref.Number]} {
			if found := nearest(from, all); found != nil {
				return found.Path
			}
		}
		return ""
	}
	var edges []Supersession
	said := map[[2]string]bool{}
	for _, r := range records {
		for _, ref := range r.SupersededBy {
			e := Supersession{Old: r.Path, New: find(r, ref), Named: ref.Text, Path: r.Path, Line: ref.Line}
			edges = append(edges, e)
			said[[2]string{e.Old, e.New}] = true
		}
	}
	for _, r := range records {
		for _, ref := range r.Supersedes {
			e := Supersession{Old: find(r, ref), New: r.Path, Named: ref.Text, Path: r.Path, Line: ref.Line}
			if e.Old == "" || !said[[2]string{e.Old, e.New}] {
				edges = append(edges, e)
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b Supersession) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return edges
}

// nearest returns the first record in the folder of from, else the only record, else nil.
func nearest(from *Decision, all []*Decision) *Decision {
	var near []*Decision
	for _, r := range all {
		if r != from && folderOf(r.Path) == folderOf(from.Path) {
			near = append(near, r)
		}
	}
	switch {
	case len(near) > 0:
		return near[0]
	case len(all) == 1 && all[0] != from:
		return all[0]
	}
	return nil
}

// folderOf returns the folder that a record shares with others.
func folderOf(name string) string {
	dir := path.Dir(name)
	if ownFolder().MatchString(strings.ToLower(path.Base(dir))) {
		return path.Dir(dir)
	}
	return dir
}
