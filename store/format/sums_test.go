package format

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/store/folder"
)

// A verified file is not read again until it is written, or a day has passed.
func TestTrusted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	now := time.Now()
	for _, test := range []struct {
		file, sums time.Duration // ago
		want       bool
	}{
		{time.Hour, time.Minute, true},
		{time.Minute, time.Hour, false},
		{48 * time.Hour, 25 * time.Hour, false},
		{time.Hour, -time.Hour, false},
	} {
		for name, ago := range map[string]time.Duration{path: test.file, folder.SumsOf(path): test.sums} {
			if err := errors.Join(os.WriteFile(name, nil, 0o644), os.Chtimes(name, now.Add(-ago), now.Add(-ago))); err != nil {
				t.Fatal(err)
			}
		}
		if got := isTrusted(path); got != test.want {
			t.Errorf("written %v ago, verified %v ago: trusted %v", test.file, test.sums, got)
		}
	}
}

func FuzzSums(f *testing.F) {
	s := &Sums{Publication: 3, size: 100, blocks: []uint32{7}}
	path := filepath.Join(f.TempDir(), "f")
	in, err := folder.Open(filepath.Dir(path), false)
	if err != nil {
		f.Fatal(err)
	}
	if err := s.Write(in, path); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(folder.SumsOf(path))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:9])
	f.Fuzz(func(t *testing.T, b []byte) {
		if s := parseSums(b); s != nil && len(s.blocks) != blocksOf(s.size) {
			t.Errorf("%d blocks of %d bytes", len(s.blocks), s.size)
		}
	})
}
