// Package record keeps the measurements that "patina eval" has made of a project, and draws them
// over time.
//
// A measurement is one JSON line in $PATINA_HOME, beside the project's record: its means, without
// the questions. A line is written whole or not at all, and must not be changed. Reports with all
// questions are the user's to keep (patina eval --json). record.go reads and writes lines, plot.go
// draws them in a terminal and as a picture, and section.go writes tables for documents.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"patina/bench/eval/self"
	"patina/internal/safeio"
)

// Schema is the version of an Entry. It must change if readers of the old form would misread the
// new one.
const Schema = 1

const (
	fileName = "eval.jsonl"
	maxBytes = 16 << 20 // some ten thousand measurements; Read fails on a larger file
)

// An Entry is one measurement.
type Entry struct {
	Schema  int       `json:"schema"`
	Time    time.Time `json:"time"`
	Version string    `json:"version"` // of patina
	Head    string    `json:"head"`    // the commit of the index
	Sample  int       `json:"sample"`
	Seed    uint64    `json:"seed"`
	Partial bool      `json:"partial"` // whether it was interrupted
	Truths  []Means   `json:"truths"`
}

// Means are the means of one truth.
type Means struct {
	Truth   string             `json:"truth"`
	N       int                `json:"n"`
	Unified self.Score         `json:"unified"`
	Random  float64            `json:"random_p10"`
	MRR     map[string]float64 `json:"mrr"` // by pipeline
}

// Of returns the entry of a report. Truths without questions are left out.
func Of(r *self.Report, at time.Time) Entry {
	e := Entry{
		Schema: Schema, Time: at.UTC().Truncate(time.Second), Version: r.Version, Head: r.Head, Sample: r.Sample,
		Seed: r.Seed, Partial: r.Partial, Truths: []Means{},
	}
	for _, f := range r.Truths {
		if f.N == 0 {
			continue
		}
		m := Means{Truth: f.Truth, N: f.N, Random: f.Random.P10.Mean, MRR: map[string]float64{}}
		for _, p := range f.Pipelines {
			if m.MRR[p.Name] = p.Score.MRR.Mean; p.Name == self.Unified {
				m.Unified = p.Score
			}
		}
		e.Truths = append(e.Truths, m)
	}
	return e
}

// File returns the file with a project's measurements.
func File(home, project string) string { return filepath.Join(home, "projects", project, fileName) }

// Add appends an entry. Several processes may call it at once, because a line is one write. It
// returns an error if the file is not a regular one.
func Add(home, project string, e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	name := File(home, project)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("keep measurement: %w", err)
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("keep measurement in %q: %w", name, safeio.ErrIrregular)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep measurement: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("keep measurement in %q: %w", name, err)
	}
	return nil
}

// Read returns a project's entries, oldest first, and the number of lines that are not entries,
// because the disk was full or a newer version wrote them. It returns no entries and no error for a
// project without measurements.
func Read(home, project string) (entries []Entry, broken int, err error) {
	b, err := safeio.ReadFile(File(home, project), maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read measurements: %w", err)
	}
	for line := range strings.Lines(string(b)) {
		var e Entry
		if json.Unmarshal([]byte(line), &e) != nil || e.Schema != Schema {
			broken++
			continue
		}
		entries = append(entries, e)
	}
	return entries, broken, nil
}

// Of returns the means of a truth. It returns false if the truth was not asked.
func (e Entry) Of(truth string) (Means, bool) {
	for _, m := range e.Truths {
		if m.Truth == truth {
			return m, true
		}
	}
	return Means{}, false
}

// truths returns the truths that occur in any entry, in the order of package self.
func truths(entries []Entry) (list []self.Truth) {
	for _, t := range self.Truths() {
		for _, e := range entries {
			if _, ok := e.Of(t.Name); ok {
				list = append(list, t)
				break
			}
		}
	}
	return list
}
