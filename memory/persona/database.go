package persona

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/text"
)

//go:embed schema.sql
var schema string

// version is the schema's number. A database with another one is made again.
const version = 1

// checkSound returns an error that wraps sqlite.ErrDamaged unless a database is whole and of this
// version.
func checkSound(ctx context.Context, db *sql.DB) error {
	if err := checkVersion(ctx, db); err != nil {
		return err
	}
	var result string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&result); err != nil || result == "ok" {
		return sqlite.Explain(err)
	}
	return fmt.Errorf("%s: %w", result, sqlite.ErrDamaged)
}

// checkVersion checks the version of a database.
func checkVersion(ctx context.Context, db *sql.DB) error {
	var v int
	if err := db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v); err != nil {
		return sqlite.Explain(err)
	}
	if v != version {
		return fmt.Errorf("schema %d, this patina has %d: %w", v, version, sqlite.ErrDamaged)
	}
	return nil
}

// A Note is an event that was read, as the database has it.
type Note struct {
	Event
	Name     string // unique; its doc_id is "persona:" and this
	HiddenBy string // the name of the note that supersedes it; empty: it holds
	Replaces string // the name of the note that it supersedes itself; empty for none
	File     string // where it stands in the log
	Line     int
}

// A Store reads one state of the database. It is safe for concurrent use.
type Store struct {
	db    *sql.DB
	model string
}

