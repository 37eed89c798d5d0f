package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Match returns the doc_id of the first name that is a document's: the doc_id itself, or a path. Letters with accents count
// as equal however Unicode spells them. With symbols a name may also be a symbol that one place defines, the beginning of a
// commit's hash, or a tag. ErrNoDocument says that no name fits.
func (r *Reader) Match(ctx context.Context, names []string, symbols bool) (string, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return "", err
	}
	ways := []func(context.Context, *snapshot, string) (string, error){r.matchAsStored, r.matchComposed}
	if symbols {
		ways = append(ways, func(ctx context.Context, snap *snapshot, name string) (string, error) {
			d, err := r.resolve(ctx, snap, name)
			return d.DocID, err
		})
	}
	for _, way := range ways {
		for _, name := range names {
			id, err := way(ctx, snap, name)
			if !errors.Is(err, sql.ErrNoRows) && !errors.Is(err, ErrNoDocument) {
				return id, damaged(err)
			}
		}
	}
	return "", ErrNoDocument
}

// matchAsStored takes a name as it is written.
func (r *Reader) matchAsStored(ctx context.Context, snap *snapshot, id string) (string, error) {
	if strings.HasPrefix(id, "commit:") {
		_, err := r.revision(ctx, snap, id)
		return id, err
	}
	rest, sep := strings.TrimPrefix(id, "pattern:"), "::"
	if rest != id {
		sep = "#"
	}
	f, err := r.fileNamed(ctx, snap, rest)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	f, part, err := r.cutID(ctx, snap, rest, sep)
	if err != nil {
		return "", err
	}
	entries, err := decodeEntries(f.entries)
	if err == nil && !slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == part }) {
		err = sql.ErrNoRows
	}
	return id, err
}

// matchComposed compares a name with the paths of all files in one Unicode form.
func (r *Reader) matchComposed(ctx context.Context, snap *snapshot, id string) (string, error) {
	if isASCII(id) {
		return "", sql.ErrNoRows
	}
	files, err := r.files(ctx, snap)
	if err != nil {
		return "", err
	}
	rest := strings.TrimPrefix(id, "pattern:")
	prefix, written := id[:len(id)-len(rest)], norm.NFC.String(rest)
	for _, f := range files {
		part, ok := strings.CutPrefix(written, norm.NFC.String(f.path))
		if !ok || !snap.members.has(f.key) || part != "" && !strings.HasPrefix(part, "::") && part[0] != '#' {
			continue
		}
		found, err := r.matchAsStored(ctx, snap, prefix+f.path+part)
		if !errors.Is(err, sql.ErrNoRows) {
			return found, err
		}
	}
	return "", sql.ErrNoRows
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 0x7f })
}

// NearPaths are the files and, with "/" behind, the folders that a mistyped path may stand for, nearest first, at most n.
// Their last part is that of the path, or differs from it by a letter or two; a path that differs in its folders alone is
// near as well.
func (r *Reader) NearPaths(ctx context.Context, typed string, n int) ([]string, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := r.files(ctx, snap)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, f := range files {
		if !snap.members.has(f.key) {
			continue
		}
		known[f.path] = true
		for dir := path.Dir(f.path); dir != "." && !known[dir+"/"]; dir = path.Dir(dir) {
			known[dir+"/"] = true
		}
	}
	return nearPaths(known, strings.ToLower(norm.NFC.String(strings.TrimSuffix(typed, "/"))), n), nil
}

// nearPaths are the n paths that are nearest to one.
func nearPaths(known map[string]bool, typed string, n int) []string {
	type near struct {
		path      string
		base, all int // letters that differ: in the last part, and in all
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
		if far := edits(last, base); far <= most && (far == 0 || len(last) >= shortestNear) {
			found = append(found, near{p, far, edits(typed, whole)})
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
