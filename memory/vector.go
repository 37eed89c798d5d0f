package memory

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/vector"
)

// A vector has a sketch with a bit for the sign of each component. Sketches select a few near
// vectors, which are then compared exactly.
const (
	sketchBits = 8    // 256 keys a block
	embedBatch = 2000 // memories in one transaction
)

// Embed makes the missing vectors, and all vectors if another model made them. A memory added
// meanwhile may be left for the next call. Vectors made before an error stay.
func (s *Store) Embed(ctx context.Context, model doc.BatchEmbedder) error {
	for {
		if done, err := s.embedded(ctx, model); done || err != nil {
			return err
		}
		if n, err := s.embedSome(ctx, model, embedBatch); err != nil || n == 0 {
			return err
		}
	}
}

// Complete is Embed for the store at a path, which it only reads if no vector is missing. The error
// wraps fs.ErrNotExist if there is no store.
func Complete(ctx context.Context, path string, model doc.BatchEmbedder) error {
	done := false
	err := Look(ctx, path, func(s *Store) (err error) {
		done, err = s.embedded(ctx, model)
		return err
	})
	if done || err != nil {
		return err
	}
	return catchUp(ctx, path, model)
}

// Renew makes at most the given number of vectors that are missing in the store at a path, or are
// of another model. Otherwise it only reads.
func Renew(ctx context.Context, path string, model doc.BatchEmbedder, most int) error {
	done := false
	err := Look(ctx, path, func(s *Store) (err error) {
		done, err = s.embedded(ctx, model)
		return err
	})
	if done || err != nil {
		return err
	}
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	_, err = s.embedSome(ctx, model, most)
	return errors.Join(err, s.Close())
}

