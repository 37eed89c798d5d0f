package turns

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"

	"patina/memory/transcript"
	"patina/store/sqlite"
)

// A Source is a transcript.
type Source struct {
	Path    string // a file, or the folder of a session's messages by OpenCode
	Form    string // transcript.FormCodex and so on
	Session string // its id
}

// Options are the bounds of Ingest.
type Options struct {
	Limit    int64                   // bytes of text kept, of all sessions; must be positive
	Progress func(done, total int64) // bytes of transcripts; nil: not told

	batch int // turns of a segment, for tests; 0: batchTurns
}

// A Report is the result of Ingest.
type Report struct {
	Transcripts int   `json:"transcripts"` // found
	Read        int   `json:"read"`        // of these, with new bytes
	Bytes       int64 `json:"bytes"`       // read
	New         int   `json:"new_turns"`
	Turns       int   `json:"turns"` // kept in all
	Text        int64 `json:"text_bytes"`
	Dropped     int   `json:"dropped_turns"` // the oldest, for the limit
	Gone        int   `json:"gone"`          // transcripts with kept turns whose file is gone
	Broken      int   `json:"broken_lines"`  // that are not JSON
	Long        int   `json:"long_lines"`    // not read, because they are longer than maxLine

	Faults []error `json:"-"` // transcripts that could not be read
}

// Bounds of a batch, which is written in one transaction and is indexed as one segment. A batch
// ends with a source if possible, so that neighbours stay together.
const (
	batchTurns   = 16 << 10
	batchBytes   = 12 << 20
	hardestBatch = 2 // times these, inside one source
	// smallSegment is the size below which the last segment is made anew with the next turns, so
	// that many small updates do not leave many small segments.
	smallSegment = 4 << 10
)

// Ingest reads the new parts of transcripts and keeps their turns, without secrets. The oldest
// sessions go if the texts exceed the limit. If ctx ends, all that was read by then is kept, and
// the error is that of ctx. The error is ErrHeld if another process is at it.
//
// A file whose read part has changed is read anew. Turns of a file that is gone stay.
func Ingest(ctx context.Context, path string, sources []Source, o Options) (r Report, err error) {
	if len(sources) == 0 {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return r, nil // nothing to keep, nothing kept
		}
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return r, err
	}
	defer unlock()
	s, err := open(ctx, path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	in := ingestion{store: s, report: &r, limit: o.Limit, progress: o.Progress, batch: cmp.Or(o.batch, batchTurns)}
	r.Transcripts = len(sources)
	err = in.readAll(ctx, sources)
	if endErr := in.end(context.WithoutCancel(ctx)); endErr != nil {
		return r, errors.Join(err, endErr)
	}
	return r, err
}

// An ingestion is one call of Ingest.
type ingestion struct {
	store    *store
	report   *Report
	limit    int64
	batch    int // turns
	progress func(done, total int64)
	done     int64
	total    int64

	tx      *sql.Tx // of the batch; nil between batches
	rows    []row   // of the batch
	bytes   int     // of their texts
	key     int64   // the last one given to a turn
	segment int64   // of the batch
	merged  bool    // the last segment has been looked at
}

// readAll reads all sources, the oldest first, so that the newest have the highest keys.
func (in *ingestion) readAll(ctx context.Context, sources []Source) error {
	type found struct {
		Source
		mark mark
	}
	var list []found
	paths := map[string]bool{}
	for _, s := range sources {
		m, err := markOf(s)
		if paths[s.Path] = true; err != nil {
			in.report.Faults = append(in.report.Faults, err)
			continue
		}
		list = append(list, found{s, m})
		in.total += m.size
	}
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.mark.time, b.mark.time), cmp.Compare(a.Path, b.Path))
	})
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := in.readSource(ctx, f.Source, f.mark); {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errUnreadable):
			in.report.Faults = append(in.report.Faults, err)
		case err != nil:
			return err
		}
		in.done += f.mark.size
		in.tellProgress(0)
	}
	return in.countGone(ctx, paths)
}

func (in *ingestion) tellProgress(more int64) {
	if in.progress != nil {
		in.progress(min(in.done+more, in.total), in.total)
	}
}

