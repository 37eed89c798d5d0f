package vector

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// indexed writes rows to a file and builds an index of the first n.
func indexed(t testing.TB, rows []int8, n int64) (*File, string) {
	t.Helper()
	return indexedIn(t, 256, rows, n)
}

// indexedIn is indexed for rows of a dimension.
func indexedIn(t testing.TB, dimension int, rows []int8, n int64) (*File, string) {
	t.Helper()
	path := create(t, Header{Model: "m", Dimension: dimension}, rows)
	f := open(t, path)
	made := filepath.Join(filepath.Dir(path), "index-000001.hnsw")
	if err := BuildIndex(context.Background(), f, n, made, nil); err != nil {
		t.Fatal(err)
	}
	return f, made
}

func openIndex(t testing.TB, path string, f *File) *Index {
	t.Helper()
	x, err := OpenIndex(path, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// The index finds nearly the same rows as the exact scan, in the same order and with the same
// products. It never returns a row after those it covers.
func TestIndexFindsTheNearest(t *testing.T) {
	for _, dimension := range []int{256, 384, 768} {
		findsTheNearest(t, dimension)
	}
}

func findsTheNearest(t *testing.T, dimension int) {
	vectors, asked := topics(1, 5000, 50, dimension)
	rows, questions := quantised(vectors), quantised(asked)
	const covered, k = 4500, 10
	f, path := indexedIn(t, dimension, rows, covered)
	x := openIndex(t, path, f)
	if x.Rows() != covered {
		t.Errorf("index covers %d rows, want %d", x.Rows(), covered)
	}
	rows = rows[:covered*dimension]
	got := mean(len(asked), func(i int) float64 {
		q := questions[i*dimension : (i+1)*dimension]
		found, products, err := x.Search(q, k)
		if err != nil || len(found) != k || len(products) != k {
			t.Errorf("found %d rows, %d products, %v", len(found), len(products), err)
			return 0
		}
		want := make([]int32, covered)
		slowDots(want, rows, q)
		for j, row := range found {
			if products[j] != want[row] {
				t.Errorf("product of row %d is %d, want %d", row, products[j], want[row])
			}
			if j > 0 && (products[j] > products[j-1] || products[j] == products[j-1] && row <= found[j-1]) {
				t.Errorf("%v are not in order: %v", found, products)
			}
		}
		return recall(bestByDots(rows, q, k), found)
	})
	if got < 0.98 {
		t.Errorf("recall@%d of 5,000 rows of %d is %.3f", k, dimension, got)
	}
}

// Few rows, no rows, only zeros, many equal rows, and more results wanted than there are rows.
func TestIndexOfOddRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	one := randomRows(r, 1, 256)
	for _, c := range []struct {
		name string
		rows []int8
		k    int
		want int
	}{
		{"no rows", nil, 10, 0},
		{"one row", one, 10, 1},
		{"only zeros", make([]int8, 100*256), 10, 0},
		{"zeros between", slices.Concat(make([]int8, 256), one, make([]int8, 512), randomRows(r, 2, 256)), 10, 3},
		{"many equal", slices.Repeat(one, 500), 20, 20},
		{"none wanted", one, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, path := indexed(t, c.rows, int64(len(c.rows)/256))
			x := openIndex(t, path, f)
			rows, products, err := x.Search(one, c.k)
			if err != nil || len(rows) != c.want || len(products) != c.want || x.Rows() != f.Rows() {
				t.Errorf("%d rows, %d products, %v, want %d rows", len(rows), len(products), err, c.want)
			}
		})
	}
}

func TestCancelledBuildLeavesNothing(t *testing.T) {
	vectors, _ := topics(1, 3000, 0, 256)
	path := create(t, Header{Dimension: 256}, quantised(vectors))
	f := open(t, path)
	made := filepath.Join(filepath.Dir(path), "index.hnsw")
	for _, at := range []int64{0, 1000, 3000} {
		ctx, cancel := context.WithCancel(context.Background())
		last := int64(0)
		err := BuildIndex(ctx, f, 3000, made, func(done int64) {
			if done <= last {
				t.Errorf("%d rows done after %d", done, last)
			}
			if last = done; done >= at {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %d: %v", at, err)
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 {
			t.Errorf("cancelled at %d leaves %v, %v", at, names, err)
		}
	}
	// The remains of a killed build must not disturb the next one.
	if err := os.WriteFile(made+unpublished, []byte("half an index"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := BuildIndex(context.Background(), f, 3000, made, nil); err != nil {
		t.Fatal(err)
	}
	openIndex(t, made, f)
	if _, err := os.Stat(made + unpublished); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unpublished name is still there: %v", err)
	}
}

func TestBuildErrors(t *testing.T) {
	path := create(t, Header{Dimension: 256}, make([]int8, 256))
	f := open(t, path)
	if err := BuildIndex(context.Background(), f, 2, path+".hnsw", nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("index of more rows than there are: %v", err)
	}
	if err := BuildIndex(context.Background(), f, 1, filepath.Join(path, "x.hnsw"), nil); err == nil {
		t.Error("built an index in a folder that is none")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := BuildIndex(context.Background(), f, 1, path+".hnsw", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("index of a closed file: %v", err)
	}
}

// Every flipped byte and every cut of an index must be noticed, and so must an index of another
// file.
func TestDamagedIndex(t *testing.T) {
	vectors, _ := topics(1, 40, 0, 256)
	rows := quantised(vectors)
	f, path := indexed(t, rows, 40)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int, content []byte, f *File) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if x, err := OpenIndex(path, f); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s %d: %v, %v, want ErrDamaged", what, at, x, err)
		}
	}
	for i := 0; i < len(whole); i += 7 {
		flipped := slices.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		check("flipped byte", i, flipped, f)
		check("cut to", i, whole[:i], f)
	}
	rows[39*256] ^= 1
	check("another file", 0, whole, open(t, create(t, Header{Model: "m", Dimension: 256}, rows)))
	rows[39*256] ^= 1
	check("another model", 0, whole, open(t, create(t, Header{Model: "n", Dimension: 256}, rows)))
	check("fewer rows", 0, whole, open(t, create(t, Header{Model: "m", Dimension: 256}, rows[:39*256])))
	if _, err := OpenIndex(path+"x", f); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open what is not there: %v", err)
	}
}

// Many concurrent searches return the same as one. A search during or after Close is an error,
// never a crash.
func TestConcurrentSearch(t *testing.T) {
	vectors, asked := topics(1, 2000, 40, 256)
	questions := quantised(asked)
	f, path := indexed(t, quantised(vectors), 2000)
	x := openIndex(t, path, f)
	want := make([][]int64, len(asked))
	for i := range asked {
		var err error
		if want[i], _, err = x.Search(questions[i*256:(i+1)*256], 20); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := range asked {
				got, _, err := x.Search(questions[i*256:(i+1)*256], 20)
				if err == nil && !slices.Equal(got, want[i]) || err != nil && !errors.Is(err, ErrClosed) {
					t.Errorf("question %d: %v, %v, want %v", i, got, err, want[i])
				}
			}
		})
	}
	wg.Go(func() {
		if err := errors.Join(x.Close(), x.Close(), f.Close()); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	if _, _, err := x.Search(questions[:256], 20); !errors.Is(err, ErrClosed) {
		t.Errorf("search after close: %v", err)
	}
}
