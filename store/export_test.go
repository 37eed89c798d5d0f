package store

import (
	"os"

	"patina/store/folder"
)

// OpenGraph makes readers of r's database use its graph for kinds with many rows, and waits for it.
func (r *Reader) OpenGraph(many int64) error {
	r.LookForGraph(many)
	g, err := openGraph(r.on.name)
	if err != nil {
		return err
	}
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.graph = g
	v.tried, err = os.Stat(folder.GraphOf(r.on.name))
	return err
}

// LookForGraph makes readers of r's database use its graph for kinds with many rows, once it
// exists.
func (r *Reader) LookForGraph(many int64) {
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.many = many
}

// CountSigns makes readers of r's database count signs in segments with many rows.
func (r *Reader) CountSigns(many int64) { r.on.vectors.signed = many }

// SelectKept is the query of a kept file, whose plan is tested.
const SelectKept = selectKept
