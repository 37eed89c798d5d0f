package vector

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Products and sums that are made together are those that are made apart, for all numbers of rows around the sizes of blocks.
func TestDotsSum(t *testing.T) {
	const dim = 64
	r := rand.New(rand.NewPCG(1, 2))
	most := 2*parallelRows + 3
	f := open(t, create(t, Header{Dimension: dim}, randomRows(r, most+10, dim)))
	held(t, f)
	q := f.Slice(5, 1)
	for _, n := range []int{0, 1, sumRows - 1, sumRows, sumRows + 1, blockRows - 1, blockRows, blockRows + 1, 3*blockRows + 77, parallelRows + 1, most} {
		want, got := make([]int32, n), make([]int32, n)
		Dots(want, f.Slice(7, int64(n)), q)
		sum, err := f.DotsSum(got, 7, q)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d rows: products differ, %v", n, err)
		}
		if alone, err := f.Sum(7, int64(n)); err != nil || sum != alone || sum != crc32.Checksum(f.bytes(7, int64(n)), castagnoli) {
			t.Errorf("%d rows: sum %x, alone %x, %v", n, sum, alone, err)
		}
	}
}

// A file that loses its rows while they are held is an error, not a signal.
func TestCutWhileHeld(t *testing.T) {
	const dim, rows = 64, 20_000
	for _, left := range []int64{0, pageSize, pageSize + dim*rows/2} {
		path := create(t, Header{Dimension: dim}, randomRows(rand.New(rand.NewPCG(1, 3)), rows, dim))
		if err := errors.Join(os.Chmod(path, 0o600), os.Chmod(filepath.Dir(path), 0o700)); err != nil {
			t.Fatal(err)
		}
		f := open(t, path)
		held(t, f)
		q := slices.Clone(f.Slice(0, 1))
		if err := os.Truncate(path, left); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Sum(0, rows); !errors.Is(err, ErrDamaged) {
			t.Errorf("sum of a file cut to %d bytes: %v", left, err)
		}
		if _, err := f.DotsSum(make([]int32, rows), 0, q); !errors.Is(err, ErrDamaged) {
			t.Errorf("products of a file cut to %d bytes: %v", left, err)
		}
	}
}

// What others may write is read, not mapped: it may be cut at any time, and what was read stays.
func TestCopiedWhereOthersWrite(t *testing.T) {
	const dim, rows = 64, 1000
	for _, c := range []struct {
		file, folder os.FileMode
		copied       bool
	}{{0o600, 0o700, false}, {0o666, 0o700, true}, {0o620, 0o700, true}, {0o600, 0o777, true}} {
		path := create(t, Header{Dimension: dim}, randomRows(rand.New(rand.NewPCG(1, 4)), rows, dim))
		if err := errors.Join(os.Chmod(path, c.file), os.Chmod(filepath.Dir(path), c.folder)); err != nil {
			t.Fatal(err)
		}
		f := open(t, path)
		if f.copied != c.copied {
			t.Errorf("file %v in folder %v: copied %v", c.file, c.folder, f.copied)
		}
		before := fmt.Sprint(f.Slice(0, rows))
		if !c.copied {
			continue
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		held(t, f)
		if fmt.Sprint(f.Slice(0, rows)) != before {
			t.Error("rows have changed with the file")
		}
		if _, err := Open(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("opened again: %v", err)
		}
	}
}
