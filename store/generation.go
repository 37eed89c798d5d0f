package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

const selectGeneration = `SELECT g.number, v.head, v.branch, v.scraped_at, v.files, v.chunks, v.commits, v.beliefs, v.history, v.shallow,
	(SELECT value LIKE '%` + format.DraftMark + `' FROM meta WHERE key = 'embedder'), (SELECT value LIKE '%` + format.WordsOnlyMark + `' FROM meta WHERE key = 'embedder'), (SELECT value FROM meta WHERE key = 'extractor'), IFNULL((SELECT value = '` + format.OwnWork + `' FROM meta WHERE key = 'own'), 0) FROM generation g, view v WHERE v.name = ?`

// readGeneration reads one view's published state. Without the view, the error wraps ErrNoIndex.
func readGeneration(ctx context.Context, q sqlite.Querier, view string) (doc.Generation, error) {
	var g doc.Generation
	var at int64
	err := q.QueryRowContext(ctx, selectGeneration, view).Scan(
		&g.Number, &g.Head, &g.Branch, &at, &g.Files, &g.Chunks, &g.Commits, &g.Beliefs, &g.History, &g.Shallow,
		&g.Draft, &g.WordsOnly, &g.Extractor, &g.Own)
	if errors.Is(err, sql.ErrNoRows) {
		return g, fmt.Errorf("no view %q: %w", view, ErrNoIndex)
	}
	if err == nil && (g.Number < 0 || min(g.Files, g.Chunks, g.Commits) < 0) {
		err = fmt.Errorf("generation %d of %d files, %d chunks, %d commits: %w",
			g.Number, g.Files, g.Chunks, g.Commits, ErrDamaged)
	}
	g.ScrapedAt = time.Unix(at, 0).UTC()
	return g, err
}

// publishedState is the generation of one publication. A publication that only changes stats has
// the generation before it.
type publishedState struct {
	publication string
	generation  doc.Generation
}

// published is readGeneration for a session, as its first query. Each of a question's readers asks
// for its publication, but only the first reader after a publication reads the generation, because
// that takes six times as long.
func (d *database) published(ctx context.Context, s *sqlite.Session) (*publishedState, error) {
	var now string
	err := s.QueryRow(ctx, `SELECT value FROM meta WHERE key = 'publication'`).Scan(&now)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if known := d.known.Load(); err == nil && known != nil && known.publication == now {
		return known, nil
	}
	g, err := readGeneration(ctx, s.Conn(), d.view)
	if err != nil {
		return nil, err
	}
	p := &publishedState{now, g}
	d.known.Store(p)
	return p, nil
}

// A Segment is an index segment for queries: where each group's chunks start, their documents, and
// which the view sees.
type Segment struct {
	ID     int64
	Space  string
	Pooled bool // from its kind's traits: each group has a row for its card
	Chunks uint32
	Starts []uint32 // each group's first chunk, then the number of chunks
	Keys   []int64
	Hidden []bool // by group; nil if the view sees all
	Live   int    // visible chunks

	Vectors int64         // its first row in the vector file, or -1
	Sum     sql.NullInt64 // over its rows: vector.File.Sum
}

// VectorRows counts a segment's rows in the vector file: one a chunk, and if pooled, one a group
// for its card.
func (g *Segment) VectorRows() int64 {
	switch {
	case g.Vectors < 0:
		return 0
	case g.Pooled:
		return int64(g.Chunks) + int64(len(g.Keys))
	}
	return int64(g.Chunks)
}

// Visible yields the runs of groups in the view, each as from and to, without to.
func (g *Segment) Visible() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(g.Keys); {
			to := from
			for to < len(g.Keys) && (g.Hidden == nil || !g.Hidden[to]) {
				to++
			}
			if from < to && !yield(from, to) {
				return
			}
			from = to + 1
		}
	}
}

// LiveRows yields the runs of a segment's rows that the view sees, each as from and to, without to.
func (g *Segment) LiveRows() iter.Seq2[int64, int64] {
	return func(yield func(from, to int64) bool) {
		if g.Vectors < 0 {
			return
		}
		for from, to := range g.Visible() {
			if !yield(g.Vectors+int64(g.Starts[from]), g.Vectors+int64(g.Starts[to])) {
				return
			}
			cards := g.Vectors + int64(g.Chunks)
			if g.Pooled && !yield(cards+int64(from), cards+int64(to)) {
				return
			}
		}
	}
}

// A Snapshot is the data shared by all queries on one generation. It is made once.
type Snapshot struct {
	number   int64
	View     int64
	Members  doc.Bitmap
	copies   doc.Bitmap
	Segments []*Segment
	Chunks   int // live ones, all kinds
	files    lazyFiles
	named    identities
	Memo     Memo // other values made once
	Tests    bool // most code lies in tests, so being a test means nothing

	Model      string // empty without vectors
	VectorRows int64  // in the vector file, as far as segments name them
	random     doc.Calibration
}

// Class returns the class of a file, which is Generated too if it repeats others. c must be its
// stored class.
func (s *Snapshot) Class(key int64, c doc.Class) doc.Class {
	if s.copies.Has(key) {
		c |= doc.Generated
	}
	return c
}

// Subjects is the posting space for commit subjects, which the temporal oracle ranks by themselves.
// Every other space belongs to a kind.
const Subjects = "subject"

const selectSegments = `SELECT id, space, chunks, groups, IFNULL(vectors, -1), vectors_sum FROM segment ORDER BY id`

