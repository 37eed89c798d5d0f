package lookup

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// ShortestSHA is the least number of digits that git accepts for a commit.
const ShortestSHA = 4

// Match returns the doc_id of the first name that is a doc_id or a path. Letters with accents are
// equal in all Unicode forms. With symbols, a name may also be a symbol with one definition, the
// beginning of a commit's hash, or a tag. Match returns ErrNoDocument if no name matches.
func Match(ctx context.Context, r *store.Reader, names []string, symbols bool) (string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	type way func(context.Context, *store.Reader, *store.Snapshot, string) (string, error)
	ways := []way{matchAsStored, matchComposed}
	if symbols {
		ways = append(ways, matchSymbol)
	}
	for _, way := range ways {
		for _, name := range names {
			id, err := way(ctx, r, snap, name)
			if !errors.Is(err, sql.ErrNoRows) && !errors.Is(err, ErrNoDocument) {
				return id, store.Damaged(err)
			}
		}
	}
	return "", ErrNoDocument
}

// matchSymbol looks up a symbol with one definition, a tag or the beginning of a commit's hash.
func matchSymbol(ctx context.Context, r *store.Reader, snap *store.Snapshot, name string) (string, error) {
	d, err := resolveToken(ctx, r, snap, name)
	if errors.Is(err, sql.ErrNoRows) && len(name) >= ShortestSHA {
		d, err = commitByPrefix(ctx, r, snap, strings.TrimPrefix(name, doc.Commit.Traits().Prefix))
	}
	return d.DocID, err
}

// matchAsStored looks up a name as it is written.
func matchAsStored(ctx context.Context, r *store.Reader, snap *store.Snapshot, id string) (string, error) {
	kind := doc.KindOf(id).Traits()
	if kind.Shape == doc.OfRows {
		_, err := r.Revision(ctx, snap, id)
		return id, err
	}
	rest, err := ReplaceID(ctx, r, snap, id, strings.TrimPrefix(id, kind.Prefix))
	if err != nil {
		return "", err
	}
	id = kind.Prefix + rest
	f, err := r.FileNamed(ctx, snap, rest)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	if kind.Prefix == "" {
		d, err := symbolByID(ctx, r, snap, id)
		return d.DocID, err
	}
	f, part, err := r.CutID(ctx, snap, rest, kind.Separator)
	if err != nil {
		return "", err
	}
	entries, err := format.DecodeEntries(f.Entries)
	if err == nil && !slices.ContainsFunc(entries, func(e doc.Entry) bool { return e.Name == part }) {
		err = sql.ErrNoRows
	}
	return id, err
}

// matchComposed compares a name with the paths of all files in one Unicode form.
func matchComposed(ctx context.Context, r *store.Reader, snap *store.Snapshot, id string) (string, error) {
	if isASCII(id) {
		return "", sql.ErrNoRows
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return "", err
	}
	kind := doc.KindOf(id).Traits()
	rest := strings.TrimPrefix(id, kind.Prefix)
	prefix, written := id[:len(id)-len(rest)], norm.NFC.String(rest)
	for _, f := range files {
		part, ok := strings.CutPrefix(written, norm.NFC.String(f.Path))
		if !ok || !snap.Members.Has(f.Key) || part != "" && !strings.HasPrefix(part, kind.Separator) {
			continue
		}
		found, err := matchAsStored(ctx, r, snap, prefix+f.Path+part)
		if !errors.Is(err, sql.ErrNoRows) {
			return found, err
		}
	}
	return "", sql.ErrNoRows
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 0x7f })
}

// NearPaths returns at most n files and folders that a mistyped path may mean, nearest first.
// Folders end in "/". Their last part must equal that of the path or differ by one or two letters.
func NearPaths(ctx context.Context, r *store.Reader, typed string, n int) ([]string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.Files(ctx, snap)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, f := range files {
		if !snap.Members.Has(f.Key) {
			continue
		}
		known[f.Path] = true
		for dir := path.Dir(f.Path); dir != "." && !known[dir+"/"]; dir = path.Dir(dir) {
			known[dir+"/"] = true
		}
	}
	return nearPaths(known, strings.ToLower(norm.NFC.String(strings.TrimSuffix(typed, "/"))), n), nil
}

// nearPaths returns the n known paths nearest to typed, which must be in lower case and NFC.
func nearPaths(known map[string]bool, typed string, n int) []string {
	type near struct {
		path      string
		base, all int // differing letters in the last part, and in all
	}
	var found []near
	last := path.Base(typed)
	most := 1 + min(1, len(last)/8)
	for p := range known {
		whole := strings.ToLower(norm.NFC.String(strings.TrimSuffix(p, "/")))
		base := path.Base(whole)
		if d := len(base) - len(last); d > most || -d > most || base[0] == '.' && last[0] != '.' {
			continue
		}
		if far := EditDistance(last, base); far <= most && (far == 0 || len(last) >= shortestNear) {
			found = append(found, near{p, far, EditDistance(typed, whole)})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(a.base-b.base, a.all-b.all, strings.Compare(a.path, b.path))
	})
	var out []string
	for _, x := range found[:min(n, len(found))] {
		out = append(out, x.path)
	}
	return out
}
