// Package lookup finds documents, symbols and lines of one generation by the names that a question
// or a user gives, and reads the stored texts.
//
// It does not rank by relevance: results are ordered by place, count and certainty. Functions leave
// nothing open in the store.Reader. They may be called concurrently if each caller has a reader of
// its own. They return ErrNoDocument for a document that the generation does not have, and
// store.ErrDamaged for a corrupt store.
//
// It leaves to others: who calls whom (code/callers), changes (code/history), the shown part of a
// document (code/describe), ranking (oracles), and all printing.
package lookup

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"patina/code/xref"
	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

const (
	maxExact  = 5  // documents that a question can name exactly
	maxTokens = 64 // parts of a question that are tried
)

var (
	backticked = lazyregexp.New("`([^`\n]+)`")
	shaForm    = lazyregexp.New(`^[0-9a-fA-F]{7,40}$`)
	callForm   = lazyregexp.New(`^[\pL_$][\pL\pN_$.:]*\(\)$`)
)

// Exact returns the documents that a question names, at most maxExact. The whole question, or a
// token in backticks, may be a doc_id, a path, a commit's sha with at least 7 digits, a symbol with
// one definition, or a key of a configuration file if it looks like one or the question asks for a
// setting. Other tokens count only if they are spelled as code, with "/", "::", "#" or "()", or can
// only be a commit. In a long text only commits count, because its other mentions are evidence. A
// path with a line names its file, with and without the folders of another machine, and a trace the
// file of its innermost frame in the repository. A sentence that asks for the contents of a file
// names that file.
func Exact(ctx context.Context, r *store.Reader, q text.Question) ([]doc.Ranked, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out, err := placed(ctx, r, snap, q)
	if err != nil {
		return nil, store.Damaged(err)
	}
	key, asked := AskedSetting(q.Raw)
	for _, token := range exactTokens(q.Raw) {
		if q.Long && !isCommit(token) {
			continue
		}
		d, err := resolveIn(ctx, r, snap, token, asked || strings.Contains(q.Raw, "`"+token+"`"))
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, store.Damaged(err)
		}
		if !slices.ContainsFunc(out, func(o doc.Ranked) bool { return o.DocID == d.DocID }) {
			out = append(out, d)
		}
		if len(out) == maxExact {
			break
		}
	}
	if !q.Long && len(out) < maxExact {
		if out, err = severalNames(ctx, r, snap, q.Raw, out); err != nil {
			return nil, store.Damaged(err)
		}
	}
	if asked && len(out) == 0 {
		d, err := onlySetting(ctx, r, snap, key)
		if err == nil {
			out = append(out, d)
		} else if !errors.Is(err, sql.ErrNoRows) {
			return nil, store.Damaged(err)
		}
	}
	out, err = writtenFile(ctx, r, snap, q, out)
	return out, store.Damaged(err)
}

// severalNames adds the symbols that a question spells as code, if at least two of them have one
// definition each. A single one is an ordinary word of the question.
func severalNames(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, raw string, out []doc.Ranked,
) ([]doc.Ranked, error) {
	all := slices.Clone(out)
	var seen []string
	for word := range strings.FieldsSeq(raw) {
		word = strings.TrimSuffix(strings.Trim(word, "?!,;:.'\"`()"), "()")
		if len(word) > xref.MaxName || !IsSpelledAsCode(word) || slices.Contains(seen, word) ||
			len(seen) == maxSpelled {
			continue
		}
		seen = append(seen, word)
		d, err := longestDefinition(ctx, r, snap, word)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(o doc.Ranked) bool { return o.DocID == d.DocID }) {
			all = append(all, d)
		}
	}
	symbols := 0
	for _, d := range all {
		if doc.KindOf(d.DocID) == doc.Code && strings.Contains(d.DocID, doc.Code.Traits().Separator) {
			symbols++
		}
	}
	if symbols < 2 {
		return out, nil
	}
	return all[:min(len(all), maxExact)], nil
}

