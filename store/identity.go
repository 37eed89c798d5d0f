package store

import (
	"context"
	"slices"
	"sync"

	"patina/store/text"
)

// An Identity is a document's doc_id with the evidence about its file.
type Identity struct {
	Key       int64
	Doc, Path string // Path is empty for commits
	Class     Class
	Functions int
	Name      text.FileName // of a file
}

// identities caches documents from lists, by key and by doc_id. Each question asks for about 300,
// and looking each up twice took a sixth of its time.
type identities struct {
	mu    sync.Mutex
	byKey map[int64]Identity
	byDoc map[kindDoc]Identity
}

type kindDoc struct {
	kind Kind
	doc  string
}

// maxIdentities bounds the cache, about 12 MB. At the bound, it is emptied.
const maxIdentities = 1 << 15

// named puts known keys into out and returns the others.
func (l *identities) named(keys []int64, out map[int64]Identity) (unknown []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range keys {
		if x, ok := l.byKey[k]; ok {
			out[k] = x
		} else {
			unknown = append(unknown, k)
		}
	}
	return unknown
}

// keyed does the same for one kind's doc_ids.
func (l *identities) keyed(kind Kind, docs []string) (known []Identity, unknown []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known = make([]Identity, 0, len(docs))
	for _, d := range docs {
		if x, ok := l.byDoc[kindDoc{kind, d}]; ok {
			known = append(known, x)
		} else {
			unknown = append(unknown, d)
		}
	}
	return known, unknown
}

// keep caches documents.
func (l *identities) keep(kind Kind, found []Identity) {
	if len(found) > maxIdentities {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey == nil || len(l.byKey)+len(found) > maxIdentities {
		l.byKey, l.byDoc = make(map[int64]Identity), make(map[kindDoc]Identity)
	}
	for _, x := range found {
		l.byKey[x.Key], l.byDoc[kindDoc{kind, x.Doc}] = x, x
	}
}

// DocIDs names the documents behind keys of one kind. The view must see them.
func (r *Reader) DocIDs(ctx context.Context, snap *Snapshot, kind Kind, keys []int64) (map[int64]Identity, error) {
	out := make(map[int64]Identity, len(keys))
	unknown := snap.named.named(keys, out)
	if len(unknown) == 0 {
		return out, nil
	}
	var found []Identity
	var err error
	switch kind.Traits().Shape {
	case OfFiles:
		found, err = r.filesOf(ctx, kind, unknown)
	case OfRows:
		found, err = r.commitsOf(ctx, unknown)
	default:
		found, err = r.sectionsOf(ctx, kind, unknown, out)
	}
	if err != nil {
		return nil, Damaged(err)
	}
	for _, x := range found {
		out[x.Key] = x
	}
	snap.named.keep(kind, found)
	return out, nil
}

func (r *Reader) filesOf(ctx context.Context, kind Kind, keys []int64) (found []Identity, err error) {
	err = r.RowsIn(ctx, `SELECT key, path, class, functions FROM file WHERE key IN `, keys, func(scan func(...any) error) error {
		var x Identity
		err := scan(&x.Key, &x.Path, &x.Class, &x.Functions)
		x.Doc, x.Name = kind.FileID(x.Path), text.FileNameOf(x.Path)
		found = append(found, x)
		return err
	})
	return found, err
}

func (r *Reader) commitsOf(ctx context.Context, keys []int64) (found []Identity, err error) {
	err = r.RowsIn(ctx, `SELECT key, sha FROM revision WHERE key IN `, keys, func(scan func(...any) error) error {
		var x Identity
		var sha string
		err := scan(&x.Key, &sha)
		x.Doc = CommitID(sha)
		found = append(found, x)
		return err
	})
	return found, err
}

// sectionsOf names sections, reading each file once. A key that is no section goes into out alone.
func (r *Reader) sectionsOf(ctx context.Context, kind Kind, keys []int64, out map[int64]Identity) (found []Identity, err error) {
	var f FileRow
	var es []Entry
	for _, k := range slices.Sorted(slices.Values(keys)) {
		if f.Path == "" || k > f.Key+int64(len(es)) {
			if f, err = r.FileAt(ctx, k); err != nil {
				return nil, err
			}
			if es, err = DecodeEntries(f.Entries); err != nil {
				return nil, err
			}
		}
		x := Identity{Key: k, Doc: kind.FileID(f.Path), Path: f.Path, Class: f.Class}
		if i := int(k-f.Key) - 1; i >= 0 && i < len(es) {
			x.Doc = kind.PartID(f.Path, es[i].Name)
			found = append(found, x)
		}
		out[k] = x
	}
	return found, nil
}
