package turns

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"patina/internal/safeio"
	"patina/internal/secrets"
	"patina/memory/transcript"
)

// noFollow refuses a file that is a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// Bounds of a transcript. Larger ones are read in part, or are a fault.
const (
	maxLine     = 16 << 20 // bytes of a line; longer ones are skipped and counted
	maxDocument = 64 << 20 // bytes of a transcript of one JSON object, or of a session's folder
	mostFiles   = 20_000   // files of a session's folder
)

// errUnreadable means that one transcript could not be read. Others can.
var errUnreadable = errors.New("transcript not read")

// A kept is a source as it was last read.
type kept struct {
	key   int64
	mark  string
	size  int64
	sum   []byte
	state []byte
}

// readSource reads the new part of a source.
func (in *ingestion) readSource(ctx context.Context, s Source, m mark) error {
	if err := in.begin(ctx); err != nil {
		return err
	}
	var k kept
	err := in.tx.QueryRow(`SELECT key, mark, size, sum, state FROM source WHERE path = ?`, s.Path).
		Scan(&k.key, &k.mark, &k.size, &k.sum, &k.state)
	switch {
	case err == nil && k.mark == m.text:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		var added sql.Result
		added, err = in.tx.Exec(`INSERT INTO source(path, agent, session, mark, size, sum, state, began, ended, bytes)
			VALUES(?, ?, ?, '', 0, x'', x'', 0, 0, 0)`, s.Path, s.Form, secrets.Erase(s.Session))
		if err == nil {
			k.key, err = added.LastInsertId()
		}
	}
	if err != nil {
		return err
	}
	if info, err := os.Lstat(s.Path); err == nil && info.IsDir() {
		err = in.readFolder(ctx, s, m, k)
		return errors.Join(err, in.endSource(k.key))
	}
	if strings.HasSuffix(s.Path, ".json") {
		err = in.readDocument(s, m, k)
	} else {
		err = in.readLines(ctx, s, m, k)
	}
	return errors.Join(err, in.endSource(k.key))
}

// endSource sets the times of a source, and ends the batch if it is full.
func (in *ingestion) endSource(key int64) error {
	if in.tx == nil {
		return nil
	}
	_, err := in.tx.Exec(`UPDATE source SET
		bytes = coalesce((SELECT sum(length(CAST(text AS BLOB))) FROM turn WHERE source = ?1), 0),
		began = coalesce((SELECT min(at) FROM turn WHERE source = ?1 AND at > 0), began),
		ended = coalesce((SELECT max(at) FROM turn WHERE source = ?1 AND at > 0), ended) WHERE key = ?1`, key)
	if err == nil && in.isFull(1) {
		err = in.commit()
	}
	return err
}