// longestDefinition returns a symbol that only one file defines. Of several definitions there, such
// as overloads, it returns the longest.
func longestDefinition(ctx context.Context, r *store.Reader, snap *store.Snapshot, word string) (doc.Ranked, error) {
	n, ok := xref.ParseName(word)
	if !ok {
		return doc.Ranked{}, sql.ErrNoRows
	}
	ds, err := Definitions(ctx, r, snap, n)
	if err != nil {
		return doc.Ranked{}, err
	}
	ds = preferDefining(ds, n)
	longest := slices.MaxFunc(append(slices.Clone(ds), xref.Definition{}), func(a, b xref.Definition) int {
		return cmp.Compare(a.Entry.Last-a.Entry.First, b.Entry.Last-b.Entry.First)
	})
	elsewhere := func(d xref.Definition) bool { return d.Path != longest.Path || !d.In(n.Scope) && n.Scope != "" }
	if len(ds) == 0 || slices.ContainsFunc(ds, elsewhere) {
		return doc.Ranked{}, sql.ErrNoRows
	}
	return doc.Ranked{DocID: doc.SymbolID(longest.Path, longest.Entry.Name), Path: longest.Path}, nil
}

// maxSpelled bounds the words of a question that are looked up as symbols.
const maxSpelled = 8

// isCommit reports whether a token can only be a commit.
func isCommit(token string) bool {
	return doc.KindOf(token) == doc.Commit || shaInSentence(token)
}

// exactTokens returns the parts of a question that may name a document.
func exactTokens(raw string) []string {
	whole := strings.TrimSpace(raw)
	var ts []string
	if len(whole) <= xref.MaxName {
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
		isCode := strings.ContainsAny(t, "/#") || strings.Contains(t, "::") || isCall(t)
		if len(t) <= xref.MaxName && (isCode || shaInSentence(t)) {
			ts = append(ts, t)
		}
		if len(ts) > maxTokens {
			break
		}
	}
	return ts
}

// shaInSentence reports whether a word can only be a commit: at least 7 hexadecimal digits, both
// letters and numbers.
func shaInSentence(t string) bool {
	return strings.ContainsAny(t, "0123456789") && strings.ContainsAny(t, "abcdefABCDEF") &&
		shaForm().MatchString(t)
}

// isCall reports whether a word is a call without arguments.
func isCall(t string) bool { return strings.HasSuffix(t, "()") && callForm().MatchString(t) }

// Resolve returns the one document that a token names. It returns ErrNoDocument if there is no such
// document or more than one.
func Resolve(ctx context.Context, r *store.Reader, token string) (doc.Ranked, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return doc.Ranked{}, err
	}
	d, err := resolveToken(ctx, r, snap, token)
	if errors.Is(err, sql.ErrNoRows) {
		return doc.Ranked{}, ErrNoDocument
	}
	return d, store.Damaged(err)
}

// ErrNoDocument is returned if no document has a name.
var ErrNoDocument = errors.New("no such document")

// resolveToken tries a token as each form of a name. It returns sql.ErrNoRows if no form matches.
func resolveToken(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, token string,
) (doc.Ranked, error) {
	return resolveIn(ctx, r, snap, token, true)
}

// resolveIn is resolveToken, but if settings is false, it tries no keys of configuration files, and
// a plain word names no test.
func resolveIn(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, token string, settings bool,
) (doc.Ranked, error) {
	token = strings.TrimPrefix(token, "./")
	if token == "" || len(token) > xref.MaxName {
		return doc.Ranked{}, sql.ErrNoRows
	}
	kind := doc.KindOf(token)
	rest := strings.TrimPrefix(token, kind.Traits().Prefix)
	if kind == doc.Commit || shaForm().MatchString(token) {
		if d, err := commitByPrefix(ctx, r, snap, rest); !errors.Is(err, sql.ErrNoRows) {
			return d, err
		}
	} else if rest != token {
		rest, err := ReplaceID(ctx, r, snap, token, rest)
		if err != nil {
			return doc.Ranked{}, err
		}
		return textByID(ctx, r, snap, kind, rest)
	}
	if d, err := commitByTag(ctx, r, snap, token); !errors.Is(err, sql.ErrNoRows) {
		return d, err
	}
	if d, err := symbolByID(ctx, r, snap, token); !errors.Is(err, sql.ErrNoRows) {
		return d, err
	}
	if d, err := fileByPath(ctx, r, snap, token); !errors.Is(err, sql.ErrNoRows) {
		return d, err
	}
	return onlyDefinition(ctx, r, snap, token, settings)
}

