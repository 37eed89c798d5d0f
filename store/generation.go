package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"
)

// querier is what a connection and a transaction have in common.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const selectGeneration = `SELECT g.number, v.head, v.branch, v.scraped_at, v.files, v.chunks, v.commits, v.history, v.shallow FROM generation g, view v WHERE v.name = ?`

// readGeneration reads what is published of one view. Without that view the error wraps ErrNoIndex.
func readGeneration(ctx context.Context, q querier, view string) (Generation, error) {
	var g Generation
	var at int64
	err := q.QueryRowContext(ctx, selectGeneration, view).Scan(&g.Number, &g.Head, &g.Branch, &at, &g.Files, &g.Chunks, &g.Commits, &g.History, &g.Shallow)
	if errors.Is(err, sql.ErrNoRows) {
		return g, fmt.Errorf("no view %q: %w", view, ErrNoIndex)
	}
	if err == nil && (g.Number < 0 || min(g.Files, g.Chunks, g.Commits) < 0) {
		err = fmt.Errorf("generation %d of %d files, %d chunks, %d commits: %w", g.Number, g.Files, g.Chunks, g.Commits, ErrDamaged)
	}
	g.ScrapedAt = time.Unix(at, 0).UTC()
	return g, err
}

// A segment as a query needs it: where each group's chunks start, whose they are, and which the view sees.
type segment struct {
	id     int64
	space  string
	pooled bool // by the kind's traits: each group has a row for its card
	chunks uint32
	starts []uint32 // first chunk of each group, and the number of chunks at the end
	keys   []int64
	hidden []bool // by group; nil where the view sees them all
	live   int    // chunks that the view sees

	vectors int64         // its first row in the vector file, or -1
	sum     sql.NullInt64 // of its rows: vector.File.Sum
}

// vectorRows is how many rows a segment has in the vector file: one a chunk, and where it is pooled one a group, its card.
func (g *segment) vectorRows() int64 {
	switch {
	case g.vectors < 0:
		return 0
	case g.pooled:
		return int64(g.chunks) + int64(len(g.keys))
	}
	return int64(g.chunks)
}

// visible yields the runs of groups that the view sees, each from its first to behind its last.
func (g *segment) visible() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(g.keys); {
			to := from
			for to < len(g.keys) && (g.hidden == nil || !g.hidden[to]) {
				to++
			}
			if from < to && !yield(from, to) {
				return
			}
			from = to + 1
		}
	}
}

// A snapshot is what every query of one generation needs; it is made once and shared.
type snapshot struct {
	number   int64
	view     int64
	members  bitmap
	segments []*segment
	total    int // live chunks of all kinds
	files    lazyFiles
	named    identities
	modules  lazyModules
	tests    bool // most of the code lies in tests: being a test says nothing there

	model  string // of the vectors; empty where there are none
	rows   int64  // of the vector file that segments name
	random Calibration
}

// The spaces of postings: one a kind, and the subjects of commits, which the temporal oracle ranks by themselves.
const subjects = "subject"

const selectSegments = `SELECT id, space, chunks, groups, IFNULL(vectors, -1), vectors_sum FROM segment ORDER BY id`

// loadSnapshot reads what a generation holds of one view.
func loadSnapshot(ctx context.Context, q querier, number int64, view string) (*snapshot, error) {
	var members []byte
	var id int64
	var tests bool
	if err := q.QueryRowContext(ctx, `SELECT id, members, mostly_tests FROM view WHERE name = ?`, view).Scan(&id, &members, &tests); err != nil {
		return nil, err
	}
	seen, err := decodeBitmap(members)
	if err != nil {
		return nil, err
	}
	s, err := snapshotOf(ctx, q, seen)
	if err != nil {
		return nil, err
	}
	s.number, s.view, s.tests = number, id, tests
	return s, nil
}

// snapshotOf reads what a set of documents is to questions.
func snapshotOf(ctx context.Context, q querier, members bitmap) (*snapshot, error) {
	s := &snapshot{members: members}
	var err error
	var rows int64
	s.segments, err = loadSegments(ctx, q, s.members)
	for _, g := range s.segments {
		if g.space != subjects {
			s.total += g.live
		}
		s.rows = max(s.rows, g.vectors+g.vectorRows())
		rows += g.vectorRows()
	}
	if err == nil && rows > s.rows { // no row belongs to two
		err = fmt.Errorf("segments name %d vectors, of which there are %d: %w", rows, s.rows, ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	return s, s.readModel(ctx, q)
}

func loadSegments(ctx context.Context, q querier, members bitmap) ([]*segment, error) {
	rows, err := q.QueryContext(ctx, selectSegments)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []*segment
	for rows.Next() {
		g := &segment{}
		var blob []byte
		if err := rows.Scan(&g.id, &g.space, &g.chunks, &blob, &g.vectors, &g.sum); err != nil {
			return nil, err
		}
		g.pooled = Kind(g.space).Traits().Pooled
		if err := g.decode(blob, members); err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, rows.Err()
}

func (g *segment) decode(blob []byte, members bitmap) error {
	if g.id < 1 || g.id > maxRow || g.chunks > maxSegment || g.vectors < -1 || g.vectors > maxRow {
		return fmt.Errorf("segment %d of %d chunks with vectors from %d: %w", g.id, g.chunks, g.vectors, ErrDamaged)
	}
	gs, err := decodeGroups(blob)
	if err != nil {
		return err
	}
	g.starts = make([]uint32, 0, len(gs)+1)
	g.keys = make([]int64, 0, len(gs))
	at := uint32(0)
	for i, x := range gs {
		g.starts = append(g.starts, at)
		g.keys = append(g.keys, x.key)
		at += uint32(x.chunks)
		if at > g.chunks {
			return ErrDamaged
		}
		if members.has(x.key) {
			g.live += x.chunks
			continue
		}
		if g.hidden == nil {
			g.hidden = make([]bool, len(gs))
		}
		g.hidden[i] = true
	}
	if at != g.chunks {
		return ErrDamaged
	}
	g.starts = append(g.starts, at)
	return nil
}

// snapshot returns the shared part of the reader's generation, made by the first reader that needs it.
func (r *Reader) snapshot(ctx context.Context) (*snapshot, error) {
	if s := r.on.snapshot.Load(); s != nil && s.number == r.generation.Number {
		return s, nil
	}
	s, err := loadSnapshot(ctx, r.conn, r.generation.Number, r.on.view)
	if err != nil {
		return nil, damaged(err)
	}
	r.on.snapshot.Store(s)
	return s, nil
}
