package vector

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

// randomRows returns n rows of random bytes.
func randomRows(r *rand.Rand, n, dimension int) []int8 {
	rows := make([]int8, n*dimension)
	for i := range rows {
		rows[i] = int8(r.Uint32())
	}
	return rows
}

// create writes a file of these rows and returns its path.
func create(t testing.TB, h Header, rows []int8) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index-000001.vec")
	w, err := Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, rows)
	return path
}

// write writes rows, syncs and closes.
func write(t testing.TB, w *Writer, rows []int8) {
	t.Helper()
	if err := errors.Join(w.Write(rows), w.Sync(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// held returns all rows of the file, and holds it until the test ends.
func held(t testing.TB, f *File) []int8 {
	t.Helper()
	if err := f.Hold(f.Rows()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Release)
	return f.Slice(0, f.Rows())
}

// appendTo calls File.Append for a file that is not open.
func appendTo(path string, rows int64) (*Writer, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Append(rows)
}

// Rows written in any portions are read back. A second writer may go on after any of them.
func TestFileKeepsRows(t *testing.T) {
	check := func(seed uint64, model string, table []byte) bool {
		r := rand.New(rand.NewPCG(seed, 1))
		dimension := 64 * (1 + r.IntN(8))
		h := Header{Model: model, Dimension: dimension, Table: table}
		rows := randomRows(r, r.IntN(300), dimension)
		path := create(t, h, rows)

		keep := r.IntN(len(rows)/dimension + 1)
		w, err := appendTo(path, int64(keep))
		if err != nil {
			t.Fatal(err)
		}
		want := rows[:keep*dimension]
		for range r.IntN(5) {
			more := randomRows(r, r.IntN(100), dimension)
			want = slices.Concat(want, more)
			if err := w.Write(more); err != nil {
				t.Fatal(err)
			}
		}
		write(t, w, nil)

		f := open(t, path)
		got := f.Header()
		first := r.Int64N(f.Rows() + 1)
		n := r.Int64N(f.Rows() - first + 1)
		part := want[first*int64(dimension) : (first+n)*int64(dimension)]
		return w.Rows() == f.Rows() && slices.Equal(held(t, f), want) && slices.Equal(f.Slice(first, n), part) &&
			sumOf(f, first, n) == slowSum(part) &&
			got.Model == model && got.Dimension == dimension && bytes.Equal(got.Table, table)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 60}); err != nil {
		t.Error(err)
	}
}

// A reader keeps its rows while the file is replaced, and while rows after the published ones are
// cut off.
func TestReaderKeepsItsRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	h := Header{Model: "m", Dimension: 64}
	rows := randomRows(r, 1000, 64)
	path := create(t, h, rows)
	f := open(t, path)
	if err := f.Hold(10); err != nil {
		t.Fatal(err)
	}
	defer f.Release()

	w, err := appendTo(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, randomRows(r, 5, 64))
	if !slices.Equal(f.Slice(0, 10), rows[:10*64]) {
		t.Error("published rows changed under an Append")
	}
	if err := f.Hold(1000); !errors.Is(err, ErrDamaged) {
		t.Errorf("hold rows that were cut off: %v, want ErrDamaged", err)
	}

	if w, err = Create(path, h); err != nil {
		t.Fatal(err)
	}
	write(t, w, nil)
	if !slices.Equal(f.Slice(0, 10), rows[:10*64]) {
		t.Error("rows of an open file changed when its name was taken by another")
	}
	if g := open(t, path); g.Rows() != 0 {
		t.Errorf("a replaced file has %d rows", g.Rows())
	}
}

func TestCloseWaitsForHolders(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), 100, 64)
	f := open(t, create(t, Header{Dimension: 64}, rows))
	if err := errors.Join(f.Hold(100), f.Hold(1), f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := f.Hold(0); !errors.Is(err, ErrClosed) {
		t.Errorf("hold after close: %v, want ErrClosed", err)
	}
	f.Release()
	if !slices.Equal(f.Slice(0, 100), rows) {
		t.Error("rows changed")
	}
	f.Release()
	mustPanic(t, "slice of an unmapped file", func() { f.Slice(0, 1) })
	mustPanic(t, "release too often", f.Release)
}

func TestMisuse(t *testing.T) {
	path := create(t, Header{Dimension: 64}, make([]int8, 640))
	f := open(t, path)
	held(t, f)
	for _, c := range [][2]int64{{-1, 1}, {0, 11}, {11, 0}, {5, -1}, {1 << 62, 1 << 62}} {
		mustPanic(t, "slice", func() { f.Slice(c[0], c[1]) })
	}
	if err := f.Hold(11); !errors.Is(err, ErrDamaged) {
		t.Errorf("hold more rows than there are: %v", err)
	}
	w, err := appendTo(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	mustPanic(t, "half a row", func() { _ = w.Write(make([]int8, 32)) })
	long := strings.Repeat("m", 5000)
	for _, h := range []Header{
		{},
		{Dimension: 100},
		{Dimension: -64},
		{Dimension: 1 << 20},
		{Model: long, Dimension: 64},
	} {
		if _, err := Create(filepath.Join(t.TempDir(), "x.vec"), h); err == nil {
			t.Errorf("created a file with dimension %d and a name of %d bytes", h.Dimension, len(h.Model))
		}
	}
	if _, err := appendTo(path, 11); !errors.Is(err, ErrDamaged) {
		t.Errorf("append behind rows that are not there: %v, want ErrDamaged", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.vec")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open what is not there: %v", err)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

// A file that is mapped again has the rows added since, even if its name is gone or names another
// file.
func TestAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	rows := randomRows(r, 20, 64)
	path := create(t, Header{Model: "m", Dimension: 64, Table: []byte("table")}, rows[:10*64])
	f := open(t, path)
	w, err := appendTo(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, rows[10*64:])
	g, err := f.Again()
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if h := g.Header(); f.Rows() != 10 || !slices.Equal(held(t, g), rows) || h.Model != "m" ||
		string(h.Table) != "table" {
		t.Errorf("%d rows before, %d again, header %+v", f.Rows(), g.Rows(), h)
	}
	old := path + ".old"
	if err := os.Rename(path, old); err != nil {
		t.Fatal(err)
	}
	w, err = Create(path, Header{Model: "other", Dimension: 128})
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, nil)
	if g, err = g.Again(); err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Header().Model != "m" || !slices.Equal(held(t, g), rows) {
		t.Errorf("after another file took the name: %+v, %d rows", g.Header(), g.Rows())
	}
	if err := os.Truncate(old, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Again(); !errors.Is(err, ErrDamaged) {
		t.Errorf("after the file was emptied: %v, want ErrDamaged", err)
	}
}

func sumOf(f *File, first, n int64) uint64 {
	sum, err := f.Sum(first, n)
	if err != nil {
		panic(err)
	}
	return sum
}
