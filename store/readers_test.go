package store_test

import (
	"errors"
	"os"
	"reflect"
	"sync"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// A file that was only touched makes no new generation, and its kept row has the new stat.
func TestKeptFileHasTheStatOfItsPublication(t *testing.T) {
	ctx := t.Context()
	c := storetest.NewCorpus(5)
	dir, path := t.TempDir(), c.Paths()[1]
	c.Write(path)
	c.Build(t, dir)
	s := openStore(t, dir)
	seen := func() (doc.Stat, int64) {
		p, err := s.Pin(ctx, 2)
		storetest.Check(t, err)
		defer p.Close()
		snap, err := p.Readers[1].Snapshot(ctx)
		storetest.Check(t, err)
		f, err := p.Readers[1].KeptFile(ctx, snap, path)
		storetest.Check(t, err)
		return f.Stat, p.Readers[1].Generation().Number
	}
	before, first := seen()
	w, err := build.Update(ctx, dir, storetest.Options)
	storetest.Check(t, err)
	touched := before
	touched.ModTime++
	storetest.Check(t, w.Touch(path, touched))
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	for range 2 {
		after, second := seen()
		if after != touched || first != second {
			t.Errorf("generation %d has %+v, then %d has %+v, want %+v", first, before, second, after, touched)
		}
	}
}

// A reader that is pinned for long takes nothing from those of newer generations.
func TestPinnedReaderLeavesTheNewSnapshot(t *testing.T) {
	ctx := t.Context()
	c := storetest.NewCorpus(5)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	s := openStore(t, dir)
	pin := func() *store.Reader {
		p, err := s.Pin(ctx, 1)
		storetest.Check(t, err)
		t.Cleanup(p.Close)
		return p.Readers[0]
	}
	old := pin()
	randomUpdate(c, t, dir)
	newest, err := pin().Snapshot(ctx)
	storetest.Check(t, err)
	olds, err := old.Snapshot(ctx)
	storetest.Check(t, err)
	again, err := pin().Snapshot(ctx)
	storetest.Check(t, err)
	if newest != again || newest == olds {
		t.Error("what the new generation keeps is gone")
	}
	if same, err := old.Snapshot(ctx); same != olds || err != nil {
		t.Errorf("the pinned reader begins anew: %v", err)
	}
}

// Listed must return an error for a damaged index instead of a guess.
func TestListedOfADamagedIndex(t *testing.T) {
	c, dir := storetest.NewCorpus(5), t.TempDir()
	c.Fill()
	c.Build(t, dir)
	if at, err := storetest.Pin(t, dir).Listed(t.Context()); err != nil || !at.Equal(storetest.Generation.ScrapedAt) {
		t.Errorf("never listed: %v, %v", at, err)
	}
	storetest.Change(t, dir, `INSERT INTO meta(key, value) VALUES('listed ', 'never')`)
	if at, err := storetest.Pin(t, dir).Listed(t.Context()); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("listed never: %v, %v", at, err)
	}
}

// While generations are published, each reader must get only its own generation from memory, even
// if it was pinned before. The log is emptied after the last reader.
func TestKeptWhileGenerationsArePublished(t *testing.T) {
	ctx := t.Context()
	c, dir := someCorpus(), t.TempDir()
	c.Build(t, dir)
	s := openStore(t, dir)
	first, err := s.Pin(ctx, 1)
	storetest.Check(t, err)
	published := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for ended := false; !ended; {
				select {
				case <-published:
					ended = true
				default:
				}
				p, err := s.Pin(ctx, 2)
				if err == nil {
					err = keepsItsOwn(t, p.Readers[1])
					p.Close()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 12 {
		if i%3 > 0 {
			randomUpdate(c, t, dir)
			continue
		}
		w, err := build.Update(ctx, dir, storetest.Options)
		storetest.Check(t, err)
		for path := range c.Files {
			storetest.Check(t, w.Touch(path, doc.Stat{Size: int64(i), ModTime: int64(len(path) + i)}))
		}
		_, err = w.Publish(storetest.Generation)
		storetest.Check(t, err)
		storetest.Check(t, keepsItsOwn(t, first.Readers[0]))
	}
	close(published)
	readers.Wait()
	first.Close()
	randomUpdate(c, t, dir)
	if info, err := os.Stat(publishedIn(t, dir) + "-wal"); err == nil && info.Size() > 0 {
		t.Errorf("the log has %d bytes, and nobody reads in it", info.Size())
	}
}

// keepsItsOwn compares the memory of a reader with its generation.
func keepsItsOwn(t *testing.T, r *store.Reader) error {
	ctx := t.Context()
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	states, err := r.States(ctx)
	if err != nil {
		return err
	}
	for path, state := range states {
		kept, err := r.KeptFile(ctx, snap, path)
		if err != nil {
			return err
		}
		bare, err := r.BareFileAt(ctx, snap, kept.File.Key)
		if err != nil {
			return err
		}
		row, err := r.FileNamed(ctx, snap, path)
		if err != nil {
			return err
		}
		whole, err := store.OpenParts(row)
		if err != nil {
			return err
		}
		if kept.Stat != state.Stat || bare.Path != path || !reflect.DeepEqual(kept.Parts, whole) {
			t.Errorf("generation %d keeps %+v of %q, want %+v, %+v", r.Generation().Number, kept, path, whole, state)
		}
	}
	return nil
}
