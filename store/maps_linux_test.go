package store_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"patina/store"
	"patina/store/storetest"
)

// A scrape that replaces an index keeps nothing of it mapped: a process that stays would hold the
// removed files for good.
func TestBuildLetsGoOfTheIndexBefore(t *testing.T) {
	c, dir := someCorpus(), t.TempDir()
	c.Build(t, dir)
	mapped := func() (n int) {
		maps, err := os.ReadFile("/proc/self/maps")
		storetest.Check(t, err)
		return strings.Count(string(maps), dir)
	}
	s, err := store.Open(dir)
	storetest.Check(t, err)
	p, err := s.Pin(context.Background(), 1)
	storetest.Check(t, err)
	if mapped() == 0 {
		t.Error("the open index is not mapped, so this test says nothing")
	}
	p.Close()
	storetest.Check(t, s.Close())
	c.Build(t, dir)
	if n := mapped(); n != 0 {
		t.Errorf("%d parts of an index are still mapped", n)
	}
}
