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

// deliveryVersion is the format of a delivery's line. A reader must skip lines of later formats.
const deliveryVersion = 1

// A Delivery is the log's entry of the text that one call has shown to its reader. It is in the
// same files as the queries. It has no id, so that Find skips it.
type Delivery struct {
	Version int       `json:"delivered"`
	Time    time.Time `json:"time"`
	Session string    `json:"session,omitempty"` // of an agent; empty on the command line
	Client  string    `json:"client,omitempty"`  // name that the agent's program gives itself
	Tool    string    `json:"tool"`              // the command, or the tool of the same name
	Mode    string    `json:"mode,omitempty"`
	Root    string    `json:"root"`
	Bytes   int       `json:"bytes"`            // of the text, as delivered
	Listed  int       `json:"list,omitempty"`   // bytes of tools and instructions so far
	Query   string    `json:"query,omitempty"`  // the id of the answer, if the call was a question
	DocID   string    `json:"doc_id,omitempty"` // of the document shown
	Failed  bool      `json:"failed,omitempty"`
}

// Deliver appends a delivery to the log. It sets Version, and Time if that is zero.
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

// maxLine bounds a line of the log. It is enough because an answer has a few dozen results.
const maxLine = 1 << 20

// Each calls query and delivery with the entries since a time, the oldest day first. Neither
// function may be nil. Lines that cannot be read are skipped, and so are lines of later formats.
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

// eachLine calls f with each line of a file. It skips empty lines and those longer than maxLine. f
// must not keep the line, because its bytes are reused.
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
