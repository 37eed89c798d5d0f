package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/storetest"
)

func VerifyDatabase(dir string, deep bool) (v store.Verified, err error) {
	err = storetest.Opened(dir, func(r *store.Reader) error {
		v, err = r.Verify(context.Background(), deep)
		return err
	})
	return v, err
}

func TestVerifyFindsDamage(t *testing.T) {
	c := storetest.NewCorpus(11)
	c.Fill()
	c.Commit()
	for _, x := range []struct {
		statement string
		want      string // in the error
		deep      bool   // noticed only with deep
	}{
		{`UPDATE posting SET list = zeroblob(length(list)) WHERE term = 'alpha'`, `check postings of "alpha"`, false},
		{`UPDATE posting SET n = n + 1 WHERE term = 'alpha'`, `check postings of "alpha"`, false},
		{`UPDATE segment SET groups = x'ff'`, "check segments", false},
		{`UPDATE segment SET chunks = chunks + 1`, "check segments", false},
		{`UPDATE file SET entries = x'05' WHERE path = 'dir1/beta1.go'`, `check file "dir1/beta1.go"`, false},
		{`UPDATE file SET chunks = x'05' WHERE path = 'dir1/beta1.go'`, `check file "dir1/beta1.go"`, false},
		{`UPDATE file SET facts = x'05' WHERE path = 'dir1/beta1.go'`, `check file "dir1/beta1.go"`, false},
		{`UPDATE revision SET files = x'ff'`, "check commit", false},
		{`DELETE FROM body`, "its text is missing", true},
		{`UPDATE body SET frame = substr(frame, 1, length(frame) - 1)`, "check file", true},
	} {
		dir := t.TempDir()
		c.Write("dir1/beta1.go")
		c.Build(t, dir)
		before, err := VerifyDatabase(dir, true)
		if err != nil || before.Lists == 0 || before.Files != len(c.Files) || before.Commits != 1 || before.Bodies != before.Files {
			t.Fatalf("a sound index: %+v, %v", before, err)
		}
		storetest.Change(t, dir, x.statement)
		_, quick := VerifyDatabase(dir, false)
		_, deep := VerifyDatabase(dir, true)
		if !errors.Is(deep, store.ErrDamaged) || !strings.Contains(deep.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.statement, deep, x.want)
		}
		if (quick == nil) != x.deep {
			t.Errorf("%s: without deep %v", x.statement, quick)
		}
	}
}

func TestVerifyFindsFlippedVectors(t *testing.T) {
	c := storetest.NewCorpus(14)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	if v, err := VerifyDatabase(dir, false); err != nil || v.Vectors == 0 {
		t.Fatalf("a sound index: %+v, %v", v, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "index-*.vec"))
	storetest.Check(t, err)
	raw, err := os.ReadFile(names[0])
	storetest.Check(t, err)
	raw[len(raw)-1] ^= 1
	storetest.Check(t, os.WriteFile(names[0], raw, 0o644))
	if _, err := VerifyDatabase(dir, false); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "check vectors") {
		t.Errorf("a flipped bit: %v", err)
	}
}

func TestVerifyFindsForeignPages(t *testing.T) {
	c := storetest.NewCorpus(12)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	names, err := filepath.Glob(filepath.Join(dir, "index-*.db"))
	storetest.Check(t, err)
	storetest.Check(t, os.Remove(names[0]+".sum"))
	raw, err := os.ReadFile(names[0])
	storetest.Check(t, err)
	const page = 8192
	for at := 2 * page; at+page <= len(raw); at += page {
		spoiled := append([]byte{}, raw...)
		clear(spoiled[at : at+page])
		storetest.Check(t, os.WriteFile(names[0], spoiled, 0o644))
		if err := storetest.Opened(dir, func(r *store.Reader) error { _, err := r.Verify(context.Background(), false); return err }); err == nil {
			t.Errorf("page %d of %d was emptied and nothing noticed", at/page+1, len(raw)/page)
		}
	}
}

func TestExamineSaysWhatIsThere(t *testing.T) {
	c := storetest.NewCorpus(13)
	c.Fill()
	ctx := context.Background()
	dir := t.TempDir()
	if x := store.Examine(ctx, filepath.Join(dir, "none"), store.MainView, store.Seal{}); x.Exists || !errors.Is(x.Err, store.ErrNoIndex) {
		t.Errorf("no folder: %+v", x)
	}
	if x := store.Examine(ctx, dir, store.MainView, store.Seal{}); !x.Exists || x.Bytes != 0 || !errors.Is(x.Err, store.ErrNoIndex) {
		t.Errorf("empty folder: %+v", x)
	}
	c.Build(t, dir)
	x := store.Examine(ctx, dir, store.MainView, store.Seal{})
	if x.Err != nil || x.File != "index-000001.db" || x.Format != store.Format || x.Generation.Number != 1 || x.Bytes < 8192 || x.Holder != "" || x.ReadOnly {
		t.Errorf("sound: %+v", x)
	}
	if want := (build.Options{Extractor: 1}).Version(); x.Extractor != want {
		t.Errorf("extractor %q, want %q", x.Extractor, want)
	}
	w, err := build.Update(ctx, dir, storetest.Options)
	storetest.Check(t, err)
	if x := store.Examine(ctx, dir, store.MainView, store.Seal{}); x.Err != nil || !strings.HasPrefix(x.Holder, "process ") {
		t.Errorf("while a scrape is under way: %+v", x)
	}
	w.Abort()
	storetest.Change(t, dir, `UPDATE meta SET value = '99' WHERE key = 'format'`)
	if x := store.Examine(ctx, dir, store.MainView, store.Seal{}); !errors.Is(x.Err, store.ErrNewer) || x.Format != 99 || x.Extractor == "" {
		t.Errorf("newer: %+v", x)
	}
	storetest.Change(t, dir, `UPDATE meta SET value = '0' WHERE key = 'format'`)
	if x := store.Examine(ctx, dir, store.MainView, store.Seal{}); !errors.Is(x.Err, store.ErrOlder) {
		t.Errorf("older: %+v", x)
	}
	storetest.Check(t, os.Truncate(filepath.Join(dir, x.File), 8192))
	if x := store.Examine(ctx, dir, store.MainView, store.Seal{}); !errors.Is(x.Err, store.ErrDamaged) {
		t.Errorf("cut: %+v", x)
	}
	storetest.Check(t, os.Remove(filepath.Join(dir, x.File)))
	if x := store.Examine(ctx, dir, store.MainView, store.Seal{}); !errors.Is(x.Err, store.ErrDamaged) {
		t.Errorf("gone: %+v", x)
	}
}
