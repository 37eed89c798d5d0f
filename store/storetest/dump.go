package storetest

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// WriteDump writes a view's content as sorted lines without keys, so that equal content gives equal
// text. It covers documents, facts, commits, the chunks with each term, and each document's number
// of vectors. It leaves out impacts, because answers reveal these.
func WriteDump(ctx context.Context, r *store.Reader, out io.Writer) error {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	var ls []string
	add := func(format string, a ...any) { ls = append(ls, fmt.Sprintf(format, a...)) }
	add("history %q shallow %v head %s", r.Generation().History, r.Generation().Shallow, r.Generation().Head)
	files, err := r.Files(ctx, snap)
	if err != nil {
		return err
	}
	for _, x := range files {
		if snap.Members.Has(x.Key) {
			if err := dumpFile(ctx, r, x.Key, add); err != nil {
				return store.Damaged(err)
			}
			if snap.Class(x.Key, 0) != 0 {
				add("copy %s", x.Path)
			}
		}
	}
	err = r.EachRevision(ctx, snap, `ORDER BY sha`, nil, func(v store.RevisionRow) error {
		named, err := r.PathsOf(ctx, v.Files)
		paths := slices.Sorted(maps.Keys(named))
		add("commit %s merge %v %q %q %d %q %q %q", v.SHA, v.Merge, v.Author, v.Email, v.Time.Unix(), v.Subject, v.Body,
			paths)
		return err
	})
	if err != nil {
		return err
	}
	if err := dumpTables(ctx, r, snap, add); err != nil {
		return store.Damaged(err)
	}
	names, err := groupNames(ctx, r, snap)
	if err != nil {
		return store.Damaged(err)
	}
	dumpVectors(snap, names, add)
	if err := dumpTerms(ctx, r, snap, names, add); err != nil {
		return store.Damaged(err)
	}
	slices.Sort(ls)
	w := bufio.NewWriter(out)
	for _, l := range ls {
		_, _ = w.WriteString(l + "\n")
	}
	return w.Flush()
}

func dumpFile(ctx context.Context, r *store.Reader, key int64, add func(string, ...any)) error {
	f, err := r.FileAt(ctx, key)
	if err != nil {
		return err
	}
	p, err := store.OpenParts(f)
	if err != nil {
		return err
	}
	var hash string
	var lines int
	var facts []byte
	if err := r.QueryRow(ctx, `SELECT hash, lines, facts FROM file WHERE key = ?`, key).Scan(&hash, &lines,
		&facts); err != nil {
		return err
	}
	said, err := format.DecodeFacts(facts)
	if err != nil {
		return err
	}
	body, err := r.Text(ctx, key)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, body)
	add("file %q %s %q package %q class %d functions %d lines %d hash %s body %x", f.Path, f.Kind, f.Language, f.Pkg,
		f.Class, f.Functions, lines, hash, sum.Sum64())
	for _, e := range p.Entries {
		add("entry %q %+v", f.Path, e)
	}
	for i, c := range p.Chunks {
		add("chunk %q %d %+v", f.Path, i, c)
	}
	add("facts %q %q %q %v %v", f.Path, said.Imports, said.Bindings, said.Calls, said.Typed)
	return nil
}

