package overlay

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"patina/store/doc"
	"patina/store/folder"
	"patina/store/vector"
)

// Whatever a state holds, it is read as it was written or refused.
func FuzzState(f *testing.F) {
	s := &state{
		Format: stateFormat, Model: "m", Dimension: 384, Seal: "s", File: 7,
		Segments: []covered{{"code", key{1}, 0, 5, 1 << 63}}, Sample: []key{{2}}, Sampled: []byte("x"),
	}
	b, err := s.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[9:])
	f.Add([]byte(`{"Format":1,"Dimension":64,"Segments":[{"First":-1,"Rows":1}]}`))
	f.Add([]byte(`{"Format":1,"Dimension":64,"Random":[1e999]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := decodeState(fmt.Appendf(nil, "%08x\n%s", crc32.Checksum(b, castagnoli), b))
		if err != nil {
			if !errors.Is(err, doc.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		if s.rowsNeeded() < s.live() && len(s.Segments) == 1 || s.Dimension%64 != 0 {
			t.Errorf("%+v", s)
		}
		if _, err := decodeState(b); err == nil {
			t.Error("a state without its sum is read")
		}
	})
}

// Whatever a file of keys holds, the rows that are known are in the file, and rows can be added.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte{1, 0, 0, 0, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}, uint8(1))
	f.Add([]byte{255, 255, 255, 255, 0, 0, 0, 0}, uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, rows uint8) {
		path := filepath.Join(t.TempDir(), "model-0123456789abcdef-1")
		h := vector.Header{Model: "m", Dimension: 64}
		l, err := openLog(path, h)
		check(t, err)
		for i := range rows {
			check(t, l.appendRows([]key{{i + 1}}, make([]int8, 64)))
		}
		check(t, l.closeFiles())
		whole, err := os.ReadFile(folder.KeysOf(path))
		check(t, err)
		check(t, os.WriteFile(folder.KeysOf(path), append(whole, b...), 0o600))
		l, err = openLog(path, h)
		check(t, err)
		if l.rows != int64(rows) || len(l.at) != int(rows) || l.damaged != 0 {
			t.Errorf("%d rows, %d keys, %d damaged; want %d", l.rows, len(l.at), l.damaged, rows)
		}
		check(t, l.appendRows([]key{{200}}, make([]int8, 64)))
		check(t, l.closeFiles())
		check(t, os.WriteFile(folder.KeysOf(path), b, 0o600))
		if l, err = openLog(path, h); err != nil {
			t.Fatal(err)
		}
		for _, row := range l.at {
			if row < 0 || row >= l.rows || l.rows > l.file.Rows() {
				t.Errorf("row %d of %d, %d in the file", row, l.rows, l.file.Rows())
			}
		}
		check(t, l.closeFiles())
	})
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
