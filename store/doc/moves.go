package doc

import (
	"cmp"
	"slices"
)

// Moves are the renames in commits, by the id of the old path, oldest first. Sort must be called
// after the last Add.
type Moves map[int64][]moved

// A moved is a rename: the path changed in the commit with key at.
type moved struct{ to, at int64 }

// nextMove returns the first rename of a path in a commit or after it. ok is false if there is no
// such rename.
func (m Moves) nextMove(path, commit int64) (x moved, ok bool) {
	ms := m[path]
	i, _ := slices.BinarySearchFunc(ms, commit, func(x moved, at int64) int { return cmp.Compare(x.at, at) })
	if i == len(ms) {
		return moved{}, false
	}
	return ms[i], true
}

// LastPath follows all renames of a path in a commit or after it, and returns the last path.
func (m Moves) LastPath(path, commit int64) int64 {
	for {
		x, ok := m.nextMove(path, commit)
		if !ok {
			return path
		}
		path, commit = x.to, x.at+1
	}
}

// Now returns the present path of a path in a commit. Paths are ids, and the commit is a key. It
// follows the renames from that commit on until held reports that a path exists. If there is no
// later rename, it follows the last one, because a merged branch can come after a rename that it
// does not know. If held is false for the result, the file is gone.
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

// Later returns the new paths of all renames, sorted, each once.
func (m Moves) Later() (paths []int64) {
	for _, ms := range m {
		for _, x := range ms {
			paths = append(paths, x.to)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// By reports whether a commit renamed a path.
func (m Moves) By(path, commit int64) bool {
	return slices.ContainsFunc(m[path], func(x moved) bool { return x.at == commit })
}

// Add records that a commit renamed a path. Sort must be called before the moves are used.
func (m Moves) Add(from, to, at int64) { m[from] = append(m[from], moved{to, at}) }

// Sort sorts the renames of each path, which the other methods need.
func (m Moves) Sort() {
	for _, ms := range m {
		slices.SortFunc(ms, func(x, y moved) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.to, y.to)) })
	}
}
