package build

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/vector"
)

// mostCalibrated is how many rows are sampled again by an update. With more, the calibration is
// that of the last full scrape.
const mostCalibrated = 200_000

// calibrate stores the quantiles for random pairs of the view's rows. segments must be those that
// the view sees.
func (w *learning) calibrate(f *vector.File, segments []*store.Segment) error {
	total := int64(0)
	for _, g := range segments {
		for from, to := range g.LiveRows() {
			total += to - from
		}
	}
	if !w.fresh && total > mostCalibrated || total < 2 {
		return nil
	}
	rows := sampleRows(f, segments, total)
	rnd := rand.New(rand.NewPCG(1, uint64(total)))
	cosines := make([]float64, doc.RandomPairs)
	var dot [1]int32
	for i := range cosines {
		vector.Dots(dot[:], rows[rnd.IntN(len(rows))], rows[rnd.IntN(len(rows))])
		cosines[i] = float64(dot[0]) / (doc.VectorScale * doc.VectorScale)
	}
	slices.Sort(cosines)
	texts := make([]string, doc.Quantiles)
	for i := range texts {
		texts[i] = strconv.FormatFloat(cosines[i*(doc.RandomPairs-1)/(doc.Quantiles-1)], 'f', 4, 64)
	}
	const statement = `INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)`
	return w.exec(statement, format.CalibrationKey+strconv.FormatInt(w.view.id, 10), strings.Join(texts, " "))
}

// sampleRows returns up to two rows a pair: the rows with the least hashes, in hash order. Row
// order depends on the scraping workers and differs each time. The sample depends only on row
// content, so two scrapes of one tree refuse the same questions (TestCalibrationKnowsNoOrder).
func sampleRows(f *vector.File, segments []*store.Segment, total int64) [][]int8 {
	type hashed struct {
		hash uint64
		row  int64
	}
	all := make([]hashed, 0, total)
	for _, g := range segments {
		for from, to := range g.LiveRows() {
			for row := from; row < to; row++ {
				all = append(all, hashed{rowHash(f.Slice(row, 1)), row})
			}
		}
	}
	slices.SortFunc(all, func(a, b hashed) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return slices.Compare(f.Slice(a.row, 1), f.Slice(b.row, 1))
	})
	rows := make([][]int8, min(len(all), 2*doc.RandomPairs))
	for i := range rows {
		rows[i] = f.Slice(all[i].row, 1)
	}
	return rows
}

// rowHash is FNV-1a over a row's first 64 components. Rows with equal hashes are compared.
func rowHash(row []int8) uint64 {
	h := uint64(14695981039346656037)
	for _, x := range row[:min(len(row), 64)] {
		h = (h ^ uint64(uint8(x))) * 1099511628211
	}
	return h
}
