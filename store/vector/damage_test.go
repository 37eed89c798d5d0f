package vector

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Every flipped byte in header and table must be noticed, and every length that cuts them.
func TestDamagedHeader(t *testing.T) {
	h := Header{Model: "static-1+adapted", Dimension: 64, Table: []byte("what the model needs to embed questions")}
	whole, err := os.ReadFile(create(t, h, make([]int8, 640)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged.vec")
	check := func(what string, at int, content []byte) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Open(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s %d: %v, %v, want ErrDamaged", what, at, f, err)
		}
		if _, err := appendTo(path, 0); !errors.Is(err, ErrDamaged) {
			t.Errorf("append, %s %d: %v, want ErrDamaged", what, at, err)
		}
	}
	for i := range fixedBytes + len(h.Model) + len(h.Table) {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 1 << (i % 8)
		check("flipped byte", i, flipped)
	}
	for n := 0; n < pageSize; n += 1 + n/10 {
		check("cut to", n, whole[:n])
	}
	check("foreign file", 0, []byte("SQLite format 3\x00 and a page that follows it, long enough for a header"))

	// A cut after the header costs rows, not the file.
	if err := os.WriteFile(path, whole[:pageSize+3*64+63], 0o600); err != nil {
		t.Fatal(err)
	}
	if f := open(t, path); f.Rows() != 3 {
		t.Errorf("%d rows of a file cut within the fourth", f.Rows())
	}
}

func TestSumSeesFlippedRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	path := create(t, Header{Dimension: 64}, randomRows(r, 100, 64))
	sum := func() uint64 {
		f := open(t, path)
		held(t, f)
		n, err := f.Sum(10, 80)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := sum()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[pageSize+10*64+r.IntN(80*64)] ^= 4
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if sum() == before {
		t.Error("a flipped bit in a row does not change the sum")
	}
}

// A full disk is an error. Rows that were synced before stay.
func TestWriteError(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := create(t, Header{Dimension: 64}, make([]int8, 640))
	w, err := appendTo(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	_ = w.file.Close()
	w.file = full
	w.buffer.Reset(full)
	for range 2 {
		if err := errors.Join(w.Write(make([]int8, 64)), w.Sync()); err == nil {
			t.Error("wrote to a full disk")
		}
	}
	if err := w.Close(); err == nil {
		t.Error("close says nothing of rows that could not be written")
	}
	if f := open(t, path); f.Rows() != 10 {
		t.Errorf("%d rows after a failed write, 10 were synced", f.Rows())
	}
}

// For any bytes, the header is damaged or valid. A valid one is encoded to the same bytes.
func FuzzDecode(f *testing.F) {
	f.Add(Header{Model: "m", Dimension: 256, Table: []byte("table")}.encodeHeader())
	f.Add(Header{Dimension: 64}.encodeHeader())
	f.Add([]byte(magic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, begin, err := decodeHeader(b)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("%v does not wrap ErrDamaged", err)
			}
			return
		}
		if again := h.encodeHeader(); h.valid() != nil || begin > len(b) || len(again) != begin ||
			string(again[:fixedBytes+len(h.Model)+len(h.Table)]) != string(b[:fixedBytes+len(h.Model)+len(h.Table)]) {
			t.Fatalf("read %+v, rows at %d of %d bytes", h, begin, len(b))
		}
	})
}