// loadSnapshot reads one view's snapshot.
func loadSnapshot(ctx context.Context, q sqlite.Querier, number int64, view string) (*Snapshot, error) {
	var members, copied []byte
	var id int64
	var tests bool
	const query = `SELECT id, members, mostly_tests, copies FROM view WHERE name = ?`
	if err := q.QueryRowContext(ctx, query, view).Scan(&id, &members, &tests, &copied); err != nil {
		return nil, err
	}
	copies, err := format.DecodeBitmap(copied)
	if err != nil {
		return nil, err
	}
	seen, err := format.DecodeBitmap(members)
	if err != nil {
		return nil, err
	}
	s, err := SnapshotOf(ctx, q, seen)
	if err != nil {
		return nil, err
	}
	s.number, s.View, s.Tests, s.copies = number, id, tests, copies
	return s, s.readCalibration(ctx, q)
}

// SnapshotOf reads the snapshot for a set of members.
func SnapshotOf(ctx context.Context, q sqlite.Querier, members doc.Bitmap) (*Snapshot, error) {
	s := &Snapshot{Members: members}
	var err error
	var rows int64
	s.Segments, err = LoadSegments(ctx, q, s.Members)
	for _, g := range s.Segments {
		if g.Space != Subjects {
			s.Chunks += g.Live
		}
		s.VectorRows = max(s.VectorRows, g.Vectors+g.VectorRows())
		rows += g.VectorRows()
	}
	if err == nil && rows > s.VectorRows { // no two segments share a row
		err = fmt.Errorf("segments name %d vectors, of which there are %d: %w", rows, s.VectorRows, ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	return s, s.readModel(ctx, q)
}

// LoadSegments reads all segments, as a view with these members sees them.
func LoadSegments(ctx context.Context, q sqlite.Querier, members doc.Bitmap) ([]*Segment, error) {
	rows, err := q.QueryContext(ctx, selectSegments)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []*Segment
	for rows.Next() {
		g := &Segment{}
		var blob []byte
		if err := rows.Scan(&g.ID, &g.Space, &g.Chunks, &blob, &g.Vectors, &g.Sum); err != nil {
			return nil, err
		}
		g.Pooled = doc.Kind(g.Space).Traits().Pooled
		if err := g.decode(blob, members); err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, rows.Err()
}

func (g *Segment) decode(blob []byte, members doc.Bitmap) error {
	if g.ID < 1 || g.ID > format.MaxRow || g.Chunks > format.MaxSegment || g.Vectors < -1 || g.Vectors > format.MaxRow {
		return fmt.Errorf("segment %d of %d chunks with vectors from %d: %w", g.ID, g.Chunks, g.Vectors, ErrDamaged)
	}
	gs, err := format.DecodeGroups(blob)
	if err != nil {
		return err
	}
	g.Starts = make([]uint32, 0, len(gs)+1)
	g.Keys = make([]int64, 0, len(gs))
	at := uint32(0)
	for i, x := range gs {
		g.Starts = append(g.Starts, at)
		g.Keys = append(g.Keys, x.Key)
		at += uint32(x.Chunks)
		if at > g.Chunks {
			return ErrDamaged
		}
		if members.Has(x.Key) {
			g.Live += x.Chunks
			continue
		}
		if g.Hidden == nil {
			g.Hidden = make([]bool, len(gs))
		}
		g.Hidden[i] = true
	}
	if at != g.Chunks {
		return ErrDamaged
	}
	g.Starts = append(g.Starts, at)
	return nil
}

// Snapshot returns the shared data for the reader's generation. The first reader to ask makes it.
func (r *Reader) Snapshot(ctx context.Context) (*Snapshot, error) {
	if r.snapshot != nil {
		return r.snapshot, nil
	}
	s := r.on.snapshot.Load()
	if s == nil || s.number != r.sees.generation.Number {
		var err error
		if s, err = loadSnapshot(ctx, r.conn(), r.sees.generation.Number, r.on.view); err != nil {
			return nil, Damaged(err)
		}
		s = r.on.share(s)
	}
	r.snapshot = s
	return s, nil
}

// share gives a snapshot to the readers of its generation, and returns the one that they have. A
// reader of an older generation keeps its own, because newer snapshots are needed longer.
func (d *database) share(s *Snapshot) *Snapshot {
	for {
		now := d.snapshot.Load()
		switch {
		case now != nil && now.number == s.number:
			return now
		case now != nil && now.number > s.number, d.snapshot.CompareAndSwap(now, s):
			return s
		}
	}
}

// Listed returns when the view's tree was last listed completely. For an index of an older version,
// it returns when it was scraped.
func (r *Reader) Listed(ctx context.Context) (time.Time, error) {
	var at int64
	err := r.QueryRow(ctx, format.SelectListed, format.ListedKey+r.on.view).Scan(&at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r.Generation().ScrapedAt, nil
	case err != nil:
		return time.Time{}, Damaged(err)
	}
	return time.Unix(0, at), nil
}

// LastNumber returns the published generation's number, or 0 if it cannot be read.
func LastNumber(ctx context.Context, in *folder.Folder) (n int64) {
	path, err := in.Database()
	if err != nil {
		return 0
	}
	d, err := openDatabase(path, MainView)
	if err != nil {
		return 0
	}
	defer func() { _ = d.closeDatabase() }()
	if err := d.db.QueryRowContext(ctx, `SELECT number FROM generation`).Scan(&n); err != nil {
		return 0
	}
	return n
}
