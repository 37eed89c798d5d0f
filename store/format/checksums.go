package format

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

	"patina/internal/safeio"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/sqlite"
)

// NAME.sum beside a database holds a checksum for each block. A bit flipped on disk is then an
// error and never a wrong answer: SQLite notices only broken structure. The file names its
// publication, a number in meta raised by every Publish. For any other publication, or while there
// is a write-ahead log, the sums are ignored.
//
//	magic  "patsum1\n"
//	8      publication
//	8      file size in bytes
//	4·n    CRC-32C for each block
//	4      CRC-32C over all that
const (
	sumMagic = "patsum1\n"
	sumBlock = 64 << 10
)

// trustedFor is how long an unchanged file counts as verified. It is a day, since a bit may flip at
// any time.
const trustedFor = 24 * time.Hour

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sums are one file's checksums.
type Sums struct {
	Publication int64
	size        int64
	blocks      []uint32
}

func blocksOf(size int64) int { return int((size + sumBlock - 1) / sumBlock) }

// SumBlocks starts from old's checksums and recomputes the blocks in want, or all if want is nil.
func SumBlocks(path string, publication int64, old *Sums, want map[int]bool) (*Sums, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s := &Sums{Publication: publication, size: st.Size(), blocks: make([]uint32, blocksOf(st.Size()))}
	known := 0
	if old != nil && want != nil {
		known = copy(s.blocks, old.blocks)
		// The last block was not whole, or has changed.
		if old.size%sumBlock != 0 || s.size < old.size {
			known = min(known, blocksOf(min(old.size, s.size))-1)
		}
	}
	var group errgroup.Group
	const run = 32 // blocks for one goroutine
	group.SetLimit(2)
	for first := 0; first < len(s.blocks); first += run {
		last := min(first+run, len(s.blocks))
		group.Go(func() error {
			var buf []byte // most runs have no wanted block
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

// Write puts the sums beside the file. A power loss may lose or mix them; they are then
// ignored.
func (s *Sums) Write(in *folder.Folder, path string) error {
	b := append(make([]byte, 0, len(sumMagic)+20+4*len(s.blocks)), sumMagic...)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Publication))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.size))
	for _, c := range s.blocks {
		b = binary.LittleEndian.AppendUint32(b, c)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return in.Write(filepath.Base(folder.SumsOf(path)), b)
}

// moreSums is how many extra bytes are read, for a file cut by up to 16 GB.
const moreSums = 1 << 20

// ReadSums returns a file's sums, or nil if they are missing or unreadable.
func ReadSums(path string) *Sums {
	st, err := os.Stat(path)
	if err != nil {
		return nil
	}
	b, err := safeio.ReadFile(folder.SumsOf(path), int64(4*blocksOf(st.Size()))+moreSums)
	if err != nil {
		return nil
	}
	return parseSums(b)
}

func parseSums(b []byte) *Sums {
	head := len(sumMagic) + 16
	if len(b) < head+4 || string(b[:len(sumMagic)]) != sumMagic {
		return nil
	}
	body, end := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != end {
		return nil
	}
	s := &Sums{
		Publication: int64(binary.LittleEndian.Uint64(b[len(sumMagic):])),
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

// LastPublication returns the last publication's number, or 0.
func LastPublication(q sqlite.Querier) int64 {
	var v string
	if err := q.QueryRowContext(context.Background(), `SELECT value FROM meta WHERE key = 'publication'`).Scan(&v); err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

// VerifyDatabase compares a database with its sums. It skips a file verified lately and not written
// since, and a file without sums for this publication.
func VerifyDatabase(path string, db sqlite.Querier) error {
	if isTrusted(path) {
		return nil
	}
	return CompareSums(path, db)
}

// CompareSums reads the whole file.
func CompareSums(path string, db sqlite.Querier) error {
	s := ReadSums(path)
	if s == nil || sqlite.Logged(path) || s.Publication != LastPublication(db) {
		return nil
	}
	now, err := SumBlocks(path, s.Publication, nil, nil)
	if err != nil {
		return fmt.Errorf("verify %s: %w", path, err)
	}
	if now.size == s.size && slices.Equal(now.blocks, s.blocks) {
		t := time.Now().Add(-clockTick)
		_ = os.Chtimes(folder.SumsOf(path), t, t) // in a read-only folder, it is verified each time
		return nil
	}
	if sqlite.Logged(path) || LastPublication(db) != s.Publication {
		return nil // a scrape has published meanwhile
	}
	for i := range min(len(now.blocks), len(s.blocks)) {
		if now.blocks[i] != s.blocks[i] {
			return fmt.Errorf("verify %s: the bytes from %d are not those that were written: %w", path, i*sumBlock, doc.ErrDamaged)
		}
	}
	return fmt.Errorf("verify %s: it has %d bytes, not the %d that were written: %w", path, now.size, s.size, doc.ErrDamaged)
}

// clockTick is a kernel tick: file times may lag that far behind the process's clock.
const clockTick = 10 * time.Millisecond

// isTrusted reports whether a file was verified lately and not written since. The sums'
// modification time is the time of that verification.
func isTrusted(path string) bool {
	of, err := os.Stat(path)
	if err != nil {
		return false
	}
	sum, err := os.Stat(folder.SumsOf(path))
	if err != nil {
		return false
	}
	age := time.Since(sum.ModTime())
	// A clock that goes back trusts nothing.
	return !of.ModTime().After(sum.ModTime()) && age < trustedFor && age > -time.Minute
}

// LoggedBlocks returns the blocks that the write-ahead log is about to change:
// https://sqlite.org/fileformat2.html#walformat.
func LoggedBlocks(path string) (map[int]bool, error) {
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
