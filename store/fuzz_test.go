package store_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/store/storetest"
)

// FuzzFiles changes bytes in a store's database and vectors, as a stranger or a failing disk would.
// Nothing may panic, hang, or end the process. An edit is five bytes: a position, whose highest bit
// chooses the file, and a value.
func FuzzFiles(f *testing.F) {
	whole := f.TempDir()
	small(f, whole)
	names := []string{"index-000001.db", "index-000001.vec"}
	var content [2][]byte
	for i, n := range names {
		b, err := os.ReadFile(filepath.Join(whole, n))
		storetest.Check(f, err)
		content[i] = b
	}
	f.Add([]byte{0, 0, 0, 100, 0})                                      // the kind of the first page
	f.Add([]byte{0, 0, 0, 105, 255, 0, 0, 0x20, 3, 200})                // content area, foreign cells
	f.Add([]byte{0, 0, 0, 31, 255, 0, 0, 0, 18, 1})                     // page count, format version
	f.Add([]byte{0x80, 0, 0, 12, 255, 0x80, 0, 0, 16, 255})             // bytes in a row, in a name
	f.Add([]byte{0, 0, 0x20, 0, 5, 0, 0, 0x20, 8, 1, 0, 0, 0x20, 9, 1}) // an inner page, its own child
	f.Fuzz(func(t *testing.T, edits []byte) {
		dir := t.TempDir()
		storetest.Check(t, os.WriteFile(filepath.Join(dir, "current"), []byte(names[0]+"\n"), 0o600))
		var changed [2][]byte
		for i := range content {
			changed[i] = append([]byte(nil), content[i]...)
		}
		for ; len(edits) >= 5; edits = edits[5:] {
			at := binary.BigEndian.Uint32(edits)
			b := changed[at>>31]
			b[int(at<<1>>1)%len(b)] = edits[4]
		}
		for i, n := range names {
			storetest.Check(t, os.WriteFile(filepath.Join(dir, n), changed[i], 0o600))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		_ = askEverything(ctx, dir)
		_ = updateSmall(ctx, dir)
		if ctx.Err() != nil {
			t.Error("it hangs")
		}
	})
}