func commitByPrefix(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, sha string,
) (doc.Ranked, error) {
	sha = strings.ToLower(sha)
	if len(sha) < ShortestSHA || len(sha) > 40 || strings.Trim(sha, "0123456789abcdef") != "" {
		return doc.Ranked{}, sql.ErrNoRows
	}
	rows, err := r.Query(ctx,
		`SELECT key, sha FROM revision WHERE sha >= ? AND sha < ? LIMIT 3`, sha, sha+"g")
	if err != nil {
		return doc.Ranked{}, err
	}
	defer func() { _ = rows.Close() }()
	var found []string
	for rows.Next() {
		var k int64
		var full string
		if err := rows.Scan(&k, &full); err != nil {
			return doc.Ranked{}, store.Damaged(err)
		}
		if snap.Members.Has(k) {
			found = append(found, full)
		}
	}
	if err := rows.Err(); err != nil || len(found) != 1 {
		return doc.Ranked{}, store.OrNoRows(err)
	}
	return doc.Ranked{DocID: doc.CommitID(found[0])}, nil
}

func commitByTag(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, tag string,
) (doc.Ranked, error) {
	var sha string
	if err := r.QueryRow(ctx, `SELECT sha FROM tag WHERE name = ?`, tag).Scan(&sha); err != nil {
		return doc.Ranked{}, err
	}
	return commitByPrefix(ctx, r, snap, sha)
}

// textByID finds a file that is not code, or a section of it. id must be a doc_id without the
// prefix of its kind.
func textByID(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, kind doc.Kind, id string,
) (doc.Ranked, error) {
	f, err := r.FileNamed(ctx, snap, id)
	if err == nil {
		return doc.Ranked{DocID: kind.FileID(f.Path), Path: f.Path}, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return doc.Ranked{}, err
	}
	f, slug, err := r.CutID(ctx, snap, id, kind.Traits().Separator)
	if err != nil {
		return doc.Ranked{}, err
	}
	es, err := format.DecodeEntries(f.Entries)
	if err != nil {
		return doc.Ranked{}, err
	}
	named := func(e doc.Entry) bool { return e.Name == slug }
	if f.Kind == doc.Code || !slices.ContainsFunc(es, named) {
		return doc.Ranked{}, sql.ErrNoRows
	}
	return doc.Ranked{DocID: kind.PartID(f.Path, slug), Path: f.Path}, nil
}

func symbolByID(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, id string,
) (doc.Ranked, error) {
	at, err := SymbolsAt(ctx, r, snap, id)
	if err != nil || len(at.IDs) != 1 {
		return doc.Ranked{}, store.OrNoRows(err)
	}
	return doc.Ranked{DocID: at.IDs[0], Path: at.Path}, nil
}

// SymbolsIn are the symbols in one file that "path::name" may mean.
type SymbolsIn struct {
	Path string   // of the file
	Name string   // as written
	IDs  []string // doc_ids; empty if the file has no such symbol
}

// SymbolsAt returns the symbols that "path::name" means. The path may be the end of one, as in
// FilesEnding. The name is a symbol's whole name, otherwise its last parts, such as "method" or
// "Type::method" in any spelling, which several symbols may share. SymbolsAt returns sql.ErrNoRows
// if the path is not a code file.
func SymbolsAt(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, id string,
) (at SymbolsIn, err error) {
	sep := doc.Code.Traits().Separator
	f, name, err := r.CutID(ctx, snap, id, sep)
	if errors.Is(err, sql.ErrNoRows) {
		var file string
		if file, name, _ = strings.Cut(id, sep); name != "" && strings.Contains(file, ".") {
			f, err = fileEnding(ctx, r, snap, file)
		}
	}
	if err != nil {
		return at, err
	}
	if f.Kind != doc.Code {
		return at, sql.ErrNoRows
	}
	at = SymbolsIn{Path: f.Path, Name: name}
	es, err := format.DecodeEntries(f.Entries)
	for _, e := range entriesNamed(es, name) {
		at.IDs = append(at.IDs, doc.SymbolID(f.Path, e.Name))
	}
	return at, err
}

// entriesNamed returns the entry with a name, otherwise all entries whose names end with it.
func entriesNamed(es []doc.Entry, name string) (out []doc.Entry) {
	if i := slices.IndexFunc(es, func(e doc.Entry) bool { return e.Name == name }); i >= 0 {
		return es[i : i+1]
	}
	dotted := "." + xref.Dotted(name)
	for _, e := range es {
		if len(dotted) > 1 && strings.HasSuffix("."+doc.BareName(e.Name), dotted) {
			out = append(out, e)
		}
	}
	return out
}

