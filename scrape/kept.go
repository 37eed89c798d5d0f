package scrape

import (
	"encoding/json"
	"slices"

	"patina/store/folder"
)

const (
	maxKept     = 100     // answers
	maxKeptFile = 1 << 20 // bytes
	version     = 1       // of the file's format
)

// A key identifies a question. It is not asked again once HEAD has moved.
type key struct {
	Head  string `json:"head"`
	Path  string `json:"path"`
	Name  string `json:"name"`
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// An answer is stored under its key.
type answer struct {
	key
	Changes
}

// A cache has answers, the newest first.
type cache struct {
	Version int      `json:"version"`
	Answers []answer `json:"answers"`
}

// readCache returns the stored answers. The result is empty if folder is nil, or if the file is
// missing or not understood, because git can answer again.
func readCache(in *folder.Folder) (c cache) {
	if in == nil {
		return c
	}
	b, err := in.ReadUpTo(folder.LinesFile, maxKeptFile)
	if err != nil || json.Unmarshal(b, &c) != nil || c.Version != version {
		return cache{}
	}
	return c
}

func (c cache) findAnswer(k key) (Changes, bool) {
	i := slices.IndexFunc(c.Answers, func(a answer) bool { return a.key == k })
	if i < 0 {
		return Changes{}, false
	}
	return c.Answers[i].Changes, true
}

// putAnswer stores an answer, and drops those about other states of HEAD. It ignores errors, for
// example if the index is read-only, because the next call can ask git again.
func (c cache) putAnswer(in *folder.Folder, k key, found Changes) {
	if in == nil {
		return
	}
	c.Version = version
	c.Answers = slices.DeleteFunc(c.Answers, func(a answer) bool {
		return a.Head != k.Head || a.Path == k.Path && a.Name == k.Name
	})
	c.Answers = slices.Insert(c.Answers, 0, answer{k, found})
	c.Answers = c.Answers[:min(len(c.Answers), maxKept)]
	for ; len(c.Answers) > 0; c.Answers = c.Answers[:len(c.Answers)-1] {
		b, err := json.Marshal(c)
		if err != nil {
			return
		}
		if len(b) < maxKeptFile {
			_ = in.Replace(folder.LinesFile, b)
			return
		}
	}
}
