package memory

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/memory/recall"
)

// Posting lists hold the memories that contain a word, in blocks of keys, so that a new memory
// rewrites only some hundred bytes a word. An entry has four bytes: the key within its block (2),
// the frequency in its text with a bit for each other field (1), and the length of the text in
// words (1).
const (
	blockBits = 10
	wordBits  = 24
	entrySize = 4
	// maxKey bounds the number of memories that a store can ever number.
	maxKey = 1<<(blockBits+wordBits) - 1
)

// The fields besides the text, as bits in an entry.
const (
	inTags   = 1 << 4 // or in its aliases, which have the same weight
	inPath   = 1 << 5
	inSymbol = 1 << 6
	timesIn  = 1<<4 - 1 // the frequency in the text
)

// maxIndexed bounds the words of one memory in the lists.
const maxIndexed = 2000

// indexedWords returns the distinct words of a memory, sorted, with their marks, and the number of
// words in its text.
func indexedWords(m Memory) (words []string, marks map[string]byte, length int) {
	marks = map[string]byte{}
	add := func(text string, mark byte) int {
		all := recall.Words(text)
		for _, w := range all {
			switch had, ok := marks[w]; {
			case !ok && len(marks) >= maxIndexed:
			case mark != 0:
				marks[w] |= mark
			case had&timesIn < timesIn:
				marks[w]++
			}
		}
		return len(all)
	}
	length = add(m.Content, 0)
	add(strings.Join(slices.Concat(m.Tags, m.Aliases), " "), inTags)
	add(m.Path, inPath)
	add(m.Symbol, inSymbol)
	for w := range marks {
		words = append(words, w)
	}
	slices.Sort(words)
	return words, marks, length
}

// enterWords adds a memory to the lists.
func enterWords(ctx context.Context, tx *sql.Tx, key int64, m Memory) error {
	if key > maxKey {
		return fmt.Errorf("number a memory: more than %d were kept", int64(maxKey))
	}
	words, marks, length := indexedWords(m)
	for _, w := range words {
		id, err := wordID(ctx, tx, w)
		if err != nil {
			return err
		}
		entry := binary.LittleEndian.AppendUint16(nil, uint16(key&(1<<blockBits-1)))
		entry = append(entry, marks[w], recall.CompressLength(length))
		if err := alterEntry(ctx, tx, id, key, entry); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `UPDATE corpus
		SET memories = memories + 1, words = words + ?, upto = max(upto, ?)`, length, key)
	return err
}

// withdrawWords removes a memory from the lists, and words that no other memory has from the store.
func withdrawWords(ctx context.Context, tx *sql.Tx, key int64, m Memory) error {
	words, _, length := indexedWords(m)
	for _, w := range words {
		var id int64
		err := tx.QueryRowContext(ctx, `SELECT key FROM word WHERE word = ?`, w).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err == nil {
			err = alterEntry(ctx, tx, id, key, nil)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM word WHERE key = ?1 AND NOT EXISTS
				(SELECT 1 FROM posting WHERE posting.key BETWEEN ?1 << 24 AND (?1 + 1 << 24) - 1)`, id)
		}
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `UPDATE corpus SET memories = memories - 1, words = words - ?`, length)
	return err
}

func wordID(ctx context.Context, tx *sql.Tx, w string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT key FROM word WHERE word = ?`, w).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	added, err := tx.ExecContext(ctx, `INSERT INTO word(word) VALUES(?)`, w)
	if err != nil {
		return 0, err
	}
	return added.LastInsertId()
}

// alterEntry replaces a memory's entry in a word's list. A nil entry removes it.
func alterEntry(ctx context.Context, tx *sql.Tx, word, key int64, entry []byte) error {
	row := word<<wordBits | key>>blockBits
	var list []byte
	err := tx.QueryRowContext(ctx, `SELECT list FROM posting WHERE key = ?`, row).Scan(&list)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	at, has := placeOfKey(list, uint16(key&(1<<blockBits-1)))
	end := at
	if has {
		end += entrySize
	}
	if list = slices.Replace(list, at, end, entry...); len(list) == 0 {
		_, err = tx.ExecContext(ctx, `DELETE FROM posting WHERE key = ?`, row)
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO posting VALUES(?, ?) ON CONFLICT DO UPDATE
		SET list = excluded.list`, row, list)
	return err
}

// placeOfKey returns the position of a key's entry, or the position to insert it.
func placeOfKey(list []byte, key uint16) (at int, has bool) {
	low, high := 0, len(list)/entrySize
	for low < high {
		if mid := (low + high) / 2; binary.LittleEndian.Uint16(list[mid*entrySize:]) < key {
			low = mid + 1
		} else {
			high = mid
		}
	}
	at = low * entrySize
	return at, at+entrySize <= len(list) && binary.LittleEndian.Uint16(list[at:]) == key
}

// completeLists adds the memories that an older version stored without lists.
func completeLists(ctx context.Context, tx *sql.Tx) error {
	var upto int64
	if err := tx.QueryRowContext(ctx, `SELECT upto FROM corpus`).Scan(&upto); err != nil {
		return err
	}
	keys, err := readIntegers(ctx, tx, `SELECT key FROM memory WHERE key > ? ORDER BY key`, upto)
	if err != nil {
		return err
	}
	for _, key := range keys {
		m, err := listMemories(ctx, tx, ` WHERE key = ?`, key)
		if err != nil {
			return err
		}
		if err := enterWords(ctx, tx, key, m[0]); err != nil {
			return err
		}
	}
	return nil
}

// readIntegers returns one column of integers.
func readIntegers(ctx context.Context, q querier, query string, args ...any) (out []int64, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, rows.Err()
}