// countGone counts the transcripts whose turns are kept and whose files are gone.
func (in *ingestion) countGone(ctx context.Context, paths map[string]bool) error {
	if err := in.begin(ctx); err != nil {
		return err
	}
	rows, err := in.tx.QueryContext(ctx, `SELECT path FROM source WHERE EXISTS
		(SELECT 1 FROM turn WHERE turn.source = source.key)`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var path string
		if err := rows.Scan(&path); err != nil {
			return err
		}
		if _, err := os.Lstat(path); !paths[path] && err != nil {
			in.report.Gone++
		}
	}
	return rows.Err()
}

// begin begins a batch, unless there is one.
func (in *ingestion) begin(ctx context.Context) (err error) {
	if in.tx != nil {
		return nil
	}
	// The end of ctx ends the reading, and must not undo it.
	if in.tx, err = in.store.db.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return sqlite.Explain(err)
	}
	in.rows, in.bytes = in.rows[:0], 0
	return in.tx.QueryRow(`SELECT (SELECT coalesce(max(key), 0) FROM turn),
		(SELECT coalesce(max(key), 0) + 1 FROM segment)`).Scan(&in.key, &in.segment)
}

// add keeps turns of a source.
func (in *ingestion) add(source int64, list []transcript.Spoken) error {
	for _, t := range list {
		if t.Text == "" {
			continue
		}
		in.key++
		r := row{key: in.key, source: source, role: max(0, slices.Index(roles, t.Role)), line: t.Line, text: t.Text}
		if !t.At.IsZero() {
			r.at = t.At.Unix()
		}
		_, err := in.tx.Exec(`INSERT INTO turn VALUES(?, ?, ?, ?, ?, ?, ?)`,
			r.key, source, in.segment, r.line, r.role, r.at, r.text)
		if err != nil {
			return err
		}
		in.rows = append(in.rows, r)
		in.bytes += len(r.text)
		in.report.New++
		if in.isFull(hardestBatch) {
			if err := in.writeBatch(); err != nil {
				return err
			}
		}
	}
	return nil
}

// isFull reports whether the batch has some times the turns or bytes of a segment.
func (in *ingestion) isFull(times int) bool {
	return len(in.rows) >= times*in.batch || in.bytes >= times*batchBytes
}

// writeBatch writes the batch's turns as a segment. Later turns of the transaction come into the
// next.
func (in *ingestion) writeBatch() error {
	if len(in.rows) == 0 {
		return nil
	}
	if !in.merged {
		in.merged = true
		if err := in.mergeLast(); err != nil {
			return err
		}
	}
	_, err := in.tx.Exec(`UPDATE total SET turns = turns + ?, bytes = bytes + ?`, len(in.rows), in.bytes)
	if err == nil {
		err = writeSegment(in.tx, in.segment, in.rows)
	}
	in.rows, in.bytes = in.rows[:0], 0
	in.segment++
	return err
}

// mergeLast adds the turns of the last segment to the batch, if it is small.
func (in *ingestion) mergeLast() error {
	var last int64
	var turns int
	err := in.tx.QueryRow(`SELECT key, turns FROM segment ORDER BY key DESC LIMIT 1`).Scan(&last, &turns)
	if errors.Is(err, sql.ErrNoRows) || err == nil && turns >= smallSegment {
		return nil
	}
	if err != nil {
		return err
	}
	old, err := readRows(in.tx, last)
	if err == nil {
		err = dropSegment(in.tx, last)
	}
	if err == nil {
		_, err = in.tx.Exec(`UPDATE turn SET segment = ? WHERE segment = ?`, in.segment, last)
	}
	if err != nil {
		return err
	}
	_, err = in.tx.Exec(`UPDATE total SET turns = turns - ?, bytes = bytes - ?`, len(old), textBytes(old))
	in.rows = append(in.rows, old...)
	in.bytes += textBytes(old)
	return err
}

func textBytes(rows []row) (n int) {
	for _, r := range rows {
		n += len(r.text)
	}
	return n
}

// commit ends a batch.
func (in *ingestion) commit() error {
	if in.tx == nil {
		return nil
	}
	err := in.writeBatch()
	if err == nil {
		err = in.evict()
	}
	tx := in.tx
	in.tx = nil
	if err != nil {
		return sqlite.Explain(errors.Join(err, tx.Rollback()))
	}
	return sqlite.Explain(tx.Commit())
}

// end commits the last batch and completes the report.
func (in *ingestion) end(ctx context.Context) error {
	if err := in.commit(); err != nil {
		return err
	}
	return sqlite.Explain(in.store.db.QueryRowContext(ctx, `SELECT turns, bytes FROM total`).
		Scan(&in.report.Turns, &in.report.Text))
}
