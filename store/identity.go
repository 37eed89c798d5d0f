package store

import (
	"context"
	"slices"
	"sync"

	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// An Identity is a document's doc_id with the evidence about its file.
type Identity struct {
	Key       int64
	Doc, Path string // Path is empty for commits
	Class     doc.Class
	Functions int
	Name      text.FileName // of a file, or the title of a section
	Subject   string        // of a commit; empty for a merge, whose subject git writes
}

// identities caches documents from lists, by key and by doc_id. Each question asks for about 300,
// and looking each up twice took a sixth of its time.
type identities struct {
	mu    sync.Mutex
	byKey map[int64]*Identity
	byDoc map[doc.Kind]map[string]*Identity
}

// maxIdentities bounds the cache, about 12 MB. At the bound, it is emptied.
const maxIdentities = 1 << 15

// fillKnown puts known keys into out, in their places, and returns the others.
func (l *identities) fillKnown(keys []int64, out []*Identity) (unknown []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, k := range keys {
		if out[i] = l.byKey[k]; out[i] == nil {
			unknown = append(unknown, k)
		}
	}
	return unknown
}

// keyed does the same for one kind's doc_ids.
func (l *identities) keyed(kind doc.Kind, docs []string) (known []*Identity, unknown []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known = make([]*Identity, 0, len(docs))
	named := l.byDoc[kind]
	for _, d := range docs {
		if x := named[d]; x != nil {
			known = append(known, x)
		} else {
			unknown = append(unknown, d)
		}
	}
	return known, unknown
}

// cache caches documents of a kind.
func (l *identities) cache(kind doc.Kind, found []Identity) {
	if len(found) > maxIdentities {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byKey == nil || len(l.byKey)+len(found) > maxIdentities {
		l.byKey, l.byDoc = make(map[int64]*Identity), make(map[doc.Kind]map[string]*Identity)
	}
	if l.byDoc[kind] == nil {
		l.byDoc[kind] = make(map[string]*Identity)
	}
	for i := range found {
		l.byKey[found[i].Key], l.byDoc[kind][found[i].Doc] = &found[i], &found[i]
	}
}

// DocIDs returns the identities of documents by their keys, which must be of one kind and in the
// view. An unknown key has nil in its place.
func (r *Reader) DocIDs(ctx context.Context, snap *Snapshot, kind doc.Kind, keys []int64) ([]*Identity, error) {
	out := make([]*Identity, len(keys))
	unknown := snap.named.fillKnown(keys, out)
	if len(unknown) == 0 {
		return out, nil
	}
	var found, others []Identity
	var err error
	switch kind.Traits().Shape {
	case doc.OfFiles:
		found, err = filesOf(ctx, r, snap, kind, unknown)
	case doc.OfRows:
		found, err = commitsOf(ctx, r, unknown)
	default:
		found, others, err = sectionsOf(ctx, r, kind, unknown)
	}
	if err != nil {
		return nil, Damaged(err)
	}
	snap.named.cache(kind, found)
	read := make(map[int64]*Identity, len(unknown))
	for _, list := range [][]Identity{found, others} {
		for i := range list {
			read[list[i].Key] = &list[i]
		}
	}
	for i, k := range keys {
		if out[i] == nil {
			out[i] = read[k]
		}
	}
	return out, nil
}

func filesOf(
	ctx context.Context, r *Reader, snap *Snapshot, kind doc.Kind, keys []int64,
) (found []Identity, err error) {
	const query = `SELECT key, path, class, functions FROM file WHERE key IN `
	err = r.RowsIn(ctx, query, keys, func(scan func(...any) error) error {
		var x Identity
		err := scan(&x.Key, &x.Path, &x.Class, &x.Functions)
		x.Doc, x.Name, x.Class = kind.FileID(x.Path), text.FileNameOf(x.Path), snap.Class(x.Key, x.Class)
		found = append(found, x)
		return err
	})
	return found, err
}

func commitsOf(ctx context.Context, r *Reader, keys []int64) (found []Identity, err error) {
	err = r.RowsIn(ctx, `SELECT key, sha, `+ownSubject+` FROM revision WHERE key IN `, keys, func(scan func(...any) error) error {
		var x Identity
		var sha string
		err := scan(&x.Key, &sha, &x.Subject)
		x.Doc = doc.CommitID(sha)
		found = append(found, x)
		return err
	})
	return found, err
}

// sectionsOf names sections, reading each file once. others are keys of no section.
func sectionsOf(ctx context.Context, r *Reader, kind doc.Kind, keys []int64) (found, others []Identity, err error) {
	var f FileRow
	var es []doc.Entry
	for _, k := range slices.Sorted(slices.Values(keys)) {
		if f.Path == "" || k > f.Key+int64(len(es)) {
			if f, err = r.FileAt(ctx, k); err != nil {
				return nil, nil, err
			}
			if es, err = format.DecodeEntries(f.Entries); err != nil {
				return nil, nil, err
			}
		}
		x := Identity{Key: k, Doc: kind.FileID(f.Path), Path: f.Path, Class: f.Class}
		if i := int(k-f.Key) - 1; i >= 0 && i < len(es) {
			x.Doc, x.Name = kind.PartID(f.Path, es[i].Name), text.TitleOf(es[i].Title)
			found = append(found, x)
		} else {
			others = append(others, x)
		}
	}
	return found, others, nil
}
