package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/store/text"
)

// maxExact is how many documents a question can name exactly, and maxTokens how many of its tokens are tried.
const (
	maxExact  = 5
	maxTokens = 64
)

var (
	backticked = text.Lazy("`([^`\n]+)`")
	shaForm    = text.Lazy(`^[0-9a-fA-F]{7,40}$`)
	callForm   = text.Lazy(`^[\pL_$][\pL\pN_$.:]*\(\)$`)
)

// Exact returns the documents that a question names: the whole question, or a token of it in back-ticks, is a doc_id, a
// path, a commit's sha of at least 7 digits, or a symbol with one definition. Other tokens of a sentence count only if
// they are written as code: with "/", "::", "#" or "()" (design §6), or can only be a commit. A long text names commits only:
// what else it mentions is evidence among other.
func (r *Reader) Exact(ctx context.Context, q text.Question) ([]Ranked, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var out []Ranked
	for _, token := range exactTokens(q.Raw) {
		if q.Long && !isCommit(token) {
			continue
		}
		d, err := r.resolve(ctx, snap, token)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, damaged(err)
		}
		if !slices.ContainsFunc(out, func(o Ranked) bool { return o.DocID == d.DocID }) {
			out = append(out, d)
		}
		if len(out) == maxExact {
			break
		}
	}
	return out, nil
}

// isCommit tells whether a token can be a commit and nothing else.
func isCommit(token string) bool { return KindOf(token) == Commit || shaInSentence(token) }

// exactTokens lists the parts of a question that may name a document.
func exactTokens(raw string) []string {
	whole := strings.TrimSpace(raw)
	var ts []string
	if len(whole) <= maxName {
		ts = append(ts, strings.Trim(whole, "`"))
	}
	if len(raw) > 64<<10 {
		raw = raw[:64<<10]
	}
	if strings.Contains(raw, "`") {
		for _, m := range backticked().FindAllStringSubmatch(raw, maxTokens) {
			ts = append(ts, strings.TrimSpace(m[1]))
		}
	}
	for _, t := range strings.Fields(raw) {
		t = strings.Trim(t, "`'\",;?!<>")
		t = strings.TrimRight(t, ".:")
		if len(t) <= maxName && (strings.Contains(t, "/") || strings.Contains(t, "::") || strings.Contains(t, "#") || isCall(t) || shaInSentence(t)) {
			ts = append(ts, t)
		}
		if len(ts) > maxTokens {
			break
		}
	}
	return ts
}

// shaInSentence tells whether a word can only be a commit: at least 7 hexadecimal digits, letters and numbers among them.
func shaInSentence(t string) bool {
	return strings.ContainsAny(t, "0123456789") && strings.ContainsAny(t, "abcdefABCDEF") && shaForm().MatchString(t)
}

// isCall tells whether a word is written as a call without arguments.
func isCall(t string) bool { return strings.HasSuffix(t, "()") && callForm().MatchString(t) }

// Resolve finds the one document that a token names, or sql.ErrNoRows wrapped in ErrNoDocument.
func (r *Reader) Resolve(ctx context.Context, token string) (Ranked, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return Ranked{}, err
	}
	d, err := r.resolve(ctx, snap, token)
	if errors.Is(err, sql.ErrNoRows) {
		return Ranked{}, ErrNoDocument
	}
	return d, damaged(err)
}

// ErrNoDocument says that a name is no document's.
var ErrNoDocument = errors.New("no such document")

// resolve tries a token as each form of a name; sql.ErrNoRows says that it is none.
func (r *Reader) resolve(ctx context.Context, snap *snapshot, token string) (Ranked, error) {
	token = strings.TrimPrefix(token, "./")
	if token == "" || len(token) > maxName {
		return Ranked{}, sql.ErrNoRows
	}
	kind := KindOf(token)
	rest := strings.TrimPrefix(token, kind.Traits().Prefix)
	if kind == Commit || shaForm().MatchString(token) {
		if d, err := r.commitByPrefix(ctx, snap, rest); !errors.Is(err, sql.ErrNoRows) {
			return d, err
		}
	} else if rest != token {
		return r.textByID(ctx, snap, kind, rest)
	}
	if d, err := r.commitByTag(ctx, snap, token); !errors.Is(err, sql.ErrNoRows) {
		return d, err
	}
	if d, err := r.symbolByID(ctx, snap, token); !errors.Is(err, sql.ErrNoRows) {
		return d, err
	}
	if d, err := r.fileByPath(ctx, snap, token); !errors.Is(err, sql.ErrNoRows) {
		return d, err
	}
	return r.onlyDefinition(ctx, snap, token)
}

func (r *Reader) commitByPrefix(ctx context.Context, snap *snapshot, sha string) (Ranked, error) {
	sha = strings.ToLower(sha)
	if !shaForm().MatchString(sha) {
		return Ranked{}, sql.ErrNoRows
	}
	rows, err := r.conn.QueryContext(ctx, `SELECT key, sha FROM revision WHERE sha >= ? AND sha < ? LIMIT 3`, sha, sha+"g")
	if err != nil {
		return Ranked{}, err
	}
	defer func() { _ = rows.Close() }()
	var found []string
	for rows.Next() {
		var k int64
		var full string
		if err := rows.Scan(&k, &full); err != nil {
			return Ranked{}, damaged(err)
		}
		if snap.members.has(k) {
			found = append(found, full)
		}
	}
	if err := rows.Err(); err != nil || len(found) != 1 {
		return Ranked{}, cmpErr(err)
	}
	return Ranked{DocID: CommitID(found[0])}, nil
}

