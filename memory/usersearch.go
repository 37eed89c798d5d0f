package memory

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/memory/persona"
	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/text"
)

// A Note is a memory of scope user, with its event in the log.
type Note struct {
	persona.Event
	Name     string // unique; its doc_id is "persona:" with this name
	HiddenBy string // the name of the note that supersedes it; empty: it holds
	Replaces string // the name of the note that it supersedes; may be empty
	File     string // its place in the log
	Line     int
}

// Stems returns the words of a note as the store indexes them.
func (n Note) Stems() string { return eventStems(n.Event) }

// inLog joins memories with their places in the log.
const inLog = ` JOIN logged ON logged.memory = memory.key`

// noteOf returns a memory with its event in the log.
func (s *Store) noteOf(ctx context.Context, m Memory) (Note, error) {
	n := Note{Name: m.ID, HiddenBy: m.SupersededBy}
	var domains string
	err := s.db.QueryRowContext(ctx, `SELECT file, line, event, domains, project, supersedes,
		coalesce((SELECT older.id FROM memory AS older WHERE older.superseded_by = ?1 AND older.id <> ?1 LIMIT 1), '')
		FROM logged WHERE memory = (SELECT key FROM memory WHERE id = ?1)`, m.ID).
		Scan(&n.File, &n.Line, &n.ID, &domains, &n.Project, &n.Supersedes, &n.Replaces)
	n.Type, n.Content, n.Source, n.Time, n.Domains = m.Type, m.Content, m.Source, m.Created, persona.Domains(domains)
	return n, sqlite.Explain(err)
}

// shortestName is the smallest number of characters of an abbreviated name.
const shortestName = 6

// Note returns the note with a name, or with a unique start of it. The error wraps ErrNone if there
// is no such note, or more than one.
func (s *Store) Note(ctx context.Context, name string) (Note, error) {
	m, err := readMemory(ctx, s.db, name)
	if errors.Is(err, ErrAmbiguous) || err == nil &&
		(strings.HasPrefix(m.ID, twinMark) || m.ID != name && len(name) < shortestName) {
		err = fmt.Errorf("%w: %q", ErrNone, name)
	}
	if err != nil {
		return Note{}, err
	}
	return s.noteOf(ctx, m)
}

// Notes returns notes that hold, newest first. If domains is not empty, each has at least one of
// them. With all, superseded notes are included. more is the number of notes over the limit.
func (s *Store) Notes(ctx context.Context, domains []string, limit int, all bool) (notes []Note, more int, err error) {
	where, args := Filter{Tags: domains, All: all}.condition()
	where = inLog + where + ` AND content <> '' AND (valid_to IS NULL OR superseded_by <> '')`
	found, err := listMemories(ctx, s.db, where+` ORDER BY created_at DESC, file DESC, line DESC LIMIT ?`,
		append(slices.Clone(args), limit)...)
	if err != nil {
		return nil, 0, err
	}
	for _, m := range found {
		n, err := s.noteOf(ctx, m)
		if err != nil {
			return nil, 0, err
		}
		notes = append(notes, n)
	}
	err = s.db.QueryRowContext(ctx, `SELECT count(*) FROM memory`+where, args...).Scan(&more)
	return notes, max(0, more-len(notes)), sqlite.Explain(err)
}

// The shares of a note's score, as for beliefs.
const (
	vectorShare = 0.7 // from cosine similarity
	textShare   = 0.3 // from words
)

// mostWords bounds the words of a question.
const mostWords = 64

// The least shares of a relevant note, by words or by meaning.
const (
	leastShare  = 0.25
	leastCosine = 0.6
)

// A FoundNote is a note that answers a question.
type FoundNote struct {
	Note
	Raw    float64 // score by meaning and words, which orders notes
	Share  float64 // share of the question's words in the note, 0 to 1, all weighing the same
	Cosine float64
}

// A NoteSearch is a search for notes.
type NoteSearch struct {
	Question text.Question
	Domains  []string
	Limit    int
	Enough   bool // leave out notes that are not relevant
	// Model embeds the question. nil means the built-in one. Vectors of other models do not count.
	Model doc.BatchEmbedder
}

