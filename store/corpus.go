package store

import (
	"context"
	"slices"
)

// maxChangePairs is how many pairs of a commit and a file a model is fitted to: the newest (embedder.md, "Adaptation").
const maxChangePairs = 8000

// corpus is what a fresh index holds, as an Adapter reads it: the chunks of files, file by file, and which commit touched which
// file.
func (w *Writer) corpus() (Corpus, error) {
	var c Corpus
	numbers, keys := w.numberFiles()
	for _, u := range w.pending {
		if u.space == string(Commit) {
			continue
		}
		u.each(func(key int64, encoded []byte) {
			if !w.members.has(key) {
				return // of a file that was put twice
			}
			file, exact := slices.BinarySearch(keys, key)
			if !exact {
				file-- // a section: its key is behind that of its file
			}
			c.Passages = append(c.Passages, encoded)
			c.Files = append(c.Files, int32(file))
		})
	}
	var err error
	c.Commits, err = w.changes(numbers)
	return c, err
}

// each calls f with the passage of each chunk and the group that it belongs to. Cards are left out.
func (u *unembedded) each(f func(key int64, encoded []byte)) {
	part, at := 0, 0
	for _, g := range u.groups {
		for range g.chunks {
			for at == u.chunks[part].len() {
				part, at = part+1, 0
			}
			f(g.key, u.chunks[part].at(at))
			at++
		}
	}
}

// numberFiles numbers the files of the view in the order of their keys.
func (w *Writer) numberFiles() (byPath map[string]int32, keys []int64) {
	for _, x := range w.files {
		keys = append(keys, x.key)
	}
	slices.Sort(keys)
	byPath = make(map[string]int32, len(w.files))
	for path, x := range w.files {
		at, _ := slices.BinarySearch(keys, x.key)
		byPath[path] = int32(at)
	}
	return byPath, keys
}

// changes are the newest commits that touched few enough files which the index has, newest first.
func (w *Writer) changes(numbers map[string]int32) ([]Change, error) {
	if err := w.loadPaths(); err != nil {
		return nil, err
	}
	files := make(map[int64]int32) // by id of the path
	for path, id := range w.paths {
		if n, ok := numbers[path]; ok {
			files[id] = n
		}
	}
	rows, err := w.conn.QueryContext(context.Background(), `SELECT subject, files FROM revision WHERE NOT merge ORDER BY key DESC`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []Change
	for pairs := 0; pairs < maxChangePairs && rows.Next(); {
		var subject string
		var blob []byte
		if err := rows.Scan(&subject, &blob); err != nil {
			return nil, err
		}
		ids, err := decodeIDs(blob)
		if err != nil {
			return nil, err
		}
		var touched []int32
		for _, id := range ids {
			if n, ok := files[id]; ok {
				touched = append(touched, n)
			}
		}
		if len(touched) == 0 || len(touched) > maxVoteFiles {
			continue
		}
		pairs += len(touched)
		out = append(out, Change{Subject: w.o.Embedder.Encode(nil, Passage{Doc: subject}), Files: touched})
	}
	return out, rows.Err()
}