// Open opens the database as it is. The error wraps fs.ErrNotExist where nothing was materialized,
// and sqlite.ErrDamaged where the file is of no use.
func (p Persona) Open(ctx context.Context) (*Store, error) {
	name := p.Database()
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("open notes: %w", err)
	}
	s := &Store{db: sqlite.Open(name, sqlite.Frozen(nil))}
	err := checkVersion(ctx, s.db)
	if err == nil {
		err = sqlite.Explain(s.db.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'model'`).Scan(&s.model))
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("it names no model: %w", sqlite.ErrDamaged)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open notes in %s: %w", name, err), s.db.Close())
	}
	return s, nil
}

// Close ends the reading.
func (s *Store) Close() error { return s.db.Close() }

// Behind reports whether the log has changed since the database was made.
func (p Persona) Behind(ctx context.Context, s *Store) (bool, error) {
	files, _, err := p.files()
	if err != nil {
		return false, err
	}
	at := make(map[string]logFile, len(files))
	for _, f := range files {
		at[f.name] = f
	}
	rows, err := s.db.QueryContext(ctx, `SELECT name, size, mtime, inode FROM file`)
	if err != nil {
		return false, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	n := 0
	for rows.Next() {
		var f logFile
		if err := rows.Scan(&f.name, &f.size, &f.modTime, &f.inode); err != nil {
			return false, sqlite.Explain(err)
		}
		n++
		if at[f.name] != f {
			return true, nil
		}
	}
	return n != len(files), sqlite.Explain(rows.Err())
}

// Exists reports whether there is a log or a database at all.
func (p Persona) Exists() bool {
	for _, name := range []string{p.Events(), p.Database()} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// Current opens the database, after bringing it up to the log if that has changed. Where that is
// impossible, the store is the last one and why says the reason; err is set if there is none.
func (p Persona) Current(ctx context.Context) (s *Store, why, err error) {
	s, err = p.Open(ctx)
	damaged := errors.Is(err, sqlite.ErrDamaged)
	if err != nil && !damaged && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err == nil {
		behind, err := p.Behind(ctx, s)
		if err == nil && !behind {
			return s, nil, nil
		}
		damaged = errors.Is(err, sqlite.ErrDamaged)
		if err != nil && !damaged {
			return nil, nil, errors.Join(err, s.Close())
		}
	}
	if _, why = p.Materialize(ctx, damaged); why == nil {
		if s != nil {
			_ = s.Close()
		}
		s, err = p.Open(ctx)
		return s, nil, err
	}
	if s == nil || damaged {
		if s != nil {
			_ = s.Close()
		}
		return nil, nil, why
	}
	return s, why, nil
}

const noteColumns = `e.file, e.line, e.id, e.type, e.content, e.source, e.domains, e.time, e.project, e.supersedes, e.name, e.hidden,
	coalesce((SELECT o.name FROM event o WHERE o.hidden = e.name AND o.name <> e.name LIMIT 1), '')`

func scanNote(row interface{ Scan(...any) error }, more ...any) (n Note, err error) {
	var domains string
	var at int64
	err = row.Scan(append([]any{
		&n.File, &n.Line, &n.ID, &n.Type, &n.Content, &n.Source, &domains, &at, &n.Project, &n.Supersedes, &n.Name, &n.HiddenBy, &n.Replaces,
	}, more...)...)
	n.Domains, n.Time = Domains(domains), time.Unix(at, 0).UTC()
	return n, sqlite.Explain(err)
}

// ErrNoNote says that no note has a name.
var ErrNoNote = errors.New("no such note")

// shortestName is the number of characters from which the beginning of a name may stand for it.
const shortestName = 6

// Named returns the event with a name, or with the only name that begins so.
func (s *Store) Named(ctx context.Context, name string) (Note, error) {
	n, err := s.noteNamed(ctx, name)
	if err != nil && !errors.Is(err, ErrNoNote) {
		return n, err
	}
	if err == nil {
		return n, nil
	}
	if len(name) < shortestName {
		return n, fmt.Errorf("note %q: %w", name, ErrNoNote)
	}
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT name FROM event WHERE substr(name, 1, ?) = ? LIMIT 2`, len([]rune(name)), name)
	if err != nil {
		return n, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	var all []string
	for rows.Next() {
		var full string
		if err := rows.Scan(&full); err != nil {
			return n, sqlite.Explain(err)
		}
		all = append(all, full)
	}
	if err := rows.Err(); err != nil || len(all) != 1 {
		return n, cmp.Or(sqlite.Explain(err), fmt.Errorf("note %q: %w", name, ErrNoNote))
	}
	return s.noteNamed(ctx, all[0])
}

func (s *Store) noteNamed(ctx context.Context, name string) (Note, error) {
	n, err := scanNote(s.db.QueryRowContext(ctx, `SELECT `+noteColumns+` FROM event e WHERE e.name = ? ORDER BY e.key LIMIT 1`, name))
	if errors.Is(err, sql.ErrNoRows) {
		return n, fmt.Errorf("note %q: %w", name, ErrNoNote)
	}
	return n, err
}

// List returns notes that hold, newest first, with at least one of the domains if some are given.
// all adds the ones that were superseded. more counts the notes over the limit.
func (s *Store) List(ctx context.Context, domains []string, limit int, all bool) (notes []Note, more int, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+noteColumns+` FROM event e WHERE e.content <> '' AND (e.holds OR ? AND e.hidden <> '')
		ORDER BY e.time DESC, e.file DESC, e.line DESC`, all)
	if err != nil {
		return nil, 0, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		n, err := scanNote(rows)
		if err != nil {
			return nil, 0, err
		}
		switch {
		case !n.inDomains(domains):
		case len(notes) >= limit:
			more++
		default:
			notes = append(notes, n)
		}
	}
	return notes, more, sqlite.Explain(rows.Err())
}

// inDomains reports whether a note has one of the domains, or none is asked for.
func (n Note) inDomains(domains []string) bool {
	return len(domains) == 0 || slices.ContainsFunc(n.Domains, func(d string) bool { return slices.Contains(domains, d) })
}

// The shares of a note's score: as for beliefs.
const (
	vectorShare = 0.7 // from cosine similarity
	textShare   = 0.3 // from words
)

// mostWords bounds the words of a question.
const mostWords = 64