// embedded reports whether the model has made all vectors.
func (s *Store) embedded(ctx context.Context, model doc.BatchEmbedder) (done bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM model WHERE name = ?) AND NOT EXISTS (SELECT 1
		FROM unembedded)`,
		model.Model()).Scan(&done)
	return done, sqlite.Explain(err)
}

// embedSome makes the vectors of at most the given number of memories, and returns how many it
// tried. The model works outside of the transaction, because it may take long. A memory that has
// changed meanwhile is left for the next call.
func (s *Store) embedSome(ctx context.Context, model doc.BatchEmbedder, most int) (n int, err error) {
	found, err := readUnembedded(ctx, s.db, model, most)
	if err != nil {
		return 0, sqlite.Explain(err)
	}
	vectors, err := vectorsOf(ctx, model, found.memories)
	if err != nil {
		return 0, err
	}
	return len(found.keys), s.change(ctx, func(tx *sql.Tx) error { return putVectors(ctx, tx, model, found, vectors) })
}

// An unembedded is memories without a vector of a model.
type unembedded struct {
	keys     []int64
	memories []Memory
}

// readUnembedded returns at most the given number of memories that have no vector of a model.
func readUnembedded(ctx context.Context, q querier, model doc.BatchEmbedder, most int) (u unembedded, err error) {
	ours, err := isModelOf(ctx, q, model)
	if err != nil {
		return u, err
	}
	query := `SELECT memory FROM unembedded ORDER BY memory LIMIT ?`
	if !ours {
		query = `SELECT key FROM memory ORDER BY key LIMIT ?`
	}
	keys, err := readIntegers(ctx, q, query, most)
	if err != nil {
		return u, err
	}
	for _, key := range keys {
		m, err := listMemories(ctx, q, ` WHERE key = ?`, key)
		if err != nil {
			return u, err
		}
		if len(m) == 1 { // another process may have removed it
			u.keys, u.memories = append(u.keys, key), append(u.memories, m[0])
		}
	}
	return u, nil
}

// isModelOf reports whether the vectors of a store are of a model.
func isModelOf(ctx context.Context, q querier, model doc.BatchEmbedder) (bool, error) {
	n, err := readIntegers(ctx, q, `SELECT count(*) FROM model WHERE name = ?`, model.Model())
	return len(n) == 1 && n[0] > 0, err
}

// putVectors stores vectors of a model. It drops those of another one.
func putVectors(ctx context.Context, tx *sql.Tx, model doc.BatchEmbedder, of unembedded, vectors [][]int8) error {
	ours, err := isModelOf(ctx, tx, model)
	if err != nil {
		return err
	}
	if !ours {
		for _, statement := range []string{
			`DELETE FROM vector`, `DELETE FROM sketch`, `INSERT OR IGNORE INTO unembedded SELECT key FROM memory`,
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO model VALUES(1, ?, 0)
			ON CONFLICT DO UPDATE SET name = excluded.name`, model.Model()); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, `UPDATE model SET turn = turn + 1`); err != nil {
		return err
	}
	for i, key := range of.keys {
		now, err := listMemories(ctx, tx, ` WHERE key = ?`, key)
		if err != nil {
			return err
		}
		if len(now) != 1 || passageOf(now[0]) != passageOf(of.memories[i]) {
			continue
		}
		if err := putVector(ctx, tx, key, of.memories[i], vectors[i]); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM unembedded WHERE memory = ?`, key); err != nil {
			return err
		}
	}
	return nil
}

// passageOf returns a memory as a model reads it.
func passageOf(m Memory) doc.Passage {
	if m.Scope == ScopeUser { // its domains describe the user, not the text
		return doc.Passage{Body: clipText(m.Content, MaxContent)}
	}
	return doc.Passage{Path: m.Path, Doc: strings.Join(slices.Concat(m.Tags, m.Aliases), " "), Body: m.Content}
}

// ErrModel means that the model of the notes has failed.
var ErrModel = errors.New("the model of the notes failed")

// modelError returns the error of a model. It wraps ErrModel, unless the context has ended, and
// nothing else: a missing file of a model must not look like a missing store.
func modelError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %s", ErrModel, err)
}

// vectorsOf returns the vectors of memories.
func vectorsOf(ctx context.Context, model doc.BatchEmbedder, list []Memory) ([][]int8, error) {
	n := model.Dimension()
	all, passages := make([]int8, n*len(list)), make([]doc.Passage, len(list))
	for i, m := range list {
		passages[i] = passageOf(m)
	}
	if err := model.EmbedPassages(ctx, all, passages); err != nil {
		return nil, modelError(ctx, err)
	}
	out := make([][]int8, len(list))
	for i := range out {
		out[i] = all[i*n : (i+1)*n]
	}
	return out, nil
}

// vectorOf returns a memory's vector.
func vectorOf(ctx context.Context, model doc.BatchEmbedder, m Memory) ([]int8, error) {
	v, err := vectorsOf(ctx, model, []Memory{m})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

func putVector(ctx context.Context, tx *sql.Tx, key int64, m Memory, v []int8) error {
	b := make([]byte, len(v))
	for i, x := range v {
		b[i] = byte(x)
	}
	if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO vector VALUES(?, ?)`, key, b); err != nil {
		return err
	}
	if m.Scope == ScopeUser { // a user's notes are few enough to compare all
		return nil
	}
	return putSketch(ctx, tx, key, signSketch(v))
}

// putSketch writes a sketch into its block. A sketch of zeros means that the key has no vector.
func putSketch(ctx context.Context, tx *sql.Tx, key int64, signs []uint64) error {
	var list []byte
	err := tx.QueryRowContext(ctx, `SELECT list FROM sketch WHERE block = ?`, key>>sketchBits).Scan(&list)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	at := int(key&(1<<sketchBits-1)) * len(signs) * 8
	if missing := at + len(signs)*8 - len(list); missing > 0 {
		list = append(list, make([]byte, missing)...)
	}
	for i, x := range signs {
		binary.LittleEndian.PutUint64(list[at+i*8:], x)
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO sketch VALUES(?, ?)`, key>>sketchBits, list)
	return err
}

// removeVector removes a memory's vector, and marks it to be made again.
func removeVector(ctx context.Context, tx *sql.Tx, key int64) error {
	var list []byte
	err := tx.QueryRowContext(ctx, `SELECT list FROM vector WHERE memory = ?`, key).Scan(&list)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil {
		if _, err = tx.ExecContext(ctx, `DELETE FROM vector WHERE memory = ?`, key); err == nil {
			err = putSketch(ctx, tx, key, make([]uint64, len(list)/64))
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE model SET turn = turn + 1`)
		}
	}
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		_, err = tx.ExecContext(ctx, `INSERT OR IGNORE INTO unembedded VALUES(?)`, key)
	}
	return err
}

