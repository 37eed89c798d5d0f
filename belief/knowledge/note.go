package knowledge

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"patina/belief"
	"patina/store"
	"patina/store/doc"
)

// NoteOf returns the Note of the belief in a file, or false if the file has no belief.
func NoteOf(ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64) (n belief.Note, ok bool, err error) {
	h, err := heldOf(ctx, r, snap)
	if err != nil {
		return n, false, err
	}
	i, ok := h.at[key]
	if !ok {
		return n, false, nil
	}
	n = belief.Note{Belief: h.all[i].Belief, Standing: h.all[i].Standing}
	if n.Sources, err = evidenceOf(ctx, r, key); err != nil {
		return n, false, store.Damaged(err)
	}
	for i, t := range n.Sources {
		found, err := Resolve(ctx, r, snap, t.Target)
		if err != nil {
			return n, false, err
		}
		if n.Sources[i].DocID = found; found != "" {
			n.Resolved++
		}
	}
	n.Beliefs, n.Sessions, err = usesOf(ctx, r, snap, key, n.ID)
	return n, err == nil, store.Damaged(err)
}

func evidenceOf(ctx context.Context, r *store.Reader, key int64) (sources []belief.Shown, err error) {
	const query = `SELECT target, line FROM belief_evidence WHERE belief = ? AND section = 'evidence' ORDER BY ordinal`
	err = r.EachRow(ctx, query, []any{key}, func(scan func(...any) error) error {
		var c belief.Shown
		err := scan(&c.Target, &c.Line)
		sources = append(sources, c)
		return err
	})
	return sources, err
}

// usesOf counts the other beliefs and the sessions whose links name an id.
func usesOf(ctx context.Context, r *store.Reader, snap *store.Snapshot, key int64, id string) (beliefs, sessions int,
	err error,
) {
	const query = `SELECT c.file, f.kind FROM citation c JOIN file f ON f.key = c.file WHERE c.target = ?`
	err = r.EachRow(ctx, query, []any{id}, func(scan func(...any) error) error {
		var by int64
		var kind doc.Kind
		err := scan(&by, &kind)
		switch {
		case by == key || !snap.Members.Has(by):
		case kind == doc.Belief:
			beliefs++
		case kind == doc.Session:
			sessions++
		}
		return err
	})
	return beliefs, sessions, err
}

// Resolve returns the doc_id of a link's target: a session, a commit, a belief, a path, or the
// document with that name in layer/. The target may end with "#" and a heading or a line. It
// returns "" if this generation has no such target.
func Resolve(ctx context.Context, r *store.Reader, snap *store.Snapshot, target string) (string, error) {
	if target == "" {
		return "", nil
	}
	ways := []func(context.Context, *store.Reader, *store.Snapshot, string) (string, error){
		asSession, asCommit,
		asBelief, asPath, asLayer,
	}
	for _, way := range ways {
		id, err := way(ctx, r, snap, target)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return "", store.Damaged(err)
		}
		if id != "" && err == nil {
			return id, nil
		}
	}
	name, _, _ := strings.Cut(target, "#")
	if name == target {
		return "", nil
	}
	return Resolve(ctx, r, snap, strings.TrimSpace(name))
}

func asSession(ctx context.Context, r *store.Reader, snap *store.Snapshot, target string) (string, error) {
	path, err := sessionPath(ctx, r, snap, strings.TrimPrefix(target, "session-"))
	if path == "" || err != nil {
		return "", err
	}
	return doc.Session.FileID(path), nil
}

// sessionPath returns the path of a session's file, or "".
func sessionPath(ctx context.Context, r *store.Reader, snap *store.Snapshot, id string) (path string, err error) {
	const query = `SELECT s.key, f.path FROM session s JOIN file f ON f.key = s.key WHERE s.id = ?`
	err = r.EachRow(ctx, query, []any{id}, func(scan func(...any) error) error {
		var key int64
		var p string
		err := scan(&key, &p)
		if snap.Members.Has(key) {
			path = p
		}
		return err
	})
	return path, err
}

// shortestHash is the smallest number of digits of a commit's name.
const shortestHash = 7