// The least that a note accounts for, to be enough: by words or by meaning.
const (
	leastShare  = 0.25
	leastCosine = 0.6
)

// A Found is a note found for a question.
type Found struct {
	Note
	Raw    float64 // by meaning and words; orders notes
	Share  float64 // part of the question that its words account for, 0 to 1; all words weigh alike
	Cosine float64
}

// A Search is a question to the notes.
type Search struct {
	Question text.Question
	Domains  []string
	Limit    int
	Enough   bool // leave out notes that account for too little of the question
}

// Search ranks the notes that hold by meaning and words, best first, ties by name.
func (s *Store) Search(ctx context.Context, q Search) ([]Found, error) {
	if len(q.Question.Parts) == 0 && !q.Question.Long {
		return nil, nil // stop words
	}
	found := map[int64]*Found{}
	if err := s.addNearest(ctx, q, found); err != nil {
		return nil, err
	}
	terms := q.Question.Terms[:min(len(q.Question.Terms), mostWords)]
	if err := s.matching(ctx, terms, found); err != nil {
		return nil, err
	}
	var out []Found
	for key, f := range found {
		n, err := scanNote(s.db.QueryRowContext(ctx, `SELECT `+noteColumns+` FROM event e WHERE e.key = ?`, key))
		if err != nil {
			return nil, err
		}
		f.Note = n
		f.Share = text.Account(eventStems(n.Event), terms, func(int) float64 { return 1 })
		f.Raw = vectorShare*f.Cosine + textShare*f.Share
		if f.Raw > 0 && n.inDomains(q.Domains) && (!q.Enough || f.Share >= leastShare || f.Cosine >= leastCosine) {
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), q.Limit)], nil
}

// candidates is how many notes each way adds. Domains are compared afterwards.
const candidates = 100

// matching adds the notes with the most of the terms.
func (s *Store) matching(ctx context.Context, terms []string, found map[int64]*Found) error {
	if len(terms) == 0 {
		return nil
	}
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	rows, err := s.db.QueryContext(ctx, `SELECT rowid FROM stem WHERE stem MATCH ? ORDER BY bm25(stem), rowid LIMIT ?`, strings.Join(quoted, " OR "), candidates)
	if err != nil {
		return sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return sqlite.Explain(err)
		}
		if found[key] == nil {
			found[key] = &Found{}
		}
	}
	return sqlite.Explain(rows.Err())
}

// addNearest adds the notes that are nearest in meaning.
func (s *Store) addNearest(ctx context.Context, q Search, found map[int64]*Found) error {
	m := noteModel()
	if m.Model() != s.model {
		return nil
	}
	question := m.Question([]doc.QuestionPart{{Text: q.Question.Raw, Weight: 1}})
	rows, err := s.db.QueryContext(ctx, `SELECT key, vector FROM event WHERE holds AND vector IS NOT NULL`)
	if err != nil {
		return sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	type near struct {
		key    int64
		cosine float64
	}
	var all []near
	for rows.Next() {
		var key int64
		var vector sql.RawBytes
		if err := rows.Scan(&key, &vector); err != nil {
			return sqlite.Explain(err)
		}
		if c := cosineOf(question, vector); c > 0 {
			all = append(all, near{key, c})
		}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.key, b.key)) })
	for _, x := range all[:min(len(all), candidates)] {
		found[x.key] = &Found{Cosine: x.cosine}
	}
	return sqlite.Explain(rows.Err())
}

// cosineOf compares a question with a stored row. A row of another length is no vector of the
// model.
func cosineOf(question []float32, row []byte) float64 {
	if len(row) != len(question) {
		return 0
	}
	sum := 0.0
	for i, b := range row {
		sum += float64(question[i]) * float64(int8(b))
	}
	return math.Max(0, math.Min(1, sum/doc.VectorScale))
}

// Stems are the words of a note as the database counts them.
func (n Note) Stems() string { return eventStems(n.Event) }
