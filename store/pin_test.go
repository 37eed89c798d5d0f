package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// A pinned reader sees its generation while others are published, by update and by rename.
func TestReaderSeesOneGeneration(t *testing.T) {
	c := storetest.NewCorpus(2)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	s, err := store.Open(dir)
	storetest.Check(t, err)
	p, err := s.Pin(context.Background(), 3)
	storetest.Check(t, err)
	var before, after strings.Builder
	storetest.Check(t, storetest.WriteDump(context.Background(), p.Readers[0], &before))
	randomUpdate(c, t, dir)
	c.Write("dir0/new.go")
	c.Build(t, dir)
	storetest.Check(t, storetest.WriteDump(context.Background(), p.Readers[2], &after))
	if before.String() != after.String() {
		t.Error("a pinned generation changed")
	}
	p2, err := s.Pin(context.Background(), 2)
	storetest.Check(t, err)
	if p2.Readers[0].Generation().Number != p2.Readers[1].Generation().Number || p2.Readers[0].Generation().Number <= p.Readers[0].Generation().Number {
		t.Error("a new pin does not see the new generation")
	}
	p.Close()
	p2.Close()
	storetest.Check(t, s.Close())
}

// A scrape that changes nothing still says when it was.
func TestReaderSeesAnUnchangedPublication(t *testing.T) {
	c := storetest.NewCorpus(2)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	s := openStore(t, dir)
	seen := func() doc.Generation {
		p, err := s.Pin(context.Background(), 3)
		storetest.Check(t, err)
		defer p.Close()
		for _, r := range p.Readers {
			if r.Generation() != p.Readers[0].Generation() {
				t.Errorf("readers see %+v and %+v", p.Readers[0].Generation(), r.Generation())
			}
		}
		return p.Readers[0].Generation()
	}
	before := seen()
	w, err := build.Update(context.Background(), dir, storetest.Options)
	storetest.Check(t, err)
	later := before
	later.ScrapedAt = before.ScrapedAt.Add(time.Hour)
	published, err := w.Publish(later)
	storetest.Check(t, err)
	if after := seen(); after != published || after.Number != before.Number || after.ScrapedAt != later.ScrapedAt {
		t.Errorf("%+v, then %+v, published %+v", before, after, published)
	}
}