func (r *Reader) commitByTag(ctx context.Context, snap *snapshot, tag string) (Ranked, error) {
	var sha string
	if err := r.conn.QueryRowContext(ctx, `SELECT sha FROM tag WHERE name = ?`, tag).Scan(&sha); err != nil {
		return Ranked{}, err
	}
	return r.commitByPrefix(ctx, snap, sha)
}

func cmpErr(err error) error {
	if err != nil {
		return err
	}
	return sql.ErrNoRows
}

// textByID finds a document of a kind that is read from files other than code, or a section of it, by what follows the kind's prefix.
func (r *Reader) textByID(ctx context.Context, snap *snapshot, kind Kind, id string) (Ranked, error) {
	f, err := r.fileNamed(ctx, snap, id)
	if err == nil {
		return Ranked{DocID: kind.FileID(f.path), Path: f.path}, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return Ranked{}, err
	}
	f, slug, err := r.cutID(ctx, snap, id, kind.Traits().Separator)
	if err != nil {
		return Ranked{}, err
	}
	es, err := decodeEntries(f.entries)
	if err != nil {
		return Ranked{}, err
	}
	if f.kind == Code || !slices.ContainsFunc(es, func(e Entry) bool { return e.Name == slug }) {
		return Ranked{}, sql.ErrNoRows
	}
	return Ranked{DocID: kind.PartID(f.path, slug), Path: f.path}, nil
}

func (r *Reader) symbolByID(ctx context.Context, snap *snapshot, id string) (Ranked, error) {
	f, sym, err := r.cutID(ctx, snap, id, Code.Traits().Separator)
	if err != nil {
		return Ranked{}, err
	}
	es, err := decodeEntries(f.entries)
	if err != nil {
		return Ranked{}, err
	}
	i := slices.IndexFunc(es, func(e Entry) bool { return e.Name == sym })
	if i < 0 || f.kind != Code {
		return Ranked{}, sql.ErrNoRows
	}
	return Ranked{DocID: SymbolID(f.path, sym), Path: f.path}, nil
}

// fileByPath finds the file with a path, or the one file whose path ends with it.
func (r *Reader) fileByPath(ctx context.Context, snap *snapshot, p string) (Ranked, error) {
	f, err := r.fileNamed(ctx, snap, p)
	if errors.Is(err, sql.ErrNoRows) && strings.Contains(p, ".") && !strings.HasPrefix(p, "/") {
		f, err = r.fileEnding(ctx, snap, p)
	}
	if err != nil {
		return Ranked{}, err
	}
	return Ranked{DocID: f.kind.FileID(f.path), Path: f.path}, nil
}

func (r *Reader) fileEnding(ctx context.Context, snap *snapshot, p string) (fileRow, error) {
	found, err := r.filesEnding(ctx, snap, p)
	if err != nil {
		return fileRow{}, err
	}
	if len(found) != 1 {
		return fileRow{}, sql.ErrNoRows
	}
	for _, path := range found {
		p = path
	}
	return r.fileNamed(ctx, snap, p)
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// filesEnding finds the files whose path is p or ends with "/"+p.
func (r *Reader) filesEnding(ctx context.Context, snap *snapshot, p string) (map[int64]string, error) {
	rows, err := r.conn.QueryContext(ctx, `SELECT key, path FROM file WHERE path LIKE ? ESCAPE '\' LIMIT ?`, "%"+likeEscape.Replace(p), maxDefinitions)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	found := make(map[int64]string)
	for rows.Next() {
		var k int64
		var path string
		if err := rows.Scan(&k, &path); err != nil {
			return nil, damaged(err)
		}
		if snap.members.has(k) && (path == p || strings.HasSuffix(path, "/"+p)) { // LIKE folds case
			found[k] = path
		}
	}
	return found, rows.Err()
}

// onlyDefinition finds a symbol that one place defines: in the same case if any is, outside tests if any is.
func (r *Reader) onlyDefinition(ctx context.Context, snap *snapshot, token string) (Ranked, error) {
	n, ok := parseName(token)
	if !ok {
		return Ranked{}, sql.ErrNoRows
	}
	ds, err := r.definitions(ctx, snap, n)
	if err != nil {
		return Ranked{}, err
	}
	ds = prefer(ds, func(d definition) bool { return lastName(d.entry.Name) == n.last })
	ds = prefer(ds, func(d definition) bool { return d.class&(TestFolder|TestName) == 0 })
	if len(ds) != 1 || n.scope != "" && !ds[0].inScope {
		return Ranked{}, sql.ErrNoRows
	}
	return Ranked{DocID: SymbolID(ds[0].path, ds[0].entry.Name), Path: ds[0].path}, nil
}

// prefer keeps the items that a test accepts, or all if it accepts none.
func prefer(ds []definition, ok func(definition) bool) []definition {
	kept := slices.DeleteFunc(slices.Clone(ds), func(d definition) bool { return !ok(d) })
	if len(kept) == 0 {
		return ds
	}
	return kept
}