// SearchNotes returns the notes that hold, ranked by meaning and words, best first. Ties are
// ordered by name. With an error that wraps ErrModel, they are found by their words alone.
func (s *Store) SearchNotes(ctx context.Context, q NoteSearch) ([]FoundNote, error) {
	if len(q.Question.Parts) == 0 && !q.Question.Long {
		return nil, nil // only stop words
	}
	found := map[int64]*FoundNote{}
	failed := s.addNearest(ctx, q, found)
	if failed != nil && !errors.Is(failed, ErrModel) {
		return nil, failed
	}
	terms := q.Question.Terms[:min(len(q.Question.Terms), mostWords)]
	if err := s.addMatching(ctx, terms, found); err != nil {
		return nil, err
	}
	var out []FoundNote
	for key, f := range found {
		m, err := listMemories(ctx, s.db, ` WHERE key = ?`, key)
		if err == nil && len(m) == 0 {
			err = damageError("the list of words in the store of notes")
		}
		if err == nil {
			f.Note, err = s.noteOf(ctx, m[0])
		}
		if err != nil {
			return nil, err
		}
		f.Share = text.Account(f.Stems(), terms, func(int) float64 { return 1 })
		f.Raw = vectorShare*f.Cosine + textShare*f.Share
		if f.Raw > 0 && f.inDomains(q.Domains) && (!q.Enough || f.Share >= leastShare || f.Cosine >= leastCosine) {
			out = append(out, *f)
		}
	}
	slices.SortFunc(out, func(a, b FoundNote) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), q.Limit)], failed
}

// noteCandidates is the number of notes that each way adds. Domains are filtered afterwards.
const noteCandidates = 100

// inDomains reports whether a note has one of the domains. Without domains, it returns true.
func (n Note) inDomains(domains []string) bool {
	return len(domains) == 0 ||
		slices.ContainsFunc(n.Domains, func(d string) bool { return slices.Contains(domains, d) })
}

// addMatching adds the notes with the most of the terms.
func (s *Store) addMatching(ctx context.Context, terms []string, found map[int64]*FoundNote) error {
	if len(terms) == 0 {
		return nil
	}
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	rows, err := s.db.QueryContext(ctx, `SELECT rowid FROM stem WHERE stem MATCH ? ORDER BY bm25(stem), rowid
		LIMIT ?`, strings.Join(quoted, " OR "), noteCandidates)
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
			found[key] = &FoundNote{}
		}
	}
	return sqlite.Explain(rows.Err())
}

// addNearest adds the notes that are nearest in meaning.
func (s *Store) addNearest(ctx context.Context, q NoteSearch, found map[int64]*FoundNote) error {
	m := q.Model
	if m == nil {
		m = NoteModel()
	}
	name, err := s.modelName(ctx)
	switch {
	case err != nil:
		return err
	case name != m.Model() && q.Model != nil:
		return fmt.Errorf("%w: they have no vectors of it yet", ErrModel)
	case name != m.Model():
		return nil
	}
	scale, err := scaleOf(ctx, m)
	if err != nil {
		return err
	}
	question, err := m.EmbedQuestion(ctx, []doc.QuestionPart{{Text: q.Question.Raw, Weight: 1}})
	if err != nil {
		return modelError(ctx, err)
	}
	rows, err := s.db.QueryContext(ctx, `SELECT memory, list FROM vector WHERE memory IN (SELECT key FROM memory
		WHERE valid_to IS NULL)`)
	if err != nil {
		return sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	var all []near
	for rows.Next() {
		var key int64
		var vector sql.RawBytes
		if err := rows.Scan(&key, &vector); err != nil {
			return sqlite.Explain(err)
		}
		if len(vector) != len(question) {
			continue
		}
		if c := min(1, scale.rescale(cosineOf(question, vector))); c > 0 {
			all = append(all, near{key, c})
		}
	}
	slices.SortFunc(all, func(a,
		b near,
	) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.key, b.key))
	})
	for _, x := range all[:min(len(all), noteCandidates)] {
		found[x.key] = &FoundNote{Cosine: x.cosine}
	}
	return sqlite.Explain(rows.Err())
}

// cosineOf returns the cosine of a question and a stored vector of the same length.
func cosineOf(question []float32, row []byte) float64 {
	sum := 0.0
	for i, b := range row {
		sum += float64(question[i]) * float64(int8(b))
	}
	return sum / doc.VectorScale
}
