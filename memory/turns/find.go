package turns

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"time"

	"patina/memory/recall"
	"patina/store/sqlite"
)

// A Query is a search for turns.
type Query struct {
	Text  string
	AsOf  time.Time // only from sessions begun until then; zero: all
	Limit int       // must be positive
	Floor float64   // least relevance of a result
}

// A Found is a turn that answers a question.
type Found struct {
	Turn
	Score     float64 // beside the best by words; above 1 if it is by the one asked about
	Relevance float64 // share of the question that it covers, from 0 to 1
}

// spare is how many more turns than asked for are ranked, because equal texts are shown once.
const spare = 3

// Find returns the turns that answer a question, best first. Without a database it returns nil.
func Find(ctx context.Context, path string, q Query) (found []Found, err error) {
	words := recall.Question(q.Text)
	if len(words) == 0 {
		return nil, nil
	}
	err = look(ctx, path, func(db *sql.DB) error {
		found, err = findTurns(ctx, db, q, words)
		return sqlite.Explain(err)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return found, err
}

func findTurns(ctx context.Context, db *sql.DB, q Query, words []string) ([]Found, error) {
	tx, err := sqlite.Begin(ctx, db)
	if err != nil {
		return nil, err
	}
	defer tx.End()
	segments, err := readSegments(ctx, tx)
	if err != nil || len(segments) == 0 {
		return nil, err
	}
	terms := make([]term, len(words))
	for i, w := range words {
		if terms[i], err = readTerm(ctx, tx, w); err != nil {
			return nil, err
		}
	}
	r := newRanking(segments, terms, q.Text, spare*q.Limit)
	if !q.AsOf.IsZero() {
		r.until = uint32(max(1, q.AsOf.Unix()/secondsDay))
	}
	if err := r.rankAll(); err != nil {
		return nil, err
	}
	return readFound(ctx, tx, q, segments, r.ordered())
}

func readSegments(ctx context.Context, tx *sqlite.Session) (out []segment, err error) {
	rows, err := tx.Query(ctx, `SELECT key, turns, words, lengths, roles, runs FROM segment ORDER BY key`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s segment
		var turns int
		var lengths, roles, runs []byte
		if err := rows.Scan(&s.key, &turns, &s.words, &lengths, &roles, &runs); err != nil {
			return nil, err
		}
		if err := s.decode(turns, lengths, roles, runs); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

func readTerm(ctx context.Context, tx *sqlite.Session, word string) (term, error) {
	t := term{word: word, lists: map[int64]posted{}}
	rows, err := tx.Query(ctx, `SELECT p.segment, p.n, p.list FROM segment s CROSS JOIN posting p
		ON p.segment = s.key AND p.word = ?`, word)
	if err != nil {
		return t, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var p posted
		if err := rows.Scan(&key, &p.n, &p.list); err != nil {
			return t, err
		}
		t.lists[key] = p
		t.n += p.n
	}
	return t, rows.Err()
}

// readFound reads the turns of hits. Of equal texts the best is taken.
func readFound(ctx context.Context, tx *sqlite.Session, q Query, segments []segment, best []hit) (out []Found, err error) {
	keys := map[int][]int64{}
	seen := map[string]bool{}
	for _, h := range best {
		if float64(h.share) < q.Floor {
			continue
		}
		if keys[h.segment] == nil {
			var b []byte
			err := tx.QueryRow(ctx, `SELECT keys FROM segment WHERE key = ?`, segments[h.segment].key).Scan(&b)
			if err != nil {
				return nil, err
			}
			if keys[h.segment], err = decodeKeys(b, len(segments[h.segment].lengths)); err != nil {
				return nil, err
			}
		}
		t, err := readTurn(ctx, tx, keys[h.segment][h.number])
		if err != nil {
			return nil, err
		}
		if seen[t.Text] {
			continue
		}
		seen[t.Text] = true
		if out = append(out, Found{t, float64(h.score), min(1, float64(h.share))}); len(out) == q.Limit {
			break
		}
	}
	return out, nil
}

const turnColumns = `SELECT turn.key, role, agent, session, path, line, at, text FROM turn
	JOIN source ON source.key = turn.source`

func readTurn(ctx context.Context, tx *sqlite.Session, key int64) (t Turn, err error) {
	row := tx.QueryRow(ctx, turnColumns+` WHERE turn.key = ?`, key)
	err = scanTurn(row.Scan, &t)
	return t, err
}

func scanTurn(scan func(...any) error, t *Turn) error {
	var role int
	var at int64
	if err := scan(&t.Key, &role, &t.Agent, &t.Session, &t.Path, &t.Line, &at, &t.Text); err != nil {
		return err
	}
	if role < 0 || role >= len(roles) {
		return errSegment
	}
	t.Role = roles[role]
	if at > 0 {
		t.At = time.Unix(at, 0).UTC()
	}
	return nil
}

// Around returns a turn with the turns up to some places before and after it in its session. The
// error wraps sql.ErrNoRows if there is no turn with that key, and fs.ErrNotExist without a
// database.
func Around(ctx context.Context, path string, key int64, places int) (list []Turn, err error) {
	err = look(ctx, path, func(db *sql.DB) error {
		list, err = nil, nil
		var source int64
		if err := db.QueryRowContext(ctx, `SELECT source FROM turn WHERE key = ?`, key).Scan(&source); err != nil {
			return err
		}
		list, err = listTurns(ctx, db, `WHERE source = ?1 AND (
			turn.key IN (SELECT key FROM turn WHERE source = ?1 AND key <= ?2 ORDER BY key DESC LIMIT ?3 + 1) OR
			turn.key IN (SELECT key FROM turn WHERE source = ?1 AND key > ?2 ORDER BY key LIMIT ?3))`,
			source, key, places)
		return err
	})
	return list, err
}

// LastSession returns the last turns of the session that ended last, at most limit, in order. It
// returns nil without turns.
func LastSession(ctx context.Context, path string, limit int) (list []Turn, err error) {
	err = look(ctx, path, func(db *sql.DB) error {
		list, err = listTurns(ctx, db, `WHERE turn.key IN (SELECT key FROM turn WHERE source =
			(SELECT source.key FROM source JOIN turn ON turn.source = source.key ORDER BY ended DESC, source.key DESC
			LIMIT 1) ORDER BY key DESC LIMIT ?)`, limit)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

func listTurns(ctx context.Context, db *sql.DB, where string, args ...any) (out []Turn, err error) {
	rows, err := db.QueryContext(ctx, turnColumns+" "+where+` ORDER BY turn.key`, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var t Turn
		if err := scanTurn(rows.Scan, &t); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}
