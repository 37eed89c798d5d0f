package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Products and sums that are computed together must equal those computed apart, for all numbers of
// rows around the block sizes.
func TestDotsSum(t *testing.T) {
	const dim = 64
	r := rand.New(rand.NewPCG(1, 2))
	most := 2*parallelRows + 3
	f := open(t, create(t, Header{Dimension: dim}, randomRows(r, most+10, dim)))
	held(t, f)
	q := f.Slice(5, 1)
	for _, n := range []int{
		0, 1, 31, 32, 33, blockRows - 1, blockRows, blockRows + 1, 3*blockRows + 77,
		parallelRows + 1, most,
	} {
		want, got := make([]int32, n), make([]int32, n)
		Dots(want, f.Slice(7, int64(n)), q)
		sum, err := f.DotsSum(got, 7, q)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d rows: products differ, %v", n, err)
		}
		if alone, err := f.Sum(7, int64(n)); err != nil || sum != alone || sum != slowSum(f.Slice(7, int64(n))) {
			t.Errorf("%d rows: sum %x, alone %x, %v", n, sum, alone, err)
		}
	}
}

// If a file loses its rows while they are held, the result is an error, not a signal.
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

// A file that others may write is copied, not mapped, because they may cut it at any time. The copy
// stays.
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

// slowSum computes Sum as its comment describes it.
func slowSum(rows []int8) uint64 {
	var a, b [8]uint64
	for ; len(rows) > 0; rows = rows[64:] {
		for l := range a {
			var word uint64
			for i := range 8 {
				word |= uint64(uint8(rows[8*l+i])) << (8 * i)
			}
			a[l] += word
			b[l] += a[l]
		}
	}
	h := fnv.New64a()
	for _, x := range append(a[:], b[:]...) {
		h.Write(binary.LittleEndian.AppendUint64(nil, x))
	}
	return h.Sum64()
}

// One flipped bit changes the sum wherever it is. So do two flipped bits, and rows that change
// places.
func TestSumSeesChanges(t *testing.T) {
	const dim, rows = 64, 300
	r := rand.New(rand.NewPCG(1, 5))
	all := randomRows(r, rows, dim)
	sum := func() uint64 {
		f := open(t, create(t, Header{Dimension: dim}, all))
		noError(t, f.Hold(rows))
		defer f.Release()
		return sumOf(f, 0, rows)
	}
	before := sum()
	for range 200 {
		i, j := r.IntN(len(all)), r.IntN(len(all))
		x, y := int8(1)<<r.IntN(7), int8(1)<<r.IntN(7)
		all[i] ^= x
		if sum() == before {
			t.Errorf("bit %x of byte %d", x, i)
		}
		if all[j] ^= y; (i != j || x != y) && sum() == before {
			t.Errorf("bits %x of byte %d and %x of byte %d", x, i, y, j)
		}
		all[j] ^= y
		all[i] ^= x
	}
	for i := range dim {
		all[i], all[dim+i] = all[dim+i], all[i]
	}
	if sum() == before {
		t.Error("two rows that changed places")
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
