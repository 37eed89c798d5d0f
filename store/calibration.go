package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"patina/store/format"
	"patina/store/sqlite"
)

// readModel reads the model's name.
func (s *Snapshot) readModel(ctx context.Context, q sqlite.Querier) error {
	err := q.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'model'`).Scan(&s.Model)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// readCalibration reads the calibration of the snapshot's view.
func (s *Snapshot) readCalibration(ctx context.Context, q sqlite.Querier) error {
	var cosines string
	const query = `SELECT value FROM meta WHERE key = ?`
	err := q.QueryRowContext(ctx, query, format.CalibrationKey+strconv.FormatInt(s.View, 10)).Scan(&cosines)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, x := range strings.Fields(cosines) {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return fmt.Errorf("quantile %q of the vectors: %w", x, ErrDamaged)
		}
		s.random = append(s.random, v)
	}
	return nil
}
