package doc

import (
	"cmp"
	"slices"
)

// Moves records renames in commits, oldest first, by the old path's id.
type Moves map[int64][]moved

// A moved file has another path since the commit with key at.
type moved struct{ to, at int64 }

// nextMove returns a path's first rename at or after a commit.
func (m Moves) nextMove(path, commit int64) (x moved, ok bool) {
	ms := m[path]
	i, _ := slices.BinarySearchFunc(ms, commit, func(x moved, at int64) int { return cmp.Compare(x.at, at) })
	if i == len(ms) {
		return moved{}, false
	}
	return ms[i], true
}

// lastPath follows all renames at or after a commit.
func (m Moves) LastPath(path, commit int64) int64 {
	for {
		x, ok := m.nextMove(path, commit)
		if !ok {
			return path
		}
		path, commit = x.to, x.at+1
	}
}

// Now returns the present path for a path in a commit, both by id and key. It follows renames from
// that commit on until a path is held. If there is no later rename, the last one counts: a merged
// branch can come after a rename it does not know. The result may not be held: then the file is
// gone.
func (m Moves) Now(path, commit int64, held func(path int64) bool) int64 {
	for first := true; !held(path); first = false {
		x, ok := m.nextMove(path, commit)
		if ms := m[path]; !ok && first && len(ms) > 0 {
			x, ok = ms[len(ms)-1], true
		}
		if !ok {
			return path
		}
		path, commit = x.to, x.at+1
	}
	return path
}

// Later returns all new paths in the renames.
func (m Moves) Later() (paths []int64) {
	for _, ms := range m {
		for _, x := range ms {
			paths = append(paths, x.to)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// By reports whether a commit renamed the path.
func (m Moves) By(path, commit int64) bool {
	return slices.ContainsFunc(m[path], func(x moved) bool { return x.at == commit })
}

// Add records that a commit gave a path another name.
func (m Moves) Add(from, to, at int64) { m[from] = append(m[from], moved{to, at}) }

// Sort puts the renames of each path in order, as Now needs them.
func (m Moves) Sort() {
	for _, ms := range m {
		slices.SortFunc(ms, func(x, y moved) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.to, y.to)) })
	}
}