// dumpTables dumps the rows that are looked up by name: symbols, imports, messages, tags,
// co-changes and renames.
func dumpTables(ctx context.Context, r *store.Reader, snap *store.Snapshot, add func(string, ...any)) error {
	for _, query := range []string{
		`SELECT s.file, 'symbol', s.name, f.path, s.ordinal FROM symbol s JOIN file f ON f.key = s.file`,
		`SELECT i.file, 'import', i.target, f.path, 0 FROM import i JOIN file f ON f.key = i.file`,
		`SELECT m.file, 'message', m.head || ' ' || m.whole, f.path, 0 FROM message m JOIN file f ON f.key = m.file`,
		`SELECT -1, 'tag', name, sha, 0 FROM tag`,
		`SELECT -1, 'co-change', a.name, b.name, c.n || ' ' || printf('%.6f', c.lift) FROM cochange c JOIN path a ON a.id = c.a JOIN path b ON b.id = c.b`,
		`SELECT v.key, 'move', a.name, b.name, v.sha FROM move m JOIN path a ON a.id = m.old JOIN path b ON b.id = m.new JOIN revision v ON v.key = m.revision`,
		`SELECT v.key, 'touch', p.name, v.sha, 0 FROM touch t JOIN path p ON p.id = t.path JOIN revision v ON v.key = t.revision`,
	} {
		rows, err := r.Query(ctx, query)
		if err != nil {
			return err
		}
		for rows.Next() {
			var key int64 // -1 if the row belongs to all views
			var what, a, b, n string
			if err := rows.Scan(&key, &what, &a, &b, &n); err != nil {
				_ = rows.Close()
				return store.Damaged(err)
			}
			if key >= 0 && !snap.Members.Has(key) {
				continue
			}
			add("%s %q %q %s", what, a, b, n)
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}

// dumpVectors dumps each document's number of vectors. It leaves out their values, because these
// depend on the time of the model's adaptation.
func dumpVectors(snap *store.Snapshot, names map[int64]string, add func(string, ...any)) {
	held := make(map[string]int)
	for _, g := range snap.Segments {
		if g.Vectors < 0 {
			continue
		}
		cards := 0
		if g.VectorRows() > int64(g.Chunks) {
			cards = 1
		}
		for from, to := range g.Visible() {
			for i := from; i < to; i++ {
				held[names[g.Keys[i]]] += int(g.Starts[i+1]-g.Starts[i]) + cards
			}
		}
	}
	for doc, n := range held {
		add("vectors %s %d", doc, n)
	}
}

// dumpTerms dumps each term in each space, with its document frequency and a digest of its chunks.
func dumpTerms(ctx context.Context, r *store.Reader, snap *store.Snapshot, names map[int64]string,
	add func(string, ...any),
) error {
	held := make(map[string]chunkSet) // by space and term
	for _, g := range snap.Segments {
		digests := make([]uint64, len(g.Keys)) // hashed names, by group
		for i, k := range g.Keys {
			sum := fnv.New64a()
			_, _ = io.WriteString(sum, names[k])
			digests[i] = sum.Sum64()
		}
		rows, err := r.Query(ctx, `SELECT term, n, list FROM posting WHERE segment = ?`, g.ID)
		if err != nil {
			return err
		}
		for rows.Next() {
			var term string
			var l store.PostingList
			if err := rows.Scan(&term, &l.Len, &l.Bytes); err != nil {
				_ = rows.Close()
				return store.Damaged(err)
			}
			id := fmt.Sprintf("%s %q", g.Space, term)
			set := held[id]
			err := g.Walk(l, func(group int, p text.Posting) {
				if g.Hidden == nil || !g.Hidden[group] {
					set.addChunk(digests[group], uint64(p.Chunk-g.Starts[group]))
				}
			})
			if err != nil {
				_ = rows.Close()
				return err
			}
			held[id] = set
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	for id, set := range held {
		if set.n > 0 {
			add("term %s df %d in %x", id, set.n, set.sum)
		}
	}
	return nil
}

// A chunkSet is a digest of a set of chunks: their number, and the sum of their hashes.
type chunkSet struct {
	n   int
	sum uint64
}

func (s *chunkSet) addChunk(document, chunk uint64) {
	// This is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
	x := document + (chunk+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	s.n++
	s.sum += x ^ x>>31
}

func groupNames(ctx context.Context, r *store.Reader, snap *store.Snapshot) (map[int64]string, error) {
	names := make(map[int64]string)
	for _, g := range snap.Segments {
		kind := doc.Kind(g.Space)
		if g.Space == store.Subjects {
			kind = doc.Commit
		}
		var visible []int64
		for i, k := range g.Keys {
			if g.Hidden == nil || !g.Hidden[i] {
				visible = append(visible, k)
			}
		}
		ids, err := r.DocIDs(ctx, snap, kind, visible)
		if err != nil {
			return nil, err
		}
		for i, id := range ids {
			if id != nil {
				names[visible[i]] = id.Doc
			}
		}
	}
	return names, nil
}
