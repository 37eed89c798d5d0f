package persona

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Bounds of the log. Anything beyond them is reported and skipped.
const (
	longestLine = 4 << 20
	longestFile = 64 << 20
	mostFiles   = 20_000 // one file a day: 54 years
)

// A Fault is a place in the log that could not be read, or only with a correction.
type Fault struct {
	File   string `json:"file"` // its name in the log's folder
	Line   int    `json:"line"` // from 1; 0 for the whole file
	Reason string `json:"reason"`
	Lost   bool   `json:"lost"` // the line, or the file, was skipped
}

// String returns the place and the reason: "20250304.jsonl:3: no JSON object".
func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Reason
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Reason)
}

// A File is one file of the log.
type File struct {
	Name    string
	Size    int64
	ModTime int64 // in nanoseconds since 1970
	Inode   uint64
}

// Files returns the files of the log by name. Other names and folders are ignored. A missing folder
// is an empty log.
func (l Log) Files() (files []File, faults []Fault, err error) {
	entries, err := os.ReadDir(l.Events())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the log of notes: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		if _, err := time.Parse(dayForm, strings.TrimSuffix(name, ending)); err != nil ||
			!strings.HasSuffix(name, ending) {
			continue
		}
		lost := func(reason string) { faults = append(faults, Fault{File: name, Reason: reason, Lost: true}) }
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			lost(err.Error())
		case !info.Mode().IsRegular():
			lost("no regular file")
		case info.Size() > longestFile:
			lost(fmt.Sprintf("over %d MB", longestFile>>20))
		case len(files) == mostFiles:
			lost("one file too many")
		default:
			f := File{Name: name, Size: info.Size(), ModTime: info.ModTime().UnixNano()}
			if sys, ok := info.Sys().(*syscall.Stat_t); ok {
				f.Inode = sys.Ino
			}
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, faults, nil
}

// A Record is an event with its place in the log.
type Record struct {
	Event
	File string
	Line int
}

// ReadFile returns the events in a file of the log, and the faulty lines. It never waits for the
// file. The last line need not have a newline.
func (l Log) ReadFile(name string) (records []Record, faults []Fault, err error) {
	f, err := os.OpenFile(filepath.Join(l.Events(), name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	return readEvents(io.LimitReader(f, longestFile), name)
}

// readEvents parses the lines of a file.
func readEvents(r io.Reader, file string) (records []Record, faults []Fault, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, length, whole, err := readLogLine(in)
		if err != nil {
			return records, faults, err
		}
		e, ok, err := parseLine(line, length)
		switch {
		case err != nil:
			faults = append(faults, Fault{file, n, err.Error(), true})
		case ok:
			if e.Time.IsZero() {
				faults = append(faults, Fault{file, n, "no time; the day of the file counts", false})
				e.Time, _ = time.Parse(dayForm, strings.TrimSuffix(file, ending))
			}
			records = append(records, Record{e, file, n})
		}
		if !whole {
			return records, faults, nil
		}
	}
}

// parseLine parses the event on a line. length is the length of the line in the file.
func parseLine(line []byte, length int64) (e Event, ok bool, err error) {
	if length > longestLine {
		return e, false, fmt.Errorf("over %d MB", longestLine>>20)
	}
	return parseEvent(line)
}

// readLogLine reads a line of at most longestLine bytes, and skips the rest of a longer one. length
// counts the whole line with its newline. whole is false at the end of the file.
func readLogLine(in *bufio.Reader) (line []byte, length int64, whole bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		length += int64(len(part))
		if length <= longestLine {
			line = append(line, part...)
		}
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), length, true, nil
		case errors.Is(err, io.EOF):
			return line, length, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, length, false, err
		}
	}
}
