package store_test

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
)

// A flipped bit in a row is damage, however old the file and however young the sums beside it.
func TestFlippedVectorsWithOldTimes(t *testing.T) {
	c := storetest.NewCorpus(31)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	ask := func() error {
		return storetest.Opened(dir, func(r *store.Reader) error {
			_, err := oracles.Nearest(context.Background(), r, question("server merge alpha"), doc.Filter{}, 10)
			return err
		})
	}
	storetest.Check(t, ask())
	names, err := filepath.Glob(filepath.Join(dir, "index-*.vec"))
	storetest.Check(t, err)
	raw, err := os.ReadFile(names[0])
	storetest.Check(t, err)
	const header = 4096
	now := time.Now()
	// Earlier versions left this file.
	storetest.Check(t, os.WriteFile(names[0]+".sum", []byte("verified\n"), 0o600))
	r := rand.New(rand.NewSource(1))
	for range 100 {
		at, bit := header+r.Intn(len(raw)-header), byte(1)<<r.Intn(8)
		raw[at] ^= bit
		storetest.Check(t, os.WriteFile(names[0], raw, 0o600))
		storetest.Check(t, os.Chtimes(names[0], now.Add(-time.Hour), now.Add(-time.Hour)))
		storetest.Check(t, os.Chtimes(names[0]+".sum", now, now))
		if err := ask(); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("bit %x of byte %d: %v", bit, at, err)
		}
		raw[at] ^= bit
	}
	storetest.Check(t, os.WriteFile(names[0], raw, 0o600))
	storetest.Check(t, ask())
}
