package memory

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"patina/internal/printable"
	"patina/store/sqlite"
)

// maxLine bounds a line of an import, in bytes.
const maxLine = 4 << 20

// Export writes all memories with their logs, one JSON object a line, oldest first. Equal stores
// give equal bytes. If anything in the store is damaged, it writes nothing and returns ErrDamaged.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	if err := sqlite.Check(ctx, s.db); err != nil {
		return err
	}
	var all bytes.Buffer
	if err := s.export(ctx, &all); err != nil {
		return err
	}
	_, err := all.WriteTo(w)
	return err
}

// Salvage writes the part of a damaged store that can be read, in the form of Export, and passes
// each damage to tell. A changed memory is written as it is. A changed history is left out.
func (s *Store) Salvage(ctx context.Context, w io.Writer, tell func(error)) error {
	found, err := readSoundRows(ctx, s.db, ` ORDER BY +created_at, +id`) // without the index
	if err != nil {
		tell(err)
	}
	for _, r := range found {
		m := r.Memory
		if r.kept.differs(memorySum(m)) {
			tell(damageError(fmt.Sprintf("memory %q", m.ID)))
		}
		if m.Log, err = readEvents(ctx, s.db, m.ID); err != nil {
			tell(err)
		}
		if m.Similar, err = linksOf(ctx, s.db, m.ID); err != nil {
			tell(err)
		}
		line, err := encodeLine(m)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) export(ctx context.Context, w io.Writer) error {
	found, err := listMemories(ctx, s.db, ` ORDER BY created_at, id`)
	if err != nil {
		return err
	}
	for _, m := range found {
		if m.Log, err = readEvents(ctx, s.db, m.ID); err != nil {
			return err
		}
		if m.Similar, err = linksOf(ctx, s.db, m.ID); err != nil {
			return err
		}
		line, err := encodeLine(m)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// encodeLine returns a memory as a line of JSON, with hidden characters escaped.
func encodeLine(m Memory) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(m)
	return []byte(printable.JSON(b.String())), err
}

// A Tally counts the lines in an import.
type Tally struct {
	Added  int `json:"added"`
	Merged int `json:"merged"`
	Kept   int `json:"kept"` // already in the store by their ids, and not changed
}

// Import adds memories from JSON lines, all or none. They are new memories of origin imported. With
// restore, which is for a user's own export, they keep their ids, origins, ends and logs. Each new
// memory is passed to prepare, unless that is nil.
func (s *Store) Import(ctx context.Context, r io.Reader, restore, allowSecret bool, prepare func(*Memory)) (n Tally,
	err error,
) {
	now := s.now()
	memories, err := decodeLines(r, restore, allowSecret, now)
	if err != nil {
		return n, err
	}
	for i := range memories {
		if prepare != nil && !(restore && memories[i].ID != "") {
			prepare(&memories[i])
		}
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		n = Tally{}
		for _, m := range memories {
			if restore && m.ID != "" {
				err = putImported(ctx, tx, m, &n)
			} else {
				err = countImport(ctx, tx, m, now, &n)
			}
			if err != nil {
				return err
			}
		}
		for _, m := range memories { // after all are added
			if err := relinkExported(ctx, tx, m); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

func decodeLines(r io.Reader, restore, allowSecret bool, now time.Time) (memories []Memory, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	number := 1
	for ; lines.Scan(); number++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var m Memory
		err := json.Unmarshal(lines.Bytes(), &m)
		if err != nil {
			err = fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		m.Moved = ""
		if !restore {
			m.Origin, m.Ground, m.Similar = Imported, "", nil
		}
		if err == nil {
			err = m.Valid(allowSecret)
		}
		if err == nil {
			m, err = m.completed(now)
		}
		if err == nil && restore && m.ID != "" {
			err = m.restorable()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		memories = append(memories, m)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: %w: it has more than %d bytes", number, ErrInvalid, maxLine)
	}
	return memories, lines.Err()
}

// restorable returns an error for a memory with an id or a log that no store writes.
func (m Memory) restorable() error {
	if len(m.ID) > 64 || !isReadable(m.ID) {
		return fmt.Errorf("%w: id %.40q", ErrInvalid, m.ID)
	}
	for _, n := range m.Similar {
		if !(n.Cosine >= 0 && n.Cosine <= 1) {
			return fmt.Errorf("%w: it is similar by %v", ErrInvalid, n.Cosine)
		}
	}
	for _, e := range m.Log {
		if !isReadable(e.Action) || !isReadable(e.Detail) || len(e.Detail) > 8*MaxContent {
			return fmt.Errorf("%w: its log is no text", ErrInvalid)
		}
	}
	return nil
}

func countImport(ctx context.Context, tx *sql.Tx, m Memory, now time.Time, n *Tally) error {
	a, err := addMemory(ctx, tx, m, now)
	if a.Merged {
		n.Merged++
	} else {
		n.Added++
	}
	return err
}

func putImported(ctx context.Context, tx *sql.Tx, m Memory, n *Tally) error {
	had, err := listMemories(ctx, tx, ` WHERE id = ?`, m.ID)
	if err != nil {
		return err
	}
	if len(had) > 0 {
		n.Kept++
		return nil
	}
	n.Added++
	if _, err := insertMemory(ctx, tx, m); err != nil {
		return err
	}
	for _, e := range m.Log {
		if err := noteEvent(ctx, tx, m.ID, e.At, e.Action, e.Detail); err != nil {
			return err
		}
	}
	return nil
}
