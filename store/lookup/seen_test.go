package lookup

import (
	"errors"
	"fmt"
	"testing"

	"patina/store"
)

// A state is read as it was written, and nothing else is taken for one.
func FuzzCutSeen(f *testing.F) {
	f.Add("a.go", int64(1), int64(-2), uint64(1)<<63, "rest")
	f.Add("", int64(0), int64(0), uint64(0), "")
	f.Add("a\x00b", int64(0), int64(0), uint64(0), "\x00\x00")
	f.Fuzz(func(t *testing.T, path string, size, mtime int64, inode uint64, rest string) {
		got, left, err := cutSeen(fmt.Sprintf("%s\x00%d\x00%d\x00%d\x00%s", path, size, mtime, int64(inode), rest))
		if err == nil && len(left) >= len(rest) && got.Path == path {
			if got.Size != size || got.ModTime != mtime || got.Inode != inode || left != rest {
				t.Errorf("%+v, %q", got, left)
			}
		}
		if _, left, err := cutSeen(rest); err == nil && len(left) >= len(rest) || err != nil && !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%q: %q, %v", rest, left, err)
		}
	})
}