// fileByPath finds the file with a path, otherwise the only file whose path ends with it.
func fileByPath(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, p string,
) (doc.Ranked, error) {
	f, err := r.FileNamed(ctx, snap, p)
	if errors.Is(err, sql.ErrNoRows) && strings.Contains(p, ".") && !strings.HasPrefix(p, "/") {
		f, err = fileEnding(ctx, r, snap, p)
	}
	if err != nil {
		return doc.Ranked{}, err
	}
	return doc.Ranked{DocID: f.Kind.FileID(f.Path), Path: f.Path}, nil
}

func fileEnding(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, p string,
) (store.FileRow, error) {
	found, err := FilesEnding(ctx, r, snap, p)
	if err != nil {
		return store.FileRow{}, err
	}
	if len(found) != 1 {
		return store.FileRow{}, sql.ErrNoRows
	}
	for _, path := range found {
		p = path
	}
	return r.FileNamed(ctx, snap, p)
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// FilesEnding returns the files whose path is p or ends with "/"+p, by key.
func FilesEnding(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, p string,
) (map[int64]string, error) {
	rows, err := r.Query(ctx, `SELECT key, path FROM file WHERE path LIKE ? ESCAPE '\' LIMIT ?`,
		"%"+likeEscape.Replace(p), maxDefinitions)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	found := make(map[int64]string)
	for rows.Next() {
		var k int64
		var path string
		if err := rows.Scan(&k, &path); err != nil {
			return nil, store.Damaged(err)
		}
		if snap.Members.Has(k) && (path == p || strings.HasSuffix(path, "/"+p)) { // LIKE folds case
			found[k] = path
		}
	}
	return found, rows.Err()
}

// onlyDefinition finds a symbol with one definition. Definitions in the same case and outside of
// tests are preferred. If settings is false, a plain word names no test, because it is more likely
// a topic.
func onlyDefinition(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, token string, settings bool,
) (doc.Ranked, error) {
	n, ok := xref.ParseName(token)
	if ok {
		ds, err := Definitions(ctx, r, snap, n)
		if !settings && !IsSpelledAsCode(token) {
			ds = slices.DeleteFunc(ds, func(d xref.Definition) bool { return doc.IsTest(d.Class) })
		}
		if err != nil || len(ds) > 0 {
			return onlyOne(ds, n, err)
		}
	}
	key, ok := settingName(token)
	if !ok || !settings {
		return doc.Ranked{}, sql.ErrNoRows
	}
	return onlySetting(ctx, r, snap, key)
}

// onlySetting finds a key of a configuration file that is set in one place, if no code defines the
// name.
func onlySetting(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, key xref.Name,
) (doc.Ranked, error) {
	if ds, err := Definitions(ctx, r, snap, key); err != nil || len(ds) > 0 {
		return doc.Ranked{}, store.OrNoRows(err)
	}
	ds, err := Settings(ctx, r, snap, key)
	return onlyOne(ds, key, err)
}

// onlyOne returns the only definition of a name that preferDefining leaves.
func onlyOne(ds []xref.Definition, n xref.Name, err error) (doc.Ranked, error) {
	ds = preferDefining(ds, n)
	if err != nil || len(ds) != 1 || n.Scope != "" && !ds[0].In(n.Scope) {
		return doc.Ranked{}, store.OrNoRows(err)
	}
	return doc.Ranked{DocID: doc.SymbolID(ds[0].Path, ds[0].Entry.Name), Path: ds[0].Path}, nil
}

// preferDefining drops definitions in another case, mere declarations and tests, each if others
// remain.
func preferDefining(ds []xref.Definition, n xref.Name) []xref.Definition {
	ds = preferIf(ds, func(d xref.Definition) bool { return doc.LastName(d.Entry.Name) == n.Last })
	ds = preferIf(ds, func(d xref.Definition) bool { return !onlyDeclares(d) })
	return preferIf(ds, func(d xref.Definition) bool { return d.Class&(doc.TestFolder|doc.TestName) == 0 })
}

// preferIf returns the items that pass ok, or all if no item passes.
func preferIf[T any](ds []T, ok func(T) bool) []T {
	kept := slices.DeleteFunc(slices.Clone(ds), func(d T) bool { return !ok(d) })
	if len(kept) == 0 {
		return ds
	}
	return kept
}
