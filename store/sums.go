package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"patina/safeio"
	"patina/store/sqlite"
)

// Beside a database lies NAME.sum with a checksum of each of its blocks, so that a bit that the disk has flipped is an error and
// never a wrong answer: SQLite notices only what breaks its structure. It says of which publication it is, the number that every
// Publish raises in meta; next to any other one, and while there is a write-ahead log, it says nothing.
//
//	magic  "patsum1\n"
//	8      publication
//	8      size of the file in bytes
//	4·n    CRC-32C of each block
//	4      CRC-32C of all that
const (
	sumMagic  = "patsum1\n"
	sumBlock  = 64 << 10
	sumSuffix = ".sum"
)

// trustedFor is how long a verified file is not verified again, unless it is written: a day, for a bit may flip at any time.
const trustedFor = 24 * time.Hour

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sums are the checksums of one file.
type sums struct {
	publication int64
	size        int64
	blocks      []uint32
}

func blocksOf(size int64) int { return int((size + sumBlock - 1) / sumBlock) }

// sumOf reads the blocks of a file that want accepts (all if it is nil) and puts their checksums over those of old.
func sumOf(path string, publication int64, old *sums, want map[int]bool) (*sums, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s := &sums{publication: publication, size: st.Size(), blocks: make([]uint32, blocksOf(st.Size()))}
	known := 0
	if old != nil && want != nil {
		known = copy(s.blocks, old.blocks)
		if old.size%sumBlock != 0 || s.size < old.size { // the last block was not whole, or is another one now
			known = min(known, blocksOf(min(old.size, s.size))-1)
		}
	}
	var group errgroup.Group
	const run = 32 // blocks that one goroutine reads at once
	group.SetLimit(2)
	for first := 0; first < len(s.blocks); first += run {
		last := min(first+run, len(s.blocks))
		group.Go(func() error {
			var buf []byte // of most runs no block is wanted
			for i := first; i < last; i++ {
				if i < known && !want[i] {
					continue
				}
				if buf == nil {
					buf = make([]byte, sumBlock)
				}
				n, err := f.ReadAt(buf[:min(sumBlock, s.size-int64(i)*sumBlock)], int64(i)*sumBlock)
				if err != nil && !errors.Is(err, io.EOF) {
					return err
				}
				s.blocks[i] = crc32.Checksum(buf[:n], castagnoli)
			}
			return nil
		})
	}
	return s, group.Wait()
}

// write puts the sums beside the file. A loss of power may lose them, or leave others: they are then ignored.
func (s *sums) write(in *Folder, path string) error {
	b := append(make([]byte, 0, len(sumMagic)+20+4*len(s.blocks)), sumMagic...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.publication))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.size))
	for _, c := range s.blocks {
		b = binary.LittleEndian.AppendUint32(b, c)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return in.put(filepath.Base(path)+sumSuffix, b, false)
}

// moreSums is how many bytes of sums are read beyond those that a file needs: it may have been cut, by up to 16 GB.
const moreSums = 1 << 20

// readSums returns the sums beside a file, or nil if there are none that can be read.
func readSums(path string) *sums {
	st, err := os.Stat(path)
	if err != nil {
		return nil
	}
	b, err := safeio.ReadFile(path+sumSuffix, int64(4*blocksOf(st.Size()))+moreSums)
	if err != nil {
		return nil
	}
	return parseSums(b)
}

func parseSums(b []byte) *sums {
	head := len(sumMagic) + 16
	if len(b) < head+4 || string(b[:len(sumMagic)]) != sumMagic {
		return nil
	}
	body, end := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != end {
		return nil
	}
	s := &sums{
		publication: int64(binary.LittleEndian.Uint64(b[len(sumMagic):])),
		size:        int64(binary.LittleEndian.Uint64(b[len(sumMagic)+8:])),
	}
	if s.size < 0 || (len(body)-head)%4 != 0 || (len(body)-head)/4 != blocksOf(s.size) {
		return nil
	}
	for at := head; at < len(body); at += 4 {
		s.blocks = append(s.blocks, binary.LittleEndian.Uint32(body[at:]))
	}
	return s
}

// publication is the number that the last Publish gave.
func publication(q querier) int64 {
	var v string
	if err := q.QueryRowContext(context.Background(), `SELECT value FROM meta WHERE key = 'publication'`).Scan(&v); err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

// verify compares a database with its sums, unless that was done lately and the file has not been written since. Without sums of
// this publication there is nothing to compare.
func verify(path string, db querier) error {
	if trusted(path) {
		return nil
	}
	return compareSums(path, db)
}

// compareSums reads the whole file.
func compareSums(path string, db querier) error {
	s := readSums(path)
	if s == nil || sqlite.Logged(path) || s.publication != publication(db) {
		return nil
	}
	now, err := sumOf(path, s.publication, nil, nil)
	if err != nil {
		return fmt.Errorf("verify %s: %w", path, err)
	}
	if now.size == s.size && slices.Equal(now.blocks, s.blocks) {
		t := time.Now().Add(-clockTick)
		_ = os.Chtimes(path+sumSuffix, t, t) // in a folder that cannot be written it is verified each time
		return nil
	}
	if sqlite.Logged(path) || publication(db) != s.publication {
		return nil // a scrape has published meanwhile
	}
	for i := range min(len(now.blocks), len(s.blocks)) {
		if now.blocks[i] != s.blocks[i] {
			return fmt.Errorf("verify %s: the bytes from %d are not those that were written: %w", path, i*sumBlock, ErrDamaged)
		}
	}
	return fmt.Errorf("verify %s: it has %d bytes, not the %d that were written: %w", path, now.size, s.size, ErrDamaged)
}

// clockTick is more than the clock that times files lags behind that of the process: a kernel's tick.
const clockTick = 10 * time.Millisecond

// trusted tells whether a file was verified lately, and not written since: the time of its sums says when.
func trusted(path string) bool {
	of, err := os.Stat(path)
	if err != nil {
		return false
	}
	sum, err := os.Stat(path + sumSuffix)
	if err != nil {
		return false
	}
	age := time.Since(sum.ModTime())
	return !of.ModTime().After(sum.ModTime()) && age < trustedFor && age > -time.Minute // a clock that goes back trusts nothing
}

// loggedBlocks are the blocks of a database that its write-ahead log is about to change: https://sqlite.org/fileformat2.html#walformat.
func loggedBlocks(path string) (map[int]bool, error) {
	f, err := os.Open(path + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return map[int]bool{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	blocks := map[int]bool{}
	head := make([]byte, 32)
	if _, err := f.ReadAt(head, 0); err != nil {
		return blocks, nil // empty
	}
	page := int64(binary.BigEndian.Uint32(head[8:]))
	if page < 512 {
		return nil, fmt.Errorf("read log of %s: page size %d", path, page)
	}
	for at := int64(len(head)); ; at += 24 + page {
		if _, err := f.ReadAt(head[:4], at); err != nil {
			return blocks, nil
		}
		first := (int64(binary.BigEndian.Uint32(head)) - 1) * page
		for b := first / sumBlock; b <= (first+page-1)/sumBlock; b++ {
			blocks[int(b)] = true
		}
	}
}

// verified notes which publication is about to be updated, and verifies it: an update would carry damage on.
func (w *Writer) verified(path string) error {
	w.publication = publication(w.conn)
	return verify(path, w.conn)
}
