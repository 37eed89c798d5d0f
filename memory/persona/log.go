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

// Bounds for the log. More is named and passed over.
const (
	longestLine = 4 << 20
	longestFile = 64 << 20
	mostFiles   = 20_000 // a file a day: 54 years
)

// A Fault is a place in the log that could not be taken as it stands.
type Fault struct {
	File   string `json:"file"` // its name in the folder of the log
	Line   int    `json:"line"` // from 1; 0 for the whole file
	Reason string `json:"reason"`
	Lost   bool   `json:"lost"` // the line, or the file, is not among the notes
}

// String is the place and the reason: "20250304.jsonl:3: no JSON object".
func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Reason
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Reason)
}

// A logFile is one file of the log as it lies in the folder.
type logFile struct {
	name    string
	size    int64
	modTime int64
	inode   uint64
}

// files lists the files of the log by name. Other names and folders are left out. A missing folder
// is an empty log.
func (p Persona) files() (files []logFile, faults []Fault, err error) {
	entries, err := os.ReadDir(p.Events())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the log of notes: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		if _, err := time.Parse(dayForm, strings.TrimSuffix(name, ending)); err != nil || !strings.HasSuffix(name, ending) {
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
			f := logFile{name: name, size: info.Size(), modTime: info.ModTime().UnixNano()}
			if sys, ok := info.Sys().(*syscall.Stat_t); ok {
				f.inode = sys.Ino
			}
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b logFile) int { return strings.Compare(a.name, b.name) })
	return files, faults, nil
}

// openLog opens a file of the log, and never waits for it.
func (p Persona) openLog(name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(p.Events(), name), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}

// A record is an event with its place in the log.
type record struct {
	Event
	file string
	line int
}

// A reading is the outcome for one file, from some line on.
type reading struct {
	records []record
	faults  []Fault
	bytes   int64 // up to the end of the last whole line
	lines   int   // whole ones
}

// readEvents parses what follows the first lines of a file. The last line may still be without its
// newline: it is read, but not counted, so that the next reading begins with it.
func readEvents(r io.Reader, file string, lines int) (out reading, err error) {
	out.lines = lines
	in := bufio.NewReaderSize(r, 64<<10)
	for n := lines + 1; ; n++ {
		line, length, whole, err := readLogLine(in)
		if err != nil {
			return out, err
		}
		out.takeLine(file, n, line, length)
		if !whole {
			return out, nil
		}
		out.bytes += length
		out.lines = n
	}
}

// takeLine notes one line.
func (r *reading) takeLine(file string, n int, line []byte, length int64) {
	var e Event
	var ok bool
	var err error
	if length > longestLine {
		err = fmt.Errorf("over %d MB", longestLine>>20)
	} else {
		e, ok, err = parseEvent(line)
	}
	switch {
	case err != nil:
		r.faults = append(r.faults, Fault{file, n, err.Error(), true})
	case ok:
		if e.Time.IsZero() {
			r.faults = append(r.faults, Fault{file, n, "no time; the day of the file counts", false})
			e.Time, _ = time.Parse(dayForm, strings.TrimSuffix(file, ending))
		}
		r.records = append(r.records, record{e, file, n})
	}
}

// readLogLine reads a line of at most longestLine bytes, and passes over the rest of a longer one.
// length counts all of it with its newline. whole is false at the end of the file.
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