func asCommit(ctx context.Context, r *store.Reader, snap *store.Snapshot, target string) (string, error) {
	sha := strings.ToLower(strings.TrimPrefix(target, "commit-"))
	if len(sha) < shortestHash || strings.Trim(sha, "0123456789abcdef") != "" {
		return "", nil
	}
	v, err := r.Revision(ctx, snap, sha)
	if err != nil {
		return "", err
	}
	return doc.CommitID(v.SHA), nil
}

func asBelief(ctx context.Context, r *store.Reader, snap *store.Snapshot, target string) (string, error) {
	path, err := beliefPath(ctx, r, snap, target)
	if rest, ok := strings.CutPrefix(target, "belief-"); path == "" && ok && err == nil {
		path, err = beliefPath(ctx, r, snap, rest)
	}
	if path == "" || err != nil {
		return "", err
	}
	return doc.Belief.FileID(path), nil
}

// beliefPath returns the path of a belief's file, or "".
func beliefPath(ctx context.Context, r *store.Reader, snap *store.Snapshot, id string) (string, error) {
	h, err := heldOf(ctx, r, snap)
	if err != nil {
		return "", err
	}
	return h.paths[strings.ToLower(id)], nil // ids of records may be in either case
}

func asPath(ctx context.Context, r *store.Reader, snap *store.Snapshot, target string) (string, error) {
	target, _, _ = strings.Cut(target, "::")
	if at := strings.TrimRight(target, "0123456789-"); strings.HasSuffix(at, ":") {
		target = at[:len(at)-1] // line numbers
	}
	f, err := r.FileNamed(ctx, snap, strings.TrimPrefix(target, "./"))
	if err != nil {
		return "", err
	}
	return f.Kind.FileID(f.Path), nil
}

// layered keeps the documents in layer/ by name once they are read.
type layered struct {
	mu    sync.Mutex
	names map[string]string // doc_ids
}

// asLayer returns the document with a name in layer/: NAME.md, or NAME/SPEC.md. The first one by
// path is used.
func asLayer(ctx context.Context, r *store.Reader, snap *store.Snapshot, target string) (id string, err error) {
	l := store.MemoOf[layered](&snap.Memo)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.names == nil {
		names := map[string]string{}
		const query = `SELECT key, kind, path FROM file WHERE path >= 'layer/' AND path < 'layer0' ORDER BY path`
		err := r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
			var key int64
			var kind doc.Kind
			var path string
			err := scan(&key, &kind, &path)
			if name, md := strings.CutSuffix(strings.TrimPrefix(path, "layer/"), ".md"); md && snap.Members.Has(key) {
				addEndings(names, strings.TrimSuffix(name, "/SPEC"), kind.FileID(path))
			}
			return err
		})
		if err != nil {
			return "", err
		}
		l.names = names
	}
	target = strings.TrimSuffix(strings.TrimPrefix(target, "layer/"), ".md")
	return l.names[strings.TrimSuffix(target, "/SPEC")], nil
}

// addEndings names a document by each end of its path.
func addEndings(names map[string]string, name, id string) {
	for below := true; below; {
		if _, ok := names[name]; !ok {
			names[name] = id
		}
		_, name, below = strings.Cut(name, "/")
	}
}

// PathOf returns the path for a doc_id that begins with the id of a belief or a session, with the
// part after it: "belief:sync-first", "session:20250804-073015#goals". It returns "" for other
// doc_ids.
func PathOf(ctx context.Context, r *store.Reader, snap *store.Snapshot, docID string) (string, error) {
	kind := doc.KindOf(docID)
	t := kind.Traits()
	if t.Named == "" {
		return "", nil
	}
	id, part, _ := strings.Cut(strings.TrimPrefix(docID, t.Prefix), t.Separator)
	find := beliefPath
	if kind == doc.Session {
		find = sessionPath
	}
	path, err := find(ctx, r, snap, id)
	if path == "" || err != nil {
		return "", store.Damaged(err)
	}
	if part != "" {
		path += t.Separator + part
	}
	return path, nil
}
