package store_test

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/store"
)

// A flipped bit of a row is damage however old the file says that it is, and however young the sums
// beside it.
func TestFlippedVectorsWithOldTimes(t *testing.T) {
	c := newCorpus(31)
	c.fill()
	dir := t.TempDir()
	c.build(t, dir)
	ask := func() error {
		return opened(dir, func(r *store.Reader) error {
			_, err := r.Nearest(context.Background(), question("server merge alpha"), store.Filter{}, 10)
			return err
		})
	}
	check(t, ask())
	names, err := filepath.Glob(filepath.Join(dir, "index-*.vec"))
	check(t, err)
	raw, err := os.ReadFile(names[0])
	check(t, err)
	const header = 4096
	now := time.Now()
	check(t, os.WriteFile(names[0]+".sum", []byte("verified\n"), 0o600)) // as earlier versions left it
	r := rand.New(rand.NewSource(1))
	for range 100 {
		at, bit := header+r.Intn(len(raw)-header), byte(1)<<r.Intn(8)
		raw[at] ^= bit
		check(t, os.WriteFile(names[0], raw, 0o600))
		check(t, os.Chtimes(names[0], now.Add(-time.Hour), now.Add(-time.Hour)))
		check(t, os.Chtimes(names[0]+".sum", now, now))
		if err := ask(); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("bit %x of byte %d: %v", bit, at, err)
		}
		raw[at] ^= bit
	}
	check(t, os.WriteFile(names[0], raw, 0o600))
	check(t, ask())
}