// anew deletes the turns of a source, to read it from the beginning.
func (in *ingestion) anew(key int64) error {
	var has bool
	err := in.tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM turn WHERE source = ?)`, key).Scan(&has)
	if err != nil || !has {
		return err
	}
	if err := in.writeBatch(); err != nil { // turns in the batch are in no segment yet
		return err
	}
	_, err = deleteTurns(in.tx, []int64{key}, math.MaxInt64)
	return err
}

// readLines reads the new lines of a file. A last line without an end is left for the next time,
// because its writer may be at it.
func (in *ingestion) readLines(ctx context.Context, s Source, m mark, k kept) (err error) {
	f, err := safeio.Open(s.Path)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha256.New()
	if k.size > 0 {
		n, err := io.Copy(sum, io.LimitReader(f, k.size))
		if err != nil {
			return fmt.Errorf("%w: %w", errUnreadable, err)
		}
		if n < k.size || !bytes.Equal(sum.Sum(nil), k.sum) { // it was rewritten
			if err := in.anew(k.key); err != nil {
				return err
			}
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				return fmt.Errorf("%w: %w", errUnreadable, err)
			}
			sum.Reset()
			k.size, k.state = 0, nil
		}
	}
	in.report.Read++
	p := transcript.NewParser(s.Form, k.state, secrets.Erase)
	lines := lineReader{in: bufio.NewReaderSize(f, 256<<10), sum: sum}
	for ctx.Err() == nil {
		line, long, err := lines.readLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%w: read %q: %w", errUnreadable, s.Path, err)
		}
		if long {
			p.SkipLine()
			in.report.Long++
		} else {
			p.AddLine(line)
		}
		if err := in.add(k.key, p.Take()); err != nil {
			return err
		}
		if in.isFull(1) {
			in.tellProgress(lines.whole)
		}
	}
	if err := in.add(k.key, p.Finish()); err != nil {
		return err
	}
	in.report.Broken += p.Broken
	in.report.Bytes += lines.whole
	if ctx.Err() != nil { // there is more
		m.text, lines.sumOfWhole = "", sum.Sum(nil)
	}
	_, err = in.tx.Exec(`UPDATE source SET mark = ?, size = ?, sum = ?, state = ? WHERE key = ?`, m.text,
		k.size+lines.whole, lines.sumOfWhole, p.State(), k.key)
	return err
}

// A lineReader reads whole lines, and sums them up.
type lineReader struct {
	in         *bufio.Reader
	sum        hash.Hash
	line       []byte
	whole      int64 // bytes of the lines read
	sumOfWhole []byte
}

// readLine returns the next line that has an end, without it. long means that it was longer than
// maxLine, and is not returned. The line is valid until the next call.
func (l *lineReader) readLine() (line []byte, long bool, err error) {
	l.line = l.line[:0]
	if cap(l.line) > 1<<20 {
		l.line = nil
	}
	before, err := l.sum.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return nil, false, err
	}
	size := int64(0)
	for {
		part, err := l.in.ReadSlice('\n')
		size += int64(len(part))
		l.sum.Write(part)
		if long = long || len(l.line)+len(part) > maxLine; !long {
			l.line = append(l.line, part...)
		}
		switch {
		case err == nil:
			l.whole += size
			return bytes.TrimSuffix(l.line, []byte("\n")), long, nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			l.line = nil
			if e := l.sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(before); e != nil {
				err = e
			}
			l.sumOfWhole = l.sum.Sum(nil)
			return nil, false, err
		}
	}
}

// readDocument reads a transcript of one JSON object.
func (in *ingestion) readDocument(s Source, m mark, k kept) error {
	text, err := safeio.ReadFile(s.Path, maxDocument)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return in.replace(s, m, k, int64(len(text)), func(p *transcript.Parser) error {
		p.AddDocument(text)
		return nil
	})
}

// replace reads a source anew.
func (in *ingestion) replace(s Source, m mark, k kept, size int64, read func(*transcript.Parser) error) error {
	if err := in.anew(k.key); err != nil {
		return err
	}
	in.report.Read++
	p := transcript.NewParser(s.Form, nil, secrets.Erase)
	err := read(p)
	if addErr := in.add(k.key, p.Finish()); addErr != nil {
		return addErr
	}
	in.report.Broken += p.Broken
	in.report.Bytes += size
	if err != nil {
		return err // the mark stays, so that it is read again
	}
	_, err = in.tx.Exec(`UPDATE source SET mark = ?, size = ? WHERE key = ?`, m.text, size, k.key)
	return err
}

// readFolder reads the messages of a session by OpenCode, which has a file for each message and for
// each part, in the order of their ids, which ascend with time.
func (in *ingestion) readFolder(ctx context.Context, s Source, m mark, k kept) error {
	names, err := messageFiles(s.Path)
	if err != nil {
		return err
	}
	if m.size > maxDocument {
		return fmt.Errorf("%w: %q has more than %d bytes", errUnreadable, s.Path, maxDocument)
	}
	return in.replace(s, m, k, m.size, func(p *transcript.Parser) error {
		for len(names) > 0 && ctx.Err() == nil {
			end := 1 + slices.IndexFunc(names[1:], func(name string) bool { return filepath.Dir(name) == s.Path })
			if end == 0 {
				end = len(names)
			}
			info, err := safeio.ReadFile(names[0], maxDocument)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w: %w", errUnreadable, err)
			}
			var parts [][]byte
			for _, name := range names[1:end] {
				if part, err := safeio.ReadFile(name, maxDocument); err == nil {
					parts = append(parts, part)
				}
			}
			p.AddMessage(info, parts)
			names = names[end:]
		}
		return ctx.Err()
	})
}
