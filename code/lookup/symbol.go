package lookup

import (
	"context"
	"database/sql"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"patina/code/imports"
	"patina/code/xref"
	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// askingWords are words of a sentence that asks for one symbol, in lower case.
var askingWords = text.Set(`where what which who how is are was does do the a an of for in me show find
	locate live code defined declared definition declaration class struct function func method type
	interface trait enum constant variable symbol module`)

// Asked returns the one symbol that a question asks for. The question must be that symbol
// ("http.HandlerFunc"), or a sentence that asks where or what it is ("where is HandlerFunc
// defined?"). A plain word in a sentence is a symbol only if the sentence says "defined" or
// "declared".
func Asked(question string) (xref.Name, bool) {
	if n, ok := xref.ParseName(question); ok || len(question) > xref.MaxName {
		return n, ok
	}
	written, defined := "", false
	for w := range strings.FieldsSeq(question) {
		w = strings.Trim(w, "?!,;:.'\"`")
		switch lower := strings.ToLower(w); {
		case w == "":
		case askingWords.Has(lower):
			defined = defined || strings.HasPrefix(lower, "defin") || strings.HasPrefix(lower, "declar")
		case written != "":
			return xref.Name{}, false
		default:
			written = w
		}
	}
	n, ok := xref.ParseName(written)
	return n, ok && (defined || IsSpelledAsCode(written))
}

// settingForm matches a key of a configuration file: "maxmemory-policy", "server.port".
var settingForm = lazyregexp.New(`^[\pL_][\pL\pN_]*(?:[.-][\pL\pN_]+)*$`)

// settingWords occur in questions about a key of a configuration file.
var settingWords = text.Set("setting settings config configuration directive")

// AskedSetting returns the one key of a configuration file that a question asks for. It must look
// like a key ("maxmemory-policy") or be next to one of settingWords ("the license setting"),
// because a plain word is more likely a topic.
func AskedSetting(question string) (xref.Name, bool) {
	if len(question) > xref.MaxName {
		return xref.Name{}, false
	}
	key, asks := "", false
	for w := range strings.FieldsSeq(question) {
		bare := strings.Trim(w, "?!,;:.'\"`")
		switch lower := strings.ToLower(bare); {
		case bare == "" || askingWords.Has(lower):
		case settingWords.Has(lower):
			asks = true
		case key != "":
			return xref.Name{}, false
		default:
			key = bare
			asks = asks || IsSpelledAsCode(bare) || strings.Contains(bare, "-") || strings.HasPrefix(w, "`")
		}
	}
	if !asks {
		return xref.Name{}, false
	}
	return settingName(key)
}

// settingName parses a text that is one key of a configuration file.
func settingName(q string) (xref.Name, bool) {
	if len(q) > xref.MaxName || !settingForm().MatchString(q) {
		return xref.Name{}, false
	}
	n := xref.Name{Last: q}
	if i := strings.LastIndexByte(q, '.'); i >= 0 {
		n.Last = q[i+1:]
		n.Scope = q[strings.LastIndexByte(q[:i], '.')+1 : i]
	}
	return n, true
}

// Settings returns the keys of configuration files with a name, in files of the view.
func Settings(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, n xref.Name,
) ([]xref.Definition, error) {
	n.Last = doc.SettingMark + n.Last
	return Definitions(ctx, r, snap, n)
}

// IsSpelledAsCode reports whether a word has a capital or a mark inside it.
func IsSpelledAsCode(word string) bool {
	_, size := utf8.DecodeRuneInString(word)
	return strings.ContainsFunc(word[size:], func(r rune) bool {
		return unicode.IsUpper(r) || strings.ContainsRune("_.:#$(", r)
	})
}

// maxDefinitions bounds the definitions that are read for one name. A name with more says nothing.
const maxDefinitions = 2000

// CountDefinitions counts the definitions of a last name in a view, up to limit.
func CountDefinitions(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, last string, limit int,
) (n int, err error) {
	err = r.QueryRow(ctx, countSymbols, snap.View, last, limit).Scan(&n)
	return n, store.Damaged(err)
}

const countSymbols = `SELECT COUNT(*) FROM (SELECT 1 FROM symbol s
	JOIN seen v ON v.view = ? AND v.key = s.file WHERE s.name = ? LIMIT ?)`

// Definitions returns the definitions of a name in files of the view, in any case. If some are in
// the scope of n, it returns only those.
func Definitions(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, n xref.Name,
) ([]xref.Definition, error) {
	ds, err := definitionsOf(ctx, r, snap, n.Last)
	if err == nil && n.Scope != "" {
		ds = preferIf(ds, func(d xref.Definition) bool { return d.In(n.Scope) })
	}
	return ds, err
}

// lastDefined caches the definitions of the last name for the readers of one pin, because a
// question looks up its name twice, and a name such as "Error" has hundreds.
type lastDefined struct {
	mu   sync.Mutex
	name string
	ds   []xref.Definition // must not be changed
}

func definitionsOf(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, name string,
) ([]xref.Definition, error) {
	last := store.MemoOf[lastDefined](r.Memo)
	last.mu.Lock()
	known, ds := last.name == name && name != "", last.ds
	last.mu.Unlock()
	if known {
		return slices.Clone(ds), nil
	}
	ds, err := readDefinitions(ctx, r, snap, name)
	if err != nil {
		return nil, err
	}
	last.mu.Lock()
	defer last.mu.Unlock()
	last.name, last.ds = name, ds
	return slices.Clone(ds), nil
}

func readDefinitions(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, name string,
) ([]xref.Definition, error) {
	rows, err := r.Query(ctx, `SELECT s.file, s.ordinal, f.path, f.class, f.language, f.entries
		FROM symbol s JOIN file f ON f.key = s.file JOIN seen v ON v.view = ? AND v.key = s.file
		WHERE s.name = ? LIMIT ?`, snap.View, name, maxDefinitions)
	if err != nil {
		return nil, store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var ds []xref.Definition
	var scratch format.EntryScratch
	for rows.Next() {
		var f imports.File
		var ordinal int
		var blob sql.RawBytes // must be decoded before the next row
		if err := rows.Scan(&f.Key, &ordinal, &f.Path, &f.Class, &f.Language, &blob); err != nil {
			return nil, store.Damaged(err)
		}
		if !snap.Members.Has(f.Key) {
			continue
		}
		if f.Entries, err = scratch.Decode(blob); err != nil {
			return nil, err
		}
		if ordinal < 0 || ordinal >= len(f.Entries) {
			return nil, store.ErrDamaged
		}
		d := xref.NewDefinition(f, ordinal)
		ds = append(ds, d.Detached())
	}
	return ds, store.Damaged(rows.Err())
}

// Meant returns the definitions of the one symbol that a question asks for, otherwise the keys of
// configuration files.
func Meant(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, question string,
) (n xref.Name, ds []xref.Definition, err error) {
	n, ok := Asked(question)
	if ok {
		ds, err = Definitions(ctx, r, snap, n)
	}
	if err != nil || len(ds) > 0 {
		return n, ds, err
	}
	if key, ok := AskedSetting(question); ok {
		n = key
		ds, err = Settings(ctx, r, snap, key)
	}
	return n, ds, err
}

// DefinedNames returns the names that have at least one and at most most definitions.
func DefinedNames(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, names []string, most int,
) (defined []string, err error) {
	for _, n := range names {
		var found int
		if err := r.QueryRow(ctx, countSymbols, snap.View, n, most+1).Scan(&found); err != nil {
			return nil, err
		}
		if found > 0 && found <= most {
			defined = append(defined, n)
		}
	}
	return defined, nil
}

// DefinitionScore returns X for one definition (docs/ranking.md, "File names and symbols").
func DefinitionScore(n xref.Name, file string, e doc.Entry) float64 {
	x := 0.5
	switch e.Sort {
	case doc.Type:
		x = 1
	case doc.Function, doc.Method:
		x = 0.85
	}
	if doc.LastName(e.Name) != n.Last {
		x *= 0.6
	}
	if e.Last-e.Line < 2 {
		x *= 0.8
	}
	stem, want := text.FileNameOf(file).Stem, strings.ToLower(n.Last)
	switch {
	case stem == want:
		x *= 1.3
	case stem != "" && strings.HasPrefix(want, stem):
		x *= 1.15
	}
	return x
}

// WrittenPath returns the path if a question is a file's path, or the end of one.
func WrittenPath(question string) (string, bool) {
	p := strings.TrimPrefix(strings.TrimSpace(question), "./")
	return p, len(p) <= xref.MaxName && path.Ext(p) != "" && !strings.ContainsAny(p, " \t\n")
}
