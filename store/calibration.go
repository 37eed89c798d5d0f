package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"patina/store/vector"
)

// A Calibration says what a cosine means in one repository: the cosines of pairs of its own vectors drawn at random, as 101
// quantiles, the least first. It is empty where there are too few vectors.
//
// Two texts of one repository are alike in much that has nothing to do with a question, so a cosine of 0.3 is much in one and
// nothing in another.
type Calibration []float64

const (
	randomPairs = 4096
	quantiles   = 101
	// noise is the quantile up to which a cosine says nothing: in some ten thousand chunks a hundred are as near to anything.
	noise = 99
	// certain is the cosine that accounts for a question entirely. From one to the other the evidence rises with the square: of ten
	// absurd questions to Go's standard library one reached half of the way, none more.
	certain = 1.0
)

// Evidence is how much of a question a cosine accounts for, 0..1, on the scale of a share.
func (c Calibration) Evidence(cosine float64) float64 {
	if len(c) < quantiles || c[noise] >= certain {
		return 0
	}
	x := min(1, max(0, (cosine-c[noise])/(certain-c[noise])))
	return x * x
}

// calibrate draws random pairs of rows and keeps the quantiles of their cosines: with a fresh index, and while it is small.
func (w *Writer) calibrate(f *vector.File, segments []*segment) error {
	total := int64(0)
	for _, g := range segments {
		total += g.vectorRows()
	}
	if !w.fresh && total > smallIndex || total < 2 {
		return nil
	}
	rnd := rand.New(rand.NewPCG(1, uint64(total)))
	draw := func() []int8 {
		n := rnd.Int64N(total)
		for _, g := range segments {
			if n < g.vectorRows() {
				return f.Slice(g.vectors+n, 1)
			}
			n -= g.vectorRows()
		}
		return nil
	}
	cosines := make([]float64, randomPairs)
	var dot [1]int32
	for i := range cosines {
		vector.Dots(dot[:], draw(), draw())
		cosines[i] = float64(dot[0]) / (VectorScale * VectorScale)
	}
	slices.Sort(cosines)
	texts := make([]string, quantiles)
	for i := range texts {
		texts[i] = strconv.FormatFloat(cosines[i*(randomPairs-1)/(quantiles-1)], 'f', 4, 64)
	}
	return w.exec(`INSERT OR REPLACE INTO meta(key, value) VALUES('random_cosines', ?)`, strings.Join(texts, " "))
}

// readModel reads what the generation says of its vectors.
func (s *snapshot) readModel(ctx context.Context, q querier) error {
	var cosines sql.NullString
	row := q.QueryRowContext(ctx, `SELECT value, (SELECT value FROM meta WHERE key = 'random_cosines') FROM meta WHERE key = 'model'`)
	err := row.Scan(&s.model, &cosines)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, x := range strings.Fields(cosines.String) {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return fmt.Errorf("quantile %q of the vectors: %w", x, ErrDamaged)
		}
		s.random = append(s.random, v)
	}
	return nil
}
