package build

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// maxChangePairs bounds the (commit, file) pairs that a model is fitted to. The newest are kept
// (docs/ranking.md, "Meaning").
const maxChangePairs = 8000

// corpus collects a fresh index for an Adapter: the chunks, file by file, and the files each commit
// touched.
func (w *learning) corpus() (doc.Corpus, error) {
	var c doc.Corpus
	numbers, keys := w.numberFiles()
	of := make([][][]byte, len(keys)) // by file
	for _, u := range w.pending {
		if doc.Kind(u.space).Traits().Shape == doc.OfRows {
			continue
		}
		u.eachPassage(func(key int64, encoded []byte) {
			if !w.members.Has(key) {
				return // its file was put twice
			}
			at, exact := slices.BinarySearchFunc(
				keys, key, func(f numbered, key int64) int { return cmp.Compare(f.key, key) })
			if !exact {
				at-- // a section's key follows its file's key
			}
			n := keys[at].number
			of[n] = append(of[n], encoded)
		})
	}
	for n, passages := range of {
		for _, p := range passages {
			c.Passages, c.Files = append(c.Passages, p), append(c.Files, int32(n))
		}
	}
	var err error
	c.Commits, err = w.changes(numbers)
	return c, err
}

// eachPassage calls f with each chunk's passage and its group's key. It skips cards.
func (u *unembedded) eachPassage(f func(key int64, encoded []byte)) {
	part, at := 0, 0
	for _, g := range u.groups {
		for range g.Chunks {
			for at == u.chunks[part].len() {
				part, at = part+1, 0
			}
			f(g.Key, u.chunks[part].passageAt(at))
			at++
		}
	}
}

// A numbered file has its place in the sorted paths.
type numbered struct {
	key    int64
	number int32
}

// numberFiles numbers the view's files by path. The corpus is then the same whichever worker came
// first. keys are sorted by key.
func (w *contents) numberFiles() (byPath map[string]int32, keys []numbered) {
	byPath = make(map[string]int32, len(w.files))
	for n, path := range slices.Sorted(maps.Keys(w.files)) {
		byPath[path] = int32(n)
		keys = append(keys, numbered{w.files[path].key, int32(n)})
	}
	slices.SortFunc(keys, func(a, b numbered) int { return cmp.Compare(a.key, b.key) })
	return byPath, keys
}

// changes returns commits, newest first. It skips commits that touched too many files, or no
// indexed file.
func (w *contents) changes(numbers map[string]int32) ([]doc.Change, error) {
	if err := w.loadPaths(); err != nil {
		return nil, err
	}
	files := make(map[int64]int32) // by path id
	for path, id := range w.paths {
		if n, ok := numbers[path]; ok {
			files[id] = n
		}
	}
	const query = `SELECT subject, files FROM revision WHERE NOT merge ORDER BY key DESC`
	rows, err := w.conn.QueryContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []doc.Change
	for pairs := 0; pairs < maxChangePairs && rows.Next(); {
		var subject string
		var blob []byte
		if err := rows.Scan(&subject, &blob); err != nil {
			return nil, store.Damaged(err)
		}
		ids, err := format.DecodeIDs(blob)
		if err != nil {
			return nil, err
		}
		var touched []int32
		for _, id := range ids {
			if n, ok := files[id]; ok {
				touched = append(touched, n)
			}
		}
		if len(touched) == 0 || len(touched) > store.MaxVoteFiles {
			continue
		}
		pairs += len(touched)
		out = append(out, doc.Change{Subject: w.o.Embedder.Encode(nil, doc.Passage{Doc: subject}), Files: touched})
	}
	return out, rows.Err()
}
