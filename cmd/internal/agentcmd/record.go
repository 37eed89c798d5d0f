package agentcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"patina/internal/safeio"
)

// maxRecord bounds the size of a record, in bytes.
const maxRecord = 4 << 20

// A record lists the texts that this user's installations have written, by file. Without it, an
// entry of ours could not be told from the same entry in the user's own hand.
type record struct {
	Schema int                `json:"schema"`
	Files  map[string]written `json:"files"` // by their paths after all links
}

// written lists the pieces that installations have written into one file.
type written struct {
	Created bool     `json:"created"` // there was no file before
	Places  []string `json:"places"`  // places in the file, as in Step.At
}

// Recorded returns the files that the record lists, sorted. There are none without a record.
func (e Env) Recorded() ([]string, error) {
	r, err := e.record()
	return slices.Sorted(maps.Keys(r.Files)), err
}

// recordSchema is the version of a record's format. Other versions are not read.
const recordSchema = 1

// record reads the record. It returns an empty one if the file is missing or e.Record is empty.
func (e Env) record() (record, error) {
	r := record{Schema: recordSchema, Files: map[string]written{}}
	if e.Record == "" {
		return r, nil
	}
	b, err := safeio.ReadFile(e.Record, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err == nil && r.Schema != recordSchema {
		err = fmt.Errorf("schema %d, want %d", r.Schema, recordSchema)
	}
	if err != nil {
		return r, fmt.Errorf("read the record of what was installed, %q: %w", e.Record, err)
	}
	return r, nil
}

// lockWait bounds the wait for another installation.
const lockWait = 10 * time.Second

// lock keeps other installations of this user from writing until release is called. The lock is on
// the record's folder, so that it leaves no file. If makes is set, a missing folder is made.
// Otherwise there is nothing to lock. The kernel releases the lock when the process ends.
func (e Env) lock(makes bool) (release func(), err error) {
	if e.Record == "" {
		return func() {}, nil
	}
	dir := filepath.Dir(e.Record)
	if makes {
		if err := makeFolders(dir, 0o700); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := safeio.Lock(context.Background(), f, lockWait); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %q: %w", dir, err)
	}
	return func() { _ = f.Close() }, nil
}

// with adds the places of another entry.
func (w written) with(other written) written {
	for _, at := range other.Places {
		if !slices.Contains(w.Places, at) {
			w.Places = append(slices.Clone(w.Places), at)
		}
	}
	return w
}

// noteWritten updates the record for some files. An entry without places is removed, and so is a
// record without entries.
func (e Env) noteWritten(files map[string]written) error {
	if e.Record == "" || len(files) == 0 {
		return nil
	}
	r, err := e.record()
	if err != nil {
		return err
	}
	changed := false
	for file, w := range files {
		switch old, known := r.Files[file]; {
		case len(w.Places) > 0 && (!known || old.Created != w.Created || !slices.Equal(old.Places, w.Places)):
			r.Files[file], changed = w, true
		case len(w.Places) == 0 && known:
			delete(r.Files, file)
			changed = true
		}
	}
	if !changed {
		return nil
	}
	if len(r.Files) == 0 {
		return os.Remove(e.Record)
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(e.Record)
	if err := makeFolders(dir, 0o700); err != nil {
		return err
	}
	var owner *syscall.Stat_t
	if os.Geteuid() == 0 { // root must leave files to the owner of the folder
		if owner, err = ownerOf(dir); err != nil {
			return err
		}
	}
	return replaceFile(e.Record, append(b, '\n'), 0o600, owner)
}

// key returns the name of a draft's file in the record: its path after all links, whether or not
// the file exists.
func (d *draft) key() string {
	rest := ""
	for at := d.real; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if filepath.Dir(at) == at {
			return d.real
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// attribute determines which pieces of a draft are ours. all are the pieces that may be in the
// file.
//
// The record decides. If it does not list the file, older versions have written the pieces that its
// backup lacks, and every piece if the file contains only pieces with a mark of ours. For other
// pieces it is not known who wrote them, because a user may have written the same bytes.
func (d *draft) attribute(r record, all []piece) {
	d.wrote, d.recorded = r.Files[d.key()]
	d.wrote.Places = slices.Clone(d.wrote.Places)
	lacks := func(file []byte) func(piece) bool {
		return func(q piece) bool {
			_, state, err := q.edit.putInto(file)
			return err == nil && state == Missing
		}
	}
	there := slices.DeleteFunc(slices.Clone(all), lacks(d.before))
	switch first := d.oldestContent(); {
	case !d.exists:
		d.wrote = written{Created: true}
	case d.recorded:
		if d.wrote.Created {
			d.origin = nil
		}
	case !slices.ContainsFunc(all, func(q piece) bool { return !isMarked(q.edit) }) && onlyOurs(first, all):
		d.wrote.Created, d.origin = true, nil
		d.wrote.Places = placesOf(there)
	case d.backed:
		d.wrote.Places = placesOf(slices.DeleteFunc(there, func(q piece) bool { return !lacks(d.origin)(q) }))
		d.unknown = !isBlank(first) && onlyOurs(first, all) // old versions copied their own
	default:
		d.unknown = true
	}
}

// oldestContent returns the oldest known content of the file.
func (d *draft) oldestContent() []byte {
	if d.backed {
		return d.origin
	}
	return d.before
}

func placesOf(all []piece) (out []string) {
	for _, q := range all {
		out = append(out, q.step.At)
	}
	return out
}

// ours reports whether an installation has written a piece, as far as is known.
func (d *draft) ours(q piece) bool {
	return isMarked(q.edit) || slices.Contains(d.wrote.Places, q.step.At)
}

// isMarked reports whether an edit leaves a mark of ours in the file.
func isMarked(e edit) bool {
	_, ok := e.(renewer)
	return ok
}

// onlyOurs reports whether a file is exactly the pieces in it.
func onlyOurs(file []byte, all []piece) bool {
	var again []byte
	for _, q := range all {
		if _, state, err := q.edit.putInto(file); err != nil || state != Intact {
			continue
		}
		next, _, err := q.edit.putInto(again)
		if err != nil {
			return false
		}
		again = next
	}
	return len(again) > 0 && string(again) == string(file)
}