func signSketch(v []int8) []uint64 {
	out := make([]uint64, len(v)/64)
	for i, x := range v[:len(out)*64] {
		if x > 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// A near is a memory with its cosine with the question.
type near struct {
	key    int64
	cosine float64
}

// nearestMemories returns the n memories nearest to a question by their sketches, with their
// cosines. It returns nil if there are no vectors of this model.
func (s *Store) nearestMemories(ctx context.Context, model doc.BatchEmbedder, q []int8, n int,
	allowed func(int64) bool,
) ([]near, error) {
	var turn int64
	err := s.db.QueryRowContext(ctx, `SELECT turn FROM model WHERE name = ?`, model.Model()).Scan(&turn)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	blocks, err := s.sketches.sketchesAt(ctx, s.db, turn)
	if err != nil {
		return nil, err
	}
	signs, top := signSketch(q), newTop(n)
	for _, b := range blocks {
		b.scanSigns(top, signs, allowed)
	}
	return s.cosines(ctx, model, q, top.keys())
}

// sketches caches the sketches between questions.
type sketches struct {
	mu     sync.Mutex
	turn   int64
	blocks []signBlock
}

// A signBlock is the sketches of adjacent keys. A sketch of zeros means that the key has no vector.
type signBlock struct {
	first int64
	signs []uint64
}

// sketchesAt returns the sketches as of a turn, or later.
func (k *sketches) sketchesAt(ctx context.Context, db *sql.DB, turn int64) ([]signBlock, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.blocks != nil && k.turn == turn {
		return k.blocks, nil
	}
	blocks, err := blocksOf(ctx, db, `SELECT block << 8, list FROM sketch`)
	if err != nil {
		return nil, err
	}
	k.blocks, k.turn = make([]signBlock, len(blocks)), turn
	for i, b := range blocks {
		signs := make([]uint64, len(b.list)/8)
		for j := range signs {
			signs[j] = binary.LittleEndian.Uint64(b.list[j*8:])
		}
		k.blocks[i] = signBlock{b.first, signs}
	}
	return k.blocks, nil
}

// blocksOf reads blocks of one kind, each with its first key.
func blocksOf(ctx context.Context, q querier, query string, args ...any) (out []block, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var b block
		if err := rows.Scan(&b.first, &b.list); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, rows.Err()
}

// scanSigns adds the keys with the most signs equal to the question's.
func (b signBlock) scanSigns(top *top, question []uint64, allowed func(int64) bool) {
	for i, all := 0, b.signs; len(all) >= len(question); i++ {
		same, some := 0, uint64(0)
		for j, x := range question {
			same -= bits.OnesCount64(x ^ all[j])
			some |= all[j]
		}
		all = all[len(question):]
		if score := float32(same); top.fits(score) && some != 0 {
			if key := b.first + int64(i); allowed(key) {
				top.addKey(key, score)
			}
		}
	}
}

// cosines returns the cosines of memories with a question on the common scale, the nearest first.
func (s *Store) cosines(ctx context.Context, model doc.BatchEmbedder, q []int8, keys []int64) (out []near, err error) {
	scale, err := scaleOf(ctx, model)
	if err != nil {
		return nil, err
	}
	slices.Sort(keys)
	rows, err := s.db.QueryContext(ctx, `SELECT memory, list FROM json_each(?) AS listed CROSS
		JOIN vector ON memory = listed.value`, jsonOf(keys))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	all, found := []int8{}, []int64{}
	for rows.Next() {
		var key int64
		var list sql.RawBytes
		if err := rows.Scan(&key, &list); err != nil {
			return nil, err
		}
		if len(list) != len(q) {
			continue
		}
		for _, x := range list {
			all = append(all, int8(x))
		}
		found = append(found, key)
	}
	dots := make([]int32, len(found))
	vector.Dots(dots, all, q)
	for i, key := range found {
		out = append(out, near{key, scale.rescale(float64(dots[i]) / (doc.VectorScale * doc.VectorScale))})
	}
	slices.SortFunc(out, func(a,
		b near,
	) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.key, b.key))
	})
	return out, rows.Err()
}
