package build

import (
	"context"
	"slices"

	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/text"
)

// A copy is a file of code that mostly repeats other files: an amalgamation of sources, or what a
// build has made of them. Which files are copies depends on all files of a view, so it is computed
// when a generation is published, from samples of their lines (text.Shingles). An update computes
// it again for the files that have a sample in common with a changed one.

const (
	// leastShingles is the fewest samples from which shares are computed, about 250 lines.
	leastShingles = 8
	// mostHolders is the most files that a sample says something of. Others are licences and the
	// like.
	mostHolders = 16
	// repeatedShare is the least share of a copy that other files have too: for an amalgamation
	// smaller ones, without that which has most, and in a folder of builds all outside of such.
	repeatedShare = 0.3
	// mostTouched is the most samples of changed files for which single files are looked at again.
	mostTouched = 1 << 14
)

// notSampled are the classes of files that, like tests, rank low anyway and are never taken for the
// originals of others.
const notSampled = doc.Example | doc.Compat | doc.Declaration | doc.Generated | doc.Vendored | doc.OtherText |
	doc.PathOnly | doc.Translation | doc.Data

// shinglesOf returns the samples of a file, or nil if it has none.
func shinglesOf(f *doc.File) []uint32 {
	if f.Kind.Traits().Demoted != doc.ByClass || f.Class&notSampled != 0 || doc.IsTest(f.Class) {
		return nil
	}
	return text.Shingles(f.Body)
}

// A repetition is what a writer knows of the copies in its view.
type repetition struct {
	copies  doc.Bitmap
	all     bool            // every file is looked at again
	files   map[int64]bool  // the changed ones
	touched map[uint32]bool // their samples
}

// touch notes samples of a file that the view gets or loses.
func (r *repetition) touch(key int64, samples []uint32) {
	if r.all || len(samples) == 0 {
		return
	}
	if r.all = len(r.touched)+len(samples) > mostTouched; r.all {
		r.files, r.touched = nil, nil
		return
	}
	if r.files == nil {
		r.files, r.touched = make(map[int64]bool), make(map[uint32]bool)
	}
	r.files[key] = true
	for _, s := range samples {
		r.touched[s] = true
	}
}

var shingleRows = rowsOf(2, `INSERT INTO shingle(hash, file) VALUES`)

func (w *contents) insertShingles(key int64, samples []uint32) error {
	w.repeated.touch(key, samples)
	values := make([]any, 0, 2*len(samples))
	for _, s := range samples {
		values = append(values, s, key)
	}
	return w.insertRows(&shingleRows, values)
}

// touchFile notes all samples of a stored file.
func (w *contents) touchFile(key int64) error {
	if w.repeated.all {
		return nil
	}
	samples, err := w.samples(key)
	w.repeated.touch(key, samples)
	return err
}

// samples returns a file's samples in order.
func (w *contents) samples(key int64) (out []uint32, err error) {
	rows, err := w.query(`SELECT hash FROM shingle WHERE file = ? ORDER BY hash`, key)
	if err != nil {
		return nil, err
	}
	return out, sqlite.ForEachRow(rows, func(scan func(...any) error) error {
		var h uint32
		err := scan(&h)
		out = append(out, h)
		return err
	})
}

// holders returns the files of the view with a sample, up to a number.
func (w *contents) holders(sample uint32, most int) (out []int64, err error) {
	rows, err := w.query(`SELECT file FROM shingle WHERE hash = ? ORDER BY file`, sample)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for len(out) < most && rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		if w.members.Has(key) {
			out = append(out, key)
		}
	}
	return out, rows.Err()
}

// findCopies brings the view's copies up to date with its files.
func (w *contents) findCopies() error {
	r := &w.repeated
	var again map[int64]bool
	var err error
	if r.all {
		r.copies = doc.Bitmap{}
		again, err = w.repeating()
	} else {
		again, err = w.sharing()
	}
	if err != nil {
		return err
	}
	known := map[int64]sampled{}
	for key := range again {
		is := false
		if w.members.Has(key) {
			if is, err = w.isCopy(key, known); err != nil {
				return err
			}
		}
		if r.copies.Clear(key); is {
			r.copies.Set(key)
		}
	}
	r.all, r.files, r.touched = false, nil, nil
	return nil
}

