package overlay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"slices"

	"patina/store/doc"
	"patina/store/folder"
)

// A state is the readers' description of an overlay. It is written whole and never changed in
// place.
type state struct {
	Format    int
	Model     string
	Dimension int
	Seal      string // the index's secret
	File      uint64 // number of the files of rows and keys
	Segments  []covered
	// Sample names the texts behind the calibrations. Random and Table are quantiles of the cosines
	// of random pairs among them: Random by this model, Table by the built-in vectors. Both are
	// empty if there were too few texts.
	Sample  []key
	Sampled []byte // sampleID of it
	// Stamps are those of the files of rows and keys after the last whole comparison.
	Stamps []stamp `json:",omitempty"`
	Random doc.Calibration
	Table  doc.Calibration
}

// A covered is a segment with rows.
type covered struct {
	Space    string
	Identity key
	First    int64
	Rows     int64
	Sum      uint64
}

// A stamp changes when a file is written.
type stamp struct{ Size, Time int64 }

const (
	stateFormat = 1
	mostState   = 16 << 20 // bytes
	mostRows    = 1 << 40
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the bytes of a state: a line with the sum of the rest, and JSON.
func (s *state) encode() ([]byte, error) {
	b, err := json.Marshal(s)
	return append(fmt.Appendf(nil, "%08x\n", crc32.Checksum(b, castagnoli)), b...), err
}

// decodeState reads a state. Every error wraps doc.ErrDamaged.
func decodeState(b []byte) (*state, error) {
	sum, rest, ok := bytes.Cut(b, []byte("\n"))
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.Checksum(rest, castagnoli)) {
		return nil, fmt.Errorf("%w: not as written", doc.ErrDamaged)
	}
	s := &state{}
	if err := json.Unmarshal(rest, s); err != nil {
		return nil, doc.DamagedBy(err)
	}
	valid := s.Format == stateFormat && s.Dimension > 0 && s.Dimension%64 == 0 && s.Dimension <= 1<<16 &&
		validQuantiles(s.Random) && validQuantiles(s.Table) && len(s.Random) == len(s.Table)
	for _, c := range s.Segments {
		valid = valid && c.First >= 0 && c.Rows > 0 && c.First <= mostRows && c.Rows <= mostRows
	}
	if !valid {
		return nil, fmt.Errorf("%w: not a state of format %d", doc.ErrDamaged, stateFormat)
	}
	return s, nil
}

// validQuantiles reports whether c is empty, or quantiles of cosines.
func validQuantiles(c doc.Calibration) bool {
	if len(c) == 0 {
		return true
	}
	for _, x := range c {
		if math.IsNaN(x) || math.Abs(x) > 2 {
			return false
		}
	}
	return len(c) == doc.Quantiles && slices.IsSorted(c)
}

// readState reads the state of a model, given by folder.ModelName. Without one it returns nil.
func readState(in *folder.Folder, name string) (*state, error) {
	b, err := in.ReadUpTo(folder.StateOf(name), mostState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var s *state
	if err == nil {
		s, err = decodeState(b)
	}
	if err == nil && folder.ModelName(s.Model) != name {
		err = fmt.Errorf("%w: it is of model %q", doc.ErrDamaged, s.Model)
	}
	if err != nil {
		return nil, fmt.Errorf("read the vectors of a model, %s: %w", folder.StateOf(name), err)
	}
	return s, nil
}

// writeState replaces the state of its model.
func (s *state) writeState(in *folder.Folder) error {
	b, err := s.encode()
	if err != nil {
		return err
	}
	if len(b) > mostState {
		return fmt.Errorf("the state of a model has %d bytes, more than %d", len(b), mostState)
	}
	return in.Replace(folder.StateOf(folder.ModelName(s.Model)), b)
}

// segment returns the rows of a segment, given by its identity.
func (s *state) segment(identity key) (covered, bool) {
	for _, c := range s.Segments {
		if c.Identity == identity {
			return c, true
		}
	}
	return covered{}, false
}

// rowsNeeded returns the number of rows that the state needs in the file.
func (s *state) rowsNeeded() (n int64) {
	for _, c := range s.Segments {
		n = max(n, c.First+c.Rows)
	}
	return n
}

// live returns the number of rows of all segments.
func (s *state) live() (n int64) {
	for _, c := range s.Segments {
		n += c.Rows
	}
	return n
}
