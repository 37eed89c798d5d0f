package querylog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// deliveryVersion is the form of a delivery's line. A reader passes over lines of later forms.
const deliveryVersion = 1

// A Delivery is the log's entry for what one call has put before its reader. It stands in the same
// files as the queries. It has no id, so that Find passes over it.
type Delivery struct {
	Version int       `json:"delivered"`
	Time    time.Time `json:"time"`
	Session string    `json:"session,omitempty"` // of an agent; none on the command line
	Client  string    `json:"client,omitempty"`  // as the agent's program names itself
	Tool    string    `json:"tool"`              // the command, or the tool of its name
	Mode    string    `json:"mode,omitempty"`
	Root    string    `json:"root"`
	Bytes   int       `json:"bytes"`            // of the text, as delivered
	Listed  int       `json:"list,omitempty"`   // bytes of tools and instructions so far
	Query   string    `json:"query,omitempty"`  // the id of the answer to a question
	DocID   string    `json:"doc_id,omitempty"` // of the document shown
	Failed  bool      `json:"failed,omitempty"`
}

// Deliver remembers what a call has put before its reader.
func (l Log) Deliver(d Delivery) error {
	d.Version = deliveryVersion
	if d.Time.IsZero() {
		d.Time = l.currentTime()
	}
	line, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("log delivery: %w", err)
	}
	if err := l.append(l.fileOfDay(d.Time.UTC()), line); err != nil {
		return fmt.Errorf("log delivery: %w", err)
	}
	return nil
}

// maxLine bounds a line of the log: an answer has a few dozen results.
const maxLine = 1 << 20

// Each reads the entries since a time, the oldest day first. Lines that cannot be read are passed
// over, as are those of later forms.
func (l Log) Each(since time.Time, query func(Query), delivery func(Delivery)) error {
	for _, file := range l.files() { // sorted by name, so by day
		day, _ := time.Parse(dayForm, strings.TrimSuffix(filepath.Base(file), ".jsonl"))
		if day.Add(24 * time.Hour).Before(since) {
			continue
		}
		if err := eachLine(file, func(line []byte) {
			var d Delivery
			var q Query
			switch {
			case bytes.HasPrefix(line, []byte(`{"delivered":`)):
				if json.Unmarshal(line, &d) == nil && d.Version == deliveryVersion && !d.Time.Before(since) {
					delivery(d)
				}
			case json.Unmarshal(line, &q) == nil && IsID(q.ID) && !q.Time.Before(since):
				query(q)
			}
		}); err != nil {
			return fmt.Errorf("read query log: %w", err)
		}
	}
	return nil
}

// eachLine calls f with each line of a file that is not too long.
func eachLine(file string, f func([]byte)) error {
	r, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) { // expired meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	lines := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	for long := false; ; {
		part, err := lines.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if line = bytes.TrimSpace(line); !long && len(line) > 0 {
			f(line)
		}
		line, long = line[:0], false
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