// sharing returns the changed files, and those with a sample in common with one.
func (w *contents) sharing() (map[int64]bool, error) {
	out := w.repeated.files
	changed := len(out)
	for s := range w.repeated.touched {
		holders, err := w.holders(s, mostHolders+changed+1)
		if err != nil {
			return nil, err
		}
		if len(holders) > mostHolders+changed { // too many before and now
			continue
		}
		for _, key := range holders {
			out[key] = true
		}
	}
	return out, nil
}

// repeating returns the files of which enough is repeated to look closer.
func (w *contents) repeating() (map[int64]bool, error) {
	type count struct{ all, repeated int }
	counts := map[int64]count{}
	var at uint32
	var holders []int64
	flush := func() {
		for _, key := range holders {
			c := counts[key]
			if c.all++; len(holders) > 1 && len(holders) <= mostHolders {
				c.repeated++
			}
			counts[key] = c
		}
		holders = holders[:0]
	}
	const query = `SELECT hash, file FROM shingle ORDER BY hash, file`
	err := sqlite.EachRow(context.Background(), w.conn, query, nil, func(scan func(...any) error) error {
		var s uint32
		var key int64
		if err := scan(&s, &key); err != nil || !w.members.Has(key) {
			return err
		}
		if s != at {
			flush()
		}
		at, holders = s, append(holders, key)
		return nil
	})
	flush()
	out := map[int64]bool{}
	for key, c := range counts {
		if c.all >= leastShingles && isRepeated(c.repeated, c.all) {
			out[key] = true
		}
	}
	return out, err
}

func isRepeated(n, all int) bool { return float64(n) >= repeatedShare*float64(all) }

// A sampled file is one with samples.
type sampled struct {
	samples int
	built   bool // in a folder of builds
}

// isCopy reports whether a file of the view is a copy. known caches what is read of others.
func (w *contents) isCopy(key int64, known map[int64]sampled) (bool, error) {
	samples, err := w.samples(key)
	if err != nil || len(samples) < leastShingles {
		return false, err
	}
	var shared [][]int64      // the files with each sample that some have
	common := map[int64]int{} // samples in common with each
	for _, s := range samples {
		holders, err := w.holders(s, mostHolders+1)
		if err != nil {
			return false, err
		}
		if len(holders) < 2 || len(holders) > mostHolders {
			continue
		}
		shared = append(shared, holders)
		for _, h := range holders {
			common[h]++
		}
	}
	if !isRepeated(len(shared), len(samples)) {
		return false, nil
	}
	own, err := w.sampledFile(key, known)
	if err != nil {
		return false, err
	}
	delete(common, key)
	largest := 0
	for other, n := range common {
		x, err := w.sampledFile(other, known)
		if err != nil {
			return false, err
		}
		// A part of an amalgamation is smaller, and half of it is in there.
		if x.built || !own.built && (x.samples >= own.samples || 2*n < x.samples) {
			delete(common, other)
			continue
		}
		largest = max(largest, n)
	}
	repeated := 0
	for _, holders := range shared {
		if slices.ContainsFunc(holders, func(h int64) bool { return common[h] > 0 }) {
			repeated++
		}
	}
	if !own.built {
		repeated -= largest
	}
	return isRepeated(repeated, len(samples)), nil
}

func (w *contents) sampledFile(key int64, known map[int64]sampled) (x sampled, err error) {
	if x, ok := known[key]; ok {
		return x, nil
	}
	rows, err := w.query(`SELECT (class & ?) != 0, (SELECT COUNT(*) FROM shingle WHERE file = key) FROM file WHERE key = ?`,
		doc.Built, key)
	if err != nil {
		return x, err
	}
	err = sqlite.ForEachRow(rows, func(scan func(...any) error) error { return scan(&x.built, &x.samples) })
	known[key] = x
	return x, err
}
